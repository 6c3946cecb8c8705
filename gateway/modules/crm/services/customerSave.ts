import { remembering, type Executor } from '../../../platform/database'
import type { BulkSave, EntityService, SaveHook, RecordOf, SavedHook } from '../../../entities'
import { blacklistIdentityOf, guardCustomer, tellSimilar, type FindBlacklisted, type HitDesk } from './blacklist/guard'
import { BlacklistOfMany, findBlacklisted } from './blacklist/manyMatches'
import { keepAgent, keepPromoter } from './buka'
import { guardLevel } from './level'
import { makeProfile } from './partner/partnerProfile'
import { applyTemplate } from './template'

/** What the rules around a saved customer read. A single save asks the database; an import has read it for many customers at once. */
interface Reads {
  /** For rules, which are the same for every customer. */
  db: Executor
  blacklisted: FindBlacklisted
}

/** Blacklist, template and profile around a save of a customer, one at a time or many of an import. */
export function customerSaves(hitDesk: HitDesk): Pick<EntityService<'crm.customer'>, 'beforeSave' | 'afterSave' | 'bulk'> {
  return {
    async beforeSave(hook) {
      const { origin, checked, inputs, entities, tx, now } = hook
      if (origin === 'service' && !checked) return
      // a customer made of a clue is looked for by the clue's mail and phone, too
      const clue = checked ? ((await entities.find('csc.clue', String(inputs.convertedFrom))) ?? undefined) : undefined
      await check(hook, { db: tx, blacklisted: (identity, rules) => findBlacklisted(tx, identity, rules, now) }, hitDesk, clue)
    },
    async afterSave(hook) {
      if (!hook.before && (hook.origin !== 'service' || hook.checked)) await withProfile([hook])
    },
    bulk: () => new CustomersInBulk(hitDesk),
  }
}

async function check(
  hook: SaveHook<'crm.customer'>,
  { db, blacklisted }: Reads,
  hitDesk: HitDesk,
  clue?: RecordOf<'csc.clue'>,
): Promise<void> {
  guardLevel(hook)
  const similar = await guardCustomer(hook, { db, blacklisted }, hitDesk, clue)
  await applyTemplate(hook, db, hook.context.user.staffId)
  await keepAgent(hook)
  keepPromoter(hook)
  if (similar) await tellSimilar(hook, similar)
}

async function withProfile(hooks: readonly SavedHook<'crm.customer'>[]): Promise<void> {
  for (const hook of hooks) if (hook.record.partyType === 'partner') await makeProfile(hook)
}

/** Customers of one import: what a single save asks the database is read for a batch of them. */
class CustomersInBulk implements BulkSave<'crm.customer'> {
  private reads: Reads | undefined

  constructor(private readonly hitDesk: HitDesk) {}

  async prepare(hooks: readonly SaveHook<'crm.customer'>[]): Promise<void> {
    const [first] = hooks
    if (!first) return
    const identities = hooks.map(({ record }) => blacklistIdentityOf(record))
    const blacklist = await BlacklistOfMany.read(first.tx, identities, first.now)
    const blacklisted: FindBlacklisted = (identity, options) => Promise.resolve(blacklist.matches(identity, options))
    this.reads = { db: remembering(first.tx), blacklisted }
  }

  async beforeSave(hook: SaveHook<'crm.customer'>): Promise<void> {
    await check(hook, this.reads!, this.hitDesk)
  }

  accepted(): void {}

  afterSave(hooks: readonly SavedHook<'crm.customer'>[]): Promise<void> {
    return withProfile(hooks)
  }
}
