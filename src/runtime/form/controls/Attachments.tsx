import { Button, Progress } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { DragEvent } from 'react'
import { useSession, useText } from '../view/session'
import type { ControlProps } from './control'
import { isAttachment } from './shown'
import type { Attachment } from './shown'
import { upload } from './upload'

interface Running {
  key: number
  file: File
  fraction: number
  failure: string
  abort(): void
}

let lastKey = 0

export const sizeText = (bytes: number): string =>
  bytes >= 1024 * 1024
    ? `${(bytes / 1024 / 1024).toFixed(1)} MB`
    : bytes >= 1024
      ? `${Math.round(bytes / 1024)} KB`
      : `${bytes} B`

/** Uploaded files with preview and removal, and those on their way with progress and a way to go on after a failure. */
export const Attachments = ({
  id,
  value,
  onChange,
  disabled,
  readOnly,
  props,
  field,
  describedBy,
  path,
  multiple,
}: ControlProps & { multiple: boolean }) => {
  const { host, busy } = useSession()
  const t = useText()
  const picker = useRef<HTMLInputElement>(null)
  const [running, setRunning] = useState<readonly Running[]>([])
  const files = (Array.isArray(value) ? value : [value]).filter(isAttachment)
  // uploads end after renders: they add to what is there then
  const latest = useRef(files)
  latest.current = files
  const place = useRef<HTMLDivElement>(null)
  const isFixed = disabled || readOnly
  const most = multiple ? (field?.maxItems ?? (typeof props.maxCount === 'number' ? props.maxCount : 20)) : 1
  const largest = typeof props.maxSize === 'number' ? props.maxSize : undefined
  const uploading = running.some(({ failure }) => !failure)

  useEffect(() => {
    if (uploading) busy.add(path)
    else busy.delete(path)
    return () => {
      busy.delete(path)
    }
  }, [busy, path, uploading])

  const change = (key: number, next: Partial<Running>): void =>
    setRunning((list) => list.map((one) => (one.key === key ? { ...one, ...next } : one)))
  const drop = (key: number): void => setRunning((list) => list.filter((one) => one.key !== key))
  const put = (next: readonly Attachment[]): void => {
    latest.current = [...next]
    onChange(multiple ? next : (next[0] ?? null))
  }

  const send = (file: File): void => {
    const key = ++lastKey
    const { promise, abort } = upload(host, file, (fraction) => change(key, { fraction }))
    setRunning((list) => [...list, { key, file, fraction: 0, failure: '', abort }])
    promise.then(
      ({ id: fileId, name, size, type }) => {
        drop(key)
        put(multiple ? [...latest.current, { id: fileId, name, size, type }] : [{ id: fileId, name, size, type }])
      },
      (error: unknown) => change(key, { failure: error instanceof Error ? error.message : String(error) }),
    )
  }

  const add = (list: FileList | null): void => {
    for (const [index, file] of [...(list ?? [])].entries()) {
      if (multiple && files.length + running.length + index >= most) {
        host.notify('warning', t('uploadLimit', { n: most }))
        return
      }
      if (largest !== undefined && file.size > largest) host.notify('warning', t('uploadTooLarge', { size: sizeText(largest) }))
      else send(file)
      if (!multiple) return
    }
  }

  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    if (!isFixed) add(event.dataTransfer.files)
  }

  // a screenshot is pasted wherever the cursor stands in the form; the first field of files takes it
  const paste = useRef<(event: ClipboardEvent) => void>(() => undefined)
  paste.current = (event) => {
    const pasted = event.clipboardData?.files
    if (isFixed || event.defaultPrevented || !pasted?.length) return
    event.preventDefault()
    add(pasted)
  }
  useEffect(() => {
    const form = place.current?.closest('form')
    const onPaste = (event: ClipboardEvent): void => paste.current(event)
    form?.addEventListener('paste', onPaste)
    return () => form?.removeEventListener('paste', onPaste)
  }, [])

  return (
    <div ref={place} onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      {isFixed ? null : (
        <>
          <input
            ref={picker}
            type="file"
            hidden
            multiple={multiple}
            accept={typeof props.accept === 'string' ? props.accept : undefined}
            onChange={(event) => {
              add(event.target.files)
              event.target.value = ''
            }}
          />
          <Button
            id={id}
            onClick={() => picker.current?.click()}
            aria-describedby={describedBy}
            disabled={multiple && files.length >= most}
          >
            {typeof props.textContent === 'string' ? props.textContent : t('upload')}
          </Button>{' '}
          <span className="sb-form-help sb-for-pointer">{t('uploadHint')}</span>
        </>
      )}
      <ul className="sb-file-list">
        {files.map((file) => (
          <li key={file.id} className="sb-file">
            <button
              type="button"
              className="sb-link sb-file-name"
              onClick={() => host.previewFile({ id: file.id, name: file.name })}
              title={`${t('preview')} ${file.name}`}
            >
              {file.name}
            </button>
            {file.size === undefined ? null : <span className="sb-form-help">{sizeText(file.size)}</span>}
            {isFixed ? null : (
              <Button
                size="small"
                type="text"
                danger
                onClick={() => put(files.filter((one) => one.id !== file.id))}
                aria-label={`${t('remove')} ${file.name}`}
              >
                {t('remove')}
              </Button>
            )}
          </li>
        ))}
        {running.map(({ key, file, fraction, failure, abort }) => (
          <li key={key} className="sb-file">
            <span className="sb-file-name">{file.name}</span>
            {failure ? (
              <>
                <span className="sb-form-error" role="alert">
                  {t('uploadFailed', { reason: failure })}
                </span>
                <Button
                  size="small"
                  onClick={() => {
                    drop(key)
                    send(file)
                  }}
                >
                  {t('uploadResume')}
                </Button>
              </>
            ) : (
              <Progress percent={Math.round(fraction * 100)} size="small" style={{ width: 160 }} />
            )}
            <Button
              size="small"
              type="text"
              aria-label={`${t('remove')} ${file.name}`}
              onClick={() => {
                abort()
                drop(key)
              }}
            >
              {t('remove')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
