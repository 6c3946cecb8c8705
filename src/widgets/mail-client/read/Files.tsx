import { DownloadOutlined, EyeOutlined, FileOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import { tellFailure } from '../../../runtime/reading/tell'
import { mailTexts } from '../parts/texts'
import type { Attachment, Message } from '../parts/types'
import { fileAddress } from './usePictures'

const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|bmp)|application\/pdf)$/u
const STEP = 1024

/** How large a file is, as people say it. */
export function sizeText(bytes: number): string {
  if (bytes < STEP) return `${bytes} B`
  const kilobytes = bytes / STEP
  return kilobytes < STEP ? `${Math.round(kilobytes)} kB` : `${(kilobytes / STEP).toFixed(1)} MB`
}

type NamedFile = Pick<Attachment, 'name' | 'size' | 'type'>

/** A file with where it is had. */
interface Shown {
  file: NamedFile
  address: string
}

/**
 * What hangs on a message: saved, and looked at where it is a picture or a PDF by its content. Pictures of the text stand there; a mail that hangs on it is opened
 * where it is, with its own files.
 */
export const Files = ({ message }: { message: Pick<Message, 'id' | 'attachments'> }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [shown, setShown] = useState<Shown | null>(null)
  const files = message.attachments.filter(({ inline }) => !inline)
  if (files.length === 0) return null
  const letters = files.flatMap(({ letter, index }) => (letter ? [{ letter, index }] : []))
  return (
    <section className="sb-mail-files" aria-label={texts.attachments(files.length)}>
      <h3>{texts.attachments(files.length)}</h3>
      <ul>
        {files.map((file) => (
          <Entry key={file.index} file={file} address={fileAddress(message.id, file.index)} onShow={setShown} />
        ))}
      </ul>
      {letters.map(({ letter, index }) => (
        <details key={index} className="sb-mail-nested">
          <summary>{letter.subject || texts.noSubject}</summary>
          <p>
            <bdi>{[letter.sender.name, letter.sender.email && `<${letter.sender.email}>`].filter(Boolean).join(' ')}</bdi>
            {letter.at && <time dateTime={letter.at}>{momentText(host, letter.at)}</time>}
          </p>
          <pre>{letter.text}</pre>
          <ul>
            {letter.files.map((file) => (
              <Entry key={file.index} file={file} address={fileAddress(message.id, index, file.index)} onShow={setShown} />
            ))}
          </ul>
        </details>
      ))}
      {shown && <Preview {...shown} onClose={() => setShown(null)} />}
    </section>
  )
}

const Entry = ({ file, address, onShow }: Shown & { onShow(shown: Shown): void }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  return (
    <li>
      <FileOutlined aria-hidden />
      <bdi title={file.name}>{file.name}</bdi>
      <small>{sizeText(file.size)}</small>
      {SHOWN.test(file.type) && (
        <Button
          type="text"
          size="small"
          icon={<EyeOutlined />}
          aria-label={`${texts.preview}: ${file.name}`}
          title={texts.preview}
          onClick={() => onShow({ file, address })}
        />
      )}
      <Button
        type="text"
        size="small"
        icon={<DownloadOutlined />}
        aria-label={`${texts.download}: ${file.name}`}
        title={texts.download}
        onClick={() => void host.downloadFile(address, file.name).catch(() => undefined)}
      />
    </li>
  )
}

const Preview = ({ address, file, onClose }: Shown & { onClose(): void }) => {
  const host = useHost()
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    let made: string | null = null
    host.readBlob(address, abort.signal).then(
      (blob) => {
        if (abort.signal.aborted) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      },
      (error: unknown) => abort.signal.aborted || tellFailure(host, error, 'mail.client preview'),
    )
    return () => {
      abort.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [host, address])
  return (
    <Modal open centered width="min(1000px, 94vw)" title={file.name} footer={null} loading={url === null} onCancel={onClose}>
      {url !== null &&
        (file.type === 'application/pdf' ? (
          <iframe className="sb-mail-pdf" title={file.name} src={url} />
        ) : (
          <img className="sb-mail-picture" alt={file.name} src={url} />
        ))}
    </Modal>
  )
}
