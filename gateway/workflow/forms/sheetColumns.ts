import type { EntityEngine } from '../../entities'
import type { Text } from '../../platform/http'
import type { FieldSpec } from './fields'

/** What a cell is read against. */
export interface Reading {
  engine: EntityEngine
  /** Codes of the dictionary fieldType by their words in both languages and by themselves, in small letters. */
  types: ReadonlyMap<string, string>
}

/** Says why a cell cannot be taken. */
export class CellProblem {
  constructor(readonly text: Text) {}
}

type Reader = (cell: string, reading: Reading) => string | number | boolean | CellProblem | undefined

const KEY = /^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)?$/
const NUMBER = /^-?\d{1,15}(\.\d+)?$/
const YES = new Set(['是', 'yes', 'true', '1', 'y', '√'])
const NO = new Set(['', '否', 'no', 'false', '0', 'n'])

const wrong = (zh: string, en: string): CellProblem => new CellProblem({ zh, en })

/** What a cell says by what its column holds, or why it cannot. An empty cell of a column that is not needed says nothing. */
const READERS = {
  key: (cell) =>
    KEY.test(cell)
      ? cell
      : wrong('编码须以小写字母开头，只含字母和数字', 'A key begins with a small letter and holds letters and digits'),
  text: (cell) => cell,
  number: (cell) => (NUMBER.test(cell) ? Number(cell) : wrong('须是数字', 'It has to be a number')),
  yesNo: (cell) => {
    const word = cell.toLowerCase()
    return YES.has(word) ? true : NO.has(word) ? false : wrong('须是“是”或“否”', 'It has to be yes or no')
  },
  type: (cell, { types }) => types.get(cell.toLowerCase()) ?? wrong(`没有类型“${cell}”`, `There is no type "${cell}"`),
  dictionary: (cell, { engine }) =>
    engine.dictionaryChoices(cell).length > 0 ? cell : wrong(`没有字典“${cell}”`, `There is no dictionary "${cell}"`),
  entity: (cell, { engine }) =>
    engine.names().includes(cell) ? cell : wrong(`没有对象“${cell}”`, `There is no entity "${cell}"`),
} satisfies Record<string, Reader>

/** A column of the sheet. */
export interface Column {
  name: keyof FieldSpec
  holds: keyof typeof READERS
  label: Text
  help: Text
  /** What stands in the line of the template; absent: nothing. */
  example?: Text
  /** In characters. */
  width: number
  /** A sheet without it, and a row without its cell, cannot be taken. */
  needed?: true
}

const same = (text: string): Text => ({ zh: text, en: text })
const EXPRESSION: Text = { zh: '表达式', en: 'An expression' }
const A_NUMBER: Text = { zh: '数字', en: 'A number' }
const HELP: Text = { zh: '字段下方的一行说明', en: 'One line below the field' }

/** The facts of a field in the order in which the template has them. */
export const COLUMNS: readonly Column[] = [
  {
    name: 'key',
    holds: 'key',
    needed: true,
    width: 18,
    label: { zh: '编码', en: 'Key' },
    help: {
      zh: '小写字母开头的字母和数字；明细列写成 明细.列',
      en: 'Letters and digits, a small letter first; a column of rows as rows.column',
    },
    example: same('amount'),
  },
  {
    name: 'zh',
    holds: 'text',
    needed: true,
    width: 18,
    label: { zh: '中文名称', en: 'Chinese name' },
    help: { zh: '表单上的中文名称', en: 'What the form calls it in Chinese' },
    example: same('金额'),
  },
  {
    name: 'en',
    holds: 'text',
    needed: true,
    width: 18,
    label: { zh: '英文名称', en: 'English name' },
    help: { zh: '表单上的英文名称', en: 'What the form calls it in English' },
    example: same('Amount'),
  },
  {
    name: 'type',
    holds: 'type',
    needed: true,
    width: 14,
    label: { zh: '类型', en: 'Type' },
    help: { zh: '字段类型的名称或代码', en: 'Name or code of a field type' },
    example: { zh: '金额', en: 'Money' },
  },
  {
    name: 'required',
    holds: 'yesNo',
    width: 8,
    label: { zh: '必填', en: 'Required' },
    help: { zh: '是 或 否', en: 'Yes or no' },
    example: { zh: '是', en: 'Yes' },
  },
  {
    name: 'dict',
    holds: 'dictionary',
    width: 16,
    label: { zh: '字典', en: 'Dictionary' },
    help: { zh: '类型为字典时：字典编码', en: 'Of a dictionary field: name of the dictionary' },
  },
  {
    name: 'refEntity',
    holds: 'entity',
    width: 18,
    label: { zh: '关联对象', en: 'Entity' },
    help: { zh: '类型为关联时：对象编码，如 crm.customer', en: 'Of a reference: name of the entity, e.g. crm.customer' },
  },
  {
    name: 'currency',
    holds: 'text',
    width: 10,
    label: { zh: '币种', en: 'Currency' },
    help: {
      zh: '金额字段：币种字段的编码，或 CNY 这样的代码',
      en: 'Of money: key of the field with the currency, or a code such as CNY',
    },
    example: same('CNY'),
  },
  { name: 'helpZh', holds: 'text', width: 20, label: { zh: '中文提示', en: 'Chinese help' }, help: HELP, example: same('含税') },
  { name: 'helpEn', holds: 'text', width: 20, label: { zh: '英文提示', en: 'English help' }, help: HELP, example: same('Gross') },
  {
    name: 'visibleIf',
    holds: 'text',
    width: 22,
    label: { zh: '显示条件', en: 'Shown if' },
    help: { zh: '表达式，如 {{ kind === "a" }}', en: 'An expression, e.g. {{ kind === "a" }}' },
  },
  { name: 'requiredIf', holds: 'text', width: 22, label: { zh: '必填条件', en: 'Required if' }, help: EXPRESSION },
  {
    name: 'computed',
    holds: 'text',
    width: 22,
    label: { zh: '计算', en: 'Computed' },
    help: { zh: '表达式：字段跟随它，不手填', en: 'An expression: the field follows it and is not typed' },
  },
  {
    name: 'maxLength',
    holds: 'number',
    width: 10,
    label: { zh: '最大长度', en: 'Longest' },
    help: { zh: '字符数', en: 'Characters' },
  },
  { name: 'minimum', holds: 'number', width: 10, label: { zh: '最小值', en: 'At least' }, help: A_NUMBER, example: same('0') },
  { name: 'maximum', holds: 'number', width: 10, label: { zh: '最大值', en: 'At most' }, help: A_NUMBER },
]

/** What a cell of that column says: undefined for nothing, or why it cannot be taken. */
export function readCell({ holds, label, needed }: Column, cell: string, reading: Reading): ReturnType<Reader> {
  if (cell === '' && needed) return wrong(`${label.zh}必填`, `${label.en} is needed`)
  if (cell === '' && holds !== 'yesNo') return undefined
  return READERS[holds](cell, reading)
}
