import { sql } from 'drizzle-orm'
import type { BulkSave, Entities, EntityEngine, EntityRecord, EntityService, SaveHook } from '../entities'
import { addDays, dayOf } from '../platform/calendar'
import { remembering, type Executor } from '../platform/database'
import { ServiceError } from '../platform/http'
import { logOwnership } from './log'
import { mergingOf } from './merging'
import type { CapRule } from './rules'
import { askedFor, columnOf, ruleOf, tableOf, valueOf, type Subject } from './subject'
import { claimsLeft, counts, usageOf } from './usage'

/** What the rules around a save read. A single save asks the database; an import has read it for many records at once. */
interface Reads {
  /** For rules and people, which are the same for every record. */
  db: Executor
  /** How many records count against the cap of their owner, and the cap. */
  usage(staffId: string): Promise<{ counted: number; cap: number }>
  /** Records that a person keeps from being recycled. */
  keptBy(staffId: string): Promise<number>
}

const readsOf = (engine: EntityEngine, subject: Subject, tx: Executor, now: Date): Reads => ({
  db: tx,
  usage: (staffId) => usageOf(engine, subject, tx, staffId, now),
  keptBy: (staffId) => keptBy(engine, subject, tx, staffId),
})

/** Hooks on every entity with ownership: caps and protection of new records, the log, what a page of the pool tells. */
export function ownedService(engine: EntityEngine, subject: Subject, timeZone: string): EntityService {
  return {
    shares: {
      entity: subject.word.share,
      record: subject.word.reference,
      staff: 'toStaffId',
      department: 'toDeptId',
      until: 'until',
      where: [{ field: 'status', value: 'accepted' }],
      edit: { field: 'mode', value: 'edit' },
    },
    async beforeSave(hook) {
      if (isNoted(hook)) await admit(subject, hook, readsOf(engine, subject, hook.tx, hook.now), timeZone)
    },
    async afterSave(hook) {
      if (isNoted(hook) && !hook.before) await noteNew(subject, [hook])
    },
    bulk: () => new OwnedInBulk(engine, subject, timeZone),
    ...mergingOf(engine, subject),
    async afterRestore({ entities, record }) {
      const owner = record.holding === 'private' ? await entities.find('sys.staff', String(record.ownerId)) : null
      if (owner?.status === 'left') await entities.transition(subject.name, String(record.id), 'ownerLeft')
    },
    async computeFields(records, { db, context, now, view }) {
      const pooled = records.filter((record) => record.holding === 'sea')
      if (view?.scope !== 'pool' || pooled.length === 0) return
      const left = claimsLeft(await usageOf(engine, subject, db, context.user.staffId, now))
      const whyNot = await engine.whyNot(subject.name, { db, context }, pooled, 'claim')
      for (const [index, record] of pooled.entries()) {
        record.claimRefusedBecause = whyNot[index]?.[context.locale] ?? null
        record.claimsLeft = left
      }
    },
  }
}

/** What people save, and what a service saves as if it was typed. */
const isNoted = ({ origin, checked }: SaveHook): boolean => origin !== 'service' || checked

/** A new record: within the holding cap of its owner, protected for the first days. Whoever keeps one may keep a few only. */
async function admit(subject: Subject, hook: SaveHook, reads: Reads, timeZone: string): Promise<void> {
  await limitKept(subject, hook, reads)
  const { record, before, now, origin } = hook
  if (before) return
  const { counted, cap } = await reads.usage(String(record.ownerId))
  const { zh } = subject.model.label
  if (counted + 1 > cap)
    throw new ServiceError('limitRefused', {
      message: {
        zh: `${zh}保有量已达上限（${counted}/${cap}），请先退回一些${zh}。`,
        en: `The holding cap is full (${counted}/${cap}); release some ${subject.model.label.en.toLowerCase()}s first.`,
      },
      data: { reason: 'capFull' },
    })
  const { protectDays } = await ruleOf(subject, 'sea', reads.db, now, askedFor(subject, record))
  const protectUntil = addDays(dayOf(now, timeZone), protectDays.create)
  Object.assign(record, { gainedBy: origin === 'service' ? 'convert' : 'create', protectUntil })
}

/** An owner may keep a few records from being recycled with the tag `keep` (rule 9.2, keepTagMax). */
async function limitKept(subject: Subject, { record, before, now, fail }: SaveHook, reads: Reads): Promise<void> {
  if (!isKept(subject, record) || (before && isKept(subject, before)) || typeof record.ownerId !== 'string') return
  const { keepTagMax } = await ruleOf(subject, 'sea', reads.db, now, { staffId: record.ownerId })
  const kept = await reads.keptBy(record.ownerId)
  const { zh, en } = subject.model.label
  if (kept >= keepTagMax)
    fail({
      field: subject.recycling.tags!,
      rule: 'keepTagMax',
      message: {
        zh: `每人最多保留 ${keepTagMax} 位${zh}，负责人已保留 ${kept} 位。`,
        en: `A person may keep at most ${keepTagMax} ${en.toLowerCase()}s; the owner keeps ${kept} already.`,
      },
    })
}

