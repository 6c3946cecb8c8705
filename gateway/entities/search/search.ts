import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { formatOf } from '../../../src/schema/formats'
import type { FoundRecords, HitGroup, RecordHit } from '../../../src/schema/model'
import { ServiceError, type RequestContext } from '../../platform/http'
import { allOf, clauseSql, textArray } from '../clause'
import type { EntityRecord, References, SearchTarget } from '../calls'
import type { Core } from '../core'
import { formatContext } from '../formatContext'
import { knowTexts } from '../query/keyword'
import { planQuery, type QueryPlan } from '../query/plan'
import { ALIAS, lacksToRead } from '../query/queriedTable'
import { presentRows } from '../query/queryPage'
import { RowScope } from '../query/scope'
import { namesOfTitle, storedColumns, titleOf } from '../read/record'
import { columnSql, tableSql } from '../tables'
import { isOneErrorApart, keyedFields, longWords } from './keys'
import { Question, type Asked } from './question'

/** Hits of one entity, and of all together. */
const MOST_OF_ENTITY = 5
const MOST = 20
/** Tables that one statement looks in, large and small ones: fewer round trips, and others still get their turn. */
const MANY_AT_ONCE = 6
const FEW_AT_ONCE = 48
/** Groups that are put into words at the same time. */
const TOLD_AT_ONCE = 5
/** Rows that are put into order, where a word is so common that more are found. */
const CANDIDATES = 200
/** Rows with a like key that are compared: some of them are not one error apart. */
const NEAR_CANDIDATES = 40

interface Ready {
  target: SearchTarget
  model: EntityModel
  question: Question
  /** The rows that the caller may see; undefined when the entity is closed to him. */
  plan: () => QueryPlan | undefined
  /** He sees every row. */
  isWhole: boolean
}
interface Found {
  at: number
  id: string
  rank: number
}

/**
 * Records of several entities by a few words: each entity with the rights, the row scope and the field rules of a list. Better matches
 * come first; typing errors are forgiven when nothing has the words as they are.
 */
export async function findRecords(
  core: Core,
  context: RequestContext,
  text: string,
  targets: readonly SearchTarget[],
): Promise<FoundRecords> {
  const phrase = text.normalize('NFKC').trim().replace(/\s+/g, ' ')
  if ([...phrase].length < 2) return { groups: [], similar: false }
  await knowTexts(core.registry, core.database, phrase)
  const tables = (): string[] => core.registry.all().flatMap(({ table, document }) => (document['x-partition'] ? [] : [table]))
  await core.registry.samples.keepSizes(core.database, tables)
  const ready = targets.flatMap((target) => prepared(core, context, phrase, target) ?? [])
  const exact = await look(core, ready, MOST_OF_ENTITY + 1, ({ question }) => question.whole())
  const words = longWords(phrase)
  const similar = exact.length === 0 && words.length > 0
  const found = similar ? await look(core, ready, NEAR_CANDIDATES, ({ question }) => question.near(words)) : exact
  const groups = await told(core, context, ready, found, similar ? words : null)
  return { groups, similar: similar && groups.length > 0 }
}

function prepared({ registry }: Core, context: RequestContext, phrase: string, target: SearchTarget): Ready | undefined {
  const model = registry.find(target.entity)
  if (!model) return undefined
  const view = target.view === undefined ? undefined : model.views.get(target.view)
  if (view?.scope !== 'pool' && lacksToRead(context, model)) return undefined
  let plan: QueryPlan | null | undefined
  const planned = (): QueryPlan | null => {
    try {
      const made = planQuery(registry, context, model, { view: target.view })
      return made.where === false ? null : made
    } catch (error) {
      if (error instanceof ServiceError) return null
      throw error
    }
  }
  return {
    ...{ target, model, question: new Question(registry, context, model, view, phrase) },
    plan: () => (plan === undefined ? (plan = planned()) : plan) ?? undefined,
    isWhole: target.view === undefined && new RowScope(registry, context).seesAll(model),
  }
}

interface AskedOf extends Asked {
  at: number
  one: Ready
}

/**
 * The best rows of each target. Most tables have nothing of what is asked: where somebody sees all rows, it is first asked whether
 * there is anything, which is put together and planned in a fraction of the time. Where he sees only some, his scope stands in the only
 * statement, so that nothing, its time neither, tells of the others.
 */
