import type { EntityEngine, EntityRecord, LookupFunction, Verb } from '../../../../entities'
import { countsAgainstCap } from '../../rules/holding'
import { ruleFor, type RuleTypes } from '../../../../rules'
import { aliasRunning, unfinishedAliases } from '../alias/block'
import { receiverOf } from '../receiver'
import { usageOf } from '../usage'
import { textOf } from '../values'

/** What transfers of customers ask of code: who may receive, which alias changes run, how much room the receiver has (CRM rules 9.4, 9.7, 9.8). */
export function registerTransfers(engine: EntityEngine, timeZone: string): void {
  engine.registerVerb('crm.mayReceive', mayReceive)
  engine.registerVerb('crm.noAliasChange', noAliasChange)
  engine.registerFunction('crm.room', roomFor(timeZone))
}

/** Refuses unless the member of staff works here and may work on customers. */
const mayReceive: Verb = async ({ entities, tx, now }, runs) => {
  for (const staffId of new Set(runs.map((run) => run.with.staffId))) await receiverOf(entities, tx, staffId, now)
}

/** Refuses with 10050027 and its facts while an alias change of one of the customers is unfinished. */
const noAliasChange: Verb = async ({ tx }, runs) => {
  const ids = runs.flatMap((run) => run.with.customerIds as string[])
  const [running] = (await unfinishedAliases(tx, ids)).values()
  if (running) throw aliasRunning(running)
}

/**
 * Whether the holding cap of a receiver is full for a customer: those that come over (`comes`) before it in the same write take their
 * places. What a person gains queues, so that parallel acceptances cannot pass the cap.
 */
function roomFor(timeZone: string): LookupFunction {
  return async ({ db, now }, asked) => {
    const receivers = [...new Set(asked.map(({ staffId }) => String(staffId)))].sort()
    await db.query(`select pg_advisory_xact_lock(hashtext('crm.claim ' || id)) from unnest($1::text[]) as id`, [receivers])
    const { rows } = await db.query<EntityRecord>(
      `select id, holding, level, stage, last_traffic_at as "lastTrafficAt" from crm_customer where id = any($1::text[])`,
      [asked.map(({ customerId }) => customerId)],
    )
    const customers = new Map(rows.map((row) => [row.id, row]))
    const rooms = new Map<string, { left: number; rules: RuleTypes['crm.retention'] }>()
    for (const staffId of receivers) {
      const { cap, counted } = await usageOf(db, staffId, now)
      rooms.set(staffId, { left: cap - counted, rules: await ruleFor(db, 'crm.retention', now, { staffId }) })
    }
    return asked.map(({ staffId, customerId, comes }) => {
      const room = rooms.get(String(staffId))!
      const { holding, level, stage, lastTrafficAt } = customers.get(customerId) ?? {}
      const facts = { holding: String(holding), level: String(level), stage: String(stage), lastTrafficAt: textOf(lastTrafficAt) }
      const counts = countsAgainstCap(facts, room.rules, now, timeZone)
      const full = counts && room.left < 1
      if (comes === true && counts && !full) room.left -= 1
      return { full }
    })
  }
}
