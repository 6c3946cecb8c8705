import type { Database, Transaction } from '../platform/database'
import type { RequestContext } from '../platform/http'
import type { ReferenceReader } from './read/references'
import type { SensitiveViews } from './read/sensitiveViews'
import type { Registry } from './registry'
import type { Entities } from './types'

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
  /** The entities for services inside a transaction. */
  entities(tx: Transaction, context: RequestContext): Entities
}
