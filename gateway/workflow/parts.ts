import type { FastifyInstance } from 'fastify'
import type { EntityEngine } from '../entities'
import type { LiveSchemas } from '../pages'
import type { Database } from '../platform/database'
import type { Queue } from '../platform/queue'
import type { Scheduler } from '../platform/jobs'
import type { Directory } from '../staff'

/** What the calls of approvals are made of. */
export interface WorkflowParts {
  app: FastifyInstance
  engine: EntityEngine
  database: Database
  /** The documents in force: processes that are shipped, entities and dictionaries of forms. */
  schemas: LiveSchemas
  directory: Directory
  queue: Queue
  scheduler: Scheduler
  /** IANA zone of the company: working hours and days. */
  timeZone: string
  /** The data folder: what is coming in lies there first. */
  folder: string
  now: () => Date
  /** Origin under which people reach the portal: links of chat notices lead there. */
  origin: () => string
  /** Webhooks of chat notices may lead into private networks. */
  allowPrivate: boolean
  onError: (error: unknown, message: string) => void
}
