import type { Locale } from '../../problem'
import { plainText, cellText, CODE_OPERATORS, isBlank, refuse, say, short, textCell, type FieldFormat } from '../format'

interface Country {
  code: string
  zh: string
  en: string
}

/** Names of countries; empty until `ready` has loaded them. */
let countries = new Map<string, Country>()
let codeByName = new Map<string, string>()

async function load(): Promise<void> {
  if (countries.size > 0) return
  const { COUNTRY_LINES } = await import('../country-names')
  const byCode = new Map<string, Country>()
  const byName = new Map<string, string>()
  const others = new Map<string, string | null>()
  for (const line of COUNTRY_LINES.trim().split('\n')) {
    const [code = '', alpha3 = '', zh = '', en = '', ...names] = line.split('|')
    byCode.set(code, { code, zh, en })
    for (const name of [code, alpha3, zh, en]) byName.set(name.toLowerCase(), code)
    // a short word that two countries claim ("Congo") is nobody's
    for (const name of names.map((one) => one.toLowerCase())) others.set(name, others.has(name) ? null : code)
  }
  for (const [name, code] of others) if (code !== null && !byName.has(name)) byName.set(name, code)
  countries = byCode
  codeByName = byName
}

/** The name of a country, or its code as long as `ready('country')` has not loaded the names. */
export function countryName(code: string, locale: Locale): string {
  return countries.get(code)?.[locale] ?? code
}

/** All countries in the order of their names; empty before `ready('country')`. */
export function countryOptions(locale: Locale): { code: string; label: string }[] {
  const { compare } = new Intl.Collator(locale === 'zh' ? 'zh-CN' : 'en')
  const options = [...countries.values()].map((country) => ({ code: country.code, label: country[locale] }))
  return options.sort((a, b) => compare(a.label, b.label))
}

function show(value: unknown, _field: unknown, { locale }: { locale: Locale }): string {
  return isBlank(value) ? '' : countryName(plainText(value), locale)
}

/** ISO 3166-1 alpha-2. Typed as a code (two or three letters) or a name in either language. */
export const countryFormat: FieldFormat = {
  kind: 'country',
  store: { sql: 'text' },
  align: 'left',
  width: 130,
  operators: CODE_OPERATORS,
  control: 'country',
  filterControl: 'countries',
  validate: (value) => {
    if (isBlank(value)) return null
    const isCode = typeof value === 'string' && /^[A-Z]{2}$/.test(value) && (countries.size === 0 || countries.has(value))
    return isCode
      ? null
      : say(`“${short(value)}”不是国家或地区代码（如 CN）。`, `"${short(value)}" is not the code of a country (such as CN).`)
  },
  show,
  parse: (cell) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    const code =
      codeByName.get(text.toLowerCase()) ?? (countries.size === 0 && /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined)
    if (code !== undefined) return { value: code }
    return refuse(`“${short(text)}”不是国家或地区。`, `"${short(text)}" is not a country.`)
  },
  export: (value, field, context) => textCell(show(value, field, context)),
  example: {
    field: { type: 'string', format: 'country' },
    value: 'HK',
    shown: { zh: '中国香港', en: 'Hong Kong' },
    typed: ['HK', 'hkg', '香港', '中国香港', 'Hong Kong'],
  },
  ready: load,
}
