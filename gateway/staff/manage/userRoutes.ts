import type { FastifyInstance } from 'fastify'
import type { EntityEngine, Entities } from '../../entities'
import type { Database } from '../../platform/database'
import { ServiceError, contextOf, ok } from '../../platform/http'
import type { RequestContext } from '../../platform/http'
import { resetPassword } from '../access/decide'
import { EDIT_ROLES, type AccessRequests } from '../access/requests'
import { mergeRoles } from '../rights'
import { listMenus, mayEnter, readStaff, rolesOf } from '../store'

interface UserManagementParts {
  database: Database
  engine: EntityEngine
  access: AccessRequests
}

interface Grant {
  id?: string
  roleId: string
  from?: string | null
  until?: string | null
}

const EDIT_USER = 'setModule:authManage:user:edit'
const VIEW_ROLES = 'setModule:authManage:permissions'
const id = { type: 'string', minLength: 1, maxLength: 40 } as const
const moment = { type: ['string', 'null'], format: 'date-time' } as const

/** The management of users beside the generic calls of sys.staff and sys.roleMember. */
export function registerUserManagement(app: FastifyInstance, parts: UserManagementParts): void {
  const { database, engine, access } = parts

  const disableBody = {
    type: 'object',
    required: ['id', 'disabled'],
    additionalProperties: false,
    properties: { id, disabled: { type: 'boolean' }, reason: { type: 'string', maxLength: 200 } },
  } as const
  app.post(
    '/v2/sys/staff/user/disable',
    {
      schema: { summary: 'Closes or opens sign-in; closing ends all sessions', body: disableBody },
      config: { permission: EDIT_USER },
    },
    async (request) => {
      const context = contextOf(request)
      const { id: staffId, disabled, reason } = request.body as { id: string; disabled: boolean; reason?: string }
      if (disabled && staffId === context.user.staffId) throw onOneself()
      const needed = disabled ? null : await access.neededFor(context, staffId)
      const answer = await engine.transaction(context, async (entities, tx) => {
        const staff = await requireStaff(entities, staffId)
        if (needed && staff['signInDisabled'] === true) {
          const waiting = await access.ask(tx, context, { kind: 'enable', staffId, reason: reason ?? null }, needed)
          await context.idempotence?.settle(tx, ok(waiting))
          return waiting
        }
        const record = await entities.save('sys.staff', { id: staffId, signInDisabled: disabled }, { reason })
        const done = { id: staffId, disabled, version: record['version'] }
        await context.idempotence?.settle(tx, ok(done))
        return done
      })
      return ok(answer)
    },
  )

  const resetBody = { type: 'object', required: ['id'], additionalProperties: false, properties: { id } } as const
  app.post(
    '/v2/sys/staff/user/resetPassword',
    // The answer holds a secret: it is shown once and never kept for a repeated key.
    {
      schema: {
        summary:
          'A one-time password; all sessions of the person end. Of somebody who may what the caller may not: asks for a confirmation',
        body: resetBody,
      },
      config: { permission: EDIT_USER, unrepeatable: true },
    },
    async (request) => {
      const context = contextOf(request)
      const { id: staffId } = request.body as { id: string }
      const needed = staffId === context.user.staffId ? null : await access.neededFor(context, staffId)
      const answer = await engine.transaction(context, async (entities, tx) => {
        await requireStaff(entities, staffId)
        if (needed) return access.ask(tx, context, { kind: 'reset', staffId }, needed)
        const told = await resetPassword(access.parts, tx, entities, context, staffId)
        await access.done(tx, context, { kind: 'reset', staffId })
        return { id: staffId, ...told }
      })
      return ok(answer)
    },
  )

  const grantsBody = {
    type: 'object',
    required: ['staffId', 'grants'],
    additionalProperties: false,
    properties: {
      staffId: id,
      grants: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          required: ['roleId'],
          additionalProperties: false,
          properties: { id, roleId: id, from: moment, until: moment },
        },
      },
    },
  } as const
  app.post(
    '/v2/sys/staff/user/assignRoles',
    {
      schema: { summary: 'Replaces the role grants of a person, with their dates', body: grantsBody },
      config: { permission: EDIT_ROLES },
    },
    async (request) => {
      const context = contextOf(request)
      const { staffId, grants } = request.body as { staffId: string; grants: Grant[] }
      const answer = await engine.transaction(context, async (entities, tx) => {
        await requireStaff(entities, staffId)
        const done = await replaceGrants(entities, staffId, grants)
        await context.idempotence?.settle(tx, ok(done))
        return done
      })
      return ok(answer)
    },
  )

  const idParameter = { type: 'object', required: ['id'], properties: { id } } as const
  app.get(
    '/v2/sys/staff/user/grants/:id',
    {
      schema: { summary: 'All role grants of a person, past and future ones too', params: idParameter },
      config: { permission: VIEW_ROLES },
    },
    async (request) => {
      const { id: staffId } = request.params as { id: string }
      const { rows } = await database.query(
        `select m.id, m.role_id as "roleId", r.name, r.name_en as "nameEn", r.code, m."from", m.until, coalesce(m.waiting, false) as waiting, coalesce(r.enabled, true) as "roleEnabled",
         m.waiting is not true and (m."from" is null or m."from" <= $2) and (m.until is null or m.until > $2) as holds
       from sys_role_member m join sys_role r on r.id = m.role_id where m.staff_id = $1 and m.deleted_at is null and r.deleted_at is null order by m."from" nulls first, r.code`,
        [staffId, contextOf(request).now.toISOString()],
      )
      return ok(rows)
    },
  )

  app.get(
    '/v2/sys/staff/user/effective/:id',
    {
      schema: { summary: 'What a person may do, and from which roles', params: idParameter },
      config: { permission: VIEW_ROLES },
    },
    async (request) => {
      const { id: staffId } = request.params as { id: string }
      return ok(await effectiveRights(parts, contextOf(request), staffId))
    },
  )
}

