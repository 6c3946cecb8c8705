import {
  DUPLICATE_DEFAULTS,
  findDuplicates,
  ManyDuplicates,
  type DuplicateHit,
  type DuplicateRules,
  type Identity,
} from '../../duplicates'
import type { EntityModel } from '../../../src/schema/entity'
import { remembering, type Executor, type Transaction } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import type { DuplicatesAnswer, EntityRecord } from '../calls'
import type { Core, WriteContext } from '../core'
import { sameValue } from '../sameValue'
import type { SaveHook } from '../types'
import type { ToldDuplicate } from '../entitiesApi'
import { existing } from '../write/existing'
import { lockKeys } from '../write/keyLocks'
import { answer, decide, refuseRestored, told } from './decide'
import { deriveKeys, duplicatesOf, identifying, identityOf, peopleIn, type Duplicates } from './word'

/** What a check goes by. */
interface Terms {
  rules: DuplicateRules
  /** Domains that prove no identity. */
  shared: ReadonlySet<string>
}

/** The parameters of the check of an entity, as they hold for the caller. */
async function termsOf(core: Core, db: Executor, { word }: Duplicates, context: RequestContext): Promise<Terms> {
  const read = async (key: string | undefined, staffId: string): Promise<EntityRecord> =>
    key === undefined ? {} : ((await core.registry.rules(key, db, context.now, [{ staffId }])).params[0] ?? {})
  const { domains = [] } = (await read(word.shared, '')) as { domains?: readonly { domain: string }[] }
  return {
    rules: { ...DUPLICATE_DEFAULTS, ...(await read(word.rules, context.user.staffId)) },
    shared: new Set(domains.map(({ domain }) => domain)),
  }
}

const lockOf = ({ model }: Duplicates, record: EntityRecord): string => `${model.name} ${String(record.nameKey)}`

/** Records that may be the same as one with derived keys. Nobody else saves one of this name until the transaction ends. */
async function search(
  core: Core,
  tx: Transaction,
  context: RequestContext,
  duplicates: Duplicates,
  record: EntityRecord,
  more: Partial<Identity>,
): Promise<DuplicateHit[]> {
  await lockKeys(tx, [lockOf(duplicates, record)])
  const { rules, shared } = await termsOf(core, tx, duplicates, context)
  return findDuplicates(tx, duplicates.searched, { ...identityOf(duplicates, record, record.id), ...more }, rules, shared)
}

/** What a record may be a duplicate of, the surest first. */
export async function duplicatesAmong(
  { core, tx, context, model }: WriteContext,
  given: EntityRecord,
): Promise<readonly ToldDuplicate[]> {
  const { own } = duplicatesOf(core.registry, model)
  if (!own) return []
  const record = { ...given }
  deriveKeys(core.registry, model, record)
  if (Array.isArray(given.domains)) record.domains = given.domains
  return (await search(core, tx, context, own, record, {})).map((hit) => told(own, hit))
}

/** What a record that is being written may be a duplicate of, before it is saved; null when of nothing. */
export async function askedDuplicates(
  write: WriteContext,
  id: string | undefined,
  given: EntityRecord,
): Promise<DuplicatesAnswer | null> {
  const { core, tx, context, model } = write
  const { own } = duplicatesOf(core.registry, model)
  if (!own) return null
  const stored = id === undefined ? {} : await existing(write, id, false)
  const known = identifying(own).flatMap((name) => (name in given ? [[name, given[name]]] : []))
  const record: EntityRecord = { ...stored, ...Object.fromEntries(known) }
  if (typeof record[own.word.name] !== 'string' || record[own.word.name] === '') return null
  deriveKeys(core.registry, model, record)
  const hits = await search(core, tx, context, own, record, {})
  return hits.length === 0 ? null : answer(write, own, { hits, input: inputOf(own, record) })
}

const inputOf = ({ word }: Duplicates, record: EntityRecord): EntityRecord =>
  Object.fromEntries([word.name, word.country].flatMap((name) => (name === undefined ? [] : [[name, record[name]]])))

/**
 * Refuses a record that exists already (10030001, decision block), asks for a reason where it may (decision warn), and writes the check
 * down. The same of a person whose mail address or number stands with another record.
 */
export async function guardDuplicates(core: Core, hook: SaveHook): Promise<void> {
  const { own, parent } = duplicatesOf(core.registry, hook.model)
  if (own) await guardRecord(core, hook, own, (identity) => search(core, hook.tx, hook.context, own, hook.record, identity))
  if (parent) await guardPerson(core, hook, parent)
}

