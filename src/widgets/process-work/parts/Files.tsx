import { DeleteOutlined, PaperClipOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { upload } from '../../../runtime/form/controls/upload'
import { useHost } from '../../../runtime/hostContext'
import { tellFailure } from '../../../runtime/reading/tell'
import type { FileValue } from '../../../schema/formats'
import { partTexts } from './texts'

/** money 8.0: at most twenty, 50 MB each. */
const MOST = 20
const LARGEST = 50 * 1024 * 1024

interface FilesProps {
  value: readonly FileValue[]
  onChange(files: readonly FileValue[]): void
  onBusy(busy: boolean): void
}

/** Files that go with a decision or a comment. */
export const Files = ({ value, onChange, onBusy }: FilesProps) => {
  const host = useHost()
  const texts = partTexts[host.locale]
  const box = useRef<HTMLInputElement>(null)
  const [running, setRunning] = useState<{ name: string; percent: number } | null>(null)
  const add = async (chosen: readonly File[]): Promise<void> => {
    const files = [...value]
    onBusy(true)
    try {
      for (const file of chosen) {
        if (files.length >= MOST) {
          host.notify('warning', texts.tooMany)
          break
        }
        if (file.size > LARGEST) {
          host.notify('warning', texts.tooLarge(file.name))
          continue
        }
        const progress = (fraction: number): void => setRunning({ name: file.name, percent: Math.round(fraction * 100) })
        progress(0)
        const { id, name, size } = await upload(host, file, progress).promise
        files.push({ id, name, ...(size === undefined ? {} : { size }) } as FileValue)
        onChange([...files])
      }
    } catch (error) {
      tellFailure(host, error, 'files of a decision')
    } finally {
      setRunning(null)
      onBusy(false)
    }
  }
  return (
    <div>
      <input
        ref={box}
        type="file"
        multiple
        hidden
        aria-label={texts.upload}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])]
          event.target.value = ''
          void add(chosen)
        }}
      />
      <Button icon={<PaperClipOutlined />} loading={running !== null} onClick={() => box.current?.click()}>
        {running ? texts.uploading(running.name, running.percent) : texts.upload}
      </Button>
      {value.length > 0 && (
        <ul className="sb-file-list">
          {value.map((file) => (
            <li key={file.id} className="sb-file">
              <bdi className="sb-file-name">{file.name}</bdi>
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined />}
                aria-label={texts.removeFile(file.name)}
                onClick={() => onChange(value.filter(({ id }) => id !== file.id))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
