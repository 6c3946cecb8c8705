import { DownloadOutlined, EyeOutlined, FileOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
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

/** What hangs on a message: saved, and looked at where it is a picture or a PDF by its content. Pictures of the text stand there. */
export const Files = ({ message }: { message: Pick<Message, 'id' | 'attachments'> }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [shown, setShown] = useState<Attachment | null>(null)
  const files = message.attachments.filter(({ inline }) => !inline)
  if (files.length === 0) return null
  return (
    <section className="sb-mail-files" aria-label={texts.attachments(files.length)}>
      <h3>{texts.attachments(files.length)}</h3>
      <ul>
        {files.map((file) => (
          <li key={file.index}>
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
                onClick={() => setShown(file)}
              />
            )}
            <Button
              type="text"
              size="small"
              icon={<DownloadOutlined />}
              aria-label={`${texts.download}: ${file.name}`}
              title={texts.download}
              onClick={() => void host.downloadFile(fileAddress(message.id, file.index), file.name).catch(() => undefined)}
            />
          </li>
        ))}
      </ul>
      {shown && <Preview address={fileAddress(message.id, shown.index)} file={shown} onClose={() => setShown(null)} />}
    </section>
  )
}

const Preview = ({ address, file, onClose }: { address: string; file: Attachment; onClose(): void }) => {
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
