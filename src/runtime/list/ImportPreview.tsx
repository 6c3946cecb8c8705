import '../plainTable.css'
import { Alert, Button } from 'antd'
import type { ListTexts } from '../../headless/list/texts'

interface ImportError {
  row: number
  field?: string | null
  /** Name of a field for which the file has no column. */
  title?: string
  column?: string | null
  value?: unknown
  message: string
}

/** What is said of a whole row. */
export interface RowNote {
  row: number
  message: string
}

/** Answer of `POST base/import/preview`. */
export interface ImportPreview {
  importId: string
  total: number
  valid: number
  columns: readonly { field: string; title: string; column?: string }[]
  /** `column` is the letter of the sheet's column; without a field the whole row is wrong. */
  errors: readonly ImportError[]
  /** The first rows that can be saved but should be looked at. */
  warnings?: readonly RowNote[]
  /** Values by field; `$shown` holds them in words. */
  sample: readonly (Readonly<Record<string, unknown>> & { $shown?: Readonly<Record<string, string>> })[]
}

/** More errors than this are read in the file. */
const SHOWN_ERRORS = 100
const text = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** "Company name (B)": the title people know and the letter they see in the sheet. */
const cellName = ({ columns }: ImportPreview, { field, title: named, column }: ImportError): string => {
  const title = columns.find((entry) => entry.field === field)?.title ?? named ?? field ?? ''
  return column && column !== title ? `${title} (${column})` : title
}

interface PartProps {
  preview: ImportPreview
  texts: ListTexts['importing']
}

interface WarningProps {
  notes?: readonly RowNote[]
  /** All of them; more than are told one by one in a large import. */
  total?: number
  texts: ListTexts['importing']
}

/** What is wrong, by row and cell. */
export const ImportErrors = ({ preview, texts, onDownload }: PartProps & { onDownload(): void }) => {
  const { errors } = preview
  if (errors.length === 0) return null
  return (
    <section aria-label={texts.errors}>
      <div className="sb-bar">
        <strong>{texts.errors}</strong>
        <Button size="small" onClick={onDownload}>
          {texts.errorFile}
        </Button>
      </div>
      <div style={{ maxHeight: 320, overflow: 'auto' }} tabIndex={0} role="region" aria-label={texts.errors}>
        <table className="sb-plain sb-import-errors">
          <thead>
            <tr>
              {[texts.row, texts.column, texts.value, texts.reason].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {errors.slice(0, SHOWN_ERRORS).map((error, index) => (
              <tr key={index}>
                <td>{error.row}</td>
                <td>{cellName(preview, error)}</td>
                <td data-faulty="">
                  <bdi>{text(error.value)}</bdi>
                </td>
                <td>{error.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {errors.length > SHOWN_ERRORS && <p>{texts.moreErrors(errors.length - SHOWN_ERRORS)}</p>}
    </section>
  )
}

/** Sentences about rows, each with its number. */
export const RowNotes = ({ notes, texts }: { notes: readonly RowNote[]; texts: ListTexts['importing'] }) => (
  <ul>
    {notes.map(({ row, message }) => (
      <li key={row}>
        {texts.row} {row}: {message}
      </li>
    ))}
  </ul>
)

/** Rows that can be, or were, imported and should be looked at. */
export const ImportWarnings = ({ notes = [], total = notes.length, texts }: WarningProps) =>
  notes.length === 0 ? null : (
    <Alert
      type="warning"
      showIcon
      message={texts.warnings(total)}
      description={
        <div style={{ maxHeight: 240, overflow: 'auto' }} tabIndex={0} role="region" aria-label={texts.warnings(total)}>
          <RowNotes notes={notes} texts={texts} />
        </div>
      }
    />
  )

/** The first rows as the gateway read them, so that a shifted column is seen before it is saved. */
export const ImportSample = ({ preview, texts }: PartProps) => {
  const { columns, sample } = preview
  if (sample.length === 0) return null
  return (
    <section aria-label={texts.sample}>
      <strong>{texts.sample}</strong>
      <div style={{ overflow: 'auto' }} tabIndex={0} role="region" aria-label={texts.sample}>
        <table className="sb-plain sb-import-sample">
          <thead>
            <tr>
              {columns.map(({ field, title }) => (
                <th key={field} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sample.map((row, index) => (
              <tr key={index}>
                {columns.map(({ field }) => (
                  <td key={field}>
                    <bdi>{row.$shown?.[field] ?? text(row[field])}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
