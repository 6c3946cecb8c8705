import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Of 4: what an attacker who may try offline finds within hours scores less. */
const LEAST_SCORE = 3
/** Two passwords of the lists, one behind the other, are among the first that are tried, however long they are. */
const MOST_JOINED = 2
const LISTED = 'passwords-common'

/** The lists are large: they are read with the first password that is chosen. */
let lists: ZxcvbnFactory | undefined

/**
 * Whether a password stands on the lists of those that were found in breaches (English words, pinyin, numbers alike), or is made of such ones, of keys side by side,
 * repetitions, years and the words given. The lists and the estimate are those of zxcvbn.
 *
 * @param own words that say nothing of an attacker's pains: names of the person and of the product
 */
export function isGuessable(password: string, own: readonly string[]): boolean {
  lists ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  const { score, sequence } = lists.check(password, [...own])
  const joined = sequence.length <= MOST_JOINED && sequence.every((part) => part.dictionaryName === LISTED)
  return score < LEAST_SCORE || joined
}
