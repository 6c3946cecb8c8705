import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import ExcelJS from 'exceljs'
import { Unzip, UnzipInflate } from 'fflate'
import {
  FileRefusedError,
  isBlankRow,
  tooManyRows,
  type FileCell,
  type FileRow,
  type OnRead,
  type ReaderRequest,
  type ReadLimits,
} from './sheetRows'

const RATIO_FROM = 5 * 1_048_576
const MOST_COLUMNS = 500

/** Rows of the first sheet of a workbook. Formulas count as the value that was saved with them; they are never computed. */
export async function* readXlsx(request: ReaderRequest, onRead?: OnRead): AsyncGenerator<FileRow> {
  const rows = await refuseBomb(request.path, request.limits)
  const reader = new ExcelJS.stream.xlsx.WorkbookReader(request.path, {
    worksheets: 'emit',
    sharedStrings: 'cache',
    styles: 'cache',
    hyperlinks: 'ignore',
    entries: 'ignore',
  })
  let filled = 0
  let read = 0
  try {
    for await (const sheet of reader) {
      for await (const row of sheet) {
        read += 1
        if (rows > 0) onRead?.(Math.min(1, read / rows))
        const cells = cellsOf(row)
        if (isBlankRow(cells)) continue
        if (row.number > 1) filled += 1
        if (filled > request.limits.rows) throw tooManyRows(request.limits.rows)
        yield { row: row.number, cells }
      }
      return
    }
  } catch (error) {
    if (error instanceof FileRefusedError) throw error
    throw damaged()
  }
}

function cellsOf(row: ExcelJS.Row): FileCell[] {
  const width = Math.min(row.cellCount, MOST_COLUMNS)
  return Array.from({ length: width }, (_, index) => cellValue(row.getCell(index + 1).value))
}

function cellValue(value: ExcelJS.CellValue): FileCell {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object' || value instanceof Date) return value
  if ('error' in value)
    return { problem: { zh: `单元格是错误值 ${value.error}。`, en: `The cell holds the error ${value.error}.` } }
  if ('richText' in value) return value.richText.map((part) => part.text).join('')
  if ('hyperlink' in value) return typeof value.text === 'string' ? value.text : cellValue(value.text as ExcelJS.CellValue)
  if ('formula' in value || 'sharedFormula' in value) {
    if (value.result === undefined || value.result === null) {
      return {
        problem: {
          zh: '单元格是公式且没有保存结果，请改为数值后再导入。',
          en: 'The cell is a formula without a saved result; please replace it by its value.',
        },
      }
    }
    return cellValue(value.result)
  }
  return { problem: { zh: '单元格的内容无法识别。', en: 'The content of the cell is not known.' } }
}

/** Unpacks without keeping anything and stops as soon as a limit is passed. Answers the rows of the longest sheet, for the progress. */
async function refuseBomb(path: string, limits: ReadLimits): Promise<number> {
  const { size } = await stat(path)
  let unpacked = 0
  let failure: Error | undefined
  let longest = 0
  const unzip = new Unzip((file) => {
    const count = SHEET.test(file.name) ? rowCounter() : undefined
    file.ondata = (error, chunk) => {
      if (count && chunk) longest = Math.max(longest, count(chunk))
      if (error) failure ??= damaged()
      unpacked += chunk?.length ?? 0
      if (unpacked > limits.unpacked || (unpacked > RATIO_FROM && unpacked > size * limits.ratio)) failure ??= bomb(limits)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 16_384 })) {
      unzip.push(new Uint8Array(chunk as Buffer))
      if (failure) throw failure
    }
    unzip.push(new Uint8Array(0), true)
  } catch (error) {
    throw error instanceof FileRefusedError ? error : damaged()
  }
  if (failure) throw failure
  return longest
}

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/
const ROW_TAG = Buffer.from('<row')

/** Counts the row elements of a sheet that comes in pieces. */
function rowCounter(): (piece: Uint8Array) => number {
  let total = 0
  let rest = Buffer.alloc(0)
  return (piece) => {
    const bytes = Buffer.concat([rest, piece])
    for (let at = bytes.indexOf(ROW_TAG); at >= 0; at = bytes.indexOf(ROW_TAG, at + ROW_TAG.length)) total += 1
    rest = bytes.subarray(Math.max(0, bytes.length - ROW_TAG.length + 1))
    return total
  }
}

function bomb(limits: ReadLimits): FileRefusedError {
  const size = Math.round(limits.unpacked / 1_048_576)
  return new FileRefusedError({
    zh: `文件解压后过大（上限 ${size} MB），或压缩比异常，已拒绝。请删除多余的内容后重试。`,
    en: `The file is too large when unpacked (at most ${size} MB) or packed beyond reason, so it was refused. Please remove what is not needed.`,
  })
}

function damaged(): FileRefusedError {
  return new FileRefusedError({
    zh: '无法读取该 xlsx 文件，可能已损坏。请用表格软件打开后重新保存。',
    en: 'The xlsx file cannot be read; it may be damaged. Please open it in a spreadsheet program and save it again.',
  })
}
