import { RE2JS } from 're2js'
import { translatePattern } from '../../src/schema/pattern/translate'
import { fold, foldText, type Folded } from './fold'

/** A word as it is matched (`biz.sensitiveWord`). */
export interface Word {
  id: string
  word: string
  /** Dictionary `wordMatch`. */
  matchType: string
  countries?: readonly string[] | null
  products?: readonly string[] | null
}

/** A place of a text that a word was found at, as it is written there. */
export interface Hit<Of extends Word> {
  word: Of
  start: number
  end: number
  found: string
}

const LETTER = /[\p{L}\p{N}]/u
/** Scripts that are written without gaps between words: every place is the border of a word there. */
const UNBROKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u
const joins = (one: string | undefined): boolean => one !== undefined && LETTER.test(one) && !UNBROKEN.test(one)

/** The places at which a plain text stands; with `whole` only where no letter or digit goes on beside it. */
function plainPlaces(text: string, wanted: string, whole: boolean): [start: number, end: number][] {
  const places: [number, number][] = []
  if (wanted === '') return places
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1)
    const after = [...text.slice(end, end + 2)][0]
    const [first, last] = [[...wanted][0], [...wanted].at(-1)]
    if (!whole || !((joins(before) && joins(first)) || (joins(after) && joins(last)))) places.push([at, end])
  }
  return places
}

/** Matches without backtracking: the time grows with the text, whatever the pattern. */
function compiled(pattern: string): RE2JS {
  const translation = translatePattern(pattern.normalize('NFKC'), { captures: true })
  if ('fault' in translation) throw new Error(translation.fault)
  return RE2JS.compile(translation.source, RE2JS.CASE_INSENSITIVE)
}

function patternPlaces(text: string, pattern: string): [start: number, end: number][] {
  const matcher = compiled(pattern).matcher(text)
  const places: [number, number][] = []
  while (matcher.find()) if (matcher.end() > matcher.start()) places.push([matcher.start(), matcher.end()])
  return places
}

/** Why a word cannot be matched, or null: a regular expression that is not well formed, looks around, refers back, is too large, or finds an empty text. */
export function wordFault({ word, matchType }: Pick<Word, 'word' | 'matchType'>): string | null {
  if (matchType !== 'regex') return foldText(word).trim() === '' ? 'empty' : null
  const translation = translatePattern(word.normalize('NFKC'), { captures: true })
  if ('fault' in translation) return translation.fault
  try {
    return compiled(word).matches('') ? 'empty' : null
  } catch {
    return 'syntax'
  }
}

const holds = (limits: readonly string[] | null | undefined, one: string | null): boolean =>
  one === null || !limits || limits.length === 0 || limits.includes(one)

/** Every place of a text at which one of the words stands, from left to right. A country or product of null asks for all of them. */
export function findHits<Of extends Word>(
  original: string,
  words: readonly Of[],
  { country = null, product = null }: { country?: string | null; product?: string | null } = {},
): Hit<Of>[] {
  const folded: Folded = fold(original)
  const hits = words
    .filter((word) => holds(word.countries, country) && holds(word.products, product) && wordFault(word) === null)
    .flatMap((word) =>
      (word.matchType === 'regex'
        ? patternPlaces(folded.text, word.word)
        : plainPlaces(folded.text, foldText(word.word), word.matchType === 'exact')
      ).map(([from, to]) => {
        const [start, end] = [folded.starts[from] ?? 0, folded.ends[to - 1] ?? original.length]
        return { word, start, end, found: original.slice(start, end) }
      }),
    )
  return hits.sort((a, b) => a.start - b.start || b.end - a.end)
}
