import { Converter } from 'opencc-js/t2cn'
import {
  CONFUSABLES,
  HAN_LEGAL_FORMS,
  HAN_PLACES,
  HAN_TRADE_WORDS,
  LEADING_LEGAL_FORMS,
  LEGAL_FORMS,
  PLACES,
  TRADE_WORDS,
} from './words'

const simplified = Converter({ from: 't', to: 'cn' })
const HAN = /\p{Script=Han}/u

/** What the duplicate check compares instead of a company's name. */
export interface MatchKeys {
  /** The name without spelling variants and legal forms; never empty for a name with a letter or digit. */
  nameKey: string
  /** The name key without places and trade words; empty when too short to mean anything. */
  nameCore: string
}

/** Makes the match keys of a company name as registered, in any script. */
export function matchKeys(name: string): MatchKeys {
  const tokens = nameTokens(name)
  return { nameKey: tokens.join(''), nameCore: coreOf(tokens) }
}

/** The name key for the rules that only warn: letters that look alike count as the same. */
export function looksLike(nameKey: string): string {
  return [...nameKey].map((letter) => CONFUSABLES[letter] ?? letter).join('')
}

/** Steps 1 to 5: tokens of the name without legal forms. */
function nameTokens(name: string): string[] {
  const normal = simplified(name.normalize('NFKC').toLowerCase())
    .replace(/(?:\p{L}\.){2,}/gu, (initials) => initials.replaceAll('.', ''))
    .replaceAll('&', ' and ')
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/['’‘ʼ`]/g, '')
  const tokens = normal.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
  if (tokens.length > 1 && tokens[0] === 'the') tokens.shift()
  const kept = withoutLegalForms(tokens)
  return kept.length > 0 ? kept : tokens
}

function withoutLegalForms(tokens: readonly string[]): string[] {
  const kept = [...tokens]
  while (kept.length > 0 && LEADING_LEGAL_FORMS.has(kept[0] ?? '')) kept.shift()
  for (let changed = true; changed && kept.length > 0;) {
    const last = kept.at(-1) ?? ''
    const han = HAN_LEGAL_FORMS.find((form) => last.endsWith(form))
    changed = true
    if (LEGAL_FORMS.has(last) || han === last) kept.pop()
    else if (han) kept[kept.length - 1] = last.slice(0, -han.length)
    else changed = false
  }
  return kept
}

function coreOf(tokens: readonly string[]): string {
  const kept: string[] = []
  for (let index = 0; index < tokens.length;) {
    const place = PLACES.find((words) => words.every((word, offset) => tokens[index + offset] === word))
    if (place) {
      index += place.length
      continue
    }
    const token = tokens[index] ?? ''
    if (!TRADE_WORDS.has(token)) kept.push(HAN.test(token) ? withoutHanWords(token) : token)
    index += 1
  }
  const core = kept.join('')
  const han = [...core].filter((letter) => HAN.test(letter)).length
  const letters = [...core].length
  return (han > 0 ? han : letters) >= (han > 0 ? 2 : 4) ? core : ''
}

const HAN_PLACE_PATTERNS = HAN_PLACES.map((place) => new RegExp(`${place}[省市区]?`, 'gu'))

function withoutHanWords(token: string): string {
  let rest = token
  for (const place of HAN_PLACE_PATTERNS) rest = rest.replace(place, '')
  for (const word of HAN_TRADE_WORDS) rest = rest.replaceAll(word, '')
  return rest
}

/** Dice coefficient on character bigrams, 0 to 1; 1 for equal texts. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1
  const left = bigrams(a)
  const right = bigrams(b)
  const total = sizeOf(left) + sizeOf(right)
  if (total === 0) return 0
  let common = 0
  for (const [pair, count] of left) common += Math.min(count, right.get(pair) ?? 0)
  return (2 * common) / total
}

/** The different character pairs of a name key, for the index that finds similar names. */
export function bigramsOf(nameKey: string): string[] {
  return [...bigrams(nameKey).keys()]
}

/** The different pairs of a name key, and how many of them a name that is at least so similar (Dice coefficient) may lack. */
export function pairsOfSimilar(nameKey: string, minSimilarity: number): { pairs: string[]; lacking: number } {
  const bag = bigrams(nameKey)
  const total = sizeOf(bag)
  const common = Math.ceil((minSimilarity * total) / (2 - minSimilarity) - 1e-9)
  // whoever shares no pair at all is not looked at
  return { pairs: [...bag.keys()], lacking: Math.max(0, Math.min(bag.size - 1, total - common)) }
}

function bigrams(text: string): Map<string, number> {
  const letters = [...text]
  const found = new Map<string, number>()
  for (let index = 0; index + 1 < letters.length; index += 1) {
    const pair = `${letters[index]}${letters[index + 1]}`
    found.set(pair, (found.get(pair) ?? 0) + 1)
  }
  return found
}

const sizeOf = (bag: ReadonlyMap<string, number>): number => [...bag.values()].reduce((sum, count) => sum + count, 0)
