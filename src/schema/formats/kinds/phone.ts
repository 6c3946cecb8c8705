import type * as Phone from 'libphonenumber-js/min'
import { cellText, plainText, isBlank, refuse, say, short, textCell, TEXT_OPERATORS, type FieldFormat } from '../format'
import { countryName } from './country'

type Library = typeof Phone

/** Loaded by `ready`: 40 kB that only pages with phone numbers pay. */
let library: Library | undefined

const E164 = /^\+[1-9][0-9]{6,14}$/
/** What people put between digits. */
const DECORATION = /[\s\u00a0\u202f()（）./\-–—]/g
const HOME = 'CN'

function isRegion(region: string, { isSupportedCountry }: Library): region is ReturnType<Library['getCountries']>[number] {
  return isSupportedCountry(region)
}

/** E.164 text of what was typed; 'foreign' when it says no country and is no number of the region's, undefined when it is no possible number. */
function toE164(text: string, region: string | null): string | 'foreign' | undefined {
  const plain = text.replace(/＋/g, '+').replace(DECORATION, '').replace(/^00/, '+')
  if (!library) return E164.test(plain) ? plain : undefined
  const home = region !== null && isRegion(region, library) ? region : undefined
  const number = library.parsePhoneNumberFromString(plain, home)
  if (number?.ext) return undefined
  if (plain.startsWith('+')) return number?.isPossible() ? number.number : undefined
  if (number?.isValid()) return number.number
  // spreadsheets drop the sign of +447911123456
  const abroad = home === undefined ? undefined : library.parsePhoneNumberFromString(`+${plain}`)
  if (abroad?.isValid()) return abroad.number
  return number?.isPossible() ? 'foreign' : undefined
}

function show(value: unknown): string {
  if (isBlank(value)) return ''
  const text = plainText(value)
  return library?.parsePhoneNumberFromString(text)?.formatInternational() ?? text
}

/**
 * A phone number in E.164 (+8613800138000); shown with spaces. Without a country code it is one of `context.region` where that is a valid number
 * there, else one whose sign was lost where it is valid with it; anything else has to say its country.
 * Before `ready('phone')` only the form is checked, and numbers need their country code.
 */
export const phoneFormat: FieldFormat = {
  kind: 'phone',
  store: { sql: 'text' },
  align: 'left',
  width: 160,
  operators: TEXT_OPERATORS,
  control: 'phone',
  filterControl: 'text',
  validate: (value) => {
    if (isBlank(value)) return null
    const possible = typeof value === 'string' && E164.test(value) && (!library || library.isPossiblePhoneNumber(value))
    return possible
      ? null
      : say(
          '须是带国家码的电话号码，例如 +8613800138000。',
          'It has to be a phone number with its country code, such as +8613800138000.',
        )
  },
  show,
  parse: (cell, _field, { region = HOME }) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    const number = toE164(text, region)
    if (number === 'foreign' && region !== null)
      return refuse(
        `“${short(text)}”不是${countryName(region, 'zh')}的有效号码，请带国家码填写，例如 +8613800138000。`,
        `"${short(text)}" is no number of ${countryName(region, 'en')}: write it with its country code, such as +8613800138000.`,
      )
    if (number !== undefined) return { value: number }
    return refuse(`“${short(text)}”不是电话号码。`, `"${short(text)}" is not a phone number.`)
  },
  export: (value) => textCell(plainText(value)),
  example: {
    field: { type: 'string', format: 'phone' },
    value: '+8613800138000',
    shown: { zh: '+86 138 0013 8000', en: '+86 138 0013 8000' },
    typed: ['+86 138-0013-8000', '13800138000', '008613800138000', '＋86 (138) 0013 8000'],
  },
  ready: async () => {
    library ??= await import('libphonenumber-js/min')
  },
}
