import type { EntityRecord, SaveHook } from '../../../entities'
import type { CustomerReads } from './customerReads'
import { ruleFor } from '../../../rules'

/** An owner may keep a few customers from being recycled with the tag `keep` (CRM rule 9.2, keepTagMax). */
export async function limitPinned(hook: SaveHook, reads: CustomerReads): Promise<void> {
  const { record, before, now } = hook
  if (!pinned(record) || (before && pinned(before)) || typeof record.ownerId !== 'string') return
  const { keepTagMax } = await ruleFor(reads.db, 'crm.sea', now, { staffId: record.ownerId })
  const held = await reads.pinnedBy(record.ownerId)
  if (held >= keepTagMax)
    hook.fail({
      field: 'tags',
      rule: 'keepTagMax',
      message: {
        zh: `每人最多保留 ${keepTagMax} 位客户，负责人已保留 ${held} 位。`,
        en: `A person may keep at most ${keepTagMax} customers; the owner keeps ${held} already.`,
      },
    })
}

export const pinned = (record: EntityRecord): boolean => Array.isArray(record.tags) && record.tags.includes('keep')
