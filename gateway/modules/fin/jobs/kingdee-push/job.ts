import { sql } from 'drizzle-orm'
import { systemContext } from '../../../../platform/http'
import { inTurn, stageOf } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { finSettings } from '../../configuration'
import { connectionOf } from '../../kingdee/connection'

/** Seconds between looks. */
const LOOK = 300
/** Documents of one transaction, and of one run: what is left waits for the next look. */
const [BATCH, MOST] = [100, 2_000]

/** Pushes what waits for Kingdee, where it is connected (money 14, `kingdee-push`); what was refused waits for a person. */
export const job: ModuleJob = ({ engine, database, configuration }) => {
  const connected = connectionOf(configuration.of(finSettings)) !== undefined
  const due = async (most: number): Promise<string[]> => {
    if (!connected) return []
    const { rows } = await database.query<{ id: string }>(
      sql`select d.id from fin_kingdee_doc d where d.status = 'pending' and d.deleted_at is null and not exists (
        select 1 from fin_period p where p.company_entity_id = d.company_entity_id and p.month = date_trunc('month', d.biz_date)::date and p.status = 'closed' and p.deleted_at is null) order by d.code limit ${most}`,
    )
    return rows.map(({ id }) => id)
  }
  return {
    name: 'fin.kingdeePush',
    title: { zh: '推送金蝶单据', en: 'Push documents to Kingdee' },
    description: {
      zh: '已连接金蝶时，每 5 分钟推送待推送的单据；被拒绝的单据由人处理。',
      en: 'Where Kingdee is connected, pushes the documents that wait every 5 minutes; what Kingdee refuses waits for a person.',
    },
    schedule: { every: 'seconds', seconds: LOOK },
    waiting: async () => (await due(1)).length > 0,
    run: async ({ now, dry }, progress) => {
      const ids = await due(MOST)
      let refused = 0
      const told = stageOf(progress, { zh: '推送单据', en: 'Pushing documents' }, ids.length)
      if (!dry)
        await inTurn(ids, BATCH, told, async (some) => {
          const refusals = await engine.transaction(systemContext({ now }), (entities) =>
            entities.transitions('fin.kingdeeDoc', some, 'push'),
          )
          refused += refusals.size
        })
      return {
        figures: [
          { id: 'documents', title: { zh: '单据', en: 'Documents' }, value: ids.length },
          { id: 'refused', title: { zh: '未能推送', en: 'Not pushed' }, value: refused },
        ],
        columns: [],
        rows: [],
        more: 0,
      }
    },
  }
}
