import {
  plainText,
  cellText,
  CODE_OPERATORS,
  isBlank,
  refuse,
  say,
  short,
  textCell,
  type FieldFormat,
  type FormatContext,
  type FormatField,
} from '../format'

function titleOf(id: unknown, field: FormatField, context: FormatContext): string {
  if (isBlank(id)) return ''
  const entity = field['x-ref']
  return (entity === undefined ? undefined : context.refTitle?.(entity, plainText(id))) ?? plainText(id)
}

/** The id of a record of another entity; people see its title and type its title or code. */
export const refFormat: FieldFormat = {
  kind: 'ref',
  store: { sql: 'text' },
  align: 'left',
  width: 160,
  operators: CODE_OPERATORS,
  control: 'ref',
  filterControl: 'refs',
  validate: (value) =>
    isBlank(value) || (typeof value === 'string' && value.length <= 100 && !/\s/.test(value))
      ? null
      : say('须是记录的编号。', 'It has to be the id of a record.'),
  show: titleOf,
  parse: (cell, field, context) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    const entity = field['x-ref']
    if (entity === undefined || !context.findRef) return { value: text }
    const found = context.findRef(entity, text)
    const [only] = found
    if (only === undefined) return refuse(`找不到“${short(text)}”。`, `"${short(text)}" was not found.`)
    if (found.length === 1) return { value: only }
    return refuse(
      `“${short(text)}”对应 ${found.length} 条记录，请改填编码。`,
      `"${short(text)}" fits ${found.length} records: give the code instead.`,
    )
  },
  export: (value, field, context) => textCell(titleOf(value, field, context)),
  example: {
    field: { type: 'string', 'x-ref': 'sys.staff' },
    value: 's1',
    shown: { zh: '王伟 (S0042)', en: '王伟 (S0042)' },
    typed: ['王伟 (S0042)', 'S0042'],
  },
}
