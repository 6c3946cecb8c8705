import { remembering } from '../../../platform/database'
import type { BulkSave, EntityRecord, SaveHook } from '../../../entities'
import { countsAgainstCap } from '../rules/holding'
import { BlacklistOfMany } from './blacklist/manyMatches'
import { pinnedBy, type CustomerReads } from './customerReads'
import { blacklistIdentityOf } from './blacklist/guard'
import { logOwnership, type OwnershipChange } from './ownership'
import { makeProfile } from './partner/partnerProfile'
import { pinned } from './pinned'
import { ruleFor } from '../../../rules'
import { usageOf } from './usage'

const FAR = 5_000
const BATCHES_OF_A_COUNT = 20

/** Customers of one import: what a single save asks the database is read for a batch of them, and they are compared with each other. */
export class CustomersInBulk implements BulkSave {
  private reads: CustomerReads | undefined
  private batches = 0
  /** Owner -> what he held when it was last counted, and what was accepted since. */
  private usages = new Map<string, Promise<{ counted: number; cap: number }>>()
  private pins = new Map<string, Promise<number>>()
  private held = new Map<string, { counted: number; pinned: number }>()
  private retention: Parameters<typeof countsAgainstCap>[1] | undefined

  constructor(
    private readonly timeZone: string,
    private readonly check: (hook: SaveHook, reads: CustomerReads) => Promise<void>,
  ) {}

  async prepare(hooks: readonly SaveHook[]): Promise<void> {
    const [first] = hooks
    if (!first) return
    const { tx, now, context } = first
    const records = hooks.map(({ record }) => record)
    const db = remembering(tx)
    const blacklist = await BlacklistOfMany.read(tx, records.map(blacklistIdentityOf), now)
    this.retention = await ruleFor(db, 'crm.retention', now, { staffId: context.user.staffId })
    await this.countAnew()
    this.reads = {
      db,
      blacklisted: (identity, options) => Promise.resolve(blacklist.matches(identity, options)),
      usage: async (staffId) => {
        const usage = await once(this.usages, staffId, () => usageOf(tx, staffId, now))
        return { cap: usage.cap, counted: usage.counted + (this.held.get(staffId)?.counted ?? 0) }
      },
      pinnedBy: async (staffId) =>
        (await once(this.pins, staffId, () => pinnedBy(tx, staffId))) + (this.held.get(staffId)?.pinned ?? 0),
    }
  }

  /** Counting takes the longer the more somebody holds: far from the cap one count serves several batches. */
  private async countAnew(): Promise<void> {
    this.batches += 1
    const usages = await Promise.all([...this.usages].map(async ([staffId, usage]) => ({ staffId, ...(await usage) })))
    const far = usages.every(({ staffId, counted, cap }) => cap - counted - (this.held.get(staffId)?.counted ?? 0) > FAR)
    if (far && this.pins.size === 0 && this.batches % BATCHES_OF_A_COUNT !== 0) return
    this.usages = new Map()
    this.pins = new Map()
    this.held = new Map()
  }

  async beforeSave(hook: SaveHook): Promise<void> {
    await this.check(hook, this.reads!)
  }

  accepted({ record, now }: SaveHook): void {
    const owner = String(record.ownerId)
    const held = this.held.get(owner) ?? { counted: 0, pinned: 0 }
    if (countsAgainstCap(factsOf(record), this.retention!, now, this.timeZone)) held.counted += 1
    if (pinned(record)) held.pinned += 1
    this.held.set(owner, held)
  }

  async afterSave(hooks: readonly SaveHook[]): Promise<void> {
    const [first] = hooks
    if (!first) return
    const { entities, now, context } = first
    const owners = new Map<string, Promise<EntityRecord | null>>()
    const changes: OwnershipChange[] = []
    for (const { record } of hooks) {
      const owner = String(record.ownerId)
      const to = await once(owners, owner, () => entities.find('sys.staff', owner))
      changes.push({ customerId: String(record.id), action: 'create', to })
    }
    await logOwnership(entities, now, changes, context.user.staffId)
    for (const hook of hooks) if (hook.record.partyType === 'partner') await makeProfile(hook)
  }
}

const factsOf = (record: EntityRecord): Parameters<typeof countsAgainstCap>[0] => ({
  holding: String(record.holding),
  level: String(record.level),
  stage: String(record.stage),
  lastTrafficAt: typeof record.lastTrafficAt === 'string' ? record.lastTrafficAt : null,
})

function once<Value>(known: Map<string, Promise<Value>>, key: string, read: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? read()
  known.set(key, value)
  return value
}
