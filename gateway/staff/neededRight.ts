import type { FastifyInstance } from 'fastify'
import type { Database } from '../platform/database'
import { contextOf, ok } from '../platform/http'
import { listAdministrators } from './administrators'
import type { Directory } from './directory'
import { namesOf } from './keyNames'

/** What a missing right is called and who can grant it: keys mean nothing to whoever meets a closed door. */
export function registerNeededRight(app: FastifyInstance, { database, directory }: { database: Database; directory: Directory }) {
  app.get<{ Querystring: { key?: string; router?: string } }>(
    '/v2/sys/staff/permission/needed',
    {
      schema: {
        summary: 'What a right is called in the menu, and who can grant it',
        querystring: {
          type: 'object',
          properties: {
            key: { type: 'string', maxLength: 300, description: 'A permission key, or several of which one is enough: a | b' },
            router: { type: 'string', maxLength: 300, description: 'Or the route of a page' },
          },
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const { locale } = contextOf(request)
      const { key = '', router } = request.query
      const menu = router === undefined ? undefined : (await directory.allMenus()).find((one) => one.router === router)
      const keys = menu ? [menu.international] : key.split('|').map((one) => one.trim())
      const [names, ask] = await Promise.all([namesOf(database, directory, keys, locale), listAdministrators(database, locale)])
      return ok({ names, ask })
    },
  )
}
