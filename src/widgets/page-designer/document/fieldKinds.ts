import type { JsonObject } from '../../../schema/overlay'
import type { BilingualText } from '../../../schema/problem'

/** What a new field of an entity can be, by the name that people know; the words of the language follow from it. */
export const FIELD_KINDS: readonly { id: string; label: BilingualText; words: JsonObject }[] = [
  { id: 'string', label: { zh: '单行文本', en: 'Text' }, words: { type: 'string', maxLength: 200 } },
  { id: 'text', label: { zh: '多行文本', en: 'Long text' }, words: { type: 'string', format: 'text' } },
  { id: 'integer', label: { zh: '整数', en: 'Whole number' }, words: { type: 'integer' } },
  { id: 'decimal', label: { zh: '小数', en: 'Decimal number' }, words: { type: 'string', format: 'decimal' } },
  { id: 'percent', label: { zh: '百分比', en: 'Percentage' }, words: { type: 'string', format: 'percent' } },
  {
    id: 'money',
    label: { zh: '金额（人民币）', en: 'Amount (CNY)' },
    words: { type: 'string', format: 'money', 'x-money': 'CNY' },
  },
  { id: 'boolean', label: { zh: '是/否', en: 'Yes or no' }, words: { type: 'boolean' } },
  { id: 'date', label: { zh: '日期', en: 'Date' }, words: { type: 'string', format: 'date' } },
  { id: 'dateTime', label: { zh: '日期时间', en: 'Date and time' }, words: { type: 'string', format: 'date-time' } },
  { id: 'dictionary', label: { zh: '字典（单选）', en: 'One of a dictionary' }, words: { type: 'string', 'x-dictionary': '' } },
  {
    id: 'dictionaries',
    label: { zh: '字典（多选）', en: 'Several of a dictionary' },
    words: { type: 'array', items: { type: 'string' }, 'x-dictionary': '' },
  },
  { id: 'ref', label: { zh: '引用其他记录', en: 'Another record' }, words: { type: 'string', 'x-ref': '' } },
  { id: 'email', label: { zh: '邮箱', en: 'Mail address' }, words: { type: 'string', format: 'email' } },
  { id: 'phone', label: { zh: '电话', en: 'Phone' }, words: { type: 'string', format: 'phone' } },
  { id: 'url', label: { zh: '网址', en: 'Web address' }, words: { type: 'string', format: 'url' } },
  { id: 'country', label: { zh: '国家/地区', en: 'Country or region' }, words: { type: 'string', format: 'country' } },
  {
    id: 'files',
    label: { zh: '附件', en: 'Files' },
    words: { type: 'array', items: { type: 'object', format: 'file' } },
  },
]

/** What a new field can be whose value nobody types: other records or fields give it. */
export const FOLLOWING_KINDS: typeof FIELD_KINDS = [
  {
    id: 'lines',
    label: { zh: '明细（随表头保存）', en: 'Line items' },
    words: { type: 'array', items: { type: 'object' }, 'x-lines': { entity: '', parent: '', saved: 'together' } },
  },
  {
    id: 'rollup',
    label: { zh: '汇总（引用它的记录）', en: 'Rollup over records' },
    words: { type: 'integer', 'x-rollup': { of: '', count: true } },
  },
  {
    id: 'derived',
    label: { zh: '跟随其他字段计算', en: 'Derived from other fields' },
    words: { type: 'string', maxLength: 200, 'x-derived': { value: '' } },
  },
]

/** A new field of that kind, shown in lists and as a filter where its kind can be. */
export const newField = (kind: string, label: BilingualText): JsonObject => ({
  ...([...FIELD_KINDS, ...FOLLOWING_KINDS].find(({ id }) => id === kind) ?? FIELD_KINDS[0])?.words,
  'x-label': label,
})
