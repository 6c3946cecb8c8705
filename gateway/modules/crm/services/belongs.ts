import type { SaveHook } from '../../../entities'

const REFUSALS = {
  'crm.contact': {
    rule: 'contactOfCustomer',
    message: { zh: '联系人不属于这位客户。', en: 'The contact belongs to another customer.' },
  },
  'crm.opportunity': {
    rule: 'opportunityOfCustomer',
    message: { zh: '商机不属于这位客户。', en: 'The opportunity belongs to another customer.' },
  },
}

/** What a record names beside its customer, one or several, has to be that customer's. */
export async function requireOfCustomer(hook: SaveHook, entity: keyof typeof REFUSALS, field: string): Promise<void> {
  const { record, entities } = hook
  const wanted = new Set([record[field]].flat().filter(Boolean).map(String))
  if (wanted.size === 0) return
  const found = await entities.count(entity, [
    { field: 'id', operator: 'in', value: [...wanted] },
    { field: 'customerId', operator: 'eq', value: String(record.customerId) },
  ])
  if (found !== wanted.size) hook.fail({ field, ...REFUSALS[entity] })
}
