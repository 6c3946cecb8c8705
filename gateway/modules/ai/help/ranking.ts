/** Words of a text in both languages, and how well texts fit a question (BM25 over words and pairs of characters). */

const HAN = /\p{Script=Han}/u
const STOP = new Set(
  (
    'a an and are as at be by can could do does for from have how i in is it its me my of on or our should that the there their them then this to ' +
    'up us was we what when where which who why will with would you your please tell show about get any 的 了 吗 呢 吧 啊 在 是 我 你 您 他 她 它 和 与 就 都 要 会 请'
  ).split(' '),
)
const ASKED =
  /怎么样|怎么|怎样|如何|什么是|是什么|为什么|为何|什么|哪里|哪儿|在哪|可以|能不能|是否|请问|一下|告诉我|我想|想要|需要|应该|我的|我们|多少|一个|有没有|能否|的话/g

const PARTICLES = /[的了已着过把被给从对到]/gu
const WHEN =
  /今天|明天|昨天|今日|本周|上周|本月|这个月|上个月|今年|去年|\b(?:today|tomorrow|yesterday|now|this (?:week|month|year)|last (?:week|month|year))\b/g

/** A word as it is compared: without the endings that English adds. */
export function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return stem(word.slice(0, -3))
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return stem(word.slice(0, -1))
  return word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word
}

/** What a text is found by: stems of words, and pairs of Chinese characters. */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const [part] of text.toLowerCase().matchAll(/[\p{Script=Latin}\d]+|\p{Script=Han}+/gu)) {
    if (!HAN.test(part)) {
      if (!STOP.has(part)) terms.push(stem(part))
      continue
    }
    const characters = [...part]
    if (characters.length === 1 && !STOP.has(part)) terms.push(part)
    for (let at = 0; at + 1 < characters.length; at++) terms.push(`${characters[at]}${characters[at + 1]}`)
  }
  return terms
}

/** The terms that a question asks for: what only makes it a question is left out. */
export const askedTerms = (question: string): string[] => [
  ...new Set(termsOf(question.toLowerCase().replace(WHEN, ' ').replace(ASKED, ' ').replace(PARTICLES, ' '))),
]

/** Texts of a document with how much a hit in each counts. */
export interface Weighed {
  texts: readonly { text: string; weight: number }[]
}

const UNKNOWN_PAIR = 0.4
const K = 1.2
const B = 0.5

/** An index over documents, which answers the best first. */
export class Ranking<Item extends Weighed> {
  private readonly postings = new Map<string, Map<number, number>>()
  private readonly lengths: number[] = []
  private readonly average: number

  constructor(private readonly items: readonly Item[]) {
    for (const [index, { texts }] of items.entries()) {
      let length = 0
      for (const { text, weight } of texts)
        for (const term of termsOf(text)) {
          length++
          const found = this.postings.get(term) ?? new Map<number, number>()
          found.set(index, (found.get(index) ?? 0) + weight)
          this.postings.set(term, found)
        }
      this.lengths.push(length)
    }
    this.average = this.lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, items.length)
  }

  /** How much a term tells: much when few documents have it. */
  private worth(term: string): number {
    const held = this.postings.get(term)?.size ?? 0
    return Math.log(1 + (this.items.length - held + 0.5) / (held + 0.5))
  }

  /** Items that fit, with `share`: which part of what the question asks for they hold (0 to 1). */
  search(terms: readonly string[], fits: (item: Item) => boolean = () => true): { item: Item; score: number; share: number }[] {
    const scores = new Map<number, { score: number; held: number }>()
    // pairs of characters that stand nowhere are mostly the end of one word and the beginning of the next
    const all = terms.reduce(
      (sum, term) => sum + this.worth(term) * (HAN.test(term) && !this.postings.has(term) ? UNKNOWN_PAIR : 1),
      0,
    )
    for (const term of terms) {
      const worth = this.worth(term)
      for (const [index, count] of this.postings.get(term) ?? []) {
        const scaled = (count * (K + 1)) / (count + K * (1 - B + (B * (this.lengths[index] ?? 0)) / this.average))
        const before = scores.get(index) ?? { score: 0, held: 0 }
        scores.set(index, { score: before.score + worth * scaled, held: before.held + worth })
      }
    }
    return [...scores]
      .flatMap(([index, { score, held }]) => {
        const item = this.items[index]
        return item && fits(item) ? [{ item, score: score * (0.4 + (0.6 * held) / all), share: held / all }] : []
      })
      .sort((a, b) => b.score - a.score)
  }
}
