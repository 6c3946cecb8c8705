import { sql } from 'drizzle-orm'
import type { EntityEngine, EntityRecord, LookupFunction, Verb } from '../entities'
import { ruleBook, type RuleKey } from '../rules'
import { requireReceivers, receiversOf } from './receiver'
import { recycleOn } from './recycleOn'
import { claimableFrom, type CapRule } from './rules'
import { ruleOf, rulesOf, subjectOf, tableOf, textOf, type Subject } from './subject'
import { counts, usagesOf } from './usage'

/** What the feature's documents ask of code: who may receive, what is used of the limits, how much room is left. `of`: the entity. */
export function registerFunctions(engine: EntityEngine, timeZone: string): void {
  const register = (
    name: string,
    answer: (subject: Subject, call: Parameters<LookupFunction>[0], asked: readonly EntityRecord[]) => ReturnType<LookupFunction>,
  ): void =>
    engine.registerFunction(`ownership.${name}`, async (call, asked) => {
      const [first] = asked
      return first ? answer(subjectOf(engine, String(first.of)), call, asked) : []
    })
  const staffIds = (asked: readonly EntityRecord[]): string[] => asked.map(({ staffId }) => textOf(staffId) ?? '')
  register('usage', (subject, { db, now }, asked) => usagesOf(engine, subject, db, staffIds(asked), now))
  register('receiver', (subject, { db, now }, asked) => receiversOf(subject, db, staffIds(asked), now))
  register('receivers', (subject, place, asked) => severalReceivers(engine, subject, place, asked))
  register('opening', async (subject, { db, now }, asked) => {
    const at = claimableFrom(now, await ruleOf(subject, 'claims', db, now), timeZone).toISOString()
    return asked.map(() => ({ at }))
  })
  // the version of the rule that takes records to the pool now; 0 = the defaults
  register('ruleVersion', async ({ word }, { db, now }, asked) => {
    const { versionNo } = await ruleBook(db, word.sea as RuleKey, now)
    return asked.map(() => ({ no: versionNo }))
  })
  register('room', (subject, call, asked) => roomFor(engine, subject, call, asked, timeZone))
  engine.registerVerb('ownership.mayReceive', mayReceive(engine))
  engine.registerDerivation('ownership.recycleOn', recycleOn(engine))
}

/** Of several people: one who may not receive, and who has the least room below the holding cap. */
async function severalReceivers(
  engine: EntityEngine,
  subject: Subject,
  { db, now }: Parameters<LookupFunction>[0],
  asked: readonly EntityRecord[],
): Promise<readonly unknown[]> {
  const known = new Map<string, unknown>()
  for (const { staffIds } of asked) {
    const ids = (staffIds as unknown[]).map(String)
    if (known.has(ids.join())) continue
    const people = await receiversOf(subject, db, ids, now)
    const usages = await usagesOf(engine, subject, db, ids, now)
    const unfit = people.find((one) => one?.mayWork !== true || !['active', 'probation'].includes(String(one.status)))
    const byRoom = usages
      .map(({ counted, cap }, index) => ({ ...people[index], counted, cap }))
      .sort((a, b) => a.cap - a.counted - (b.cap - b.counted))
    known.set(ids.join(), { unfit: unfit === null ? { name: '?' } : (unfit ?? null), fullest: byRoom[0] ?? null })
  }
  return asked.map(({ staffIds }) => known.get((staffIds as unknown[]).join()))
}

const mayReceive =
  (engine: EntityEngine): Verb =>
  async ({ tx, now }, runs) => {
    const [first] = runs
    if (!first) return
    const staffIds = [...new Set(runs.map((run) => String(run.with.staffId)))]
    await requireReceivers(subjectOf(engine, String(first.with.of)), tx, staffIds, now)
  }

/**
 * Whether the holding cap of a receiver is full for a record: those that come over (`comes`) before it in the same write take their
 * places. What a person gains queues, so that parallel acceptances cannot pass the cap.
 */
async function roomFor(
  engine: EntityEngine,
  subject: Subject,
  { db, now }: Parameters<LookupFunction>[0],
  asked: readonly EntityRecord[],
  timeZone: string,
): Promise<readonly unknown[]> {
  const receivers = [...new Set(asked.map(({ staffId }) => String(staffId)))].sort()
  await db.query(`select pg_advisory_xact_lock(hashtext($2 || ' ' || id)) from unnest($1::text[]) as id`, [
    receivers,
    subject.word.claims,
  ])
  const { stage, trafficAt, spared } = subject.recycling
  const fields = ['id', 'holding', stage, trafficAt, spared?.field].flatMap((name) => {
    const field = name === undefined ? undefined : subject.model.fields.get(name)
    return field ? [sql`${sql.identifier(field.column)} as ${sql.identifier(field.name)}`] : []
  })
  const { rows } = await db.query<EntityRecord>(
    sql`select ${sql.join(fields, sql`, `)} from ${tableOf(engine, subject.name)} where id = any(${sql.param(asked.map(({ id }) => id))}::text[])`,
  )
  const records = new Map(rows.map((row) => [row.id, row]))
  const usages = await usagesOf(engine, subject, db, receivers, now)
  const rules = await rulesOf(subject, 'cap', db, now, receivers)
  const rooms = new Map(
    receivers.map((staffId, index): [string, { left: number; rules: CapRule }] => {
      const { cap, counted } = usages[index]!
      return [staffId, { left: cap - counted, rules: rules[index]! }]
    }),
  )
  return asked.map(({ staffId, id, comes }) => {
    const room = rooms.get(String(staffId))!
    const counted = counts(subject, records.get(id) ?? {}, room.rules, now, timeZone)
    const full = counted && room.left < 1
    if (comes === true && counted && !full) room.left -= 1
    return { full }
  })
}
