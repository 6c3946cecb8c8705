import { sql } from 'drizzle-orm'
import type { Effect } from '../../../src/schema/generated/entity'
import type { EntityRecord } from '../calls'
import type { WriteContext } from '../core'
import { causedBy } from '../effects/cause'
import { runEffects } from '../effects/run'
import { subjectOf } from '../effects/subject'
import { sameValue } from '../sameValue'
import { changeRecords } from '../write/finishMany'
import { earliest, remindedBy } from './due'
import { unpark } from './parked'
import type { DeadlineContext, Reminder, SettledPlan } from './plan'
import { metRows, remember, together, type Taken } from './take'

const BATCH = 200

/**
 * Does the effects of a reminder for the earliest records that it is time for; each is remembered with its moment, together with the
 * reminders that this one stands in for. Nothing = nobody is to be reminded any more.
 */
export async function remindBatch(
  work: DeadlineContext,
  plan: SettledPlan,
  reminder: Reminder,
  instead: readonly string[],
): Promise<Taken[]> {
  const { core, tx, context } = work
  const asked = { registry: core.registry, now: context.now }
  const met = await metRows(tx, plan, sql`${remindedBy(plan, reminder, asked)} ${earliest(plan)} limit ${BATCH}`)
  const taken = await together(work, { plan, step: reminder.id }, met, async (inner, some) => {
    await remember(inner, plan, instead, some)
    const rows = some.map(({ record }) => record)
    await doEffects({ ...inner, model: plan.model }, plan, reminder.effects, rows)
    return new Map()
  })
  await unpark(
    tx,
    plan,
    reminder.id,
    taken.flatMap(({ row, failed }) => (failed ? [] : [String(row.id)])),
  )
  return taken
}

async function doEffects(
  write: WriteContext,
  { model, deadline }: SettledPlan,
  effects: readonly Effect[],
  rows: readonly EntityRecord[],
): Promise<void> {
  const subjects = rows.map((row) => subjectOf({ ...row }, row))
  const ids = rows.map(({ id }) => String(id))
  const causeOf = (effect: Effect): WriteContext => ({
    ...write,
    context: causedBy(write.context, { entity: model.name, ids, transition: deadline.id, effect: effect.id }),
  })
  await runEffects(write, subjects, effects, causeOf)
  const changes = new Map<EntityRecord, EntityRecord>()
  for (const { record, before } of subjects) {
    const names = Object.keys(record).filter((name) => !sameValue(before?.[name], record[name]))
    if (before && names.length > 0) changes.set(before, Object.fromEntries(names.map((name) => [name, record[name]])))
  }
  if (changes.size > 0) await changeRecords(write, changes)
}
