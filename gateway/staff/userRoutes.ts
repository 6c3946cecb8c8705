import type { FastifyInstance } from 'fastify'
import type { EntityEngine } from '../entities'
import type { Database } from '../platform/database'
import { ServiceError, can, contextOf, fieldRuleOf, ok } from '../platform/http'
import type { FieldRule } from '../platform/http'
import type { SessionService } from '../platform/session'
import type { Directory } from './directory'
import { menuTree } from './menuTree'
import { readPreference, writePreference } from './preferences'
import { listButtons, readStaff } from './store'

interface UserParts {
  database: Database
  engine: EntityEngine
  directory: Directory
  sessions: SessionService
}

const QUICK_ENTRIES = 'quickEntrance'
const AVATAR_SECONDS = 24 * 3600
const resourceQuery = { type: 'object', properties: { mobileFlag: { type: 'boolean', default: false } } } as const
const keyParameter = {
  type: 'object',
  required: ['key'],
  properties: { key: { type: 'string', pattern: '^[\\w.:/@#-]{1,200}$' } },
} as const

/** What every signed-in person asks about themselves: who they are, what they may see, their settings. */
export function registerUserRoutes(app: FastifyInstance, { database, engine, directory, sessions }: UserParts): void {
  app.get('/v2/sys/staff/overseas/getUserInfo', { schema: { summary: 'The signed-in person (R143)' } }, async (request) => {
    const { user, locale, now } = contextOf(request)
    const [staff, departments] = await Promise.all([readStaff(database, user.staffId), directory.allDepartments()])
    if (!staff) throw new ServiceError('sessionEnded')
    const names = new Map(
      departments.map((department) => [
        department.id,
        locale === 'en' && department.nameEn ? department.nameEn : department.name,
      ]),
    )
    const avatar = staff.avatar?.id
    return ok({
      userId: user.userId,
      staffId: user.staffId,
      name: locale === 'en' && staff.nameEn ? staff.nameEn : staff.name,
      nameZh: staff.name,
      nameEn: staff.nameEn,
      jobNumber: staff.jobNumber,
      avatar: avatar ? await avatarAddress(avatar) : null,
      jobTime: staff.hiredOn,
      deptNames: user.deptIds.map((id) => names.get(id)).filter((name) => name !== undefined),
      deptIds: user.deptIds,
      mainDeptId: user.mainDeptId,
      email: staff.email,
      position: staff.position,
      locale: staff.locale,
      timeZone: staff.timeZone,
      serverTime: now.toISOString(),
    })
  })

  /** Images cannot send a token: the address carries its own proof for a day. */
  async function avatarAddress(fileId: string): Promise<string> {
    const ticket = await sessions.signer.sign('file', { sub: fileId, inline: true }, AVATAR_SECONDS)
    return `/v2/download/downloadCenter/api/file/${encodeURIComponent(fileId)}?ticket=${ticket}`
  }

  app.get(
    '/v2/sys/staff/overseas/getResourceByMenu',
    { schema: { summary: 'Menu resources of the person as a tree (R144, R299-R301)', querystring: resourceQuery } },
    async (request) => {
      const context = contextOf(request)
      const { mobileFlag } = request.query as { mobileFlag: boolean }
      const menus = await directory.allMenus()
      return ok(
        menuTree(menus, (menu) => can(context, menu.international) && (!mobileFlag || menu.mobileFlag === true), context.locale),
      )
    },
  )

  app.get(
    '/v2/sys/staff/overseas/getResourceByBtn',
    { schema: { summary: 'Permission keys of the person (R301)', querystring: resourceQuery } },
    async (request) => {
      const context = contextOf(request)
      const buttons = await listButtons(database)
      const held = buttons.filter((button) => can(context, button.key))
      return ok(
        held.map(({ id, key, menuId, zh, en }) => ({ id, international: key, name: context.locale === 'en' ? en : zh, menuId })),
      )
    },
  )

  const fieldBody = { type: 'object', required: ['entity'], properties: { entity: { type: 'string', maxLength: 60 } } } as const
  app.post(
    '/v2/sys/staff/resource/field/get',
    { schema: { summary: 'What restricts the fields of an entity for the person', body: fieldBody } },
    (request) => {
      const context = contextOf(request)
      const { entity } = request.body as { entity: string }
      if (!engine.names().includes(entity))
        throw new ServiceError('notFound', { message: { zh: `没有实体“${entity}”。`, en: `There is no entity "${entity}".` } })
      const fields: Record<string, FieldRule> = {}
      for (const [name, field] of engine.model(entity).fields) {
        if (field.internal) continue
        const sensitive = field.field['x-sensitive']
        const rule = fieldRuleOf(context, entity, name)
        const masked = sensitive !== undefined && !can(context, sensitive)
        if (rule === 'hide' || rule === 'mask' || (rule === 'read' && !masked)) fields[name] = rule
        else if (masked) fields[name] = 'mask'
      }
      return ok({ entity, fields })
    },
  )

  app.get('/v2/srm/supplier/select/get/dept', { schema: { summary: 'Departments to choose from' } }, async (request) => {
    const { locale } = contextOf(request)
    const departments = await directory.allDepartments()
    const enabled = departments.filter((department) => department.enabled !== false)
    return ok(
      enabled.map(({ id, code, parentId, name, nameEn }) => ({
        id,
        title: locale === 'en' && nameEn ? nameEn : name,
        name,
        nameEn,
        code,
        parentId,
      })),
    )
  })

  registerPrompt(app, sessions)
  registerPreferences(app, { database, directory })
}

