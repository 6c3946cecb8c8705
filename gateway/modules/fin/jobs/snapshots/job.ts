import { addDays, dayOf } from '../../../../platform/calendar'
import { stageOf, type JobReport } from '../../../../platform/jobs'
import { ruleFor } from '../../../../rules'
import type { ModuleJob } from '../../../module'
import { verifySnapshots, writeSnapshots } from '../../ledger/snapshots'

/** Days that are worked out again: later postings may be dated into them. */
const VERIFIED = 7

/**
 * What every account has at the end of the day whose receipts had their time (`fin.billing`), and whether what was written for the days
 * before still holds (money 4.2).
 */
export const job: ModuleJob = ({ database }) => ({
  name: 'fin.snapshots',
  title: { zh: '账户快照', en: 'Account snapshots' },
  description: {
    zh: '等待回执的小时数过后，记下每个账户当日的期初、发生与期末，并重算最近几天的快照，标出之后有补记或变化的。',
    en: 'Writes the opening, movement and closing of every account for the day whose receipts had their time, works the last days out again and marks what was posted into them later.',
  },
  schedule: { every: 'day', at: '00:40' },
  run: async ({ now, dry }, progress): Promise<JobReport> => {
    const { dlrWaitHours } = await ruleFor(database, 'fin.billing', now)
    const locked = addDays(dayOf(new Date(now.getTime() - dlrWaitHours * 3_600_000), database.companyTimeZone), -1)
    const told = stageOf(progress, { zh: '账户快照', en: 'Account snapshots' }, VERIFIED + 1)
    let [written, differing] = [0, 0]
    if (!dry) {
      written = await database.transaction((tx) => writeSnapshots(tx, locked, now))
      told(1)
      for (let back = 1; back <= VERIFIED; back++) {
        differing += await database.transaction((tx) => verifySnapshots(tx, addDays(locked, -back), now))
        told(1)
      }
    }
    return {
      figures: [
        { id: 'written', title: { zh: '账户', en: 'Accounts' }, value: written },
        { id: 'differing', title: { zh: '已变化', en: 'Changed since' }, value: differing },
      ],
      columns: [{ id: 'day', title: { zh: '日期', en: 'Day' } }],
      rows: [{ id: locked, day: locked }],
      more: 0,
    }
  },
})
