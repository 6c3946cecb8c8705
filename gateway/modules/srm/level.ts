import { Exact } from '../../../src/schema/formats'
import type { RuleTypes } from '../../rules'

type LevelRule = RuleTypes['srm.level']
export type SupplierLevel = 'a' | 'b' | 'c' | 'd' | 'n'

/** What a supplier is rated by: each part 0 to 100 as decimal text, null while nothing measures it. */
export interface LevelParts {
  quality: string | null
  price: string | null
  terms: string | null
  service: string | null
  stability: string | null
}

const PARTS = ['quality', 'price', 'terms', 'service', 'stability'] as const

/** The part for payment terms: the longer a supplier waits for his money, the better. */
export function termsPart(payMode: string | null, days: number | null): string | null {
  if (payMode === null || payMode === 'none') return null
  if (payMode === 'prepaid' || days === null || days < 7) return '40'
  return days >= 30 ? '100' : days >= 15 ? '80' : '60'
}

/** Score and level of a supplier: not rated below the least traffic or while a part is not measured. */
export function levelOf(
  parts: LevelParts,
  traffic: number | null,
  rule: LevelRule,
): { level: SupplierLevel; score: string | null } {
  const known = PARTS.map((part) => ({ part: parts[part], weight: rule.weights[part] }))
  if ((traffic ?? 0) < rule.minTraffic || known.some(({ part }) => part === null)) return { level: 'n', score: null }
  const score = known.reduce((sum, { part, weight }) => sum.plus(new Exact(part ?? 0).times(weight).dividedBy(100)), new Exact(0))
  const { a, b, c } = rule.bands
  return { level: score.gte(a) ? 'a' : score.gte(b) ? 'b' : score.gte(c) ? 'c' : 'd', score: score.toFixed(2) }
}
