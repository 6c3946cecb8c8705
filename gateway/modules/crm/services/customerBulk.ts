import { remembering } from '../../../platform/database'
import type { BulkSave, EntityRecord, SaveHook } from '../../../entities'
import type { Candidate } from '../duplicate/findDuplicates'
import { ManyDuplicates } from '../duplicate/manyDuplicates'
import { countsAgainstCap } from '../rules/holding'
import { BlacklistOfMany } from './blacklist/manyMatches'
import { nameLock, pinnedBy, type CustomerReads } from './customerReads'
import { deriveKeys, identityOf } from './duplicateGuard'
import { blacklistIdentityOf } from './blacklist/guard'
import { logOwnership, type OwnershipChange } from './ownership'
import { makeProfile } from './partner/partnerProfile'
import { pinned } from './pinned'
import { ruleFor, sharedDomains } from './rules'
import { usageOf } from './usage'
import { textOf, textsOf } from './values'

/** Customers of one import: what a single save asks the database is read for a batch of them, and they are compared with each other. */
export class CustomersInBulk implements BulkSave {
  private readonly duplicates = new ManyDuplicates()
  private reads: CustomerReads | undefined
  /** Owner -> customers accepted in this batch: in all that count, and those that he keeps. */
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
    const { timeZone, duplicates } = this
    for (const { record } of hooks) deriveKeys(record, [])
    const records = hooks.map(({ record }) => record)
    const keys = [...new Set(records.map((record) => nameLock(String(record.nameKey))))]
    // in one order everywhere, so that two imports never wait for each other
    await tx.query(
      `select pg_advisory_xact_lock(hash) from (select distinct hashtext(name) as hash from unnest($1::text[]) as name order by 1) as locks`,
      [keys],
    )
    const db = remembering(tx)
    const blacklist = await BlacklistOfMany.read(tx, records.map(blacklistIdentityOf), now)
    const rules = await ruleFor(db, 'crm.duplicate', now, { staffId: context.user.staffId })
    await duplicates.prepare(tx, records.map(identityOf), rules, new Set(await sharedDomains(db, now)))
    this.retention = await ruleFor(db, 'crm.retention', now, { staffId: context.user.staffId })
    this.held = new Map()
    const usages = new Map<string, ReturnType<typeof usageOf>>()
    const pins = new Map<string, Promise<number>>()
    this.reads = {
      db,
      blacklisted: (identity, options) => Promise.resolve(blacklist.matches(identity, options)),
      duplicates: (identity, options, domains) => Promise.resolve(duplicates.of(identity, options, domains)),
      lockName: () => Promise.resolve(),
      usage: async (staffId) => {
        const usage = await once(usages, staffId, () => usageOf(tx, staffId, now, timeZone))
        return { cap: usage.cap, counted: usage.counted + (this.held.get(staffId)?.counted ?? 0) }
      },
      pinnedBy: async (staffId) =>
        (await once(pins, staffId, () => pinnedBy(tx, staffId))) + (this.held.get(staffId)?.pinned ?? 0),
    }
  }

  async beforeSave(hook: SaveHook): Promise<void> {
    await this.check(hook, this.reads!)
  }

  accepted({ record, now }: SaveHook): void {
    this.duplicates.add(candidateOf(record))
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

const candidateOf = (record: EntityRecord): Candidate => ({
  ...identityOf(record),
  id: String(record.id),
  code: String(record.code),
  name: String(record.name),
  domains: textsOf(record.domains),
  holding: String(record.holding),
  ownerDeptId: textOf(record.ownerDeptId),
})

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
