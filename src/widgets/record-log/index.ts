import { defineWidget } from '../../runtime/widget'

/** The history of one record, of whatever entity: the place gives `query` with entity and id. */
export const recordLog = defineWidget({
  name: 'sys.recordLog',
  description: {
    zh: '一条记录的操作日志；query 给出 entity 与 id',
    en: 'The history of one record; query names entity and id',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: () => import('./RecordLog'),
  example: { props: {}, values: { query: { entity: 'crm.customer', id: 'c1' } } },
})
