import type { EntityRecord, SaveHook } from '../../../entities'
import { ruleFor } from './rules'

/** An owner may keep a few customers from being recycled with the tag `keep` (CRM rule 9.2, keepTagMax). */
export async function limitPinned(hook: SaveHook): Promise<void> {
  const { record, before, tx, now } = hook
  if (!pinned(record) || (before && pinned(before)) || typeof record.ownerId !== 'string') return
  const { keepTagMax } = await ruleFor(tx, 'crm.sea', now, { staffId: record.ownerId })
  const { rows } = await tx.query<{ held: number }>(
    `select count(*) as held from crm_customer where owner_id = $1 and deleted_at is null and tags @> '["keep"]'::jsonb`,
    [record.ownerId],
  )
  const held = Number(rows[0]?.held ?? 0)
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

const pinned = (record: EntityRecord): boolean => Array.isArray(record.tags) && record.tags.includes('keep')
