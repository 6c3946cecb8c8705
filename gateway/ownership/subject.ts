import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel } from '../../src/schema/entity'
import type { EntityEngine, EntityRecord } from '../entities'
import type { Executor } from '../platform/database'
import { ruleFor, rulesFor, type RuleKey } from '../rules'
import type { CapRule, ClaimRule, HandoverRule, RecyclingRule } from './rules'

/** What the feature says of an entity (schemas/features/ownership.json). */
interface Word {
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
  /** For whom exceptions of the rules are asked, each with its field. */
  subjects?: Readonly<Record<string, string>>
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

/** An entity whose records have owners or lie in a pool (`x-ownership`, which the feature ownership says). */
export interface Subject {
  readonly name: string
  readonly model: EntityModel
  readonly word: Word
  readonly recycling: RecyclingFields
}

/** The entity as one that is owned. @throws Error for an entity without ownership: a fault of the schemas */
export function subjectOf(engine: EntityEngine, name: string): Subject {
  const model = engine.model(name)
  const word = model.document['x-ownership'] as Word | undefined
  if (!word) throw new Error(`The entity "${name}" has no ownership.`)
  return { name, model, word, recycling: word.recycling ?? {} }
}

/** All entities with ownership. */
export const subjectsOf = (engine: EntityEngine): Subject[] =>
  engine.names().flatMap((name) => (engine.model(name).document['x-ownership'] ? [subjectOf(engine, name)] : []))

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
  (await rulesFor(db, word[name] as RuleKey, now, staffIds.map((staffId) => ({ staffId })))) as unknown as Rules[Name][] // prettier-ignore

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
