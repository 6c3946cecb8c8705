import { sql } from 'drizzle-orm'
import { entityScope, type EntityModel } from '../../../src/schema/entity'
import type { Effect } from '../../../src/schema/generated/entity'
import type { EntityRecord } from '../calls'
import { clauseSql, textArray } from '../clause'
import { ALIAS } from '../query/queriedTable'
import { planQuery } from '../query/plan'
import { storedColumns } from '../read/record'
import { columnSql, tableSql } from '../tables'
import { FOR_CHANGE } from '../write/existing'
import type { WriteContext } from '../core'
import { trusted } from './cause'
import { targetModel } from './lookups'
import { prepare } from './prepare'
import { conditionsOf, evaluate, evaluateDeep, scopeOf, textsIn, type Subject } from './subject'
import type { EffectRun } from '../types'

type Target = NonNullable<Effect['on']>

/**
 * Does effects in their order, each for all subjects at once. What they write bears the causes of the place's context.
 * @param verbs what the gateway knows to do, by name
 */
export async function runEffects(
  write: WriteContext,
  subjects: readonly Subject[],
  effects: readonly Effect[],
  causeOf: (effect: Effect) => WriteContext,
): Promise<void> {
  for (const effect of effects) {
    await prepare(write, subjects, textsIn(effect))
    const doing = subjects.filter(
      (subject) => effect.when === undefined || Boolean(evaluate(write, effect.when, scopeOf(write, subject))),
    )
    if (doing.length === 0) continue
    const within = causeOf(effect)
    const target = effect.on && targetModel(write, effect.on)
    const runs = await runsOf(within, doing, effect, target)
    if (runs.length === 0) continue
    const entities = within.core.entities(within.tx, within.context)
    const { now } = within.context
    const verb = effect.later ? write.core.later : write.core.verb(effect.do)
    const results = await verb({ ...within, now, entities, effect, ...(target ? { target } : {}) }, runs)
    if (effect.as !== undefined)
      runs.forEach((run, index) => (run.subject.named[effect.as!] = results?.[index] ?? run.target ?? null))
  }
}

async function runsOf(
  write: WriteContext,
  subjects: readonly Subject[],
  effect: Effect,
  target: EntityModel | undefined,
): Promise<EffectRun[]> {
  const make = (subject: Subject, row: unknown, found?: EntityRecord): EffectRun => {
    const read = found && target ? entityScope(target, found) : row
    const scope = scopeOf(write, subject, read === undefined ? {} : { row: read })
    return {
      subject,
      ...(found ? { target: found } : {}),
      with: {},
      scope,
      evaluate: (value, more) => evaluateDeep(write, value, { ...scope, ...more }),
    }
  }
  const withValues = (run: EffectRun): EffectRun => ({
    ...run,
    with: evaluateDeep(write, effect.with, run.scope) as EntityRecord,
  })
  if (effect.on && target) {
    const found = await rowsOf(write, subjects, effect.on, target, true)
    return subjects.flatMap((subject) => (found.get(subject) ?? []).map((row) => withValues(make(subject, row, row))))
  }
  if (typeof effect.each === 'object') {
    const found = await rowsOf(write, subjects, effect.each, targetModel(write, effect.each), false)
    return subjects.flatMap((subject) => (found.get(subject) ?? []).map((row) => withValues(make(subject, row))))
  }
  if (effect.each !== undefined) {
    const list = effect.each
    return subjects.flatMap((subject) => {
      const items = evaluate(write, list, scopeOf(write, subject))
      return (Array.isArray(items) ? (items as unknown[]) : []).map((item) => withValues(make(subject, item)))
    })
  }
  return subjects.map((subject) => withValues(make(subject, undefined)))
}

/** Conditions of different records that one statement asks. */
const MOST_AT_ONCE = 200

/** The records that a target names, by subject; locked in the order of their ids. The same record of two subjects is one object. */
async function rowsOf(
  write: WriteContext,
  subjects: readonly Subject[],
  target: Target,
  model: EntityModel,
  lock: boolean,
): Promise<ReadonlyMap<Subject, EntityRecord[]>> {
  const ids =
    target.reference === undefined
      ? await idsWhere(write, subjects, target.where, model)
      : new Map(subjects.map((subject) => [subject, idsBehind(subject, target.reference!)]))
  const all = [...new Set([...ids.values()].flat())].sort()
  if (all.length === 0) return new Map()
  const { rows } = await write.tx.query<EntityRecord>(
    sql`select ${storedColumns(model, ALIAS)} from ${tableSql(model, ALIAS)} where ${columnSql(ALIAS, { column: 'id' })} = any(${textArray(all)}) and ${columnSql(ALIAS, { column: 'deleted_at' })} is null order by ${columnSql(ALIAS, { column: 'id' })}${lock ? sql` ${FOR_CHANGE}` : sql``}`,
  )
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  return new Map(
    [...ids].map(([subject, some]) => [
      subject,
      some.flatMap((id): EntityRecord[] => {
        const row = byId.get(id)
        return row ? [row] : []
      }),
    ]),
  )
}

function idsBehind({ record, named }: Subject, reference: string): string[] {
  const value = reference.includes('.') ? named[reference] : record[reference]
  return [value].flat().filter((id): id is string => typeof id === 'string')
}

async function idsWhere(
  write: WriteContext,
  subjects: readonly Subject[],
  where: Target['where'],
  model: EntityModel,
): Promise<Map<Subject, string[]>> {
  const found = new Map<Subject, string[]>(subjects.map((subject) => [subject, []]))
  const { core, context, tx } = write
  for (let start = 0; start < subjects.length; start += MOST_AT_ONCE) {
    const some = subjects.slice(start, start + MOST_AT_ONCE)
    const parts = some.map((subject, index) => {
      const asked = conditionsOf(write, where, scopeOf(write, subject))
      const plan = planQuery(core.registry, trusted(context), model, { where: asked })
      return sql`select ${sql.raw(String(index))}::int as "question", ${columnSql(ALIAS, { column: 'id' })} as "id" from ${tableSql(model, ALIAS)} where ${clauseSql(plan.where)}`
    })
    const { rows } = await tx.query<{ question: number; id: string }>(sql.join(parts, sql` union all `))
    for (const { question, id } of rows) found.get(some[Number(question)]!)!.push(id)
  }
  for (const ids of found.values()) ids.sort()
  return found
}
