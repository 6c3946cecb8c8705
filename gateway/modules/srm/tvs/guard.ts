/** What a rewritten message may not change (customers-suppliers 5): groups of digits, amounts, telephone numbers, paths of links. */
export const PROTECTED = ['code', 'amount', 'phone', 'urlPath'] as const
export type Protected = (typeof PROTECTED)[number]

/** A link: what stands before the path, then the path. Neither part can match in two ways, so the time grows with the text. */
const LINK = /(?:https?:\/\/|www\.)([^\s/?#]+)([^\s]*)/giu
const DIGITS = /\d{4,}/gu
const AMOUNT = /(?:[$€£¥₹]\s?|\b[A-Z]{3}\s?)\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥₹]|[A-Z]{3}\b)|\d+[.,]\d{2}(?!\d)/gu
const PHONE = /\+?\d[\d ().-]{5,24}\d/gu

const all = (text: string, pattern: RegExp, read: (match: RegExpMatchArray) => string): string[] =>
  [...text.matchAll(pattern)].map(read).filter((one) => one !== '')
const digits = (text: string): string => text.replace(/\D/gu, '')

const READ: Readonly<Record<Protected, (text: string) => string[]>> = {
  code: (text) => all(text, DIGITS, ([group]) => group),
  amount: (text) => all(text, AMOUNT, ([amount]) => amount.replace(/[\s]|[.,]$/gu, '')),
  phone: (text) =>
    all(text, PHONE, ([number]) => {
      const found = digits(number)
      return found.length >= 7 ? found : ''
    }),
  urlPath: (text) => all(text, LINK, (match) => match[2]!),
}

/** The kinds of protected parts of which a rewritten text holds others than the original. */
export function broken(before: string, after: string, protect: readonly Protected[] = PROTECTED): Protected[] {
  const key = (text: string, kind: Protected): string => [...new Set(READ[kind](text))].sort().join('\n')
  return protect.filter((kind) => key(before, kind) !== key(after, kind))
}
