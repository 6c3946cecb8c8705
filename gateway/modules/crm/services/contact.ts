import { ServiceError } from '../../../platform/http'
import type { Entities, EntityRecord, EntityService, RecordOf } from '../../../entities'
import { guardContact, type HitDesk } from './blacklist/guard'

/** Stages from which on a customer has to keep at least one contact. */
const NEEDS_CONTACT = new Set(['quoted', 'dealt', 'silent', 'churned'])

/** Contacts: exactly one primary a customer. */
export const contactService = (hitDesk: HitDesk): EntityService<'crm.contact'> => ({
  async beforeSave(hook) {
    const { record, before, entities, origin } = hook
    if (origin !== 'service') await guardContact(hook, hitDesk)
    const others = await othersOf(entities, record)
    if (!before && others.length === 0) record.isPrimary = true
    if (
      before?.isPrimary === true &&
      record.isPrimary !== true &&
      others.length > 0 &&
      !others.some((other) => other.isPrimary === true)
    )
      record.isPrimary = true
  },
  async afterSave({ record, entities, origin }) {
    if (origin === 'service') return
    if (record.isPrimary === true)
      for (const other of await othersOf(entities, record))
        if (other.isPrimary === true) await entities.save('crm.contact', { id: other.id, isPrimary: false })
  },
  async beforeDelete({ record, entities }) {
    const others = await othersOf(entities, record)
    const customer = await entities.find('crm.customer', record.customerId)
    if (others.length === 0 && customer && NEEDS_CONTACT.has(customer.stage ?? ''))
      throw new ServiceError('transitionRefused', {
        message: {
          zh: '已报价或成交的客户须保留至少一位联系人。',
          en: 'A customer that was quoted or has dealt keeps at least one contact.',
        },
        data: { transition: 'delete' },
      })
  },
  async afterRestore({ record, entities }) {
    const others = await othersOf(entities, record)
    const isPrimary = !others.some((other) => other.isPrimary === true)
    if (isPrimary !== (record.isPrimary === true)) await entities.save('crm.contact', { id: record.id, isPrimary })
  },
  async afterDelete({ record, entities }) {
    const [next] = await othersOf(entities, record)
    if (record.isPrimary === true && next) await entities.save('crm.contact', { id: next.id, isPrimary: true })
  },
})

const othersOf = async (entities: Entities, record: EntityRecord): Promise<RecordOf<'crm.contact'>[]> =>
  (await entities.list('crm.contact', { where: [{ field: 'customerId', operator: 'eq', value: record.customerId }] })).filter(
    (other) => other.id !== record.id,
  )
