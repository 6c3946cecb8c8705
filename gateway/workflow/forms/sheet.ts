import type { Form } from '../../../src/schema/generated/process'
import {
  collectStream,
  columnLetter,
  FileRefusedError,
  Output,
  readSheet,
  XlsxWriter,
  type FileCell,
  type FileRow,
  type SheetCell,
} from '../../entities'
import type { EntityEngine } from '../../entities'
import { ServiceError, type Locale, type Text } from '../../platform/http'
import { withField, type FieldSpec } from './fields'

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

interface Column {
  name: keyof FieldSpec
  label: Text
  help: Text
  /** What a cell says, or why it cannot. */
  read(cell: string, parts: Reading): unknown
  example: Text
  width: number
}

interface Reading {
  engine: EntityEngine
  /** Words for codes of the dictionary fieldType, in both languages. */
  types: ReadonlyMap<string, string>
}

/** Says why a cell cannot be taken. */
class CellProblem {
  constructor(readonly text: Text) {}
}

const wrong = (zh: string, en: string): CellProblem => new CellProblem({ zh, en })
const asText = (cell: string): string | undefined => (cell === '' ? undefined : cell)
const asCount = (cell: string): number | undefined | CellProblem => {
  if (cell === '') return undefined
  return /^-?\d{1,15}(\.\d+)?$/.test(cell) ? Number(cell) : wrong('须是数字', 'It has to be a number')
}
const KEY = /^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)?$/
const YES = new Set(['是', 'yes', 'true', '1', 'y', '√'])
const NO = new Set(['', '否', 'no', 'false', '0', 'n'])

