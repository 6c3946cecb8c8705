import { defineWidget } from '../../runtime/widget'

/** The blocks of a report as cards inside another page. */
export const reportCards = defineWidget({
  name: 'report.cards',
  description: { zh: '报表卡片：在其他页面里显示一张报表的各块', en: 'Report cards: the blocks of a report inside another page' },
  props: {
    type: 'object',
    properties: { report: { type: 'string', description: 'The report page by its name, module/file.' } },
    required: ['report'],
    additionalProperties: false,
  },
  load: () => import('./ReportCardsWidget'),
  example: { props: { report: 'crm/sales-funnels' } },
})
