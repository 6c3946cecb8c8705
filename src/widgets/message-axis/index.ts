import { defineWidget } from '../../runtime/widget'

/** Published version notices along a line of time. */
export const messageAxis = defineWidget({
  name: 'message.timeAxis',
  description: {
    zh: '版本时间轴：已发布的公告按时间排列，可按类型筛选并标为已读',
    en: 'Time axis of versions: published notices by time, by kind, to be marked as read',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: () => import('./TimeAxis'),
  example: { props: {} },
})
