/** The GSM 7-bit alphabet (3GPP TS 23.038) and what a message costs in it. */

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Characters that take an escape before them: two places. */
const EXTENDED = new Set('\f^{}\\[~]|€')

/** Letters that do not come apart into a letter of GSM-7 and an accent. */
const WRITTEN: Readonly<Record<string, string>> = {
  ...{ '‘': "'", '’': "'", '‚': ',', '“': '"', '”': '"', '„': '"', '«': '"', '»': '"', '–': '-', '—': '-', '…': '...' },
  ...{ '\u00a0': ' ', '\t': ' ', '•': '-', '×': 'x', '`': "'", '´': "'" },
  ...{ œ: 'oe', Œ: 'OE', ı: 'i', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ħ: 'h', Ħ: 'H' },
}
const MARKS = /\p{M}/gu

/** Whether every character is in the basic table or the extension of GSM-7. */
export const isGsm = (text: string): boolean => [...text].every((one) => BASIC.has(one) || EXTENDED.has(one))

/** Letters outside GSM-7 as those that stand for them; what nothing stands for stays. */
export function toGsm(text: string): string {
  return [...text.normalize('NFC')]
    .map((one) => {
      if (isGsm(one)) return one
      const written = WRITTEN[one] ?? one.normalize('NFD').replace(MARKS, '')
      return written !== '' && isGsm(written) ? written : one
    })
    .join('')
}

/** How many segments a message takes: 160 and 153 places in GSM-7, 70 and 67 units in UCS-2. An empty one takes none. */
export function segmentsOf(text: string): number {
  if (text === '') return 0
  const gsm = isGsm(text)
  const places = gsm ? [...text].reduce((sum, one) => sum + (EXTENDED.has(one) ? 2 : 1), 0) : text.length
  const [alone, each] = gsm ? [160, 153] : [70, 67]
  return places <= alone ? 1 : Math.ceil(places / each)
}
