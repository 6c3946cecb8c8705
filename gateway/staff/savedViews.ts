import type { FastifyInstance } from 'fastify'
import type { SavedView } from '../../src/schema/model'
import { newId, type Database } from '../platform/database'
import { ServiceError, can, contextOf, ok, type RequestContext } from '../platform/http'
import { staffName, type Directory } from './directory'
import { readPreference } from './preferences'

interface ViewParts {
  database: Database
  directory: Directory
}

interface StoredView extends Omit<SavedView, 'first' | 'editable' | 'sharedBy'> {
  ownerId: string
  owner: Record<'zh' | 'en', string> | null
}

/** Whoever designs pages keeps shared views in order. */
const KEEPER = 'setModule:pages'
const MOST_OF_PERSON = 50

const listKey = { type: 'string', pattern: '^[\\w.:/@#-]{1,200}$' } as const
const id = { type: 'string', minLength: 1, maxLength: 40 } as const
const version = { type: 'integer', minimum: 1 } as const

interface SaveBody extends Pick<SavedView, 'title' | 'query' | 'settings' | 'roles' | 'opensFirst'> {
  id?: string
  version?: number
  list: string
}

/** Saved views of lists; one call answers them with the person's own settings of the list. */
export function registerSavedViews(app: FastifyInstance, { database, directory }: ViewParts): void {
  app.get<{ Querystring: { list: string } }>(
    '/v2/sys/staff/views',
    {
      schema: {
        summary: 'Saved views of a list that the person sees, and his own settings of it',
        querystring: { type: 'object', required: ['list'], properties: { list: listKey } },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const { staffId, roleCodes } = context.user
      const { list } = request.query
      const [settings, views] = await Promise.all([
        readPreference(database, staffId, `list:${list}`),
        viewsOf(database, 'view.list = $1 and (view.owner_id = $2 or view.roles ?| $3)', [list, staffId, roleCodes]),
      ])
      return ok({ settings, views: views.map((view) => told(view, context)) })
    },
  )

  app.get('/v2/sys/staff/views/roles', { schema: { summary: 'Roles that the person may share a view with' } }, async (request) =>
    ok(await sharedWith(directory, contextOf(request))),
  )

  app.post<{ Body: SaveBody }>(
    '/v2/sys/staff/views/save',
    {
      schema: {
        summary: 'Keeps a view of a list under a name, or changes one',
        body: {
          type: 'object',
          required: ['list', 'title', 'query', 'settings', 'roles', 'opensFirst'],
          additionalProperties: false,
          properties: {
            ...{ id, version, list: listKey },
            title: { type: 'string', minLength: 1, maxLength: 60, pattern: '\\S' },
            query: { type: 'string', maxLength: 4000 },
            settings: { type: ['object', 'null'] },
            roles: { type: 'array', maxItems: 50, uniqueItems: true, items: { type: 'string', maxLength: 30 } },
            opensFirst: { type: 'boolean' },
          },
        },
      },
      bodyLimit: 65_536,
    },
    async (request) => ok(await save({ database, directory }, contextOf(request), request.body)),
  )

  app.post<{ Body: { id: string; version: number } }>(
    '/v2/sys/staff/views/remove',
    {
      schema: {
        summary: 'Takes a saved view away, from everybody who sees it',
        body: { type: 'object', required: ['id', 'version'], additionalProperties: false, properties: { id, version } },
      },
    },
    async (request) => {
      const { id: viewId, version: known } = request.body
      await kept(database, contextOf(request), viewId, known)
      changed(await database.query('delete from staff_view where id = $1 and version = $2', [viewId, known]))
      return ok({ id: viewId })
    },
  )
}

async function viewsOf(database: Database, where: string, parameters: readonly unknown[]): Promise<StoredView[]> {
  const { rows } = await database.query<StoredView>(
    `select view.id, view.title, view.query, view.settings, view.roles, view.opens_first as "opensFirst", view.owner_id as "ownerId",
            view.version, ${staffName('staff')} as owner
       from staff_view as view left join sys_staff as staff on staff.id = view.owner_id
      where ${where} order by view.created_at, view.id`,
    [...parameters],
  )
  return rows
}

const told = ({ ownerId, owner, ...view }: StoredView, context: RequestContext): SavedView => ({
  ...view,
  first: view.opensFirst && view.roles.some((code) => context.user.roleCodes.includes(code)),
  editable: mayEdit({ ...view, ownerId }, context),
  ...(ownerId === context.user.staffId ? {} : { sharedBy: owner?.[context.locale] ?? '' }),
})

const mayEdit = ({ ownerId, roles }: Pick<StoredView, 'ownerId' | 'roles'>, context: RequestContext): boolean =>
  ownerId === context.user.staffId || (roles.length > 0 && can(context, KEEPER))

/** His own roles; all of them for whoever designs pages. */
async function sharedWith(directory: Directory, context: RequestContext): Promise<{ code: string; title: string }[]> {
  const all = await directory.roleViews()
  return all
    .filter(({ code }) => can(context, KEEPER) || context.user.roleCodes.includes(code))
    .map(({ code, name }) => ({ code, title: name[context.locale] }))
}

async function save(parts: ViewParts, context: RequestContext, body: SaveBody): Promise<{ id: string; version: number }> {
  const { database, directory } = parts
  const { title, query, settings, roles, opensFirst, list } = body
  const { staffId } = context.user
  const before = body.id === undefined ? undefined : await kept(database, context, body.id, body.version ?? 0)
  const mayShare = new Set((await sharedWith(directory, context)).map(({ code }) => code))
  const foreign = roles.filter((code) => !mayShare.has(code) && !before?.roles.includes(code))
  if (foreign.length > 0)
    throw new ServiceError('noPermission', {
      message: {
        zh: `视图只能共享给自己所在的权限组，不能共享给：${foreign.join('、')}。`,
        en: `A view can be shared with your own roles only, not with: ${foreign.join(', ')}.`,
      },
    })
  if (opensFirst && !before?.opensFirst && !can(context, KEEPER))
    throw new ServiceError('noPermission', {
      message: {
        zh: '只有页面设计者可以决定列表首先显示的视图。',
        en: 'Only designers of pages decide with which view a list opens.',
      },
    })
  const values = [title.trim(), query, JSON.stringify(settings), JSON.stringify(roles), opensFirst && roles.length > 0]
  if (before) {
    const next = before.version + 1
    changed(
      await database.query(
        `update staff_view set title = $1, query = $2, settings = $3::jsonb, roles = $4::jsonb, opens_first = $5, version = $6
          where id = $7 and version = $8`,
        [...values, next, before.id, before.version],
      ),
    )
    return { id: before.id, version: next }
  }
  const viewId = newId()
  const { rowCount } = await database.query(
    `insert into staff_view (title, query, settings, roles, opens_first, id, list, owner_id, version, created_at)
     select $1, $2, $3::jsonb, $4::jsonb, $5, $6, $7, $8, 1, now()
      where (select count(*) from staff_view where owner_id = $8 and list = $7) < $9`,
    [...values, viewId, list, staffId, MOST_OF_PERSON],
  )
  if (rowCount === 0)
    throw new ServiceError('limitRefused', {
      message: {
        zh: `这个列表已有 ${MOST_OF_PERSON} 个自己的视图，请先删除不用的。`,
        en: `You keep ${MOST_OF_PERSON} views of this list already: remove one that you do not use.`,
      },
      data: { reason: 'tooMany' },
    })
  return { id: viewId, version: 1 }
}

/** A view that the caller may change: his own, and as a designer every one that is shared. Throws notFound and stale. */
async function kept(database: Database, context: RequestContext, viewId: string, known: number): Promise<StoredView> {
  const [view] = await viewsOf(database, 'view.id = $1', [viewId])
  if (!view || !mayEdit(view, context)) throw new ServiceError('notFound')
  if (view.version !== known) throw outdated()
  return view
}

const changed = ({ rowCount }: { rowCount: number }): void => {
  if (rowCount === 0) throw outdated()
}

const outdated = (): ServiceError =>
  new ServiceError('stale', {
    message: {
      zh: '这个视图已在别处被修改，请刷新后再改。',
      en: 'This view was changed elsewhere in between. Reload and change it again.',
    },
    data: { changes: [], by: null, at: null },
  })
