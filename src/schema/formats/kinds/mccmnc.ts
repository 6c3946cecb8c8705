import { plainText, cellText, isBlank, refuse, say, short, textCell, TEXT_OPERATORS, type FieldFormat } from '../format'

const STORED = /^[0-9]{5,6}$/

function show(value: unknown): string {
  if (isBlank(value)) return ''
  const text = plainText(value)
  return STORED.test(text) ? `${text.slice(0, 3)}-${text.slice(3)}` : text
}

/** A mobile network: country code (MCC, three digits) and network code (MNC, two or three, zeros kept) as one text, "46000". */
export const mccmncFormat: FieldFormat = {
  kind: 'mccmnc',
  store: { sql: 'text' },
  align: 'left',
  width: 110,
  operators: TEXT_OPERATORS,
  control: 'text',
  filterControl: 'text',
  validate: (value) =>
    isBlank(value) || (typeof value === 'string' && STORED.test(value))
      ? null
      : say('须是 5 到 6 位的 MCC+MNC，例如 46000。', 'It has to be MCC and MNC in 5 or 6 digits, such as 46000.'),
  show,
  parse: (cell) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    const parts = /^([0-9]{3})[\s/_-]*([0-9]{2,3})$/.exec(text)
    if (parts) return { value: `${parts[1] ?? ''}${parts[2] ?? ''}` }
    return refuse(`“${short(text)}”不是 MCC/MNC，例如 460-00。`, `"${short(text)}" is not an MCC/MNC such as 460-00.`)
  },
  export: (value) => textCell(show(value)),
  example: {
    field: { type: 'string', format: 'mccmnc' },
    value: '46000',
    shown: { zh: '460-00', en: '460-00' },
    typed: ['46000', '460-00', '460 00', '460/00'],
  },
}