async function look(core: Core, ready: readonly Ready[], rows: number, ask: (one: Ready) => Asked | undefined): Promise<Found[]> {
  const asked = ready.flatMap((one, at): AskedOf[] => {
    const what = ask(one)
    return what && what.all !== false ? [{ ...what, at, one }] : []
  })
  const [found, having] = await Promise.all([
    best(
      core,
      asked.filter(({ one }) => !one.isWhole),
      rows,
    ),
    thatHave(
      core,
      asked.filter(({ one }) => one.isWhole),
    ),
  ])
  return [...found, ...(await best(core, having, rows))]
}

/** Those whose table has anything of what is asked. */
async function thatHave({ database, registry }: Core, asked: readonly AskedOf[]): Promise<AskedOf[]> {
  const live = sql`${columnSql(ALIAS, { column: 'deleted_at' })} is null`
  const has = ({ few, all, one }: AskedOf, index: number): SQL => {
    const found = allOf([live, registry.samples.isSmall(one.model.table) ? few : all])
    return sql`select ${sql.raw(String(index))} as "index" where exists (select from ${tableSql(one.model, ALIAS)} where ${clauseSql(found)})`
  }
  const answers = await Promise.all(
    inParts(asked.map(has), FEW_AT_ONCE).map((batch) => database.query<{ index: number }>(sql.join(batch, sql` union all `))),
  )
  return answers.flatMap(({ rows }) => rows.map(({ index }) => asked[Number(index)]!))
}

/** The best rows of each target, one statement for several of them. */
async function best({ database, registry }: Core, asked: readonly AskedOf[], rows: number): Promise<Found[]> {
  const few: SQL[] = []
  const many: SQL[] = []
  for (const each of asked) {
    const plan = each.one.plan()
    if (!plan) continue
    const isSmall = registry.samples.isSmall(plan.model.table)
    ;(isSmall ? few : many).push((isSmall ? bestOfFewSql : bestSql)(plan, each, rows))
  }
  const batches = [...inParts(many, MANY_AT_ONCE), ...inParts(few, FEW_AT_ONCE)]
  const answers = await Promise.all(batches.map((batch) => database.query<Found>(sql.join(batch, sql` union all `))))
  return answers.flatMap((answer) => answer.rows.map(({ at, id, rank }) => ({ at: Number(at), id, rank: Number(rank) })))
}

function inParts<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))
}

const ID = columnSql(ALIAS, { column: 'id' })
const CHANGED = columnSql(ALIAS, { column: 'updated_at' })

/** A table that is read whole: all that is found is put into order. */
function bestOfFewSql({ model, where }: QueryPlan, { few, rank, at }: AskedOf, rows: number): SQL {
  return sql`(select ${sql.raw(String(at))} as "at", ${ID} as "id", ${rank} as "rank" from ${tableSql(model, ALIAS)} where ${clauseSql(allOf([where, few]))}
    order by "rank", ${CHANGED} desc, ${ID} limit ${rows})`
}

/** A large table: what is exactly or begins as it was typed is fetched for itself, however many rows have the words somewhere. */
function bestSql({ model, where }: QueryPlan, { exact, first, all, rank, at }: AskedOf, rows: number): SQL {
  const candidates = [exact, first, all]
    .filter((clause) => clause !== false)
    .map(
      (clause) =>
        sql`(select ${ID} as "id", ${CHANGED} as "changed", ${rank} as "rank" from ${tableSql(model, ALIAS)} where ${clauseSql(allOf([where, clause]))} limit ${CANDIDATES})`,
    )
  return sql`(select ${sql.raw(String(at))} as "at", "id", "rank" from (${sql.join(candidates, sql` union `)}) as found order by "rank", "changed" desc, "id" limit ${rows})`
}

