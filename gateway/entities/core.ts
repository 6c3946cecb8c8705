import type { Database, Transaction } from '../platform/database'
import type { RequestContext } from '../platform/http'
import type { ReferenceReader } from './read/references'
import type { Registry } from './registry'
import type { Entities } from './types'

/** What the parts of the engine share. */
export interface Core {
  readonly database: Database
  readonly registry: Registry
  readonly references: ReferenceReader
  /** The entities for services inside a transaction. */
  entities(tx: Transaction, context: RequestContext): Entities
}
