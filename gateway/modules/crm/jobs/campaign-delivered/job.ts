import { tableOf, thereIs, type Entities } from '../../../../entities'
import { newId, type Transaction } from '../../../../platform/database'
import { systemContext } from '../../../../platform/http'
import type { ModuleJob } from '../../../module'

/** A mail that a server took, and that did not come back for so long, has arrived. */
const NO_BOUNCE_FOR = 24 * 3_600_000
const BATCH = 1_000
const EVERY_SECONDS = 600

const DUE = (columns: string, limit: number): string =>
  `select ${columns} from ${tableOf('crm.mailRecipient')} where status = 'sent' and sent_at < $1 and deleted_at is null limit ${limit}`

/** Mails of campaigns that no server returned within a day are delivered. */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'crm.campaignDelivered',
  title: { zh: '营销邮件送达', en: 'Delivered campaign mail' },
  description: {
    zh: '发出一天没有退信的营销邮件记为送达。',
    en: 'Campaign mail that did not come back within a day counts as delivered.',
  },
  schedule: { every: 'seconds', seconds: EVERY_SECONDS },
  waiting: async (now) => {
    if (!(await thereIs(database, 'crm.mailRecipient'))) return false
    return (await database.query(DUE('1', 1), [before(now)])).rowCount > 0
  },
  run: async ({ now, dry }) => {
    let delivered = 0
    while (!dry) {
      const some = await engine.transaction(systemContext({ now }), (entities, tx) => deliver(entities, tx, now))
      delivered += some
      if (some < BATCH) break
    }
    const figures = [{ id: 'delivered', title: { zh: '送达', en: 'Delivered' }, value: delivered }]
    return { figures, columns: [], rows: [], more: 0 }
  },
})

async function deliver(entities: Entities, tx: Transaction, now: Date): Promise<number> {
  const { rows } = await tx.query<{ id: string; campaignId: string }>(
    `${DUE('id, campaign_id as "campaignId"', BATCH)} for update`,
    [before(now)],
  )
  const at = now.toISOString()
  const changes = { status: 'delivered', deliveredAt: at }
  await entities.changeMany('crm.mailRecipient', new Map(rows.map(({ id }) => [id, changes])), { keepTime: true })
  await entities.insertMany(
    'crm.mailEvent',
    rows.map(({ id, campaignId }) => ({
      ...{ id: newId(), campaignId, recipientId: id, at, kind: 'delivered', isFirst: false, createdAt: at, version: 1 },
    })),
  )
  return rows.length
}

const before = (now: Date): string => new Date(now.getTime() - NO_BOUNCE_FOR).toISOString()
