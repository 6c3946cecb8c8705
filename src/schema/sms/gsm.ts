import { isGsm } from './segments'

/** Letters that do not come apart into a letter of GSM-7 and an accent. */
const WRITTEN: Readonly<Record<string, string>> = {
  ...{ '‘': "'", '’': "'", '‚': ',', '“': '"', '”': '"', '„': '"', '«': '"', '»': '"', '–': '-', '—': '-', '…': '...' },
  ...{ '\u00a0': ' ', '\t': ' ', '•': '-', '×': 'x', '`': "'", '´': "'" },
  ...{ œ: 'oe', Œ: 'OE', ı: 'i', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ħ: 'h', Ħ: 'H' },
}
const MARKS = /\p{M}/gu

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
