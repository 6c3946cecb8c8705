import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel } from '../../src/schema/entity'
import type { EntityEngine, EntityRecord } from '../entities'
import type { Executor } from '../platform/database'
import { ruleFor, rulesFor, type RuleKey } from '../rules'
import type { CapRule, ClaimRule, HandoverRule, RecyclingRule } from './rules'

/** What both features of ownership say of an entity, for who leaves. */
interface OwnedWord {
  /** Field of the state; the transition that gives a record to somebody else. */
  state: string
  handOver: string
  /** States in which somebody has a record, each with the transition when nobody takes it over. */
  left: Readonly<Record<string, string>>
  /** For whom exceptions of the rules are asked, each with its field. */
  subjects?: Readonly<Record<string, string>>
}

/** What the feature of the whole says (schemas/features/ownership.json); the one of leads says no more than the above. */
interface Word extends OwnedWord {
  /** Field of the companions that refers to the record. */
  reference: string
  /** Entities beside it. */
  log: string
  followUps: string
  stay: string
  share: string
  transfer: string
  item: string
  /** Rule sets. */
  sea: string
  claims: string
  cap: string
  wander: string
  /** Key of who works on the records and may receive them, and of who sees who owns what. */
  work: string
  view: string
  recycling?: RecyclingFields
}

/** Fields that the rules look at; what is not named plays no part. */
interface RecyclingFields {
  stage?: string
  /** Stages of those that have dealt (default `dealt`), and of those that fell silent. */
  dealt?: string
  silent?: string
  dealtAt?: string
  trafficAt?: string
  balance?: string
  /** Tags, of which `keep` keeps a record. */
  tags?: string
  /** Records with this value are never recycled, and the cap may leave them out. */
  spared?: { field: string; value: string }
  /** Function that says what else keeps a record. */
  facts?: string
}

/** An entity whose records have owners or lie in a pool (`x-ownership`, which the features of ownership say). */
export interface Owned {
  readonly name: string
  readonly model: EntityModel
  readonly word: OwnedWord
  readonly recycling: RecyclingFields
}

/** One with the whole of ownership: stays, shares, transfers, caps. */
export interface Subject extends Owned {
  readonly word: Word
}

export const isSubject = (owned: Owned): owned is Subject => 'stay' in owned.word

/** The entity as one with the whole of ownership. @throws Error for another one: a fault of the schemas */
export function subjectOf(engine: EntityEngine, name: string): Subject {
  const owned = ownedOf(engine, name)
  if (!owned || !isSubject(owned)) throw new Error(`The entity "${name}" has no ownership.`)
  return owned
}

function ownedOf(engine: EntityEngine, name: string): Owned | undefined {
  const model = engine.model(name)
  const word = model.document['x-ownership'] as (Partial<Word> & OwnedWord) | undefined
  return word && { name, model, word, recycling: word.recycling ?? {} }
}

/** All entities whose records go over to somebody when their owner leaves: those with the whole of ownership, and leads. */
export const allOwned = (engine: EntityEngine): Owned[] => engine.names().flatMap((name) => ownedOf(engine, name) ?? [])

/** All entities with the whole of ownership. */
export const subjectsOf = (engine: EntityEngine): Subject[] => allOwned(engine).filter(isSubject)

/** Whom a rule's exceptions are asked for: the owner of a record, and what else the word names. */
export const askedFor = ({ word }: Subject, record: EntityRecord): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(word.subjects ?? {}).map(([as, field]) => [as, textOf(record[field]) ?? ''])),
  staffId: textOf(record.ownerId) ?? '',
})

interface Rules {
  sea: RecyclingRule
  claims: ClaimRule
  cap: CapRule
  wander: HandoverRule
}

/** One of the rule sets as it holds now for somebody. */
export const ruleOf = async <Name extends keyof Rules>(
  { word }: Subject,
  name: Name,
  db: Executor,
  now: Date,
  asked: Record<string, string> = {},
): Promise<Rules[Name]> => (await ruleFor(db, word[name] as RuleKey, now, asked)) as unknown as Rules[Name]

/** The same for many members of staff. */
export const rulesOf = async <Name extends keyof Rules>(
  { word }: Subject,
  name: Name,
  db: Executor,
  now: Date,
  staffIds: readonly string[],
): Promise<Rules[Name][]> =>
  (await rulesFor(
    db,
    word[name] as RuleKey,
    now,
    staffIds.map((staffId) => ({ staffId })),
  )) as unknown as Rules[Name][]

/** The table of an entity. */
export const tableOf = (engine: EntityEngine, entity: string): SQL => sql`${sql.identifier(engine.model(entity).table)}`

/** A column of the subject under an alias; null for a field that the word does not name. */
export function columnOf({ model }: Subject, alias: string, field: string | undefined): SQL {
  const found = field === undefined ? undefined : model.fields.get(field)
  return found?.storage === 'stored' ? sql`${sql.identifier(alias)}.${sql.identifier(found.column)}` : sql`null`
}

/** The reference to the subject in one of its companions. */
export const referenceColumn = (engine: EntityEngine, { word }: Subject, companion: string): SQL =>
  sql`${sql.identifier(engine.model(companion).fields.get(word.reference)!.column)}`

/** What the word's field of a record says. */
export const valueOf = (record: EntityRecord, field: string | undefined): unknown =>
  field === undefined ? null : (record[field] ?? null)

/** A text that says something, or null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
