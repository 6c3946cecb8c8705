/** How well a text answers what somebody typed: 0 is the text itself; null: it does not. */
export const rankOf = (text: string, typed: string): number | null => {
  const [wanted, given] = [typed.trim().toLowerCase(), text.trim().toLowerCase()]
  if (wanted === '' || given === wanted) return 0
  const at = given.indexOf(wanted)
  if (at < 0) return null
  if (at === 0) return 1
  // the beginning of a word says more than its middle; a character of Chinese is a word
  return /[\p{L}\p{N}]/u.test(given.charAt(at - 1)) && !/\p{Script=Han}/u.test(wanted) ? 3 : 2
}

/** The best rank of several texts, an earlier one before a later one; null when none fits. */
export const bestRank = (texts: readonly string[], typed: string): number | null => {
  let best: number | null = null
  texts.forEach((text, index) => {
    const rank = rankOf(text, typed)
    if (rank !== null && (best === null || rank + index * 4 < best)) best = rank + index * 4
  })
  return best
}
