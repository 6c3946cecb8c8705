import { ServiceError } from '../../../platform/http'
import type { EntityRecord, EntityService, SaveHook } from '../../../entities'
import { addDays, dayOf } from '../rules/companyDay'
import { guardCustomer, tellSimilar, type HitDesk } from './blacklist/guard'
import { keepAgent } from './buka'
import { CustomersInBulk } from './customerBulk'
import { readsOf, type CustomerReads } from './customerReads'
import { subjectOf } from './customerTransitions'
import { logOwnership } from './ownership'
import { guardLevel } from './level'
import { makeProfile } from './partner/partnerProfile'
import { limitPinned } from './pinned'
import { ruleFor } from '../../../rules'
import { applyTemplate } from './template'

export interface CustomerSaveOptions {
  timeZone: string
  hitDesk: HitDesk
}

/** Blacklist, duplicates, caps and defaults around a save of a customer, one at a time or many of an import. */
export function customerSaves(options: CustomerSaveOptions): Pick<EntityService, 'beforeSave' | 'afterSave' | 'bulk'> {
  const { timeZone } = options
  return {
    async beforeSave(hook) {
      // a customer made of a clue is checked like a typed one
      const converted = isConverted(hook)
      if (hook.origin === 'service' && !converted) return
      const { entities } = hook
      const clue = converted ? ((await entities.find('csc.clue', String(hook.inputs.convertedFrom))) ?? undefined) : undefined
      await checkCustomer(hook, readsOf(hook.tx, hook.now), options, clue)
    },
    async afterSave(hook) {
      const { before, record, entities, now, context, origin } = hook
      if (before || (origin === 'service' && !isConverted(hook))) return
      const owner = await entities.find('sys.staff', String(record.ownerId))
      await logOwnership(entities, now, { customerId: String(record.id), action: 'create', to: owner }, context.user.staffId)
      if (record.partyType === 'partner') await makeProfile(hook)
    },
    bulk: () => new CustomersInBulk(timeZone, (hook, reads) => checkCustomer(hook, reads, options)),
  }
}

/** The rules for a customer whose match keys are derived. */
async function checkCustomer(
  hook: SaveHook,
  reads: CustomerReads,
  { timeZone, hitDesk }: CustomerSaveOptions,
  clue?: EntityRecord,
): Promise<void> {
  const { record, before } = hook
  guardLevel(hook)
  const similar = await guardCustomer(hook, reads, hitDesk, clue)
  if (!before) await admit(hook, reads, timeZone)
  if (isConverted(hook)) record.gainedBy = 'convert'
  await limitPinned(hook, reads)
  await applyTemplate(hook, reads.db, hook.context.user.staffId)
  await keepAgent(hook)
  if (similar) await tellSimilar(hook, similar)
}

/** The gateway makes the customer of a clue; nobody can say so from outside. */
const isConverted = (hook: SaveHook): boolean =>
  hook.origin === 'service' && !hook.before && hook.inputs.convertedFrom !== undefined

/** A new customer: within the holding cap of its owner, protected for the first days. */
async function admit({ record, now }: SaveHook, reads: CustomerReads, timeZone: string): Promise<void> {
  const usage = await reads.usage(String(record.ownerId))
  if (usage.counted + 1 > usage.cap)
    throw new ServiceError('limitRefused', {
      message: {
        zh: `客户保有量已达上限（${usage.counted}/${usage.cap}），请先退回一些客户。`,
        en: `The holding cap is full (${usage.counted}/${usage.cap}); release some customers first.`,
      },
      data: { reason: 'capFull' },
    })
  const rules = await ruleFor(reads.db, 'crm.sea', now, subjectOf(record))
  Object.assign(record, { gainedBy: 'create', protectUntil: addDays(dayOf(now, timeZone), rules.protectDays.create) })
}
