import { cellText } from '../../../src/schema/formats/format'
import type { SheetNumber } from '../../../src/schema/formats/sheetNumber'
import type { Text } from '../../platform/http'

/** What a cell of an uploaded file holds; `problem` where it holds nothing that can be used. */
export type FileCell = string | number | boolean | Date | SheetNumber | null | CellFault

interface CellFault {
  problem: Text
}

/** Whether a cell holds nothing that can be used. */
export const isFault = (cell: FileCell): cell is CellFault => typeof cell === 'object' && cell !== null && 'problem' in cell

/** A cell as it is written; '' for what holds nothing. */
export const cellShown = (cell: FileCell): string =>
  typeof cell === 'string' ? cell : isFault(cell) ? '' : (cellText(cell) ?? '')

/** A row of an uploaded file; `row` is its number in the sheet, the header being 1. */
export interface FileRow {
  row: number
  cells: FileCell[]
}

export interface ReadLimits {
  /** Rows below the header. */
  rows: number
  /** Bytes of all parts of a workbook, unpacked. */
  unpacked: number
  /** Unpacked bytes for each packed one, counted from 5 MiB on. */
  ratio: number
}

/** The file cannot be imported at all. */
export class FileRefusedError extends Error {
  override readonly name = 'FileRefusedError'
  constructor(readonly text: Text) {
    super(text.en)
  }
}

export function tooManyRows(limit: number): FileRefusedError {
  return new FileRefusedError({
    zh: `文件超过 ${limit} 行，请拆分后分次导入。`,
    en: `The file has more than ${limit} rows. Please split it and import the parts.`,
  })
}

/** A line where nobody wrote anything. */
export function isBlankRow(cells: readonly FileCell[]): boolean {
  return cells.every((cell) => cell === null || cell === '' || (typeof cell === 'string' && cell.trim() === ''))
}

/** Told by a reader as it goes: the part of the file that was read, 0 to 1. */
export type OnRead = (fraction: number) => void

export interface ReaderRequest {
  path: string
  /** Words that may stand in the header: they tell a right encoding from a wrong one. */
  headers: readonly string[]
  limits: ReadLimits
}

/** Messages of the reading worker. Rows wait for an acknowledgement, so that a large file does not pile up in memory. */
export type ReaderMessage =
  { type: 'rows'; rows: FileRow[]; read: number | null } | { type: 'refused'; text: Text } | { type: 'done' }
