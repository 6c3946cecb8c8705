import { cellText, plainText, isBlank, refuse, say, short, textCell, TEXT_OPERATORS, type FieldFormat } from '../format'

/** An address as mail servers take it; the domain with at least one dot. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}][\p{L}\p{N}-]{1,62}$/u

export function isEmail(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 254 && !value.includes('..') && ADDRESS.test(value)
}

/** One e-mail address. The domain is kept in lower case. */
export const emailFormat: FieldFormat = {
  kind: 'email',
  store: { sql: 'text' },
  align: 'left',
  width: 200,
  operators: TEXT_OPERATORS,
  control: 'email',
  filterControl: 'text',
  validate: (value) =>
    isBlank(value) || isEmail(value)
      ? null
      : say('输入邮箱格式有误，请更正', 'The e-mail address is not valid: please correct it.'),
  show: (value) => plainText(value),
  parse: (cell) => {
    const text =
      cellText(cell)
        ?.replace(/^mailto:/i, '')
        .replace(/＠/g, '@') ?? null
    if (text === null) return { value: null }
    if (!isEmail(text)) return refuse(`“${short(text)}”不是邮箱地址。`, `"${short(text)}" is not an e-mail address.`)
    const at = text.lastIndexOf('@')
    return { value: text.slice(0, at) + text.slice(at).toLowerCase() }
  },
  export: (value) => textCell(plainText(value)),
  example: {
    field: { type: 'string', format: 'email' },
    value: 'li@example.com',
    shown: { zh: 'li@example.com', en: 'li@example.com' },
    typed: [' li@Example.com', 'mailto:li@example.com'],
  },
}
