import { DeleteOutlined, PaperClipOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import { useCallback, useRef, useState } from 'react'
import { toFailure } from '../../../headless/failure'
import { LARGEST_FILE, LARGEST_MAIL, sizeInMail } from '../../../headless/mail'
import { sizeText } from '../../../runtime/form/controls/Attachments'
import { upload } from '../../../runtime/form/controls/upload'
import { useHost } from '../../../runtime/hostContext'
import type { MailFile } from './calls'
import { composeTexts } from './texts'

interface Running {
  key: number
  file: File
  fraction: number
  failure: string
  abort(): void
}

let lastKey = 0

/** Files on their way. */
export interface Uploads {
  running: readonly Running[]
  busy: boolean
  /** Takes files, each unless it is too large; answers those that arrived. */
  add(files: readonly File[]): Promise<MailFile[]>
  drop(key: number): void
}

/** Uploads files beside what is there; what a file or the mail would be too large for is said before. */
export function useUploads(there: readonly MailFile[], onDone: (file: MailFile) => void): Uploads {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const [running, setRunning] = useState<readonly Running[]>([])
  const latest = useRef({ there, onDone })
  latest.current = { there, onDone }
  const drop = useCallback((key: number) => setRunning((all) => all.filter((one) => one.key !== key)), [])

  const one = useCallback(
    async (file: File): Promise<MailFile | null> => {
      const key = ++lastKey
      const change = (part: Partial<Running>): void =>
        setRunning((all) => all.map((each) => (each.key === key ? { ...each, ...part } : each)))
      const sent = upload(host, file, (fraction) => change({ fraction }))
      setRunning((all) => [...all, { key, file, fraction: 0, failure: '', abort: sent.abort }])
      try {
        const { id, name, size } = await sent.promise
        const done = { id, name, size: size ?? file.size }
        latest.current.onDone(done)
        drop(key)
        return done
      } catch (error) {
        change({ failure: toFailure(error, host.locale).message })
        return null
      }
    },
    [host, drop],
  )
  const add = useCallback(
    async (files: readonly File[]): Promise<MailFile[]> => {
      let total = latest.current.there.reduce((sum, { size }) => sum + sizeInMail(size), 0)
      const fitting: File[] = []
      for (const file of files) {
        if (file.size > LARGEST_FILE) host.notify('warning', texts.fileTooLarge(file.name, sizeText(file.size)))
        else if (total + sizeInMail(file.size) > LARGEST_MAIL) host.notify('warning', texts.mailTooLarge(file.name))
        else {
          total += sizeInMail(file.size)
          fitting.push(file)
        }
      }
      const done = await Promise.all(fitting.map(one))
      return done.filter((file) => file !== null)
    },
    [host, texts, one],
  )
  return { running, busy: running.some(({ failure }) => failure === ''), add, drop }
}

interface FilesProps {
  files: readonly MailFile[]
  /** Ids of pictures that stand in the text. */
  inText: ReadonlySet<string>
  uploads: Uploads
  onRemove(id: string): void
}

/** What goes along, what is on its way, and how large the mail is by that. */
export const Files = ({ files, inText, uploads, onRemove }: FilesProps) => {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const shown = files.filter(({ id }) => !inText.has(id))
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (shown.length === 0 && uploads.running.length === 0) return null
  return (
    <section className="sb-write-files" aria-label={texts.attachments}>
      <ul>
        {shown.map((file) => (
          <li key={file.id} className="sb-mail-file">
            <PaperClipOutlined aria-hidden="true" />
            <Button type="link" size="small" onClick={() => host.previewFile(file)}>
              <bdi>{file.name}</bdi>
            </Button>
            <span>{sizeText(file.size)}</span>
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={texts.removeFile(file.name)}
              onClick={() => onRemove(file.id)}
            />
          </li>
        ))}
        {uploads.running.map(({ key, file, fraction, failure, abort }) => (
          <li key={key} className="sb-mail-file">
            <bdi>{file.name}</bdi>
            {failure ? (
              <>
                <span role="alert">{failure}</span>
                <Button
                  type="text"
                  size="small"
                  icon={<ReloadOutlined />}
                  aria-label={texts.uploadAgain(file.name)}
                  onClick={() => {
                    uploads.drop(key)
                    void uploads.add([file])
                  }}
                />
              </>
            ) : (
              <Progress percent={Math.round(fraction * 100)} size="small" style={{ width: 120 }} />
            )}
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={texts.removeFile(file.name)}
              onClick={() => {
                abort()
                uploads.drop(key)
              }}
            />
          </li>
        ))}
      </ul>
      <p>{texts.total(sizeText(total))}</p>
    </section>
  )
}
