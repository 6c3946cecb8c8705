import type { FastifyInstance } from 'fastify'
import { newId, type Database } from '../platform/database'
import { contextOf, ok } from '../platform/http'

const DAY = 86_400_000
/** A batch is what a person opens in half a minute. */
const MOST_EVENTS = 100
const body = {
  type: 'object',
  required: ['visit', 'events'],
  properties: {
    visit: { type: 'string', pattern: '^[A-Za-z0-9]{8}$', description: 'One open browser tab' },
    events: {
      type: 'array',
      maxItems: MOST_EVENTS,
      items: {
        type: 'object',
        required: ['path', 'ago'],
        properties: {
          path: { type: 'string', maxLength: 300, pattern: '^/[^?#\\s]*$', description: 'Path of the page that was opened' },
          ago: { type: 'integer', minimum: 0, maximum: DAY, description: 'How long ago, in milliseconds' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const

interface Batch {
  visit: string
  events: readonly { path: string; ago: number }[]
}

/**
 * Usage tracking: which pages somebody opened, under the job number and the name of the session (R303). It stays in this
 * database, and only for `days`; with 0 nothing is written.
 */
export function registerUsage(app: FastifyInstance, database: Database, days: number): void {
  app.post(
    '/v2/sys/staff/usage',
    { schema: { summary: 'Tells which pages were opened (R303)', body }, bodyLimit: 65_536 },
    async (request) => {
      const { user, now } = contextOf(request)
      const { visit, events } = request.body as Batch
      if (days > 0 && events.length > 0) {
        await database.query(
          `insert into usage_event (id, at, job_number, name, visit, path)
           select event.id, event.at::timestamptz, $1, $2, $3, event.path
           from unnest($4::text[], $5::text[], $6::text[]) as event(id, at, path)`,
          [
            user.jobNumber,
            user.name,
            visit,
            events.map(() => newId()),
            events.map(({ ago }) => new Date(now.getTime() - ago).toISOString()),
            events.map(({ path }) => path),
          ],
        )
      }
      return ok({})
    },
  )
}

/** Forgets what is older than `days`. */
export async function sweepUsage(database: Database, days: number, now: Date): Promise<void> {
  await database.query('delete from usage_event where at < $1', [new Date(now.getTime() - days * DAY).toISOString()])
}
