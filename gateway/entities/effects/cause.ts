import type { Executor } from '../../platform/database'
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

/** A record, as causes name it. */
interface Named {
  entity: string
  recordId: string
}
/** By transaction and record: which version of each rule set was read for it. */
const readRules = new WeakMap<Executor, Map<string, Map<string, number>>>()

/** Remembers until the end of the transaction which version of a rule set decided on a record. */
export function noteRules(tx: Executor, { entity, recordId }: Named, key: string, version: number): void {
  const records = readRules.get(tx) ?? new Map<string, Map<string, number>>()
  readRules.set(tx, records)
  const name = `${entity}/${recordId}`
  records.set(name, (records.get(name) ?? new Map<string, number>()).set(key, version))
}

/** `crm.wander 3`: the rule sets that were read for a record, with their versions. */
const rulesOf = (tx: Executor, { entity, recordId }: Named): string =>
  [...(readRules.get(tx)?.get(`${entity}/${recordId}`) ?? [])].map(([key, version]) => `${key} ${version}`).join(', ')

/** What led to a write, the nearest cause first: `crm.classA 2 < crm.transfer/<id> accept.items (crm.wander 3)`. */
export function causeOf(tx: Executor, { causes = [] }: RequestContext, written: Named | null): string | null {
  const told = causes.map((cause) => {
    const rules = rulesOf(tx, cause)
    const step = [cause.transition, cause.effect].filter(Boolean).join('.')
    return `${cause.entity}/${cause.recordId} ${step}${rules === '' ? '' : ` (${rules})`}`
  })
  const own = written ? rulesOf(tx, written) : ''
  const all = [...told, ...(own === '' ? [] : [own])].toReversed()
  return all.length === 0 ? null : all.join(' < ').slice(0, 400)
}

/** One of the things that led to a write, as it is kept; without an entity: only the rules that were read for the record itself. */
export interface KeptCause {
  readonly entity?: string
  readonly id: string
  /** How many further records. */
  readonly more: number
  /** Transition and effect, with a dot between them. */
  readonly step: string
  readonly rules: readonly { key: string; version: number }[]
}

const CAUSE = /^(\S+?)\/(\S+?)(?:\+(\d+))? (\S*?)(?: \((.*)\)?)?$/

/** Reads what `causeOf` wrote; the nearest cause first. */
export function readCauses(kept: string | null): KeptCause[] {
  return (kept ?? '').split(' < ').flatMap((part): KeptCause[] => {
    const [, entity, id = '', more = '0', step = '', rules] = CAUSE.exec(part) ?? []
    const read = [...(entity === undefined ? part : (rules ?? '')).matchAll(/(\S+) (\d+)(?=,|$)/g)].map(
      ([, key = '', version]) => ({
        key,
        version: Number(version),
      }),
    )
    if (entity === undefined) return read.length === 0 ? [] : [{ id: '', more: 0, step: '', rules: read }]
    return [{ entity, id, more: Number(more), step, rules: read }]
  })
}
