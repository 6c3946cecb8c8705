import type { Form } from '../../../src/schema/generated/process'
import { formatOf } from '../../../src/schema/formats'
import {
  cellShown,
  collectStream,
  columnLetter,
  FileRefusedError,
  isFault,
  Output,
  readSheet,
  TEXT_FORMAT,
  XlsxWriter,
  type FileCell,
  type FileRow,
  type SheetCell,
} from '../../entities'
import type { EntityEngine } from '../../entities'
import { ServiceError, type Locale, type Text } from '../../platform/http'
import type { ProcessProblem } from '../processes/check'
import { withField, type FieldSpec } from './fields'
import { CellProblem, COLUMNS, readCell } from './sheetColumns'

/** A cell of an uploaded sheet that cannot be taken. */
export interface SheetError {
  /** Number of the row in the sheet; the header is 1. */
  row: number
  /** Letter of the column. */
  column: string
  /** Address, e.g. `C4`. */
  cell: string
  text: string
}

export interface SheetPreview {
  rows: FieldSpec[]
  errors: SheetError[]
}

const cellOf = (value: string): SheetCell => (value === '' ? { type: 'empty' } : { type: 'text', value })

/** The workbook to fill in: a column for each fact of a field, an example, and a sheet that explains the columns. */
export function fieldsTemplate(engine: EntityEngine, locale: Locale): Promise<Buffer> {
  const zh = locale === 'zh'
  return collectStream(async (stream) => {
    const output = new Output(stream)
    const writer = new XlsxWriter(output, {
      name: zh ? '字段' : 'Fields',
      widths: COLUMNS.map(({ width }) => width),
      formats: COLUMNS.map(({ holds }) => (holds === 'number' ? undefined : TEXT_FORMAT)),
    })
    await writer.start(COLUMNS.map(({ label }) => label[locale]))
    await writer.rows([COLUMNS.map(({ example }) => cellOf(example?.[locale] ?? ''))])
    await writer.sheet({ name: zh ? '说明' : 'Guide', widths: [18, 70] }, zh ? ['列', '说明'] : ['Column', 'Explanation'])
    await writer.rows(COLUMNS.map(({ label, help }) => [cellOf(label[locale]), cellOf(help[locale])]))
    const types = engine.dictionaryChoices('fieldType').map(({ code, label }) => `${label[locale]} (${code})`)
    await writer.rows([[cellOf(zh ? '类型' : 'Types'), cellOf(types.join(zh ? '、' : ', '))]])
    await writer.finish()
    await output.end()
  })
}

const LIMITS = { rows: 1000, unpacked: 50_000_000, ratio: 100 }

/** What a sheet is read for. */
export interface SheetOf {
  engine: EntityEngine
  locale: Locale
  /** The form that the fields come to. */
  form: Form
  /** What would be wrong with the form once it has them. */
  check(form: Form): Promise<readonly Pick<ProcessProblem, 'pointer' | 'text'>[]>
}

/**
 * Reads fields of an uploaded sheet over a form. What cannot be taken is told by row and cell, expressions that read what is not there among it.
 * @throws ServiceError 10010013 when the file is no table or lacks a needed column
 */
export async function readFields(path: string, { engine, locale, form, check }: SheetOf): Promise<SheetPreview> {
  const headers = COLUMNS.flatMap(({ label, name }) => [label.zh, label.en, name])
  const rows: FileRow[] = []
  try {
    await readSheet({ path, headers, limits: LIMITS }, (some) => {
      rows.push(...some)
      return Promise.resolve()
    })
  } catch (error) {
    if (error instanceof FileRefusedError) throw refused(error.text)
    throw error
  }
  const [header, ...lines] = rows
  if (!header || lines.length === 0) throw refused({ zh: '文件中没有数据行。', en: 'The file has no rows below its header.' })
  const places = COLUMNS.map(({ label, name }) =>
    header.cells.findIndex((cell) =>
      [label.zh, label.en, name].some((word) => word.toLowerCase() === cellShown(cell).trim().toLowerCase()),
    ),
  )
  const lacking = COLUMNS.filter(({ needed }, index) => needed && places[index] === -1)
  if (lacking.length > 0)
    throw refused({
      zh: `缺少列：${lacking.map(({ label }) => label.zh).join('、')}。请使用模板。`,
      en: `These columns are missing: ${lacking.map(({ label }) => label.en).join(', ')}. Use the template.`,
    })
  const sheet = new Sheet(engine, locale, places)
  const grown = sheet.take(form, lines)
  if (sheet.errors.length === 0) for (const problem of await check(grown)) sheet.wrong(problem)
  return { rows: sheet.rows, errors: sheet.errors }
}

