import { cellText, plainText, isBlank, refuse, say, short, textCell, TEXT_OPERATORS, type FieldFormat } from '../format'

/** Only addresses that are safe behind a link: http and https, without a password in them. */
export function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 2000 || /\s/.test(value)) return false
  try {
    const { protocol, username, password } = new URL(value)
    return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
  } catch {
    return false
  }
}

/** A web address. */
export const urlFormat: FieldFormat = {
  kind: 'url',
  store: { sql: 'text' },
  align: 'left',
  width: 200,
  operators: TEXT_OPERATORS,
  control: 'url',
  filterControl: 'text',
  validate: (value) =>
    isBlank(value) || isWebAddress(value)
      ? null
      : say('须是以 http:// 或 https:// 开头的网址。', 'It has to be a web address that starts with http:// or https://.'),
  show: (value) => plainText(value),
  parse: (cell) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^:/]+:\d/.test(text) ? text : `https://${text}`
    if (isWebAddress(address) && /^https?:\/\/[^/]*\.[^/]/i.test(address)) return { value: address }
    return refuse(`“${short(text)}”不是网址。`, `"${short(text)}" is not a web address.`)
  },
  export: (value) => textCell(plainText(value)),
  example: {
    field: { type: 'string', format: 'url' },
    value: 'https://example.com/a',
    shown: { zh: 'https://example.com/a', en: 'https://example.com/a' },
    typed: ['example.com/a', 'https://example.com/a'],
  },
}
