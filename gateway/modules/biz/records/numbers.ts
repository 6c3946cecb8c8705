import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** The country of a number with its country code; null when it tells none. */
export const countryOfNumber = (number: string): string | null =>
  parsePhoneNumberFromString(number.startsWith('+') ? number : `+${number}`)?.country ?? null

/** The digits of a number, country code first. */
export const digitsOf = (number: string): string => number.replace(/\D/g, '')
