import { systemContext, type RequestContext, type WriteCause } from '../../platform/http'

/** Transitions that may cause one another before it is taken for a circle. */
const DEEPEST = 12

/** In the caller's name, with the rights of the system. */
export function trusted(context: RequestContext): RequestContext {
  const { now, locale, traceId, user, ip, causes } = context
  return { ...systemContext({ now, locale, traceId }), user, ip, ...(causes ? { causes } : {}) }
}

/**
 * What is written with it names the transition (and the effect) of the records that caused it.
 * @throws Error when causes go round in a circle
 */
export function causedBy(context: RequestContext, cause: Omit<WriteCause, 'recordId'>): RequestContext {
  const [first = '', ...others] = cause.ids
  const recordId = others.length === 0 ? first : `${first}+${others.length}`
  const causes = [...(context.causes ?? []), { ...cause, recordId }]
  if (causes.length <= DEEPEST) return { ...context, causes }
  const path = causes.map(({ entity, transition, effect }) => [entity, transition, effect].filter(Boolean).join('.')).join(' -> ')
  throw new Error(`Effects cause one another without end: ${path}`)
}
