import { groupDigits } from '../schema/formats'

/** A count with grouped digits. */
export const digits = (count: number): string => groupDigits(String(count), 'en')

/** A counted English noun: "1 row", "2,000 rows". */
export const counted = (count: number, noun: string): string => `${digits(count)} ${noun}${count === 1 ? '' : 's'}`

/** A title inside an English sentence; abbreviations stay as they are: "customer", "VIP list". */
export const inside = (title: string): string =>
  /^[A-Z](?![A-Z])/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