function isKept({ recycling }: Subject, record: EntityRecord): boolean {
  const tags = valueOf(record, recycling.tags)
  return Array.isArray(tags) && tags.includes('keep')
}

async function keptBy(engine: EntityEngine, subject: Subject, db: Executor, staffId: string): Promise<number> {
  const tags = columnOf(subject, 'c', subject.recycling.tags)
  const { rows } = await db.query<{ kept: number }>(
    sql`select count(*) as kept from ${tableOf(engine, subject.name)} c where c.owner_id = ${staffId} and c.deleted_at is null and ${tags} @> '["keep"]'::jsonb`,
  )
  return Number(rows[0]?.kept ?? 0)
}

async function noteNew(subject: Subject, hooks: readonly SaveHook[]): Promise<void> {
  const { entities, now, context } = hooks[0]!
  const owners = new Map<string, Promise<EntityRecord | null>>()
  const changes = hooks.map(async ({ record }) => {
    const to = await once(owners, String(record.ownerId), (id) => entities.find('sys.staff', id))
    return { recordId: String(record.id), action: 'create' as const, to }
  })
  await logOwnership(subject, { entities, now, byId: context.user.staffId }, await Promise.all(changes))
}

const FAR = 5_000
const BATCHES_OF_A_COUNT = 20

/** Records of one import: what a single save asks the database is counted once for a batch, and those accepted count along. */
class OwnedInBulk implements BulkSave {
  private reads: Reads | undefined
  private batches = 0
  /** Owner -> what he held when it was last counted, and what was accepted since. */
  private usages = new Map<string, Promise<{ counted: number; cap: number }>>()
  private kept = new Map<string, Promise<number>>()
  private held = new Map<string, { counted: number; kept: number }>()
  private cap: CapRule | undefined

  constructor(
    private readonly engine: EntityEngine,
    private readonly subject: Subject,
    private readonly timeZone: string,
  ) {}

  async prepare(hooks: readonly SaveHook[]): Promise<void> {
    const [first] = hooks
    if (!first) return
    const { tx, now, context } = first
    const { engine, subject } = this
    const db = remembering(tx)
    this.cap = await ruleOf(subject, 'cap', db, now, { staffId: context.user.staffId })
    await this.countAnew()
    this.reads = {
      db,
      usage: async (staffId) => {
        const { cap, counted } = await once(this.usages, staffId, (id) => usageOf(engine, subject, tx, id, now))
        return { cap, counted: counted + (this.held.get(staffId)?.counted ?? 0) }
      },
      keptBy: async (staffId) =>
        (await once(this.kept, staffId, (id) => keptBy(engine, subject, tx, id))) + (this.held.get(staffId)?.kept ?? 0),
    }
  }

  /** Counting takes the longer the more somebody holds: far from the cap one count serves several batches. */
  private async countAnew(): Promise<void> {
    this.batches += 1
    const usages = await Promise.all([...this.usages].map(async ([staffId, usage]) => ({ staffId, ...(await usage) })))
    const far = usages.every(({ staffId, counted, cap }) => cap - counted - (this.held.get(staffId)?.counted ?? 0) > FAR)
    if (far && this.kept.size === 0 && this.batches % BATCHES_OF_A_COUNT !== 0) return
    this.usages = new Map()
    this.kept = new Map()
    this.held = new Map()
  }

  async beforeSave(hook: SaveHook): Promise<void> {
    await admit(this.subject, hook, this.reads!, this.timeZone)
  }

  accepted({ record, now }: SaveHook): void {
    const owner = String(record.ownerId)
    const held = this.held.get(owner) ?? { counted: 0, kept: 0 }
    if (counts(this.subject, record, this.cap!, now, this.timeZone)) held.counted += 1
    if (isKept(this.subject, record)) held.kept += 1
    this.held.set(owner, held)
  }

  async afterSave(hooks: readonly SaveHook[]): Promise<void> {
    if (hooks.length > 0) await noteNew(this.subject, hooks)
  }
}

function once<Value>(known: Map<string, Promise<Value>>, key: string, read: (key: string) => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? read(key)
  known.set(key, value)
  return value
}

/** A record that comes about without a form counts against the cap of its owner too (rule 9.4). */
export async function refuseAboveCap(
  engine: EntityEngine,
  subject: Subject,
  { tx, now, entities }: { tx: Executor; now: Date; entities: Entities },
  record: EntityRecord,
): Promise<void> {
  const owner = record.holding === 'private' ? await entities.find('sys.staff', String(record.ownerId)) : null
  if (!owner || owner.status === 'left') return
  const { counted, cap } = await usageOf(engine, subject, tx, String(owner.id), now)
  const { zh, en } = subject.model.label
  if (counted + 1 > cap)
    throw new ServiceError('limitRefused', {
      message: {
        zh: `负责人的${zh}保有量已达上限（${counted}/${cap}），须先退回一些${zh}。`,
        en: `The holding cap of its owner is full (${counted}/${cap}); the owner has to release some ${en.toLowerCase()}s first.`,
      },
      data: { reason: 'capFull' },
    })
}
