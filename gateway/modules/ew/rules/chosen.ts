import type { EntityRecord } from '../../../entities'

/** What a chosen condition compares (dictionary ewFigure), as conditions say it. */
const FIGURES: Readonly<Record<string, string>> = {
  value: 'v',
  overBase: 'delta(v, b)',
  change: 'pct(v, b)',
  trend: 'trend(6)',
}
/** How it is compared (dictionary ewComparison): the sign, and the sign of its opposite. */
const SIGNS: Readonly<Record<string, readonly [sign: string, opposite: string]>> = {
  lt: ['<', '>='],
  lte: ['<=', '>'],
  gt: ['>', '<='],
  gte: ['>=', '<'],
}
const WORDS: Readonly<Record<string, string>> = { value: '', overBase: 'Δ ', change: 'Δ% ', trend: '↗ ' }

const given = (value: unknown): string | null => {
  const number = value === null || value === undefined || value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? String(number) : null
}

/**
 * The conditions of a rule whose condition was chosen, not written: when there is an alarm, when it is severer, when it is over, and how
 * the threshold is shown; undefined for a rule with a formula of its own, or without a value.
 */
export function chosenConditions(
  record: EntityRecord,
): { expr: string; severeExpr: string | null; resolveExpr: string | null; threshold: string } | undefined {
  const figure = FIGURES[String(record['figure'])]
  const signs = SIGNS[String(record['comparison'])]
  const limit = given(record['limitValue'])
  if (record['conditionBy'] !== 'choice' || figure === undefined || signs === undefined || limit === null) return undefined
  const [severe, over] = [given(record['severeLimit']), given(record['overLimit'])]
  const least = Number(record['samplesAtLeast'] ?? 0)
  const enough = least > 0 ? ` && n >= ${least}` : ''
  return {
    expr: `${figure} ${signs[0]} ${limit}${enough}`,
    severeExpr: severe === null ? null : `${figure} ${signs[0]} ${severe}${enough}`,
    resolveExpr: over === null ? null : `${figure} ${signs[1]} ${over}`,
    threshold: `${WORDS[String(record['figure'])] ?? ''}${signs[0]} ${limit}`,
  }
}