function registerPrompt(app: FastifyInstance, sessions: SessionService): void {
  app.get(
    '/v2/sys/staff/sysLoginPrompt/genQuery/one',
    { schema: { summary: 'Last sign-in and age of the password (R324)' } },
    async (request) => {
      const { user, now } = contextOf(request)
      const { previous, passwordChangedAt } = await sessions.history(user.staffId)
      const passwordAgeDays =
        passwordChangedAt === null ? null : Math.floor((now.getTime() - new Date(passwordChangedAt).getTime()) / 86_400_000)
      return ok({
        lastSignInAt: previous?.at ?? null,
        lastSignInIp: previous?.ip ?? null,
        lastSignInWay: previous?.way ?? null,
        passwordChangedAt,
        passwordAgeDays,
        passwordOld: passwordAgeDays !== null && passwordAgeDays >= 90,
      })
    },
  )
}

function registerPreferences(app: FastifyInstance, { database, directory }: Pick<UserParts, 'database' | 'directory'>): void {
  app.get(
    '/v2/sys/staff/preference/:key',
    { schema: { summary: 'A setting of the person', params: keyParameter } },
    async (request) => {
      const { key } = request.params as { key: string }
      return ok({ key, value: await readPreference(database, contextOf(request).user.staffId, key) })
    },
  )

  const valueBody = { type: 'object', required: ['value'], properties: { value: {} } } as const
  app.post(
    '/v2/sys/staff/preference/:key',
    { schema: { summary: 'Keeps a setting; null forgets it', params: keyParameter, body: valueBody }, bodyLimit: 65_536 },
    async (request) => {
      const { key } = request.params as { key: string }
      const { value } = request.body as { value: unknown }
      const kept = await writePreference(database, contextOf(request).user.staffId, key, value)
      if (!kept)
        throw new ServiceError('limitRefused', {
          message: { zh: '个人设置过多，未保存。', en: 'There are too many settings; this one was not kept.' },
          data: { reason: 'tooMany' },
        })
      return ok({ key })
    },
  )

  app.get(
    '/v2/sys/staff/quickEntrance/getUserQuickEntranceList',
    { schema: { summary: 'Quick entries of the person (R321)' } },
    async (request) => {
      const context = contextOf(request)
      const [chosen, menus] = await Promise.all([
        readPreference(database, context.user.staffId, QUICK_ENTRIES),
        directory.allMenus(),
      ])
      const ids = Array.isArray(chosen) ? chosen : []
      const byId = new Map(menus.map((menu) => [menu.id, menu]))
      const entries = ids.map((id) => byId.get(String(id))).filter((menu) => menu !== undefined)
      return ok(
        entries
          .filter((menu) => menu.router !== null && can(context, menu.international))
          .map(({ id, name, nameEn, router, international, icon, newWindow }) => ({
            id,
            name: context.locale === 'en' && nameEn ? nameEn : name,
            nameZh: name,
            nameEn,
            router,
            international,
            icon,
            newWindow: newWindow === true,
          })),
      )
    },
  )

  const quickBody = {
    type: 'object',
    required: ['ids'],
    properties: { ids: { type: 'array', maxItems: 24, uniqueItems: true, items: { type: 'string', maxLength: 40 } } },
  } as const
  app.post(
    '/v2/sys/staff/quickEntrance/patchSaveQuickEntrance',
    { schema: { summary: 'Keeps the quick entries in their order (R322)', body: quickBody } },
    async (request) => {
      const context = contextOf(request)
      const { ids } = request.body as { ids: string[] }
      const menus = await directory.allMenus()
      const allowed = new Set(
        menus.filter((menu) => menu.router !== null && can(context, menu.international)).map((menu) => menu.id),
      )
      const unknown = ids.find((id) => !allowed.has(id))
      if (unknown !== undefined) {
        const message = { zh: '快捷入口包含您没有权限的菜单。', en: 'The quick entries name a menu that you do not have.' }
        throw new ServiceError('validationFailed', {
          message,
          data: { errors: [{ field: 'ids', message: message[context.locale] }] },
        })
      }
      await writePreference(database, context.user.staffId, QUICK_ENTRIES, ids)
      return ok({ ids })
    },
  )
}
