import type { EntityService } from '../../../entities'
import { closeTodos } from '../../../todos'

/** The cause of a fall settles the to-do that asked for it, once none of the customer's falls is without a cause (CRM rule 9.10). */
export const churnRecordService: EntityService = {
  beforeSave({ record, before, fail }) {
    if (record.kind === 'wonBack' && record.cause !== (before?.cause ?? null))
      fail({
        field: 'cause',
        rule: 'wonBack',
        message: { zh: '挽回的记录没有流失原因。', en: 'A customer that was won back has no cause of a fall.' },
      })
  },
  async afterSave({ record, before, entities, tx, now }) {
    if (!record.cause || record.cause === before?.cause) return
    const open = await entities.count('crm.churnRecord', [
      { field: 'customerId', operator: 'eq', value: record.customerId },
      { field: 'cause', operator: 'empty' },
      { field: 'recoveredAt', operator: 'empty' },
      { field: 'kind', operator: 'ne', value: 'wonBack' },
    ])
    if (open === 0)
      await closeTodos(
        tx,
        { entity: 'crm.customer', ids: [String(record.customerId)] },
        { as: 'done', now, kinds: ['churnCause'] },
      )
  },
}
