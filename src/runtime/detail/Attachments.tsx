import { isFileValue, type FileValue } from '../../schema/formats'
import { isAborted, toFailure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import { detailTexts } from './texts'

const FILES = '/v2/download/downloadCenter/api/file'

const sizeText = (bytes: unknown): string => {
  if (typeof bytes !== 'number' || !Number.isFinite(bytes)) return ''
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** The files of a record; a click previews by the portal's rules (R267-R269), each can be downloaded. */
export const Attachments = ({ host, value }: { host: Host; value: unknown }) => {
  const texts = detailTexts[host.locale]
  const files: readonly FileValue[] = (Array.isArray(value) ? value : [value]).filter(isFileValue)
  if (files.length === 0) return <p>{texts.noAttachments}</p>
  const download = ({ id, name }: FileValue): void => {
    host.downloadFile(`${FILES}/${encodeURIComponent(id)}`, name).catch((error: unknown) => {
      if (!isAborted(error)) host.report(toFailure(error, host.locale).error, { file: id })
    })
  }
  return (
    <ul className="sb-files">
      {files.map((file) => (
        <li key={file.id}>
          <button
            type="button"
            className="sb-link"
            aria-label={texts.preview(file.name)}
            onClick={() => host.previewFile({ id: file.id, name: file.name })}
          >
            <bdi>{file.name}</bdi>
          </button>
          <span className="sb-dash">{sizeText(file.size)}</span>
          <button type="button" className="sb-link" aria-label={`${texts.download} ${file.name}`} onClick={() => download(file)}>
            {texts.download}
          </button>
        </li>
      ))}
    </ul>
  )
}