const COLUMNS: readonly Column[] = [
  {
    name: 'key',
    label: { zh: '编码', en: 'Key' },
    help: {
      zh: '小写字母开头的字母和数字；明细列写成 明细.列',
      en: 'Letters and digits, a small letter first; a column of rows as rows.column',
    },
    read: (cell) => {
      if (cell === '') return wrong('编码必填', 'A key is needed')
      return KEY.test(cell)
        ? cell
        : wrong('编码须以小写字母开头，只含字母和数字', 'A key begins with a small letter and holds letters and digits')
    },
    example: { zh: 'amount', en: 'amount' },
    width: 18,
  },
  {
    name: 'zh',
    label: { zh: '中文名称', en: 'Chinese name' },
    help: { zh: '表单上的中文名称', en: 'What the form calls it in Chinese' },
    read: (cell) => (cell === '' ? wrong('中文名称必填', 'The Chinese name is needed') : cell),
    example: { zh: '金额', en: '金额' },
    width: 18,
  },
  {
    name: 'en',
    label: { zh: '英文名称', en: 'English name' },
    help: { zh: '表单上的英文名称', en: 'What the form calls it in English' },
    read: (cell) => (cell === '' ? wrong('英文名称必填', 'The English name is needed') : cell),
    example: { zh: 'Amount', en: 'Amount' },
    width: 18,
  },
  {
    name: 'type',
    label: { zh: '类型', en: 'Type' },
    help: { zh: '字段类型的名称或代码', en: 'Name or code of a field type' },
    read: (cell, { types }) => types.get(cell.toLowerCase()) ?? wrong(`没有类型“${cell}”`, `There is no type "${cell}"`),
    example: { zh: '金额', en: 'Money' },
    width: 14,
  },
  {
    name: 'required',
    label: { zh: '必填', en: 'Required' },
    help: { zh: '是 或 否', en: 'Yes or no' },
    read: (cell) => {
      const word = cell.toLowerCase()
      return YES.has(word) ? true : NO.has(word) ? false : wrong('须是“是”或“否”', 'It has to be yes or no')
    },
    example: { zh: '是', en: 'Yes' },
    width: 8,
  },
  {
    name: 'dict',
    label: { zh: '字典', en: 'Dictionary' },
    help: { zh: '类型为字典时：字典编码', en: 'Of a dictionary field: name of the dictionary' },
    read: (cell, { engine }) =>
      cell === '' || engine.dictionaryChoices(cell).length > 0
        ? asText(cell)
        : wrong(`没有字典“${cell}”`, `There is no dictionary "${cell}"`),
    example: { zh: '', en: '' },
    width: 16,
  },
  {
    name: 'refEntity',
    label: { zh: '关联对象', en: 'Entity' },
    help: { zh: '类型为关联时：对象编码，如 crm.customer', en: 'Of a reference: name of the entity, e.g. crm.customer' },
    read: (cell, { engine }) =>
      cell === '' || engine.names().includes(cell) ? asText(cell) : wrong(`没有对象“${cell}”`, `There is no entity "${cell}"`),
    example: { zh: '', en: '' },
    width: 18,
  },
  {
    name: 'currency',
    label: { zh: '币种', en: 'Currency' },
    help: {
      zh: '金额字段：币种字段的编码，或 CNY 这样的代码',
      en: 'Of money: key of the field with the currency, or a code such as CNY',
    },
    read: asText,
    example: { zh: 'CNY', en: 'CNY' },
    width: 10,
  },
  {
    name: 'helpZh',
    label: { zh: '中文提示', en: 'Chinese help' },
    help: { zh: '字段下方的一行说明', en: 'One line below the field' },
    read: asText,
    example: { zh: '含税', en: '含税' },
    width: 20,
  },
  {
    name: 'helpEn',
    label: { zh: '英文提示', en: 'English help' },
    help: { zh: '字段下方的一行说明', en: 'One line below the field' },
    read: asText,
    example: { zh: 'Gross', en: 'Gross' },
    width: 20,
  },
  {
    name: 'visibleIf',
    label: { zh: '显示条件', en: 'Shown if' },
    help: { zh: '表达式，如 {{ kind === "a" }}', en: 'An expression, e.g. {{ kind === "a" }}' },
    read: asText,
    example: { zh: '', en: '' },
    width: 22,
  },
  {
    name: 'requiredIf',
    label: { zh: '必填条件', en: 'Required if' },
    help: { zh: '表达式', en: 'An expression' },
    read: asText,
    example: { zh: '', en: '' },
    width: 22,
  },
  {
    name: 'computed',
    label: { zh: '计算', en: 'Computed' },
    help: { zh: '表达式：字段跟随它，不手填', en: 'An expression: the field follows it and is not typed' },
    read: asText,
    example: { zh: '', en: '' },
    width: 22,
  },
  {
    name: 'maxLength',
    label: { zh: '最大长度', en: 'Longest' },
    help: { zh: '字符数', en: 'Characters' },
    read: asCount,
    example: { zh: '', en: '' },
    width: 10,
  },
  {
    name: 'minimum',
    label: { zh: '最小值', en: 'At least' },
    help: { zh: '数字', en: 'A number' },
    read: asCount,
    example: { zh: '0', en: '0' },
    width: 10,
  },
  {
    name: 'maximum',
    label: { zh: '最大值', en: 'At most' },
    help: { zh: '数字', en: 'A number' },
    read: asCount,
    example: { zh: '', en: '' },
    width: 10,
  },
]

const cellOf = (value: string): SheetCell => (value === '' ? { type: 'empty' } : { type: 'text', value })

/** The workbook to fill in: a column for each fact of a field, an example, and a sheet that explains the columns. */
export function fieldsTemplate(engine: EntityEngine, locale: Locale): Promise<Buffer> {
  const zh = locale === 'zh'
  return collectStream(async (stream) => {
    const output = new Output(stream)
    const writer = new XlsxWriter(output, { name: zh ? '字段' : 'Fields', widths: COLUMNS.map(({ width }) => width) })
    await writer.start(COLUMNS.map(({ label }) => label[locale]))
    await writer.rows([COLUMNS.map(({ example }) => cellOf(example[locale]))])
    await writer.sheet({ name: zh ? '说明' : 'Guide', widths: [18, 70] }, zh ? ['列', '说明'] : ['Column', 'Explanation'])
    await writer.rows(COLUMNS.map(({ label, help }) => [cellOf(label[locale]), cellOf(help[locale])]))
    const types = engine.dictionaryChoices('fieldType').map(({ code, label }) => `${label[locale]} (${code})`)
    await writer.rows([[cellOf(zh ? '类型' : 'Types'), cellOf(types.join(zh ? '、' : ', '))]])
    await writer.finish()
    await output.end()
  })
}

