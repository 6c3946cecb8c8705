import type { FastifyInstance } from 'fastify'
import type { EntityEngine } from '../../entities'
import type { Database } from '../../platform/database'
import { ServiceError, contextOf, ok } from '../../platform/http'
import type { RequestContext } from '../../platform/http'
import type { Directory } from '../directory'
import { nodeOf } from '../menuTree'
import type { MenuNode } from '../menuTree'
import { listButtons, listMenus, listRoles } from '../store'
import type { ButtonRow, MenuRow } from '../store'

export interface MenuParts {
  database: Database
  engine: EntityEngine
  directory: Directory
  /** Whether the portal has a route; `page` is false while its page is not there yet. */
  routeOf: (path: string) => { page: boolean } | undefined
}

const VIEW = 'setModule:authManage:menu'
const EDIT = 'setModule:authManage:menu:edit'
const ROLES = 'setModule:authManage:permissions'

/** An entry in the management of menus. */
interface ManagedNode extends Omit<MenuNode, 'children'> {
  sortNo: number
  mobileFlag: boolean
  version: number
  buttons: { id: string; key: string; zh: string; en: string; grantedBy: number }[]
  /** Number of roles that grant the entry. */
  grantedBy: number
  warnings: { field: string; message: string }[]
  children: ManagedNode[]
}

interface Move {
  id: string
  parentId: string | null
  sortNo: number
}

/** The management of menus beside the generic calls of sys.menuResource and sys.resourceButton. */
export function registerMenuRoutes(app: FastifyInstance, { database, engine, directory, routeOf }: MenuParts): void {
  app.get(
    '/v2/sys/menuResource/tree',
    { schema: { summary: 'All menus with keys, grants and warnings' }, config: { permission: [VIEW, ROLES] } },
    async (request) => {
      const context = contextOf(request)
      const [menus, buttons, roles] = await Promise.all([listMenus(database), listButtons(database), listRoles(database)])
      const grants = {
        menus: countIn(roles.map((role) => role.resourceIds ?? [])),
        keys: countIn(roles.map((role) => role.buttonKeys ?? [])),
      }
      return ok(managedTree(menus, buttons, grants, (menu) => warningsFor(menu, routeOf, context)))
    },
  )

  const routerQuery = {
    type: 'object',
    required: ['router'],
    properties: { router: { type: 'string', maxLength: 200 } },
  } as const
  app.get(
    '/v2/sys/menuResource/routerCheck',
    { schema: { summary: 'Whether the portal has a route', querystring: routerQuery }, config: { permission: VIEW } },
    (request) => {
      const { router } = request.query as { router: string }
      const context = contextOf(request)
      return ok({ warnings: warningsFor({ router, iframeName: null }, routeOf, context) })
    },
  )

  const moveBody = {
    type: 'object',
    required: ['moves'],
    additionalProperties: false,
    properties: {
      moves: {
        type: 'array',
        minItems: 1,
        maxItems: 500,
        items: {
          type: 'object',
          required: ['id', 'parentId', 'sortNo'],
          additionalProperties: false,
          properties: {
            id: { type: 'string' },
            parentId: { type: ['string', 'null'] },
            sortNo: { type: 'integer', minimum: 0, maximum: 1_000_000 },
          },
        },
      },
    },
  } as const
  app.post(
    '/v2/sys/menuResource/reorder',
    { schema: { summary: 'Moves and sorts entries, all or none', body: moveBody }, config: { permission: EDIT } },
    async (request) => {
      const context = contextOf(request)
      const { moves } = request.body as { moves: Move[] }
      const answer = await engine.transaction(context, async (entities, tx) => {
        await tx.query(`select pg_advisory_xact_lock(hashtext('switchboard menus'))`)
        for (const { id, parentId, sortNo } of moves) {
          const before = await entities.find('sys.menuResource', id)
          if (!before) throw new ServiceError('notFound')
          if (before['parentId'] !== parentId || before['sortNo'] !== sortNo)
            await entities.save('sys.menuResource', { id, parentId, sortNo })
        }
        const moved = { moved: moves.length }
        await context.idempotence?.settle(tx, ok(moved))
        return moved
      })
      directory.forget('*')
      return ok(answer)
    },
  )
}

function managedTree(
  menus: readonly MenuRow[],
  buttons: readonly ButtonRow[],
  grants: { menus: ReadonlyMap<string, number>; keys: ReadonlyMap<string, number> },
  warnings: (menu: MenuRow) => ManagedNode['warnings'],
): ManagedNode[] {
  const nodes = new Map(
    menus.map((menu): [string, ManagedNode] => [
      menu.id,
      {
        ...nodeOf(menu, 'zh'),
        sortNo: menu.sortNo ?? 0,
        mobileFlag: menu.mobileFlag === true,
        version: menu.version,
        buttons: [],
        grantedBy: grants.menus.get(menu.id) ?? 0,
        warnings: warnings(menu),
        children: [],
      },
    ]),
  )
  for (const { id, key, menuId, zh, en } of buttons)
    nodes.get(menuId)?.buttons.push({ id, key, zh, en, grantedBy: grants.keys.get(key) ?? 0 })
  const roots: ManagedNode[] = []
  for (const node of nodes.values()) (nodes.get(node.parentId ?? '')?.children ?? roots).push(node)
  return roots
}

/** A route that the portal does not have is a warning, not an error: the page may come with the next release. */
function warningsFor(
  menu: Pick<MenuRow, 'router' | 'iframeName'>,
  routeOf: MenuParts['routeOf'],
  { locale }: RequestContext,
): ManagedNode['warnings'] {
  if (menu.router === null || menu.router === '' || menu.iframeName || /^https?:\/\//.test(menu.router)) return []
  const route = routeOf(menu.router)
  const message = route
    ? route.page
      ? undefined
      : {
          zh: '该路由的页面尚未提供，不会出现在菜单中。',
          en: 'The page of this route is not there yet; the entry stays out of the menu.',
        }
    : { zh: `门户没有路由“${menu.router}”。`, en: `The portal has no route "${menu.router}".` }
  return message ? [{ field: 'router', message: message[locale] }] : []
}

function countIn(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const list of lists) for (const item of new Set(list)) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}
