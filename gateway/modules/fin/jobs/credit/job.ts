import { sql } from 'drizzle-orm'
import type { Database } from '../../../../platform/database'
import { systemContext } from '../../../../platform/http'
import { inTurn, MOST_ROWS, stageOf } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { staleAccounts } from '../../credit/refresh'
import { settleLedger } from '../../ledger/settle'

/** Seconds between looks. */
const LOOK = 300
/** Accounts of one short transaction, and of one run: what is left waits for the next look. */
const [BATCH, MOST] = [200, 20_000]

/**
 * Credit of every account once an hour, at the start of its day, and after a change of the thresholds (money 2.2, 14). Working it out
 * twice changes nothing: a stop and its end are recorded when the stage changes.
 */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'fin.credit',
  title: { zh: '授信重算', en: 'Credit' },
  description: {
    zh: '每小时、账户换日和授信规则变更后，重算额度、可用金额和信用阶段。',
    en: 'Works out limits, available money and stages every hour, when the day of an account changes, and after a change of the rules.',
  },
  schedule: { every: 'seconds', seconds: LOOK },
  waiting: async (now) => (await staleAccounts(database, now, 1)).length > 0,
  run: async ({ now, dry }, progress) => {
    const ids = await staleAccounts(database, now, MOST)
    const before = await stagesOf(database, ids)
    const told = stageOf(progress, { zh: '重算授信', en: 'Working out credit' }, ids.length)
    if (!dry)
      await inTurn(ids, BATCH, told, (some) =>
        engine.transaction(
          systemContext({ now }),
          (_, tx) =>
            settleLedger(
              tx,
              some.map((refresh) => ({ refresh, now })),
            ),
          { retries: 3 },
        ),
      )
    const after = await stagesOf(database, ids)
    const changed = [...after].filter(([id, { stage }]) => before.get(id)?.stage !== stage)
    const word = (code: string | null | undefined) => (code ? engine.dictionaryLabel('creditStage', code) : null)
    return {
      figures: [
        { id: 'accounts', title: { zh: '账户', en: 'Accounts' }, value: ids.length },
        { id: 'changed', title: { zh: '阶段变化', en: 'Stages changed' }, value: changed.length },
      ],
      columns: [
        { id: 'account', title: { zh: '账户', en: 'Account' } },
        { id: 'from', title: { zh: '原阶段', en: 'From' } },
        { id: 'to', title: { zh: '新阶段', en: 'To' } },
      ],
      rows: changed
        .slice(0, MOST_ROWS)
        .map(([id, { name, stage }]) => ({ account: name, from: word(before.get(id)?.stage), to: word(stage) })),
      more: Math.max(0, changed.length - MOST_ROWS),
    }
  },
})

async function stagesOf(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { name: string; stage: string | null }>> {
  const { rows } = await database.query<{ id: string; name: string; stage: string | null }>(
    sql`select a.id, concat_ws(' ', a.code, a.name) as name, c.stage from fin_customer_account a
      left join fin_credit_control c on c.account_id = a.id and c.deleted_at is null where a.id = any(${sql.param([...ids])}::text[]) order by a.id`,
  )
  return new Map(rows.map(({ id, name, stage }) => [id, { name, stage }]))
}
