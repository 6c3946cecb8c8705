import type { FastifyInstance } from 'fastify'
import type { Database } from '../platform/database'
import { contextOf, ok, type Locale } from '../platform/http'
import { listAdministrators } from './administrators'
import type { Directory } from './directory'
import { listButtons } from './store'

/** Names of a missing right are few; a menu that is its own ancestor ends here. */
const DEEPEST = 10

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

/** `Customers › My customers › Export`, of each key that is in the menu. */
async function namesOf(database: Database, directory: Directory, keys: readonly string[], locale: Locale): Promise<string[]> {
  const [menus, buttons] = await Promise.all([directory.allMenus(), listButtons(database)])
  const byId = new Map(menus.map((menu) => [menu.id, menu]))
  const pathTo = (menuId: string | null): string[] => {
    const path: string[] = []
    for (let menu = byId.get(menuId ?? ''); menu && path.length < DEEPEST; menu = byId.get(menu.parentId ?? ''))
      path.unshift(locale === 'en' && menu.nameEn ? menu.nameEn : menu.name)
    return path
  }
  return keys.flatMap((key) => {
    const button = buttons.find((one) => one.key === key)
    const menu = menus.find((one) => one.international === key)
    const path = button ? [...pathTo(button.menuId), button[locale]] : menu ? pathTo(menu.id) : []
    return path.length > 0 ? [path.join(' › ')] : []
  })
}
