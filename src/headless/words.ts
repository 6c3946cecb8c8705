import { groupDigits } from '../schema/formats'

/** A count with grouped digits. */
export const digits = (count: number): string => groupDigits(String(count), 'en')

/** A counted English noun: "1 row", "2,000 rows". */
export const counted = (count: number, noun: string): string => `${digits(count)} ${noun}${count === 1 ? '' : 's'}`

/** Names that titles begin with. */
const NAMES = /^(?:Buka|Chinese|English|Kingdee|U-platform|WhatsApp)\b/

/** A title inside an English sentence; abbreviations, single letters and names stay as they are: "customer", "VIP list", "U code". */
export const inside = (title: string): string =>
  /^(?:A |[A-Z](?![A-Z\s]))/.test(title) && !NAMES.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
