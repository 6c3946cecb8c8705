import { systemContext } from '../../../../platform/http'
import type { ModuleJob } from '../../../module'
import { lockDays, locksWait } from '../../lock/lock'
import { postRecords, recordsWait } from '../../usage/post'

/** Brings to the ledger what traffic cost customers and us. */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'biz.usage',
  title: { zh: '业务量入账', en: 'Usage to the ledger' },
  description: {
    zh: '每 5 分钟把未入账的短信、通话、WhatsApp、邮件记录按账户、产品、记账日各记一笔收入与成本凭证，再锁定回执等待期已过的记账日；锁账后记录不再变动。',
    en: 'Every 5 minutes: what records of messages, calls, WhatsApp and mails came to and is not posted yet, one posting of usage and of cost for each account, product and day. Then days whose receipts had their time are locked, and their records change no more.',
  },
  schedule: { every: 'seconds', seconds: 300 },
  waiting: async (now) => (await recordsWait(database, now)) || (await locksWait(database, now)),
  run: async ({ now, dry }) => {
    const { usage, cost, locked } = dry
      ? { usage: 0, cost: 0, locked: 0 }
      : await engine.transaction(
          systemContext({ now }),
          async (entities, tx) => ({
            ...(await postRecords({ tx, context: systemContext({ now }), now, entities })),
            locked: await lockDays(tx, now),
          }),
          { retries: 3 },
        )
    return {
      figures: [
        { id: 'usage', title: { zh: '消费凭证', en: 'Postings of usage' }, value: usage },
        { id: 'cost', title: { zh: '成本凭证', en: 'Postings of cost' }, value: cost },
        { id: 'locked', title: { zh: '锁账账户', en: 'Accounts with a day locked' }, value: locked },
      ],
      columns: [],
      rows: [],
      more: 0,
    }
  },
})