async function requireStaff(entities: Entities, staffId: string) {
  const staff = await entities.find('sys.staff', staffId, { lock: true })
  if (!staff) throw new ServiceError('notFound')
  return staff
}

/** Adds, changes and removes grants until the person has exactly the given ones. */
async function replaceGrants(
  entities: Entities,
  staffId: string,
  grants: readonly Grant[],
): Promise<{ added: number; changed: number; removed: number }> {
  const existing = await entities.list('sys.roleMember', { where: [{ field: 'staffId', operator: 'eq', value: staffId }] })
  const kept = new Set(grants.map((grant) => grant.id).filter((grantId) => grantId !== undefined))
  const strangers = [...kept].filter((grantId) => !existing.some((row) => row['id'] === grantId))
  if (strangers.length > 0) throw new ServiceError('notFound')
  const changes = grants.filter((grant) => {
    const before = existing.find((row) => row['id'] === grant.id)
    return (
      before &&
      (before['roleId'] !== grant.roleId || !sameMoment(before['from'], grant.from) || !sameMoment(before['until'], grant.until))
    )
  })
  // A grant names its role for ever: another role is another grant.
  const replaced = changes.filter((grant) => existing.some((row) => row['id'] === grant.id && row['roleId'] !== grant.roleId))
  const added = [...grants.filter((grant) => grant.id === undefined), ...replaced]
  const removed = existing.filter((row) => !kept.has(String(row['id'])) || replaced.some((grant) => grant.id === row['id']))
  // New ones first, so that the guard of the last administrator sees no gap; but a replaced period may not overlap itself.
  for (const { id: grantId, from = null, until = null } of changes) {
    if (!replaced.some((grant) => grant.id === grantId)) await entities.save('sys.roleMember', { id: grantId, from, until })
  }
  const clash = added.some((grant) => removed.some((row) => row['roleId'] === grant.roleId))
  if (clash) for (const row of removed) await entities.remove('sys.roleMember', String(row['id']))
  for (const { roleId, from = null, until = null } of added)
    await entities.save('sys.roleMember', { staffId, roleId, from, until })
  if (!clash) for (const row of removed) await entities.remove('sys.roleMember', String(row['id']))
  return { added: added.length, changed: changes.length - replaced.length, removed: removed.length }
}

function sameMoment(a: unknown, b: string | null | undefined): boolean {
  const time = (value: unknown) => (typeof value === 'string' ? new Date(value).getTime() : null)
  return time(a) === time(b ?? null)
}

/** "Test as user": the person's rights now, each with the roles that it comes from. */
async function effectiveRights({ database }: UserManagementParts, { now, locale }: RequestContext, staffId: string) {
  const [staff, roles, menus] = await Promise.all([
    readStaff(database, staffId),
    rolesOf(database, staffId, now),
    listMenus(database),
  ])
  if (!staff) throw new ServiceError('notFound')
  const internationals = new Map(menus.map((menu) => [menu.id, menu.international]))
  const internationalOf = (menuId: string) => internationals.get(menuId)
  const merged = mergeRoles(roles, internationalOf)
  const single = roles.map((role) => ({ code: role.code, ...mergeRoles([role], internationalOf) }))
  const from = (has: (role: (typeof single)[number]) => boolean) => single.filter(has).map((role) => role.code)
  return {
    staffId,
    name: locale === 'en' && staff.nameEn ? staff.nameEn : staff.name,
    jobNumber: staff.jobNumber,
    mayEnter: mayEnter(staff),
    roles: roles.map(({ id: roleId, code, name, nameEn, enabled, from: begin, until }) => ({
      id: roleId,
      code,
      name: locale === 'en' && nameEn ? nameEn : name,
      enabled,
      from: begin,
      until,
    })),
    permissions: [...merged.permissions].sort().map((key) => ({ key, roles: from((role) => role.permissions.has(key)) })),
    menus: menus
      .filter((menu) => merged.resourceIds.has(menu.id))
      .map((menu) => ({
        id: menu.id,
        name: locale === 'en' && menu.nameEn ? menu.nameEn : menu.name,
        international: menu.international,
        router: menu.router,
        parentId: menu.parentId,
      })),
    scopes: Object.entries(merged.scopes).map(([entity, scopes]) => ({
      entity,
      scopes,
      roles: from((role) => role.scopes[entity] !== undefined),
    })),
    fieldRules: Object.entries(merged.fieldRules).map(([field, rule]) => ({
      field,
      rule,
      roles: from((role) => role.fieldRules[field] !== undefined),
    })),
  }
}

function onOneself(): ServiceError {
  return new ServiceError('limitRefused', {
    message: { zh: '不能停用自己的账号。', en: 'You cannot disable your own account.' },
    data: { reason: 'oneself' },
  })
}
