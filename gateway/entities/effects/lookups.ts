import { sql, type SQL } from 'drizzle-orm'
import { referenceOf, type EntityModel } from '../../../src/schema/entity'
import type { Lookup } from '../../../src/schema/generated/entity'
import type { QueryWhere } from '../../../src/schema/model'
import type { EntityRecord } from '../calls'
import { clauseSql } from '../clause'
import { ALIAS } from '../query/queriedTable'
import { orderSql } from '../query/order'
import { planQuery } from '../query/plan'
import { storedColumns } from '../read/record'
import { columnSql } from '../tables'
import type { WriteContext } from '../core'
import { noteRules, trusted } from './cause'
import type { RuleSubject } from '../functions'
import { conditionsOf, evaluateDeep, scopeOf, type Subject } from './subject'

/** Questions that one statement asks. */
const MOST_AT_ONCE = 200

/** Reads look-ups for all subjects, in a number of statements that does not grow with them; each stands under its name afterwards. */
export async function loadLookups(write: WriteContext, subjects: readonly Subject[], names: readonly string[]): Promise<void> {
  // conditions may read parameters of rules
  const rulesFirst = [...names].sort((a, b) => Number('rules' in lookupOf(write, b)) - Number('rules' in lookupOf(write, a)))
  for (const name of rulesFirst) {
    const lookup = lookupOf(write, name)
    if ('rules' in lookup) await loadRules(write, subjects, name, lookup)
    else if ('function' in lookup) await askFunction(write, subjects, name, lookup)
    else await loadRows(write, subjects, name, lookup)
  }
}

const lookupOf = ({ model }: WriteContext, name: string): Lookup => model.document['x-lookups']![name]!

const PEOPLE: Readonly<Record<string, string>> = { creator: 'createdBy', owner: 'ownerId' }

/** The fields, or paths, that say for whom a rule set is asked. */
export const fieldsOfRules = ({ for: of, subject = {} }: Extract<Lookup, { rules: string }>): string[] => [
  ...(of === undefined || of === 'user' || of.startsWith('input.') ? [] : [PEOPLE[of] ?? of]),
  ...Object.values(subject),
]

async function loadRules(
  write: WriteContext,
  subjects: readonly Subject[],
  name: string,
  lookup: Extract<Lookup, { rules: string }>,
): Promise<void> {
  const staffOf = ({ record, input, named }: Subject): unknown => {
    const { for: of } = lookup
    if (of === undefined) return ''
    if (of === 'user') return write.context.user.staffId
    if (of.startsWith('input.')) return input[of.slice('input.'.length)]
    const field = PEOPLE[of] ?? of
    return field.includes('.') ? named[field] : record[field]
  }
  const asked = new Map<string, { who: RuleSubject; subjects: Subject[] }>()
  for (const subject of subjects) {
    const more = Object.entries(lookup.subject ?? {}).map(([as, field]) => [as, String(subject.record[field] ?? '')])
    const who: RuleSubject = { ...(Object.fromEntries(more) as Record<string, string>), staffId: String(staffOf(subject) ?? '') }
    const key = JSON.stringify(who)
    const known = asked.get(key) ?? { who, subjects: [] as Subject[] }
    known.subjects.push(subject)
    asked.set(key, known)
  }
  const all = [...asked.values()]
  const read = await write.core.registry.rules(
    lookup.rules,
    write.tx,
    write.context.now,
    all.map(({ who }) => who),
  )
  for (const [index, { subjects: some }] of all.entries())
    for (const subject of some) {
      subject.named[name] = read.params[index] ?? null
      noteRules(write.tx, { entity: write.model.name, recordId: String(subject.record.id) }, lookup.rules, read.version)
    }
}

async function askFunction(
  write: WriteContext,
  subjects: readonly Subject[],
  name: string,
  lookup: Extract<Lookup, { function: string }>,
): Promise<void> {
  const { core, tx, context } = write
  const asked = subjects.map((subject) => evaluateDeep(write, lookup.with, scopeOf(write, subject)) as EntityRecord)
  const answers = await core.registry.functionNamed(lookup.function)({ db: tx, context, now: context.now }, asked)
  subjects.forEach((subject, index) => (subject.named[name] = answers[index] ?? null))
}

type RowLookup = Exclude<Lookup, { rules: string } | { function: string }>

async function loadRows(write: WriteContext, subjects: readonly Subject[], name: string, lookup: RowLookup): Promise<void> {
  const { core, context } = write
  const nothing = 'first' in lookup ? null : 'sum' in lookup ? '0' : 0
  const wanted = new Map<string, { where: QueryWhere[]; subjects: Subject[] }>()
  for (const subject of subjects) {
    subject.named[name] = nothing
    const where = conditionsOf(write, lookup.where, scopeOf(write, subject))
    const key = JSON.stringify(where)
    const known = wanted.get(key) ?? { where, subjects: [] }
    known.subjects.push(subject)
    wanted.set(key, known)
  }
  const questions = [...wanted.values()]
  const model = core.registry.model(entityOf(lookup))
  for (let start = 0; start < questions.length; start += MOST_AT_ONCE) {
    const some = questions.slice(start, start + MOST_AT_ONCE)
    const parts = some.map(({ where }, index) => {
      const sort = 'first' in lookup ? lookup.sort : undefined
      const plan = planQuery(core.registry, trusted(context), model, { where, sort })
      const rows = sql`from ${plan.from} where ${clauseSql(plan.where)}`
      return sql`(${answerSql(model, lookup, index, rows, orderSql(plan, ALIAS))})`
    })
    const { rows } = await write.tx.query<EntityRecord>(sql.join(parts, sql` union all `))
    for (const { $question, ...row } of rows)
      for (const subject of some[Number($question)]!.subjects)
        subject.named[name] = 'first' in lookup ? row : 'sum' in lookup ? String(row.value) : Number(row.value)
  }
}

function answerSql(model: EntityModel, lookup: RowLookup, index: number, from: SQL, order: SQL): SQL {
  const question = sql`${sql.raw(String(index))}::int as "$question"`
  if ('first' in lookup) return sql`select ${question}, ${storedColumns(model, ALIAS)} ${from} order by ${order} limit 1`
  if ('count' in lookup) return sql`select ${question}, count(*) as "value" ${from}`
  const field = model.fields.get(lookup.sum.slice(lookup.sum.lastIndexOf('.') + 1))!
  return sql`select ${question}, coalesce(sum(${columnSql(ALIAS, field)}), 0)::text as "value" ${from}`
}

function entityOf(lookup: RowLookup): string {
  if ('first' in lookup) return lookup.first
  return 'count' in lookup ? lookup.count : lookup.sum.slice(0, lookup.sum.lastIndexOf('.'))
}

/** The entity that a target names, by a reference or by its name. */
export function targetModel(write: WriteContext, target: { reference?: string; entity?: string }): EntityModel {
  if (target.entity !== undefined) return write.core.registry.model(target.entity)
  let { model } = write
  for (const name of (target.reference ?? '').split('.')) {
    const field = model.fields.get(name)
    model = write.core.registry.model((field && referenceOf(field)) ?? '')
  }
  return model
}
