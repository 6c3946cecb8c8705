import type { Row } from '../../headless/row'

/** One line of a bulk result. */
export interface OutcomeLine {
  id: string
  title: string
  /** Null when it was done. */
  reason: string | null
}

/**
 * A line a record, the refused ones first: those are what somebody has to look at. A record that is shown keeps its name from
 * there: the gateway may know only the id of one that the caller sees in a view alone (the sea).
 */
export const outcomeLines = (outcome: BulkOutcome, rows: readonly Row[], titleOf: (row: Row) => string): OutcomeLine[] => {
  const titles = new Map(rows.map((row) => [String(row.id), titleOf(row)]))
  return [
    ...outcome.refused.map(({ id, title, reason }) => ({ id, title: titles.get(id) || title || id, reason })),
    ...outcome.done.map((id) => ({ id, title: titles.get(id) ?? id, reason: null })),
  ]
}

/** A value of a CSV file: quoted where needed, and never a formula to a spreadsheet. */
const csvValue = (value: string): string => {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** CSV with a byte order mark, so that spreadsheets read Chinese. */
export const toCsv = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map((line) => line.map(csvValue).join(',')).join('\r\n')}\r\n`

/** Tab-separated text for the clipboard: pastes into a spreadsheet as cells. */
export const toTsv = (lines: readonly (readonly string[])[]): string =>
  lines.map((line) => line.map((value) => value.replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n')

/** Saves a text that was made here as a file. */
export const saveText = (text: string, fileName: string, type = 'text/csv;charset=utf-8'): void => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Result of an action on several records. */
export interface BulkOutcome {
  done: readonly string[]
  refused: readonly { id: string; title: string; reason: string }[]
}
