import type { FastifyInstance } from 'fastify'
import type { Change } from '../../../src/schema/overlay'
import type { Database } from '../../platform/database'
import { contextOf, ok } from '../../platform/http'
import type { SchemaChanges } from './changes'
import { saveDraftSet } from './draftSet'
import type { LiveSchemas } from './live'
import { noteEditor } from './store'

const EDIT = 'setModule:pages'
const TAGS = ['pages']
const TARGET = { type: 'string', minLength: 3, maxLength: 220 } as const
const ROLE = { type: ['string', 'null'], maxLength: 60 } as const

interface SetParts {
  database: Database
  live: LiveSchemas
  changes: SchemaChanges
}

/** Drafts that are made together, and who edits a draft at the moment. */
export function registerSetRoutes(app: FastifyInstance, { database, changes }: SetParts): void {
  app.post<{ Body: { drafts: { target: string; role?: string | null; changes: Change[] }[] } }>(
    '/v2/sys/schema/draft/set',
    {
      config: { permission: EDIT },
      schema: {
        tags: TAGS,
        summary: 'Makes several drafts together, all or none: they are looked at and released together',
        body: {
          type: 'object',
          required: ['drafts'],
          additionalProperties: false,
          properties: {
            drafts: {
              type: 'array',
              minItems: 1,
              maxItems: 20,
              items: {
                type: 'object',
                required: ['target', 'changes'],
                additionalProperties: false,
                properties: {
                  target: TARGET,
                  role: ROLE,
                  changes: { type: 'array', maxItems: 5000, items: { type: 'object', additionalProperties: true } },
                },
              },
            },
          },
        },
      },
    },
    async (request) => {
      const overlays = request.body.drafts.map(({ target, role, changes: made }) => ({ target, role: role ?? '', changes: made }))
      const { drafts } = await saveDraftSet(database, changes, contextOf(request), overlays)
      return ok({ drafts: drafts.map(({ role, ...draft }) => ({ ...draft, role: role === '' ? null : role })) })
    },
  )

  app.get<{ Querystring: { target: string; role?: string } }>(
    '/v2/sys/schema/presence',
    {
      config: { permission: EDIT },
      schema: {
        tags: TAGS,
        summary: 'Who else has a draft open; notes that the caller has',
        querystring: {
          type: 'object',
          required: ['target'],
          additionalProperties: false,
          properties: { target: TARGET, role: { type: 'string', maxLength: 60 } },
        },
      },
    },
    async (request) => {
      const { target, role = '' } = request.query
      const { user, now } = contextOf(request)
      changes.requireTarget({ target, role })
      const others = await noteEditor(database, { target, role, staffId: user.staffId, now })
      return ok({ others })
    },
  )
}
