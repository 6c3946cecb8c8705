import type { EntityModel } from '../../../src/schema/entity'
import type { AggregateRequest, QueryCondition, QueryWhere } from '../../../src/schema/model'
import { isCondition } from '../../../src/schema/where'
import type { RequestContext } from '../../platform/http'
import { badRequest } from '../errors'
import type { Registry } from '../registry'
import type { Dimension } from './dimensions'
import type { Period } from './period'

export interface AskedPeriod {
  /** The field (or path) of days that the period is about. */
  field: string
  period: Period
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const isDay = (value: unknown): value is string => typeof value === 'string' && DAY.test(value)

/**
 * The period that the conditions of a request name.
 * @throws ServiceError 10010001 when they name none: there is nothing before it
 */
export function askedPeriod(
  context: RequestContext,
  registry: Registry,
  model: EntityModel,
  { where = [], compareBy }: AggregateRequest,
  dimensions: readonly Dimension[],
): AskedPeriod {
  const field = compareBy ?? dimensions.find(({ bucket }) => bucket !== undefined)?.path ?? onlyDays(where) ?? 'createdAt'
  const { from, to = registry.dayOf(context.now) } = daysNamed(where, field)
  if (from !== undefined && from <= to) return { field, period: { from, to } }
  throw badRequest(
    context.locale,
    {
      zh: `对比需要时间段：请在条件中写明“${field}”从哪天到哪天。`,
      en: `To compare, the conditions have to name a period: from which day to which day of "${field}" of ${model.label.en}.`,
    },
    'compare',
  )
}

/** From which day to which day conditions ask a field. */
export function daysNamed(where: readonly QueryWhere[], field: string): Partial<Period> {
  const days = where
    .filter(isCondition)
    .filter((condition) => condition.field === field)
    .map(daysOf)
  const from = days
    .flatMap((each) => each?.from ?? [])
    .sort()
    .at(-1)
  const to = days.flatMap((each) => each?.to ?? []).sort()[0]
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** The only field that conditions compare with days, if it is one. */
function onlyDays(where: readonly QueryWhere[]): string | undefined {
  const fields = new Set(
    where
      .filter(isCondition)
      .filter((condition) => daysOf(condition))
      .map(({ field }) => field),
  )
  return fields.size === 1 ? [...fields][0] : undefined
}

function daysOf({ operator, value }: QueryCondition): Partial<Period> | undefined {
  const [low, high] = operator === 'between' && Array.isArray(value) ? (value as unknown[]) : [value, value]
  const from = operator !== 'lte' && isDay(low) ? low : undefined
  const to = operator !== 'gte' && isDay(high) ? high : undefined
  if (!['eq', 'gte', 'lte', 'between'].includes(operator) || (from === undefined && to === undefined)) return undefined
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** The conditions with another period. */
export const inPeriod = (where: readonly QueryWhere[], field: string, { from, to }: Period): QueryWhere[] => [
  ...where.filter((term) => !isCondition(term) || term.field !== field || daysOf(term) === undefined),
  { field, operator: 'between', value: [from, to] },
]
