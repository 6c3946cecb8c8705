import { addDays, dayOf, startOfDay } from './companyDay'

const CUSTOMER_ALIAS = /^[A-Z]{2}[A-Z0-9]{4}$/

/** A customer alias: country and four characters of the rule's alphabet. `random(n)` answers a whole number from 0 to n - 1. */
export function makeAlias(country: string, alphabet: string, random: (below: number) => number): string {
  let text = /^[A-Z]{2}$/.test(country) ? country : 'XX'
  for (let position = 0; position < 4; position += 1) text += alphabet.charAt(random(alphabet.length))
  return text
}

/** Whether a typed alias has the form and none of the characters that are mixed up. */
export function isAlias(text: string, alphabet: string): boolean {
  return CUSTOMER_ALIAS.test(text) && [...text.slice(2)].every((character) => alphabet.includes(character))
}

/** The systems that know a customer under its alias, in the order in which they are told. */
export function systemsOf(customer: {
  products: readonly string[]
  platform: string
  erpCode: string | null
  dealt: boolean
}): string[] {
  const uses = (...names: string[]): boolean => names.some((name) => customer.products.includes(name))
  return [
    ...(uses('sms', 'otp', 'whatsapp') || customer.products.length === 0 ? ['smsPlatform'] : []),
    ...(uses('voice', 'aiVoice') ? ['voicePlatform'] : []),
    ...(customer.platform === 'main' ? [] : ['buka']),
    ...(customer.erpCode ? ['erp'] : []),
    'reportStore',
    ...(customer.dealt ? ['channelNotes'] : []),
  ]
}

/** Since when changes count towards the most that one year may have. */
export const yearBefore = (now: Date, timeZone: string): string => startOfDay(addDays(dayOf(now, timeZone), -365), timeZone)
