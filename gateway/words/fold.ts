/** A text as words are matched on it: folded, with the place in the original of every unit. */
export interface Folded {
  text: string
  /** Where in the original the unit begins, and one more for the end. */
  starts: readonly number[]
  ends: readonly number[]
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** One text for what looks alike: compatible forms made one (NFKC: full-width letters, ligatures), upper and lower case. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase().normalize('NFKC')

/** Folds a text character by character, so that what is found in it can be shown as it was written. */
export function fold(original: string): Folded {
  const parts: string[] = []
  const [starts, ends]: [number[], number[]] = [[], []]
  for (const { segment, index } of graphemes.segment(original)) {
    const folded = foldText(segment)
    parts.push(folded)
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts.push(index)
      ends.push(index + segment.length)
    }
  }
  return { text: parts.join(''), starts, ends }
}