async function guardRecord(
  core: Core,
  hook: SaveHook,
  duplicates: Duplicates,
  find: (identity: Identity) => Promise<readonly DuplicateHit[]>,
): Promise<void> {
  const { record, before, inputs, origin } = hook
  const { word, people } = duplicates
  if (before && !identifying(duplicates).some((name) => !sameValue(record[name], before[name]))) return
  const person = word.people?.given === undefined ? undefined : inputs[word.people.given]
  const identity = { ...identityOf(duplicates, record, record.id), ...peopleIn(people, person) }
  const hits = await find(identity)
  if (hits.length === 0) return
  const input = inputOf(duplicates, record)
  const reason = word.reason === undefined ? undefined : record[word.reason]
  await decide(core, hook, duplicates, { hits, input, reason, appeal: !before && origin === 'save' })
  if (word.like !== undefined) record[word.like] = hits[0]?.id ?? null
}

async function guardPerson(core: Core, hook: SaveHook, duplicates: Duplicates): Promise<void> {
  const { record, before, tx, context, inputs, model } = hook
  const people = duplicates.people!
  const fields = [people.mail, ...people.phones].filter((name) => name !== undefined)
  const changed = fields.filter((name) => !sameValue(record[name] ?? null, before?.[name] ?? null))
  const found = peopleIn(people, Object.fromEntries(changed.map((name) => [name, record[name]])))
  const all = [...found.emails, ...found.phones]
  if (all.length === 0) return
  await lockKeys(
    tx,
    all.map((one) => `${model.name} ${one}`),
  )
  const parent = record[people.parent]
  const { rules, shared } = await termsOf(core, tx, duplicates, context)
  const nothing = identityOf(duplicates, {}, parent)
  const hits = await findDuplicates(tx, duplicates.searched, { ...nothing, ...found }, rules, shared)
  if (hits.length === 0) return
  const input = { [people.parent]: parent, [model.titleField]: record[model.titleField] }
  const reason = people.reason === undefined ? undefined : inputs[people.reason]
  await decide(core, hook, duplicates, { hits, input, reason, appeal: false })
}

/** A deleted record stays deleted while the same stands as another one. */
export async function guardRestored(write: WriteContext, record: EntityRecord): Promise<void> {
  const { own } = duplicatesOf(write.core.registry, write.model)
  if (!own) return
  const hits = await search(write.core, write.tx, write.context, own, record, {})
  // one that was let through beside another record stands beside it again
  const same = hits.find(
    ({ decision, id }) => decision === 'block' && (own.word.like === undefined || id !== record[own.word.like]),
  )
  if (same) refuseRestored(own, same)
}

/** The check for many new records that are saved together; they are compared with each other too. */
export class DuplicatesInBulk {
  private many: ManyDuplicates | undefined
  private terms: Terms | undefined
  private readonly own: Duplicates | undefined

  constructor(
    private readonly core: Core,
    model: EntityModel,
  ) {
    this.own = duplicatesOf(core.registry, model).own
    if (this.own) this.many = new ManyDuplicates(this.own.searched)
  }

  /** Reads for a batch, in a number of statements that does not grow with it. */
  async prepare(hooks: readonly SaveHook[]): Promise<void> {
    const { own } = this
    const [first] = hooks
    if (!own || !first) return
    await lockKeys(
      first.tx,
      hooks.map(({ record }) => lockOf(own, record)),
    )
    this.terms = await termsOf(this.core, remembering(first.tx), own, first.context)
    const identities = hooks.map(({ record }) => identityOf(own, record, null))
    await this.many!.prepare(first.tx, identities, this.terms.rules, this.terms.shared)
  }

  /** One record after the other, as `guardDuplicates` would. */
  async guard(hook: SaveHook): Promise<void> {
    const { own, terms, many } = this
    if (own)
      await guardRecord(this.core, hook, own, (identity) =>
        Promise.resolve(many!.of({ ...identity, id: null }, terms!.rules, terms!.shared)),
      )
    else await guardDuplicates(this.core, hook)
  }

  /** The record will be stored: those after it are compared with it. */
  accepted({ record }: SaveHook): void {
    const { own } = this
    if (!own) return
    const { word, searched } = own
    this.many!.add({
      ...identityOf(own, record, null),
      id: String(record.id),
      ...(word.code === undefined ? {} : { code: String(record[word.code]) }),
      name: String(record[word.name]),
      facts: Object.fromEntries(Object.keys(searched.facts).map((name) => [name, record[name]])),
    })
  }
}
