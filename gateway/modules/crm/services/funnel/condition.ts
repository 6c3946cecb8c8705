import { sql, type SQL } from 'drizzle-orm'
import type { QueryCondition } from '../../../../../src/schema/model'
import { ServiceError, type Locale } from '../../../../platform/http'
import { addDays, startOfDay } from '../../rules/companyDay'
import { OPEN_STAGES } from '../../rules/opportunity'
import { behindSql, FUNNEL_FIGURES, type FunnelFigure, type FunnelPeriod } from './passages'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const CLOSED = ['won', 'lost']

/** A funnel question as conditions ask it; the period as days, both counted. */
export interface FunnelQuestion {
  figure: FunnelFigure | null
  stage: string | null
  /** The owner at the change; null = nobody, undefined = whoever. */
  owner: string | null | undefined
  from: string | null
  to: string | null
}

/** Reads the conditions on funnelFigure, funnelStage, funnelOwner and funnelPeriod. @throws 10010001 for values that mean nothing. */
export function questionOf(conditions: readonly QueryCondition[], locale: Locale): FunnelQuestion {
  const one = (field: string): unknown => {
    const value = conditions.find((condition) => condition.field === field)?.value
    return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
  }
  const figure = one('funnelFigure')
  const stage = one('funnelStage')
  if (figure !== undefined && !FUNNEL_FIGURES.some((known) => known === figure)) throw refuse('funnelFigure', locale)
  if (stage !== undefined && ![...OPEN_STAGES, ...CLOSED].some((known) => known === stage)) throw refuse('funnelStage', locale)
  const owned = conditions.find(({ field }) => field === 'funnelOwner')
  const owner = owned?.operator === 'empty' ? null : one('funnelOwner')
  if (owner !== undefined && owner !== null && typeof owner !== 'string') throw refuse('funnelOwner', locale)
  const [from, to] = periodDays(
    conditions.find((condition) => condition.field === 'funnelPeriod'),
    locale,
  )
  return { figure: (figure as FunnelFigure | undefined) ?? null, stage: (stage as string | undefined) ?? null, owner, from, to }
}

/** Edges of the period in the company's zone. */
export function periodOf({ from, to }: Pick<FunnelQuestion, 'from' | 'to'>, timeZone: string): Partial<FunnelPeriod> {
  return {
    ...(from === null ? {} : { from: startOfDay(from, timeZone) }),
    ...(to === null ? {} : { to: startOfDay(addDays(to, 1), timeZone) }),
  }
}

/** The rows behind a number of the funnel; a period or a stage alone restricts nothing. */
export function funnelCondition(
  conditions: readonly QueryCondition[],
  alias: string,
  locale: Locale,
  timeZone: string,
): SQL | undefined {
  const question = questionOf(conditions, locale)
  if (question.figure === null) return undefined
  if (question.stage === null || (CLOSED.includes(question.stage) && question.figure !== 'entered'))
    throw refuse('funnelStage', locale)
  if (question.owner !== undefined && !['created', 'entered'].includes(question.figure)) throw refuse('funnelOwner', locale)
  return sql`${sql.identifier(alias)}."id" in (${behindSql(question.figure, question.stage, periodOf(question, timeZone), question.owner)})`
}

function periodDays(condition: QueryCondition | undefined, locale: Locale): [string | null, string | null] {
  if (!condition) return [null, null]
  const day = (value: unknown): string | null => {
    if (value === null || value === undefined || value === '') return null
    if (typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value))) return value
    throw refuse('funnelPeriod', locale)
  }
  const { operator, value } = condition
  if (operator === 'between' && Array.isArray(value)) return [day(value[0]), day(value[1])]
  if (operator === 'gte') return [day(value), null]
  if (operator === 'lte') return [null, day(value)]
  if (operator === 'eq') return [day(value), day(value)]
  throw refuse('funnelPeriod', locale)
}

const NAMES = {
  funnelFigure: { zh: '漏斗数字', en: 'funnel figure' },
  funnelStage: { zh: '漏斗阶段', en: 'funnel stage' },
  funnelOwner: { zh: '当时负责人', en: 'owner then' },
  funnelPeriod: { zh: '漏斗期间', en: 'funnel period' },
} as const

function refuse(field: keyof typeof NAMES, locale: Locale): ServiceError {
  const message = {
    zh: `“${NAMES[field].zh}”的条件无法理解：数字与阶段须一起给出，期间为日期，负责人只与新建或进入一起。`,
    en: `The condition on the ${NAMES[field].en} cannot be understood: a figure needs a stage, a period needs dates, an owner goes with new or entered only.`,
  }
  return new ServiceError('badRequest', { message, data: { errors: [{ field, message: message[locale] }] } })
}
