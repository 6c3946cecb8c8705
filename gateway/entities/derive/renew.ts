import { sql } from 'drizzle-orm'
import type { FieldModel } from '../../../src/schema/entity'
import { systemContext } from '../../platform/http'
import { momentOf, stageOf, type TellProgress, type TimedJob } from '../../platform/jobs'
import { allOf, clauseSql, textArray } from '../clause'
import type { Core, WriteContext } from '../core'
import { columnSql, tableSql } from '../tables'
import type { Renewed } from '../functions'
import { keptRows, renewRows } from './follow'
import { graphOf, type Stage } from './graph'
import { sameStored } from './value'
import { workOut } from './workOut'

/** Rows that are looked at together, and, where they differ, written together. */
const AT_ONCE = 1_000

/** Renews every night what functions say whose answer depends on the day or on other records. */
export function renewalJob(core: Core): TimedJob {
  return {
    name: 'sys.renewal',
    title: { zh: '重算派生值', en: 'Derived values' },
    description: {
      zh: '每晚重算取决于日期、规则或其他记录的派生值，如预计回收日。',
      en: 'Works out anew every night what depends on the day, on rules or on other records, such as the day on which a customer goes.',
    },
    schedule: { every: 'day', at: '01:45' },
    run: async (job, tell) => {
      const now = momentOf(job, core.registry.timeZone)
      const wanted = ({ field }: FieldModel) => field['x-derived']?.refresh !== undefined
      const renewed = await renewAll(core, wanted, { now, dry: job.dry, tell })
      return {
        figures: renewed.map(({ field, label, changed }) => ({ id: field, title: label, value: changed })),
        columns: [],
        rows: [],
        more: 0,
      }
    },
  }
}

/** Works out anew the fields of functions that are wanted, page by page, each in a transaction of its own; rows that do not differ are not touched. */
export async function renewAll(
  core: Core,
  wanted: (field: FieldModel) => boolean,
  { now, dry = false, tell = () => undefined }: { now: Date; dry?: boolean; tell?: TellProgress },
): Promise<Renewed[]> {
  const renewed: Renewed[] = []
  for (const stage of graphOf(core.registry).stages) {
    const derived = stage.derived.filter((field) => field.derivation?.by !== undefined && wanted(field))
    if (derived.length === 0) continue
    const { model } = stage
    const part: Stage = { model, rollups: [], derived }
    const told = derived.map((field): Renewed => {
      const label = { zh: `${model.label.zh}：${field.label.zh}`, en: `${model.label.en}: ${field.label.en}` }
      return { field: `${model.name}.${field.name}`, label, rows: 0, changed: 0 }
    })
    const forward = stageOf(tell, told[0]!.label, await countOf(core, part))
    for (let after = ''; ;) {
      const ids = await nextIds(core, part, after)
      const last = ids.at(-1)
      if (last === undefined) break
      await renewPage(core, part, { ids, now, dry }, told)
      forward(ids.length)
      after = last
    }
    renewed.push(...told)
  }
  return renewed
}

/** Nothing is held while a page is looked at: the rows that differ are held and looked at again. */
async function renewPage(
  core: Core,
  stage: Stage,
  { ids, now, dry }: { ids: readonly string[]; now: Date; dry: boolean },
  told: readonly Renewed[],
): Promise<void> {
  const { model, derived } = stage
  const context = systemContext({ now })
  const differing = await core.database.transaction(
    async (tx) => {
      const stored = await keptRows({ core, tx }, stage, ids, false)
      const rows = stored.map((before) => ({ before, record: { ...before } }))
      await workOut({ core, tx, context }, model, derived, rows)
      const found = new Set<string>()
      for (const [index, field] of derived.entries()) {
        const changed = rows.filter(({ before, record }) => !sameStored(field, before[field.name], record[field.name]))
        told[index]!.rows += rows.length
        told[index]!.changed += changed.length
        for (const { record } of changed) found.add(String(record.id))
      }
      return [...found]
    },
    { isolation: 'repeatable read', readOnly: true },
  )
  if (dry || differing.length === 0) return
  await core.database.transaction(
    (tx) => renewRows({ core, tx, context, model } satisfies WriteContext, new Set(derived), differing),
    { retries: 3 },
  )
}

/** Live rows in which the fields follow. */
function livingIn({ model, derived }: Stage) {
  const states = derived.every(({ derivation }) => derivation?.states)
    ? [...new Set(derived.flatMap(({ derivation }) => [...derivation!.states!]))]
    : null
  const machines = states ? model.machines.map(({ field }) => columnSql('t', model.fields.get(field)!)) : []
  const inState = sql.join(
    machines.map((column) => sql`${column} = any(${textArray(states ?? [])})`),
    sql` or `,
  )
  return clauseSql(allOf([sql`t."deleted_at" is null`, machines.length === 0 || sql`(${inState})`]))
}

async function nextIds(core: Core, stage: Stage, after: string): Promise<string[]> {
  const { rows } = await core.database.query<{ id: string }>(
    sql`select t."id" from ${tableSql(stage.model, 't')} where ${livingIn(stage)} and t."id" > ${after} order by t."id" limit ${AT_ONCE}`,
  )
  return rows.map(({ id }) => id)
}

async function countOf(core: Core, stage: Stage): Promise<number> {
  const { rows } = await core.database.query<{ total: number }>(
    sql`select count(*) as total from ${tableSql(stage.model, 't')} where ${livingIn(stage)}`,
  )
  return Number(rows[0]?.total ?? 0)
}
