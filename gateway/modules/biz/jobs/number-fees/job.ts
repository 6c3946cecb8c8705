import { systemContext } from '../../../../platform/http'
import { MOST_ROWS, stageOf, type JobReport } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { chargedNumbers, makeFees } from '../../numbers/make'
import { accountsDue, postAccountFees, unpricedFees } from '../../numbers/post'

/** Numbers that are looked at in one transaction. */
const CHUNK = 200

/**
 * Makes what numbers are charged and cost (quotes-traffic 5.6) and posts it, once a number and month whatever happens. An account that
 * refuses leaves the others, and says why; its fees are tried again the next day.
 */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'biz.numberFees',
  title: { zh: '号码费用', en: 'Fees of numbers' },
  description: {
    zh: '每天生成到期的号码一次性费和月租（启用当月按天折算，以后每月 1 日预收），并向客户账户和供应商账户入账；漏跑的月份自动补齐，同一号码同一月份只收一次。',
    en: 'Every day: set-up and monthly fees of numbers that are due (the first month for its days, later ones on the 1st in advance), posted to the accounts of customers and suppliers. Months that were missed are caught up; a number is charged once a month.',
  },
  schedule: { every: 'day', at: '00:30' },
  run: async ({ now, dry }, progress): Promise<JobReport> => {
    const context = systemContext({ now })
    let [made, posted] = [0, 0]
    const failed: JobReport['rows'][number][] = []
    if (!dry) {
      const numbers = (await chargedNumbers(database)).map(({ id }) => String(id))
      for (let start = 0; start < numbers.length; start += CHUNK) {
        const ids = numbers.slice(start, start + CHUNK)
        made += await database.transaction(async (tx) => makeFees(tx, await chargedNumbers(tx, ids), now), { retries: 3 })
      }
      const due = await accountsDue(database)
      const told = stageOf(progress, { zh: '入账', en: 'Posting' }, due.length)
      for (const { title, ...account } of due) {
        try {
          posted += await engine.transaction(
            context,
            (entities, tx) => postAccountFees({ tx, context, now, entities }, account),
            { retries: 3 },
          )
        } catch (error) {
          failed.push({
            about: title,
            side: account.side,
            since: null,
            why: error instanceof Error ? error.message : String(error),
          })
        }
        told(1)
      }
    }
    const unpriced = (await unpricedFees(database)).map(({ number, side, since }) => ({ about: number, side, since, why: null }))
    const rows = [...failed, ...unpriced]
    return {
      figures: [
        { id: 'made', title: { zh: '新费用', en: 'New fees' }, value: made },
        { id: 'posted', title: { zh: '入账', en: 'Posted' }, value: posted },
        { id: 'failed', title: { zh: '未能入账的账户', en: 'Accounts that refused' }, value: failed.length },
        { id: 'unpriced', title: { zh: '未定价的号码', en: 'Numbers without a price' }, value: unpriced.length },
      ],
      columns: [
        { id: 'about', title: { zh: '账户或号码', en: 'Account or number' } },
        { id: 'side', title: { zh: '收入或成本', en: 'Revenue or cost' } },
        { id: 'since', title: { zh: '未定价起始日', en: 'Without a price since' } },
        { id: 'why', title: { zh: '原因', en: 'Why' } },
      ],
      rows: rows.slice(0, MOST_ROWS),
      more: Math.max(0, rows.length - MOST_ROWS),
    }
  },
})