/** What is called exactly as typed, else groups in the order of the menu; each hit in words, the best of its group first. */
async function told(
  core: Core,
  context: RequestContext,
  ready: readonly Ready[],
  found: readonly Found[],
  words: readonly string[] | null,
): Promise<HitGroup[]> {
  const groups = new Map<string, Found[]>()
  for (const hit of [...found].sort((a, b) => a.rank - b.rank)) {
    const entity = ready[hit.at]!.target.entity
    const group = groups.get(entity) ?? []
    if (!group.some(({ id }) => id === hit.id)) groups.set(entity, [...group, hit])
  }
  const isOther = ([best]: readonly Found[]): number => (best!.rank === 0 ? 0 : 1)
  const ordered = [...groups].sort(([, a], [, b]) => isOther(a) - isOther(b) || a[0]!.at - b[0]!.at)
  const answer: HitGroup[] = []
  let left = MOST
  for (const some of inParts(ordered, TOLD_AT_ONCE)) {
    if (left === 0) {
      answer.at(-1)!.more = true
      break
    }
    const worded = await Promise.all(
      some.map(async ([entity, hits]) => ({ entity, shown: await inWords(core, context, ready, hits, words) })),
    )
    for (const { entity, shown } of worded) {
      const kept = shown.slice(0, Math.min(MOST_OF_ENTITY, left))
      left -= kept.length
      if (kept.length > 0)
        answer.push({
          ...{ entity, label: core.registry.model(entity).label[context.locale], hits: kept },
          more: shown.length > kept.length,
        })
      else if (shown.length > 0) answer.at(-1)!.more = true
    }
  }
  return answer
}

async function inWords(
  core: Core,
  context: RequestContext,
  ready: readonly Ready[],
  hits: readonly Found[],
  words: readonly string[] | null,
): Promise<RecordHit[]> {
  const byId = new Map<string, RecordHit>()
  for (const at of new Set(hits.map((hit) => hit.at))) {
    const { target, model, question, plan: planned } = ready[at]!
    const plan = planned()
    if (!plan) continue
    const ids = hits.flatMap((hit) => (hit.at === at ? [hit.id] : []))
    const { rows } = await core.database.query<EntityRecord>(
      sql`select ${storedColumns(model, ALIAS)} from ${tableSql(model, ALIAS)} where ${clauseSql(plan.where)} and ${columnSql(ALIAS, { column: 'id' })} = any(${textArray(ids)})`,
    )
    const second = secondLine(model)
    const near = words ? rows.filter((row) => isNear(model, row, words)) : rows
    const raw = new Map(near.map((row) => [String(row.id), { ...row }]))
    const only = new Set(['id', ...second.map(({ name }) => name), ...namesOfTitle(model)])
    const records = await presentRows(core, core.database, context, plan, near, only)
    const refs = await core.references.of(core.database, context, model, records)
    for (const record of records) {
      const id = String(record.id)
      const row = raw.get(id)!
      const through = target.through === undefined ? id : row[target.through]
      if (typeof through !== 'string') continue
      const title = titleOf(core.registry, context, model, { ...row }, (name, one) => refs[name]?.[one]?.title, plan.view)
      const line = second
        .filter(({ name }) => plan.access.of(name) !== 'hide')
        .map((field) => shownText(core, context, field, record, refs))
      const why = words ? undefined : question.why(row, title)
      byId.set(id, {
        id,
        title,
        line: [...new Set(line)].filter((part) => part !== '' && part !== title && part !== why?.value).join(' · '),
        open: target.open(through),
        ...(why ? { why } : {}),
      })
    }
  }
  return hits.flatMap(({ id }) => byId.get(id) ?? [])
}

function shownText(core: Core, context: RequestContext, field: FieldModel, record: EntityRecord, refs: References): string {
  const value = record[field.name]
  if (value === null || value === undefined || value === '') return ''
  return formatOf(field.kind).show(value, field.field, { ...formatContext(core, context, refs), record })
}

/** The second line of a hit: the code beside the name, who it belongs to, what it is worth and its state. */
function secondLine(model: EntityModel): FieldModel[] {
  const worth = model.document['x-worth'] ?? {}
  const titled = new Set(namesOfTitle(model))
  const [parent] = model.scope.kind === 'parent' ? [model.scope.field] : []
  const names = [
    ...(worth.title ?? []).filter((name) => !titled.has(name)).slice(0, 2),
    ...(parent === undefined ? [] : [parent]),
    ...(worth.who ?? []).slice(0, 1),
    ...(worth.amount ?? []).slice(0, 1),
    ...(worth.state ?? []).slice(0, 1),
  ]
  const fields = [...new Set(names)].map((name) => model.fields.get(name))
  return fields.filter(
    (field): field is FieldModel =>
      // looking at what is logged is for who opens the record
      field !== undefined && !field.internal && field.storage === 'stored' && !field.field['x-viewLogged'],
  )
}

/** Every word stands in the texts of the record with one error at most. */
function isNear(model: EntityModel, row: EntityRecord, words: readonly string[]): boolean {
  const own = keyedFields(model).flatMap(({ field }) => longWords(String(row[field.name] ?? '')))
  return words.every((word) => own.some((one) => one === word || isOneErrorApart(one, word)))
}
