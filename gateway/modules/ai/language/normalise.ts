import { Converter } from 'opencc-js/t2cn'
import { stem } from '../help/ranking'

const simplified = Converter({ from: 't', to: 'cn' })
const HAN = /\p{Script=Han}/u
const DIGITS = '零一二三四五六七八九'
const ENGLISH = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Full and half width, traditional and simplified, capitals: what a question is compared by. */
export const normalise = (text: string): string =>
  simplified(text.normalize('NFKC').toLowerCase())
    .replace(/[\s?？!！。，,;；]+/gu, ' ')
    .trim()

/** The language that a question is asked in. */
export const languageOf = (text: string): 'zh' | 'en' => (HAN.test(text) ? 'zh' : 'en')

/** A number as people write it: 5, 五, 十五, 三十, 两, five. */
export function numberOf(text: string): number | undefined {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  const english = ENGLISH.indexOf(text)
  if (english >= 0) return english
  const plain = text.replace('两', '二').replace('百', '')
  const ten = plain.indexOf('十')
  const digit = (character: string): number => DIGITS.indexOf(character)
  if (ten < 0) return plain.length === 1 && digit(plain) >= 0 ? digit(plain) * (text.endsWith('百') ? 100 : 1) : undefined
  const tens = ten === 0 ? 1 : digit(plain[0] ?? '')
  const ones = ten === plain.length - 1 ? 0 : digit(plain[ten + 1] ?? '')
  return tens < 0 || ones < 0 || plain.length > 3 ? undefined : tens * 10 + ones
}

/** Words of Latin script by their stems between single spaces, so that forms of one word are the same; Chinese as it is. */
export const canonical = (text: string): string =>
  normalise(text)
    .replace(/[\p{Script=Latin}\d']+/gu, (word) => ` ${stem(word)} `)
    .replace(/[^\p{Script=Latin}\p{Script=Han}\d]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()

export interface Match<Entry> {
  entry: Entry
  text: string
  from: number
  to: number
}

interface Node<Entry> {
  next: Map<string, Node<Entry>>
  entries: Entry[]
}
const node = <Entry>(): Node<Entry> => ({ next: new Map(), entries: [] })
const isLatin = (character: string | undefined): boolean => character !== undefined && /[\p{Script=Latin}\d]/u.test(character)

/** Words, each with what it may mean, found anywhere in a canonical text; the longest counts. */
export class Lexicon<Entry> {
  private readonly root = node<Entry>()

  add(word: string, entry: Entry): void {
    const text = canonical(word)
    if (text.length < (HAN.test(text) ? 1 : 2)) return
    let at = this.root
    for (const character of text) {
      const next = at.next.get(character) ?? node<Entry>()
      at.next.set(character, next)
      at = next
    }
    at.entries.push(entry)
  }

  /** What stands in a canonical text; words inside of longer ones are left out. */
  find(text: string): Match<Entry>[] {
    const found: Match<Entry>[] = []
    let end = 0
    for (let from = 0; from < text.length; from++) {
      if (isLatin(text[from]) && isLatin(text[from - 1])) continue
      let at: Node<Entry> | undefined = this.root
      let longest: { to: number; entries: Entry[] } | undefined
      for (let to = from; at !== undefined && to <= text.length; to++) {
        if (at.entries.length > 0 && !(isLatin(text[to - 1]) && isLatin(text[to]))) longest = { to, entries: at.entries }
        at = at.next.get(text[to] ?? '')
      }
      if (!longest || longest.to <= end) continue
      end = longest.to
      for (const entry of longest.entries) found.push({ entry, text: text.slice(from, longest.to), from, to: longest.to })
    }
    return found
  }
}
