import { thereIs } from '../../../../entities'
import { dayOf } from '../../../../platform/calendar'
import type { ModuleJob } from '../../../module'
import { buildContents, staleContents } from '../../facts/contents'

/** Counts what messages of the days before said. */
export const job: ModuleJob = ({ database, configuration }) => ({
  name: 'rpt.contents',
  title: { zh: '短信内容统计', en: 'Texts of messages' },
  description: {
    zh: '每晚把有变化的日子按模板汇总短信内容：隐去数字、链接和邮箱；一天不足五次的文本不显示内容。',
    en: 'Every night: what messages of days that changed said, by template, without numbers, links and addresses; texts sent fewer than five times a day are counted without what they said.',
  },
  schedule: { every: 'day', at: '02:40' },
  run: async ({ now, dry }) => {
    const here = await thereIs(database, 'biz.smsRecord')
    const days = here ? await staleContents(database, dayOf(now, configuration.companyTimeZone)) : []
    if (!dry) for (const day of days) await database.transaction((tx) => buildContents(tx, day, now))
    return {
      figures: [{ id: 'days', title: { zh: '重算日期', en: 'Days made anew' }, value: days.length }],
      columns: [{ id: 'day', title: { zh: '日期', en: 'Day' }, kind: 'day' }],
      rows: days.map((day) => ({ day })),
      more: 0,
    }
  },
})
