import { sql } from 'drizzle-orm'
import { tableOf, type EntityEngine } from '../../../../entities'
import type { Database, Executor } from '../../../../platform/database'
import { ServiceError, systemContext, type Text } from '../../../../platform/http'
import { MOST_ROWS, stageOf } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'

const [HEAD, ITEM] = ['srm.accountTransfer', 'srm.accountTransferItem'] as const
/** Seconds between looks. */
const LOOK = 20
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
  waiting: async (now) => (await any(database, dueSql(now))) || (await any(database, waitingSql(1))),
  run: async ({ now, dry }, progress) => {
    if (!dry) await beginDue(engine, database, now)
    const { rows } = await database.query<Waiting>(waitingSql(MOST))
    const told = stageOf(progress, { zh: '转移账号', en: 'Moving accounts' }, rows.length)
    const failed: { row: Waiting; error: Text }[] = []
    for (const row of dry ? [] : rows) {
      const error = await moveItem(engine, row.id, now)
      if (error) failed.push({ row, error })
      told(1)
    }
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

/** Moves an account; what it wrote is undone when it fails, and the item says why. */
async function moveItem(engine: EntityEngine, id: string, now: Date): Promise<Text | null> {
  try {
    await engine.transaction(systemContext({ now }), (entities) => entities.transition(ITEM, id, 'move'), { retries: 3 })
    return null
  } catch (failure) {
    const error: Text =
      failure instanceof ServiceError ? failure.text : { zh: '网关出错，请重试', en: 'A fault of the gateway: try again' }
    await engine.transaction(systemContext({ now }), (entities) =>
      entities.transition(ITEM, id, 'fail', { error: `${error.zh} / ${error.en}`.slice(0, 500) }),
    )
    return error
  }
}
