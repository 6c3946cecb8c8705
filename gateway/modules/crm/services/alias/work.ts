import type { Entities, EntityEngine, EntityRecord } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import { systemContext } from '../../../../platform/http'
import { nextAttempt } from '../../rules/alias'
import { ruleFor } from '../rules'
import { textOf } from '../values'
import type { AliasConnector } from './connectors'

export interface AliasWork {
  connectors: ReadonlyMap<string, AliasConnector>
  now: () => Date
}

/** Tasks of one call; the next call goes on. */
const MOST = 200

/**
 * Works the due tasks of alias changes, each claimed and settled in transactions of its own with the call of its system between them, so that several gateways may do it at once. Failed ones wait
 * longer each time; the last failure makes the record fail. Done changes that were rolled back are undone, the last system first.
 * Answers the number of attempts.
 */
export async function workAliasTasks(engine: EntityEngine, work: AliasWork): Promise<number> {
  let attempts = 0
  await failAbandoned(engine, work.now())
  while (attempts < MOST && (await applyNext(engine, work))) attempts += 1
  while (attempts < MOST && (await undoNext(engine, work))) attempts += 1
  return attempts
}

/** A task that a call of `workAliasTasks` would take, or that has run for longer than its time. */
interface DueAliasTask {
  id: string
  code: string
  system: string
  attempts: number
}

/** Tasks that wait for their turn now, at most `limit`. */
export async function dueAliasTasks(db: Executor, now: Date, limit: number): Promise<DueAliasTask[]> {
  const { rows } = await db.query<DueAliasTask>(
    `select t.id, r.code, t.system, coalesce(t.attempts, 0) as attempts from crm_alias_task t join crm_alias_record r on r.id = t.record_id
     where t.deleted_at is null and r.deleted_at is null
       and ((t.status = 'running' and t.started_at <= $2)
         or ((t.next_attempt_at is null or t.next_attempt_at <= $1)
           and ((r.status = 'syncing' and t.status = 'waiting') or (r.status = 'rolledBack' and t.status = 'done' and not exists
             (select from crm_alias_task later where later.record_id = t.record_id and later.seq > t.seq and later.status = 'done')))))
     order by r.code, t.seq limit $3`,
    [now.toISOString(), await abandonedSince(db, now), limit],
  )
  return rows.map((row) => ({ ...row, attempts: Number(row.attempts) }))
}

/** Tasks that were started before this are given up. */
async function abandonedSince(db: Executor, now: Date): Promise<string> {
  const { syncTimeoutMin } = await ruleFor(db, 'crm.alias', now)
  return new Date(now.getTime() - syncTimeoutMin * 60_000).toISOString()
}

async function applyNext(engine: EntityEngine, { connectors, now }: AliasWork): Promise<boolean> {
  const at = now()
  const job = await engine.transaction(systemContext({ now: at }), async (entities, tx) => {
    const { rows } = await tx.query<{ id: string; system: string }>(
      `select t.id, t.system from crm_alias_task t join crm_alias_record r on r.id = t.record_id
       where r.status = 'syncing' and t.status = 'waiting' and (t.next_attempt_at is null or t.next_attempt_at <= $1)
         and t.deleted_at is null and r.deleted_at is null
       order by t.next_attempt_at nulls first, r.code, t.seq limit 1 for update of t skip locked`,
      [at.toISOString()],
    )
    if (!rows[0]) return null
    const task = await entities.transition('crm.aliasTask', rows[0].id, 'start', {
      attempts: (await attemptsOf(entities, rows[0].id)) + 1,
      startedAt: at.toISOString(),
      connected: connectors.has(rows[0].system),
    })
    return { task, record: await entities.find('crm.aliasRecord', String(task.recordId)) }
  })
  if (!job?.record) return false
  const failure = await order(connectors, job.task, job.record, 'apply')
  const end = now()
  await engine.transaction(systemContext({ now: end }), async (entities, tx) => {
    const record = await entities.find('crm.aliasRecord', String(job.record?.id), { lock: true })
    const task = await entities.find('crm.aliasTask', String(job.task.id), { lock: true })
    // Rolled back meanwhile: what was applied is undone by the worker.
    if (!record || !task || task.status !== 'running') {
      if (task && failure === null && record?.status === 'rolledBack')
        await entities.save('crm.aliasTask', { id: task.id, status: 'done', attempts: 0, nextAttemptAt: null })
      return
    }
    if (failure === null) return finishTask(entities, record, task, end)
    // given up meanwhile and begun again: the attempt that runs now speaks for itself
    if (task.attempts !== job.task.attempts) return
    await failTask(entities, record, task, failure, await ruleFor(tx, 'crm.alias', end), end)
  })
  return true
}

