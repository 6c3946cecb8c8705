import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import type { AliasConnector } from '../services/alias/connectors'

/** What the jobs of customer relations work with. */
export interface CrmJobParts {
  engine: EntityEngine
  database: Database
  timeZone: string
  /** Systems that are told of alias changes. */
  connectors: ReadonlyMap<string, AliasConnector>
}
