import { bind } from '../../platform/database'
import { clauseSql, madeOf, type Clause } from '../clause'

/** A way to reach a row: conditions that all hold. */
type Way = ReadonlySet<string>

/** From here on a condition is taken as one: what it is put together of would take too long to compare. */
const MOST_WAYS = 256

/**
 * Whether a condition lets rows through that another one may have kept back: some way of meeting it asks for less than every way of
 * meeting the other one, or for something else. What cannot be told to be narrower counts as wider.
 */
export function isWider(before: Clause, after: Clause): boolean {
  if (saying(before) === saying(after)) return false
  const known = waysOf(before)
  return waysOf(after).some((way) => !known.some((one) => [...one].every((condition) => way.has(condition))))
}

function saying(clause: Clause): string {
  const { text, values } = bind(clauseSql(clause))
  return `${text} ${JSON.stringify(values)}`
}

function waysOf(clause: Clause): readonly Way[] {
  if (typeof clause === 'boolean') return clause ? [new Set()] : []
  const whole = (): Way[] => [new Set([saying(clause)])]
  const made = madeOf(clause)
  if (!made) return whole()
  if ('row' in made)
    return waysOf(made.inside).map((way) => new Set([made.row, ...[...way].map((condition) => `${made.row} > ${condition}`)]))
  if ('any' in made) return made.any.flatMap(waysOf)
  let ways: readonly Way[] = [new Set()]
  for (const part of made.all) {
    const further = waysOf(part)
    if (ways.length * further.length > MOST_WAYS) return whole()
    ways = ways.flatMap((way) => further.map((more) => new Set([...way, ...more])))
  }
  return ways
}
