import { defineWidget } from '../../runtime/widget'

const noProps = { type: 'object', properties: {}, additionalProperties: false } as const

/** /crm/today: due follow-ups, customers about to be recycled, reminders, hand-overs to accept, each with its quick action. */
export const today = defineWidget({
  name: 'crm.today',
  description: {
    zh: '今日工作：到期跟进、回收提醒、待办与待接收',
    en: 'What to do today: due follow-ups, recycling, to-dos, hand-overs',
  },
  props: noProps,
  load: async () => (await import('./screens')).today(),
  example: { props: {} },
})

/** /crm/merge-customers, /srm/merge-suppliers: two or three records side by side. The place gives query.ids, separated by commas. */
export const mergeCustomers = defineWidget({
  name: 'crm.mergeCustomers',
  description: {
    zh: '合并重复记录：逐字段选择',
    en: 'Merges duplicate records with a choice per field, customers by default; query.ids names them',
  },
  props: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Base path of the calls of an entity that is merged; default customers.' },
      form: { type: 'string', description: 'The form whose fields are compared; default that of customers.' },
      list: { type: 'string', description: 'The list that one comes from; its details stand below it. Default my customers.' },
    },
    additionalProperties: false,
  },
  load: async () => (await import('./screens')).mergeCustomers(),
  example: { props: {}, values: { query: { ids: 'c1,c2' } } },
})

/** Tab of a person's details: what the person owns and to whom it goes. The place gives `staffId`. */
export const handOver = defineWidget({
  name: 'crm.handOver',
  description: {
    zh: '离职交接：名下内容、接收人、预览',
    en: 'Hand-over of somebody who leaves; values.staffId names the person',
  },
  props: noProps,
  load: async () => (await import('./screens')).handOver(),
  example: { props: {}, values: { staffId: 's1' } },
})

/** Section of a customer's details: the traffic of the last 90 days. The place gives `record`. */
export const trafficLine = defineWidget({
  name: 'crm.trafficLine',
  description: {
    zh: '客户近90天每日用量，每个产品一条线',
    en: 'Traffic of a customer over 90 days, a line for each product; values.record names the customer',
  },
  props: noProps,
  load: async () => (await import('./screens')).trafficLine(),
  example: { props: {}, values: { record: { id: 'c1' } } },
})