async function finishTask(entities: Entities, record: EntityRecord, task: EntityRecord, now: Date): Promise<void> {
  await entities.transition('crm.aliasTask', String(task.id), 'finish', {
    doneAt: now.toISOString(),
    lastError: null,
    nextAttemptAt: null,
  })
  const done = await entities.count('crm.aliasTask', [
    { field: 'recordId', operator: 'eq', value: record.id },
    { field: 'status', operator: 'eq', value: 'done' },
  ])
  await entities.save('crm.aliasRecord', { id: record.id, tasksDone: done })
  if (record.status === 'syncing' && done === Number(record.tasksTotal))
    await entities.transition('crm.aliasRecord', String(record.id), 'finish')
}

async function failTask(
  entities: Entities,
  record: EntityRecord,
  task: EntityRecord,
  failure: string,
  rules: { maxAttempts: number; retryMinutes: readonly number[] },
  now: Date,
): Promise<void> {
  const next = nextAttempt(Number(task.attempts), rules, now)
  const lastError = failure.slice(0, 500)
  if (next) {
    await entities.transition('crm.aliasTask', String(task.id), 'wait', { lastError, nextAttemptAt: next.toISOString() })
    return
  }
  await entities.transition('crm.aliasTask', String(task.id), 'fail', { lastError, nextAttemptAt: null })
  if (record.status === 'syncing')
    await entities.transition('crm.aliasRecord', String(record.id), 'fail', {
      failedSystem: task.system,
      failureNote: lastError,
    })
}

/** A task that runs for longer than its time (a gateway that died) counts as a failed attempt. */
async function failAbandoned(engine: EntityEngine, now: Date): Promise<void> {
  await engine.transaction(systemContext({ now }), async (entities, tx) => {
    const rules = await ruleFor(tx, 'crm.alias', now)
    const lost = await entities.list('crm.aliasTask', {
      where: [
        { field: 'status', operator: 'eq', value: 'running' },
        { field: 'startedAt', operator: 'lte', value: await abandonedSince(tx, now) },
      ],
      lock: true,
    })
    for (const task of lost) {
      const record = await entities.find('crm.aliasRecord', String(task.recordId), { lock: true })
      if (record) await failTask(entities, record, task, `no answer within ${rules.syncTimeoutMin} minutes`, rules, now)
    }
  })
}

/**
 * Undoes the last done task of a rolled-back change: it is claimed until its time is over, the system is told outside of any transaction,
 * and the answer is noted. A claim whose gateway died is taken up again then, under the same key.
 */
async function undoNext(engine: EntityEngine, { connectors, now }: AliasWork): Promise<boolean> {
  const at = now()
  const job = await engine.transaction(systemContext({ now: at }), async (entities, tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `select t.id from crm_alias_task t join crm_alias_record r on r.id = t.record_id
       where r.status = 'rolledBack' and t.status = 'done' and (t.next_attempt_at is null or t.next_attempt_at <= $1)
         and t.deleted_at is null and r.deleted_at is null
         and not exists (select from crm_alias_task later where later.record_id = t.record_id and later.seq > t.seq and later.status = 'done')
       order by r.code limit 1 for update of t skip locked`,
      [at.toISOString()],
    )
    if (!rows[0]) return null
    const { syncTimeoutMin } = await ruleFor(tx, 'crm.alias', at)
    const task = await entities.save('crm.aliasTask', {
      id: rows[0].id,
      attempts: (await attemptsOf(entities, rows[0].id)) + 1,
      nextAttemptAt: new Date(at.getTime() + syncTimeoutMin * 60_000).toISOString(),
    })
    return { task, record: await entities.find('crm.aliasRecord', String(task.recordId)) }
  })
  if (!job?.record) return false
  const failure = await order(connectors, job.task, job.record, 'undo')
  const end = now()
  await engine.transaction(systemContext({ now: end }), async (entities, tx) => {
    const task = await entities.find('crm.aliasTask', String(job.task.id), { lock: true })
    // whoever took the claim up again has noted its answer, or will
    if (task?.status !== 'done' || (failure !== null && task.attempts !== job.task.attempts)) return
    if (failure === null) {
      await entities.transition('crm.aliasTask', String(task.id), 'undo', { lastError: null, nextAttemptAt: null })
      return
    }
    const rules = await ruleFor(tx, 'crm.alias', end)
    // An undoing is never given up: the wrong alias would stay in that system for good.
    const next = nextAttempt(Math.min(Number(task.attempts), rules.maxAttempts - 1), rules, end)
    await entities.save('crm.aliasTask', {
      id: task.id,
      lastError: failure.slice(0, 500),
      nextAttemptAt: next?.toISOString() ?? null,
    })
  })
  return true
}

const attemptsOf = async (entities: Entities, id: string): Promise<number> =>
  Number((await entities.find('crm.aliasTask', id))?.attempts ?? 0)

/** Tells the system; answers what went wrong, or null. A system without a connector is ours alone: there is nobody to tell. */
async function order(
  connectors: ReadonlyMap<string, AliasConnector>,
  task: EntityRecord,
  record: EntityRecord,
  action: 'apply' | 'undo',
): Promise<string | null> {
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
