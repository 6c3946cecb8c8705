import { sql } from 'drizzle-orm'
import { tableOf, type EntityEngine } from '../../../../entities'
import type { Database, Executor } from '../../../../platform/database'
import { ServiceError, systemContext, type Text } from '../../../../platform/http'
import { MOST_ROWS, stageOf } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'

const [HEAD, ITEM, WHOLE] = ['srm.accountTransfer', 'srm.accountTransferItem', 'srm.supplierTransfer'] as const
/** Seconds between looks. */
const LOOK = 20
/** Milliseconds until a supplier's transfer that could not begin is tried again. */
const AGAIN = 600_000
/** Items of one run: what is left waits for the next look. */
const MOST = 2_000

interface Waiting {
  id: string
  code: string
  name: string
}

const dueSql = (now: Date) =>
  sql`select id from ${sql.raw(tableOf(HEAD))} where status = 'scheduled' and cutover_at <= ${now.toISOString()}::timestamptz and deleted_at is null order by cutover_at, code`

const waitingSql = (most: number) =>
  sql`select i.id, h.code, i.old_name as name from ${sql.raw(tableOf(ITEM))} i join ${sql.raw(tableOf(HEAD))} h on h.id = i.transfer_id
    where h.status = 'running' and i.result = 'waiting' and i.deleted_at is null and h.deleted_at is null order by h.cutover_at, h.code, i.id limit ${most}`

/** Transfers of whole suppliers that are to begin, and those whose accounts have all moved. */
const wholeSql = (now: Date) =>
  sql`select t.id, case t.status when 'accepted' then 'begin' else 'finish' end as step from ${sql.raw(tableOf(WHOLE))} t
    left join ${sql.raw(tableOf(HEAD))} h on h.id = t.account_transfer_id
    where t.deleted_at is null and (t.status = 'accepted' and t.cutover_at <= ${now.toISOString()}::timestamptz or t.status = 'running' and (t.account_transfer_id is null or h.status = 'done'))
      and (t.tried_at is null or t.tried_at < ${new Date(now.getTime() - AGAIN).toISOString()}::timestamptz)
    order by t.cutover_at, t.code`

/**
 * Cut-overs of account transfers: documents whose moment has come begin, and each of their accounts moves in a transaction of its own. A gateway that
 * dies between two accounts leaves the rest waiting, and the next look goes on with them.
 */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'srm.transfers',
  title: { zh: '账号转移切换', en: 'Cut-over of account transfers' },
  description: {
    zh: '到切换时间后逐个转移账号；失败的账号保持不变，可重试或放弃。',
    en: 'Moves accounts one by one when their cut-over has come; an account that fails stays as it is, to be tried again or dropped.',
  },
  schedule: { every: 'seconds', seconds: LOOK },
  waiting: async (now) =>
    (await any(database, dueSql(now))) || (await any(database, waitingSql(1))) || (await any(database, wholeSql(now))),
  run: async ({ now, dry }, progress) => {
    if (!dry) await beginDue(engine, database, now)
    if (!dry) await goOn(engine, database, now)
    const { rows } = await database.query<Waiting>(waitingSql(MOST))
    const told = stageOf(progress, { zh: '转移账号', en: 'Moving accounts' }, rows.length)
    const failed: { row: Waiting; error: Text }[] = []
    for (const row of dry ? [] : rows) {
      const error = await moveItem(engine, row.id, now)
      if (error) failed.push({ row, error })
      told(1)
    }
    if (!dry) await goOn(engine, database, now)
    return {
      figures: [
        { id: 'accounts', title: { zh: '账号', en: 'Accounts' }, value: rows.length },
        { id: 'failed', title: { zh: '失败', en: 'Failed' }, value: failed.length },
      ],
      columns: [
        { id: 'transfer', title: { zh: '转移单', en: 'Transfer' } },
        { id: 'account', title: { zh: '账号', en: 'Account' }, of: ['srm.supplierAccount.name'] },
        { id: 'error', title: { zh: '错误', en: 'Error' } },
      ],
      rows: failed
        .slice(0, MOST_ROWS)
        .map(({ row: { id, code, name }, error }) => ({ id, transfer: code, account: name, error })),
      more: Math.max(0, failed.length - MOST_ROWS),
    }
  },
})

const any = async (db: Executor, query: ReturnType<typeof sql>): Promise<boolean> => (await db.query(query)).rows.length > 0

async function beginDue(engine: EntityEngine, database: Database, now: Date): Promise<void> {
  const { rows } = await database.query<{ id: string }>(dueSql(now))
  for (const { id } of rows)
    await engine.transaction(systemContext({ now }), (entities) => entities.transitions(HEAD, [id], 'begin'))
}

/** Begins and ends transfers of whole suppliers; one that cannot says why, and is looked at again. */
async function goOn(engine: EntityEngine, database: Database, now: Date): Promise<void> {
  const { rows } = await database.query<{ id: string; step: string }>(wholeSql(now))
  for (const { id, step } of rows) {
    try {
      await engine.transaction(systemContext({ now }), (entities) => entities.transition(WHOLE, id, step), { retries: 3 })
    } catch (failure) {
      const tried = { error: said(textOf(failure)), triedAt: now.toISOString() }
      await engine.transaction(systemContext({ now }), (entities) => entities.changeMany(WHOLE, new Map([[id, tried]])))
    }
  }
}

const textOf = (failure: unknown): Text =>
  failure instanceof ServiceError ? failure.text : { zh: '网关出错，请重试', en: 'A fault of the gateway: try again' }
const said = ({ zh, en }: Text): string => `${zh} / ${en}`.slice(0, 500)

/** Moves an account; what it wrote is undone when it fails, and the item says why. */
async function moveItem(engine: EntityEngine, id: string, now: Date): Promise<Text | null> {
  try {
    await engine.transaction(systemContext({ now }), (entities) => entities.transition(ITEM, id, 'move'), { retries: 3 })
    return null
  } catch (failure) {
    const error = textOf(failure)
    await engine.transaction(systemContext({ now }), (entities) => entities.transition(ITEM, id, 'fail', { error: said(error) }))
    return error
  }
}