const LIMITS = { rows: 1000, unpacked: 50_000_000, ratio: 100 }

/**
 * Reads fields of an uploaded sheet over a form. What cannot be taken is told by row and cell.
 * @throws ServiceError 10010013 when the file is no table or lacks a needed column
 */
export async function readFields(engine: EntityEngine, path: string, locale: Locale, form: Form): Promise<SheetPreview> {
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
    header.cells.findIndex((cell) => [label.zh, label.en, name].some((word) => word.toLowerCase() === plain(cell).toLowerCase())),
  )
  const lacking = COLUMNS.filter(({ name }, index) => ['key', 'zh', 'en', 'type'].includes(name) && places[index] === -1)
  if (lacking.length > 0)
    throw refused({
      zh: `缺少列：${lacking.map(({ label }) => label.zh).join('、')}。请使用模板。`,
      en: `These columns are missing: ${lacking.map(({ label }) => label.en).join(', ')}. Use the template.`,
    })
  return check({ engine, locale, form, places }, lines)
}

interface Sheet {
  engine: EntityEngine
  locale: Locale
  form: Form
  /** Where each of the columns stands in the sheet, -1 where it does not. */
  places: readonly number[]
}

function check({ engine, locale, form, places }: Sheet, lines: readonly FileRow[]): SheetPreview {
  const types = new Map(
    engine
      .dictionaryChoices('fieldType')
      .flatMap(({ code, label }) => [code, label.zh, label.en].map((word) => [word.toLowerCase(), code] as const)),
  )
  const found: SheetPreview = { rows: [], errors: [] }
  const seen = new Map<string, number>()
  const tell = (row: number, name: keyof FieldSpec, text: Text) => {
    const column = columnLetter(Math.max(0, places[COLUMNS.findIndex((one) => one.name === name)] ?? 0))
    found.errors.push({ row, column, cell: `${column}${row}`, text: text[locale] })
  }
  let grown = form
  for (const { row, cells } of lines) {
    const before = found.errors.length
    const spec: Record<string, unknown> = {}
    for (const [index, column] of COLUMNS.entries()) {
      const place = places[index]!
      if (place < 0) continue
      const cell = cells[place] ?? null
      if (isProblem(cell)) {
        tell(row, column.name, cell.problem)
        continue
      }
      const value = column.read(plain(cell), { engine, types })
      if (value instanceof CellProblem) tell(row, column.name, value.text)
      else if (value !== undefined) spec[column.name] = value
    }
    const field = spec as unknown as FieldSpec
    const again = field.key === undefined ? undefined : seen.get(field.key)
    if (again !== undefined) tell(row, 'key', { zh: `与第 ${again} 行编码相同`, en: `The same key as in row ${again}` })
    if (field.key !== undefined) seen.set(field.key, row)
    if (field.type === 'dict' && !field.dict)
      tell(row, 'dict', { zh: '字典字段须写字典编码', en: 'A dictionary field needs its dictionary' })
    if ((field.type === 'ref' || field.type === 'refs') && !field.refEntity)
      tell(row, 'refEntity', { zh: '关联字段须写关联对象', en: 'A reference needs its entity' })
    if (found.errors.length > before) continue
    const next = withField(grown, field)
    if (!next) {
      tell(row, 'key', {
        zh: '没有这个明细字段：请先写明细所在的行',
        en: 'There are no such rows: their own line has to come first',
      })
      continue
    }
    grown = next
    found.rows.push(field)
  }
  return found
}

const isProblem = (cell: FileCell): cell is { problem: Text } => typeof cell === 'object' && cell !== null && 'problem' in cell

const plain = (cell: FileCell | undefined): string => {
  if (cell === null || cell === undefined || isProblem(cell)) return ''
  return (cell instanceof Date ? cell.toISOString() : String(cell)).trim()
}

/** The form with all fields of a sheet. */
export const withFields = (form: Form, fields: readonly FieldSpec[]): Form =>
  fields.reduce((grown, field) => withField(grown, field) ?? grown, form)

export const refused = (message: Text, errors: readonly SheetError[] = []): ServiceError =>
  new ServiceError('importRefused', { message, data: { errors } })
