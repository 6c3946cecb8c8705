import type { EntityService } from '../../entities'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A channel belongs to the supplier of its account. */
export const channelService: EntityService = {
  async beforeSave({ record, entities }) {
    const account = await entities.find('srm.supplierAccount', text(record.supplierAccountId))
    record.supplierId = account?.supplierId ?? null
  },
}
