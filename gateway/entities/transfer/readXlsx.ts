import { isBlankRow, tooManyRows, type FileCell, type FileRow, type OnRead, type ReaderRequest } from './sheetRows'
import { damaged, readPart, surveyArchive, xmlReader } from './xlsxArchive'
import { readBook, readSharedStrings, unescaped, Words, type Book } from './xlsxBook'

const MOST_COLUMNS = 500
const LAST_ROW = 1_048_576

/** Rows of the first visible sheet of a workbook. Formulas count as the value that was saved with them; they are never computed. */
export async function* readXlsx({ path, limits }: ReaderRequest, onRead?: OnRead): AsyncGenerator<FileRow> {
  const survey = await surveyArchive(path, limits)
  const book = readBook(survey)
  const rows = survey.rows.get(book.sheet) ?? 0
  const texts = book.sharedStrings === undefined ? [] : await readSharedStrings(path, book.sharedStrings, limits)
  const sheet = new SheetReader(book, texts, limits.rows)
  const reader = xmlReader(sheet)
  for await (const _ of readPart(path, book.sheet, (text) => reader.write(text))) {
    for (const { row, read } of sheet.take()) {
      if (rows > 0) onRead?.(Math.min(1, read / rows))
      yield row
    }
  }
  reader.end()
}

/** Turns the elements of a sheet into rows. Cells and rows that are left out keep the places of the others. */
class SheetReader {
  /** Row elements so far, empty ones among them. */
  private read = 0
  private rows: { row: FileRow; read: number }[] = []
  private filled = 0
  private row = 0
  private cells: FileCell[] = []
  private column = 0
  private type = 'n'
  private style = 0
  private value: string | undefined
  private formula = false
  private inValue = false
  private inCell = false
  private readonly words = new Words()

  constructor(
    private readonly book: Book,
    private readonly texts: readonly string[],
    private readonly limit: number,
  ) {}

  /** The rows that were read since, each with the number of rows up to it. */
  take(): { row: FileRow; read: number }[] {
    const rows = this.rows
    this.rows = []
    return rows
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') this.openRow(attributes['r'])
    else if (name === 'c') this.openCell(attributes)
    else if (!this.inCell) return
    else if (name === 'v') this.openValue()
    else if (name === 'f') this.formula = true
    else this.words.open(name)
  }

  text(text: string): void {
    if (this.inValue) this.value = (this.value ?? '') + text
    else if (this.inCell) this.words.text(text)
  }

  close(name: string): void {
    if (name === 'v') this.inValue = false
    else if (name === 'row') this.closeRow()
    else if (!this.inCell) return
    else if (name === 'c') {
      this.inCell = false
      if (this.column <= MOST_COLUMNS) this.keep(this.cell())
    } else this.words.close(name)
  }

  private openRow(given: string | undefined): void {
    this.read += 1
    this.row = given === undefined ? this.row + 1 : Number(given)
    if (!(Number.isInteger(this.row) && this.row >= 1 && this.row <= LAST_ROW)) throw damaged()
    this.cells = []
    this.column = 0
  }

  private closeRow(): void {
    if (isBlankRow(this.cells)) return
    if (this.row > 1) this.filled += 1
    if (this.filled > this.limit) throw tooManyRows(this.limit)
    this.rows.push({ row: { row: this.row, cells: this.cells }, read: this.read })
  }

  private openCell({ r, t, s }: Readonly<Record<string, string>>): void {
    this.inCell = true
    this.column = r === undefined ? this.column + 1 : columnOf(r)
    this.type = t ?? 'n'
    this.style = Number(s ?? 0)
    this.value = undefined
    this.formula = false
    this.words.clear()
  }

  private openValue(): void {
    this.inValue = true
    this.value = ''
  }

  private keep(cell: FileCell): void {
    while (this.cells.length < this.column - 1) this.cells.push(null)
    this.cells[this.column - 1] = cell
  }

  private cell(): FileCell {
    const { value, type } = this
    if (type === 'inlineStr') return this.words.taken === '' ? (value ?? null) : this.words.taken
    if (value === undefined || (value === '' && type !== 'str')) return this.formula ? NO_RESULT : null
    switch (type) {
      case 's':
        return this.texts[Number(value)] ?? UNKNOWN
      case 'str':
        return unescaped(value)
      case 'b':
        return value === '1' || value === 'true'
      case 'e':
        return { problem: { zh: `单元格是错误值 ${value}。`, en: `The cell holds the error ${value}.` } }
      case 'd': {
        const moment = new Date(/Z|[+-]\d\d:\d\d$/.test(value) || value.length <= 10 ? value : `${value}Z`)
        return Number.isNaN(moment.getTime()) ? UNKNOWN : moment
      }
      case 'n': {
        const number = Number(value)
        if (!Number.isFinite(number)) return UNKNOWN
        return this.book.read(number, this.style)
      }
      default:
        return UNKNOWN
    }
  }
}

/** `AB12` -> 28. What is no column stands beyond the last one that is read. */
function columnOf(reference: string): number {
  const letters = /^[A-Za-z]{1,3}(?=\d)/.exec(reference)?.[0] ?? ''
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return column === 0 ? MOST_COLUMNS + 1 : column
}

const NO_RESULT: FileCell = {
  problem: {
    zh: '单元格是公式且没有保存结果，请改为数值后再导入。',
    en: 'The cell is a formula without a saved result; please replace it by its value.',
  },
}
const UNKNOWN: FileCell = { problem: { zh: '单元格的内容无法识别。', en: 'The content of the cell is not known.' } }
