import type { ModuleJob } from '../../../module'
import { buildFacts, factsWait } from '../../facts/build'

/** Makes the facts of hours whose records changed. */
export const job: ModuleJob = ({ database }) => ({
  name: 'rpt.facts',
  title: { zh: '报表明细', en: 'Report details' },
  description: {
    zh: '每分钟把有变化的小时重新汇总：短信、通话、WhatsApp、OTP、邮件记录汇总为小时明细和每日明细，报表与业绩都取自它们。',
    en: 'Every minute: hours whose records changed are made anew, from the records of messages, calls, WhatsApp, one-time passwords and mails. Reports and performance stand on these facts.',
  },
  schedule: { every: 'seconds', seconds: 60 },
  waiting: () => factsWait(database),
  run: async ({ now, dry }) => {
    let hours = 0
    const days = new Set<string>()
    for (let more = !dry; more;) {
      const built = await database.transaction((tx) => buildFacts(tx, now))
      hours += built.hours
      for (const day of built.days) days.add(day)
      more = built.more
    }
    return {
      figures: [{ id: 'hours', title: { zh: '重算小时', en: 'Hours made anew' }, value: hours }],
      columns: [{ id: 'day', title: { zh: '日期', en: 'Day' }, kind: 'day' }],
      rows: [...days].sort().map((day) => ({ day })),
      more: 0,
    }
  },
})
