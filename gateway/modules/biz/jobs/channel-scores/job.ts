import { dayOf } from '../../../../platform/calendar'
import { systemContext } from '../../../../platform/http'
import { momentOf } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { ChannelCosts } from '../../costs'
import { readQuality } from '../../quality'
import { recommend, writeRecommendations, writeScores } from '../../recommend'

/** Quality and score of channels, and which of them each network is recommended. */
export const job: ModuleJob = ({ engine, database, configuration: { companyTimeZone: timeZone } }) => ({
  name: 'biz.channelScores',
  title: { zh: '通道评分与推荐', en: 'Scores of channels' },
  description: {
    zh: '按 7 天的发送记录（含测试）、生效成本和故障次数计算通道评分、送达率和回执时长，并重算各网络的通道推荐；置顶和隐藏保留。',
    en: 'From the messages of 7 days (tests too), active costs and faults: score, delivery and receipts of each channel, and the channels recommended for each network. What was pinned or hidden stays so.',
  },
  schedule: { every: 'day', at: '02:20' },
  parameters: {
    most: { title: { zh: '每个网络的推荐数', en: 'Recommended for each network' }, default: 3, minimum: 1, maximum: 20 },
  },
  run: async (job, _, values) => {
    const now = momentOf(job, timeZone)
    const quality = await readQuality(database, now)
    const costs = await ChannelCosts.read(database, dayOf(now, timeZone))
    const rows = recommend(quality, costs)
    const kept = rows.filter(({ rank }) => rank <= Number(values?.most ?? 3))
    if (!job.dry)
      await engine.transaction(systemContext({ now }), async (entities) => {
        await writeRecommendations(entities, kept, now)
        await writeScores(entities, quality, rows, now)
      })
    return {
      figures: [
        { id: 'channels', title: { zh: '通道', en: 'Channels' }, value: quality.channels.length },
        { id: 'rows', title: { zh: '推荐', en: 'Recommendations' }, value: kept.length },
      ],
      columns: [],
      rows: [],
      more: 0,
    }
  },
})
