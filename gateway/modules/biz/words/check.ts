import type { LookupFunction } from '../../../entities'
import { wordFault } from '../../../words'

/** Look-up of `biz.sensitiveWord`: why a word cannot be matched, `{ fault }`. */
export const wordFaults: LookupFunction = (_, asked) =>
  Promise.resolve(
    asked.map(({ word, matchType }) => ({ fault: wordFault({ word: String(word ?? ''), matchType: String(matchType ?? '') }) })),
  )
