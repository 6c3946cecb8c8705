import type { EntityEngine, EntityRecord } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import { systemContext } from '../../../../platform/http'
import { nextAttempt } from '../../rules/alias'
import { ruleFor } from '../../../../rules'
import { textOf } from '../values'
import type { AliasConnector } from './connectors'

export interface AliasWork {
  connectors: ReadonlyMap<string, AliasConnector>
  now: () => Date
}

/** Tasks of one call; the next call goes on. */
const MOST = 200

/**
 * Tells the systems what is due of alias changes, each task claimed and settled in transactions of its own with the call of its
 * system between them, so that several gateways may do it at once. Done changes that were rolled back are undone, the last system
 * first. Answers the number of attempts.
 */
export async function workAliasTasks(engine: EntityEngine, work: AliasWork): Promise<number> {
  let attempts = 0
  while (attempts < MOST && (await workNext(engine, work))) attempts += 1
  return attempts
}

/** Tasks that wait for their turn at the moment $1: to be told, or, the last one first, to be undone. */
const DUE = `from crm_alias_task t join crm_alias_record r on r.id = t.record_id
  where t.deleted_at is null and r.deleted_at is null and (t.next_attempt_at is null or t.next_attempt_at <= $1)
    and ((r.status = 'syncing' and t.status = 'waiting') or (r.status = 'rolledBack' and t.status = 'done' and not exists
      (select from crm_alias_task later where later.record_id = t.record_id and later.seq > t.seq and later.status in ('done', 'running'))))`

/** A task that a call of `workAliasTasks` would take. */
interface DueAliasTask {
  id: string
  code: string
  system: string
  attempts: number
}

/** Tasks that wait for their turn now, at most `limit`. */
export async function dueAliasTasks(db: Executor, now: Date, limit: number): Promise<DueAliasTask[]> {
  const { rows } = await db.query<DueAliasTask>(
    `select t.id, r.code, t.system, coalesce(t.attempts, 0) as attempts ${DUE} order by r.code, t.seq limit $2`,
    [now.toISOString(), limit],
  )
  return rows.map((row) => ({ ...row, attempts: Number(row.attempts) }))
}

interface Claim {
  action: 'apply' | 'undo'
  task: EntityRecord
  record: EntityRecord
}

async function workNext(engine: EntityEngine, work: AliasWork): Promise<boolean> {
  const claim = await claimNext(engine, work)
  if (!claim) return false
  await settle(engine, claim, await order(work.connectors, claim), work.now())
  return true
}

/** Claims the next task. Whose gateway died is taken up again after its time, under the same key. */
async function claimNext(engine: EntityEngine, { connectors, now }: AliasWork): Promise<Claim | null> {
  const at = now()
  return engine.transaction(systemContext({ now: at }), async (entities, tx) => {
    const { rows } = await tx.query<{ id: string; system: string; status: string; attempts: number | null }>(
      `select t.id, t.system, t.status, t.attempts ${DUE}
       order by t.status = 'done', t.next_attempt_at nulls first, r.code, t.seq limit 1 for update of t skip locked`,
      [at.toISOString()],
    )
    const [due] = rows
    if (!due) return null
    const attempts = Number(due.attempts ?? 0) + 1
    const { syncTimeoutMin } = await ruleFor(tx, 'crm.alias', at)
    const until = new Date(at.getTime() + syncTimeoutMin * 60_000).toISOString()
    const task =
      due.status === 'waiting'
        ? await entities.transition('crm.aliasTask', due.id, 'start', {
            ...{ attempts, startedAt: at.toISOString(), connected: connectors.has(due.system) },
          })
        : await entities.save('crm.aliasTask', { id: due.id, attempts, nextAttemptAt: until })
    const record = await entities.find('crm.aliasRecord', String(task.recordId))
    return record && { action: due.status === 'waiting' ? 'apply' : 'undo', task, record }
  })
}

/** Notes what a system answered. An undoing is never given up: the wrong alias would stay in that system for good. */
async function settle(engine: EntityEngine, { action, task: claimed }: Claim, failure: string | null, now: Date): Promise<void> {
  await engine.transaction(systemContext({ now }), async (entities, tx) => {
    await entities.find('crm.aliasRecord', String(claimed.recordId), { lock: true })
    const task = await entities.find('crm.aliasTask', String(claimed.id), { lock: true })
    if (task?.status !== (action === 'apply' ? 'running' : 'done')) return
    const id = String(task.id)
    if (failure === null) {
      await entities.transition('crm.aliasTask', id, action === 'apply' ? 'finish' : 'undo')
      return
    }
    // taken up again meanwhile: that attempt speaks for itself
    if (task.attempts !== claimed.attempts) return
    const rules = await ruleFor(tx, 'crm.alias', now)
    const made = action === 'apply' ? Number(task.attempts) : Math.min(Number(task.attempts), rules.maxAttempts - 1)
    const next = nextAttempt(made, rules, now)
    const noted = { lastError: failure.slice(0, 500), nextAttemptAt: next?.toISOString() ?? null }
    if (action === 'apply') await entities.transition('crm.aliasTask', id, 'wait', noted)
    else await entities.save('crm.aliasTask', { id, ...noted })
  })
}

/** Tells the system; answers what went wrong, or null. A system without a connector is ours alone: there is nobody to tell. */
async function order(connectors: ReadonlyMap<string, AliasConnector>, { action, task, record }: Claim): Promise<string | null> {
  const connector = connectors.get(String(task.system))
  if (!connector) return null
  const text = (name: string): string => textOf(record[name]) ?? ''
  try {
    await connector({
      action,
      system: String(task.system),
      recordCode: text('code'),
      subjectType: text('subjectType'),
      subjectCode: text('subjectCode'),
      oldAlias: text('oldAlias'),
      newAlias: text('newAlias'),
      key: `${String(task.id)}:${action}`,
    })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