/** Columns of the words of a field that a sheet can get wrong only together with the form. */
const COLUMN_OF: Readonly<Record<string, keyof FieldSpec>> = {
  visible: 'visibleIf',
  requiredIf: 'requiredIf',
  value: 'computed',
  'x-money': 'currency',
  'x-dictionary': 'dict',
  'x-ref': 'refEntity',
  maxLength: 'maxLength',
  minimum: 'minimum',
  maximum: 'maximum',
}
const OF_FIELD = /^\/form\/fields\/([^/]+)(?:\/rows\/fields\/([^/]+))?(?:\/([^/]+))?/

/** The lines of a sheet, being read. */
class Sheet {
  readonly rows: FieldSpec[] = []
  readonly errors: SheetError[] = []
  private readonly rowOf = new Map<string, number>()
  private readonly types: ReadonlyMap<string, string>

  constructor(
    private readonly engine: EntityEngine,
    private readonly locale: Locale,
    /** Where each of the columns stands in the sheet, -1 where it does not. */
    private readonly places: readonly number[],
  ) {
    this.types = new Map(
      engine
        .dictionaryChoices('fieldType')
        .flatMap(({ code, label }) => [code, label.zh, label.en].map((word) => [word.toLowerCase(), code] as const)),
    )
  }

  /** The form with what could be taken. */
  take(form: Form, lines: readonly FileRow[]): Form {
    let grown = form
    for (const line of lines) {
      const before = this.errors.length
      const field = this.read(line)
      if (this.errors.length > before) continue
      const next = withField(grown, field)
      if (next) this.rows.push(field)
      else
        this.tell(line.row, 'key', {
          zh: '没有这个明细字段：请先写明细所在的行',
          en: 'There are no such rows: their own line has to come first',
        })
      grown = next ?? grown
    }
    return grown
  }

  /** Tells a problem of the form by the cell that it came from; one of fields that are not in the sheet is none of it. */
  wrong({ pointer, text }: Pick<ProcessProblem, 'pointer' | 'text'>): void {
    const [, name = '', cell, word = ''] = OF_FIELD.exec(pointer) ?? []
    const row = this.rowOf.get(cell === undefined ? name : `${name}.${cell}`)
    if (row !== undefined) this.tell(row, COLUMN_OF[word] ?? 'key', text)
  }

  private read({ row, cells }: FileRow): FieldSpec {
    const spec: Record<string, unknown> = {}
    const faulty = new Set<keyof FieldSpec>()
    const tell = (name: keyof FieldSpec, text: Text): void => {
      faulty.add(name)
      this.tell(row, name, text)
    }
    for (const [index, column] of COLUMNS.entries()) {
      const place = this.places[index]!
      if (place < 0) continue
      const cell = cells[place] ?? null
      const text = textIn(cell)
      const value = text instanceof CellProblem ? text : readCell(column, text, { engine: this.engine, types: this.types })
      if (value instanceof CellProblem) tell(column.name, value.text)
      else if (value !== undefined) spec[column.name] = value
    }
    const field = spec as unknown as FieldSpec
    const again = field.key === undefined ? undefined : this.rowOf.get(field.key)
    if (again !== undefined) tell('key', { zh: `与第 ${again} 行编码相同`, en: `The same key as in row ${again}` })
    if (field.key !== undefined) this.rowOf.set(field.key, row)
    if (field.type === 'dict' && !field.dict && !faulty.has('dict'))
      tell('dict', { zh: '字典字段须写字典编码', en: 'A dictionary field needs its dictionary' })
    if ((field.type === 'ref' || field.type === 'refs') && !field.refEntity && !faulty.has('refEntity'))
      tell('refEntity', { zh: '关联字段须写关联对象', en: 'A reference needs its entity' })
    return field
  }

  private tell(row: number, name: keyof FieldSpec, text: Text): void {
    const column = columnLetter(Math.max(0, this.places[COLUMNS.findIndex((one) => one.name === name)] ?? 0))
    this.errors.push({ row, column, cell: `${column}${row}`, text: text[this.locale] })
  }
}

/** What a cell says, or why it cannot be taken: numbers stand there as the sheet shows them. */
function textIn(cell: FileCell): string | CellProblem {
  if (isFault(cell)) return new CellProblem(cell.problem)
  const read = formatOf('string').parse(cell, {}, { locale: 'en', timeZone: 'UTC' })
  if ('message' in read) return new CellProblem(read.message)
  return typeof read.value === 'string' ? read.value : ''
}

/** The form with all fields of a sheet. */
export const withFields = (form: Form, fields: readonly FieldSpec[]): Form =>
  fields.reduce((grown, field) => withField(grown, field) ?? grown, form)

export const refused = (message: Text, errors: readonly SheetError[] = []): ServiceError =>
  new ServiceError('importRefused', { message, data: { errors } })
