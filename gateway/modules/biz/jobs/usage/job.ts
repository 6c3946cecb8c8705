import { systemContext } from '../../../../platform/http'
import type { ModuleJob } from '../../../module'
import { postRecords, recordsWait } from '../../usage/post'

/** Brings to the ledger what traffic cost customers and us. */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'biz.usage',
  title: { zh: '业务量入账', en: 'Usage to the ledger' },
  description: {
    zh: '每 5 分钟把未入账的短信、通话、WhatsApp、邮件记录按账户、产品、记账日各记一笔收入与成本凭证；日结后记录不再变动。',
    en: 'Every 5 minutes: what records of messages, calls, WhatsApp and mails came to and is not posted yet, one posting of usage and of cost for each account, product and day.',
  },
  schedule: { every: 'seconds', seconds: 300 },
  waiting: (now) => recordsWait(database, now),
  run: async ({ now, dry }) => {
    const { usage, cost } = dry
      ? { usage: 0, cost: 0 }
      : await engine.transaction(
          systemContext({ now }),
          (entities, tx) => postRecords({ tx, context: systemContext({ now }), now, entities }),
          {
            retries: 3,
          },
        )
    return {
      figures: [
        { id: 'usage', title: { zh: '消费凭证', en: 'Postings of usage' }, value: usage },
        { id: 'cost', title: { zh: '成本凭证', en: 'Postings of cost' }, value: cost },
      ],
      columns: [],
      rows: [],
      more: 0,
    }
  },
})
