import { closest, distance } from 'fastest-levenshtein'
import {
  plainText,
  cellText,
  CODE_OPERATORS,
  isBlank,
  refuse,
  say,
  short,
  textCell,
  type DictionaryEntry,
  type FieldFormat,
  type FormatContext,
  type FormatField,
} from '../format'

function entriesOf(field: FormatField, context: FormatContext): readonly DictionaryEntry[] | undefined {
  const name = field['x-dictionary']
  return name === undefined ? undefined : context.dictionary?.(name)
}

function labelOf(code: unknown, field: FormatField, context: FormatContext): string {
  if (isBlank(code)) return ''
  const text = plainText(code)
  return entriesOf(field, context)?.find((entry) => entry.code === text)?.label[context.locale] ?? text
}

function find(text: string, entries: readonly DictionaryEntry[]): DictionaryEntry | undefined {
  const word = text.toLowerCase()
  const byCode = entries.find((entry) => entry.code === text) ?? entries.find((entry) => entry.code.toLowerCase() === word)
  const byLabel = (entry: DictionaryEntry): boolean =>
    entry.label.zh.toLowerCase() === word || entry.label.en.toLowerCase() === word
  return byCode ?? entries.find((entry) => !entry.retired && byLabel(entry)) ?? entries.find(byLabel)
}

function unknownLabel(text: string, entries: readonly DictionaryEntry[], context: FormatContext): ReturnType<typeof refuse> {
  const offered = entries.filter((entry) => !entry.retired).map((entry) => entry.label[context.locale])
  const best = offered.length > 0 && text.length <= 100 ? closest(text, offered) : undefined
  const hint =
    best !== undefined && distance(text, best) <= Math.max(1, text.length / 2)
      ? best
      : offered.slice(0, 8).join(context.locale === 'zh' ? '、' : ', ')
  return refuse(`没有“${short(text)}”这一选项。可选：${hint}`, `"${short(text)}" is not an option. Choose: ${hint}`)
}

/** A code of a dictionary; people see and type its label in either language. */
export const dictionaryFormat: FieldFormat = {
  kind: 'dictionary',
  store: { sql: 'text' },
  align: 'left',
  width: 120,
  operators: CODE_OPERATORS,
  control: 'dictionary',
  filterControl: 'dictionaries',
  validate: (value, field, context) => {
    if (isBlank(value)) return null
    if (typeof value !== 'string') return say('须是字典编码。', 'It has to be a code of the dictionary.')
    const entries = entriesOf(field, context)
    if (!entries || entries.some((entry) => entry.code === value)) return null
    return say(`字典中没有“${short(value)}”。`, `The dictionary has no "${short(value)}".`)
  },
  show: labelOf,
  parse: (cell, field, context) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    const entries = entriesOf(field, context)
    if (!entries) return { value: text }
    const found = find(text, entries)
    if (!found) return unknownLabel(text, entries, context)
    if (found.retired) return refuse(`“${short(text)}”已停用。`, `"${short(text)}" is no longer in use.`)
    return { value: found.code }
  },
  export: (value, field, context) => textCell(labelOf(value, field, context)),
  example: {
    field: { type: 'string', 'x-dictionary': 'customerLevel' },
    value: 'a',
    shown: { zh: 'A 级', en: 'Level A' },
    typed: ['A 级', 'level a', 'a'],
  },
}
