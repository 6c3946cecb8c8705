/** What a letter is made of: what one writes, the signature below it, the mail that it quotes. */
export interface LetterParts {
  body: string
  signature: string
  quote: string
}

const QUOTE = '<blockquote class="sb-quote"'
/** The editor writes no sections: one is where a signature stands. */
const SIGNATURE = /<section>([\s\S]*?)<\/section>\s*$/u

/** A letter as it is kept and sent. */
export const joinLetter = ({ body, signature, quote }: LetterParts): string =>
  `${body}${signature === '' ? '' : `<section>${signature}</section>`}${quote}`

/** The parts of a letter that was kept. What was not written here is body altogether. */
export function splitLetter(html: string): LetterParts {
  const at = html.indexOf(QUOTE)
  const written = at < 0 ? html : html.slice(0, at)
  const signature = SIGNATURE.exec(written)
  return {
    body: signature ? written.slice(0, signature.index) : written,
    signature: signature?.[1] ?? '',
    quote: at < 0 ? '' : html.slice(at),
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text inside HTML. */
export const escapedText = (text: string): string => text.replace(/[&<>"]/gu, (character) => ENTITIES[character]!)

/** A text with values in the place of its variables; those without one stay. */
export const filledWith = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{\s*([a-z]+(?:\.[a-zA-Z]+)?)\s*\}\}/gu, (whole, name: string) => values[name] || whole)

/** Bytes of one file. */
export const LARGEST_FILE = 25 * 1024 * 1024
/** Bytes of all files of a mail: written as text a file grows by more than a third, and the mail has 30 MB. */
export const LARGEST_MAIL = 30 * 1024 * 1024
/** What a file of so many bytes takes in a mail: base64 in lines. */
export const sizeInMail = (bytes: number): number => Math.ceil((bytes * 4) / 3 / 76) * 78

/** The zone in which the clocks of a country stand, where it has one. */
const ZONES: Readonly<Record<string, string>> = {
  ...{ cn: 'Asia/Shanghai', hk: 'Asia/Hong_Kong', tw: 'Asia/Taipei', sg: 'Asia/Singapore', jp: 'Asia/Tokyo', kr: 'Asia/Seoul' },
  ...{
    my: 'Asia/Kuala_Lumpur',
    th: 'Asia/Bangkok',
    vn: 'Asia/Ho_Chi_Minh',
    ph: 'Asia/Manila',
    in: 'Asia/Kolkata',
    pk: 'Asia/Karachi',
  },
  ...{ bd: 'Asia/Dhaka', ae: 'Asia/Dubai', sa: 'Asia/Riyadh', tr: 'Europe/Istanbul', de: 'Europe/Berlin', fr: 'Europe/Paris' },
  ...{
    gb: 'Europe/London',
    uk: 'Europe/London',
    es: 'Europe/Madrid',
    it: 'Europe/Rome',
    nl: 'Europe/Amsterdam',
    pl: 'Europe/Warsaw',
  },
  ...{
    ng: 'Africa/Lagos',
    ke: 'Africa/Nairobi',
    za: 'Africa/Johannesburg',
    eg: 'Africa/Cairo',
    gh: 'Africa/Accra',
    ma: 'Africa/Casablanca',
  },
  ...{ ar: 'America/Argentina/Buenos_Aires', pe: 'America/Lima', co: 'America/Bogota', cl: 'America/Santiago' },
}

/** The zone of a country by its code, also of the country that a domain ends with; null where none is the right one. */
export const zoneOfCountry = (code: string): string | null => ZONES[code.toLowerCase()] ?? null

/** The zone that the domain of an address speaks of. */
export const zoneOfAddress = (email: string): string | null => zoneOfCountry(email.slice(email.lastIndexOf('.') + 1))
