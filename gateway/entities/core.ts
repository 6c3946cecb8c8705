import type { Database, Transaction } from '../platform/database'
import type { RequestContext, Text } from '../platform/http'
import type { ReferenceReader } from './read/references'
import type { SensitiveViews } from './read/sensitiveViews'
import type { Registry } from './registry'
import type { EntityModel } from '../../src/schema/entity'
import type { EntityRecord } from './calls'
import type { Entities } from './entitiesApi'
import type { EffectRun, VerbContext } from './types'

/** Keeps files and the records that name them together, inside the transaction of a write (platform/files). */
export interface RecordFiles {
  followRecord(
    tx: Transaction,
    context: RequestContext,
    change: { entity: string; recordId: string; before: readonly string[]; after: readonly string[] },
  ): Promise<void>
}

/** What the parts of the engine share. */
export interface Core {
  readonly database: Database
  readonly registry: Registry
  readonly references: ReferenceReader
  readonly views: SensitiveViews
  readonly files?: RecordFiles
  /** Route of the page that shows one record of an entity. */
  readonly detailPage?: ((entity: string) => string | undefined) | undefined
  /** What a set of rules is called, by its key. */
  readonly ruleTitle?: ((key: string) => Text | undefined) | undefined
  /** Told of what fails beside a call. */
  onError(error: unknown, message: string): void
  /** The entities for services inside a transaction. */
  entities(tx: Transaction, context: RequestContext): Entities
  /** What the gateway does for a verb of effects. @throws Error for one that nobody registered */
  verb(name: string): CoreVerb
  /** Puts effects with `later` into the outbox. */
  later: CoreVerb
  /** Takes transitions that follow the data of rows that were written. */
  takeAutomatic(write: WriteContext, written: readonly Written[]): Promise<void>
}

/** A row that was written: `before` is null for a new one; a deleted one has `deletedAt` in `after`. Fields that a bulk change did not read are missing in both. */
export interface Written {
  before: EntityRecord | null
  after: EntityRecord
}

/** Where a write happens. */
export interface WriteContext {
  core: Core
  tx: Transaction
  context: RequestContext
  model: EntityModel
}

/** What the gateway does for a verb. */
export type CoreVerb = (hook: VerbContext & { core: Core }, runs: readonly EffectRun[]) => Promise<readonly unknown[] | void>
