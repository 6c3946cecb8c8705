import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'

/** What the jobs of customer relations work with. */
export interface CrmJobParts {
  engine: EntityEngine
  database: Database
  timeZone: string
}
