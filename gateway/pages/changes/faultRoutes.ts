import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database'
import { contextOf, ok } from '../../platform/http'
import type { RegisteredPage } from '../routes'
import type { LiveSchemas } from './live'
import { faultsOf, noteFault } from './store'

const EDIT = 'setModule:pages'
const TAGS = ['pages']

/** Revision of a page as a caller gets it now, with what is hidden from him and what a rule makes of it. */
export type RevisionFor = (request: FastifyRequest, page: RegisteredPage) => Promise<string>

interface FaultParts {
  database: Database
  live: LiveSchemas
  revisionFor: RevisionFor
}

/** What browsers could not show: they tell it, the admins of pages read it. */
export function registerFaultRoutes(app: FastifyInstance, { database, live, revisionFor }: FaultParts): void {
  app.post<{ Body: { where: string; at: string; message: string; revision?: string } }>(
    '/v2/sys/page/fault',
    {
      schema: {
        tags: TAGS,
        summary: 'A browser tells that a place of a page could not be shown',
        body: {
          type: 'object',
          required: ['where', 'at', 'message'],
          additionalProperties: false,
          properties: {
            where: { type: 'string', maxLength: 300, description: 'File or target of the page' },
            at: { type: 'string', maxLength: 300 },
            message: { type: 'string', maxLength: 1000 },
            revision: { type: 'string', maxLength: 80, description: 'The revision that was shown; without it the newest one' },
          },
        },
      },
    },
    async (request) => {
      const { where, at, message, revision } = request.body
      const page = live.pages.find((one) => one.where === where)
      if (page) {
        // Everybody has revisions of his own; what stands now is one for the admins.
        const stands = revision === undefined || revision === (await revisionFor(request, page))
        const shown = stands ? live.bundle(page).revision : revision
        await noteFault(database, { page: page.name, revision: shown, at, message, now: contextOf(request).now })
      }
      return ok({})
    },
  )

  app.get<{ Querystring: { page: string } }>(
    '/v2/sys/schema/faults',
    {
      config: { permission: EDIT },
      schema: {
        tags: TAGS,
        summary: 'What browsers could not show of a page, the newest first',
        querystring: {
          type: 'object',
          required: ['page'],
          additionalProperties: false,
          properties: { page: { type: 'string', maxLength: 200, description: 'module/file' } },
        },
      },
    },
    async (request) => {
      const page = live.page(request.query.page)
      const current = page && live.bundle(page).revision
      const faults = await faultsOf(database, request.query.page)
      return ok({ faults: faults.map((fault) => ({ ...fault, current: fault.revision === current })) })
    },
  )
}
