const NUMBER = /(?<![\w.,-])\d[\d,]*(?:\.\d+)?/g
const DAY = /\d{4}-\d{2}(?:-\d{2})?/g

/** The numbers of a text without the commas between their thousands. */
const numbersOf = (text: string): string[] =>
  [...text.replace(DAY, ' ').matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([one]) => one.replaceAll(',', ''))

/** Marks figures of an answer that neither the question nor any tool gave; numbers of lists are no figures. */
export function marked(answer: string, known: readonly string[], mark: string): string {
  const given = [...new Set(known.flatMap(numbersOf))]
  const days = new Set(known.flatMap((text) => text.match(DAY) ?? []))
  const isKnown = (text: string): boolean => {
    const plain = text.replaceAll(',', '')
    const decimals = plain.split('.')[1]?.length ?? 0
    const same = (one: string): boolean =>
      one === plain ||
      Number(Number(one).toFixed(decimals)) === Number(plain) ||
      Number((Number(one) * 100).toFixed(decimals)) === Number(plain)
    return given.some(same)
  }
  const places = [...answer.matchAll(DAY)].map((found) => ({
    from: found.index,
    to: found.index + found[0].length,
    known: days.has(found[0]),
  }))
  return answer.replace(NUMBER, (text, offset: number) => {
    const day = places.find(({ from, to }) => offset >= from && offset < to)
    if (day) return text
    const before = answer.slice(answer.lastIndexOf('\n', offset - 1) + 1, offset)
    if (/^\s*$/.test(before) && /^[.)、]/.test(answer.slice(offset + text.length))) return text
    if (/\[$/.test(before) || isKnown(text)) return text
    return `${text}${mark}`
  })
}
