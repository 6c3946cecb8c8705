import type { FastifyInstance } from 'fastify'
import type { EntityEngine } from '../../entities'
import type { Database } from '../../platform/database'
import { ServiceError, contextOf, ok } from '../../platform/http'
import type { Scope } from '../../platform/http'
import { mergeRoles } from '../rights'
import type { StoredRole } from '../rights'
import { listButtons, listHolding, listMenus, listRoles, listStaff, mayEnter } from '../store'
import type { MenuRow } from '../store'

interface RoleParts {
  database: Database
  engine: EntityEngine
}

const VIEW = 'setModule:authManage:permissions'
const id = { type: 'string', minLength: 1, maxLength: 40 } as const

/** What the management of roles needs beside the generic calls of sys.role. */
export function registerRoleRoutes(app: FastifyInstance, { database, engine }: RoleParts): void {
  app.get(
    '/v2/sys/role/catalogue',
    { schema: { summary: 'Everything that a role can grant' }, config: { permission: VIEW } },
    async (request) => {
      const { locale } = contextOf(request)
      const [menus, buttons] = await Promise.all([listMenus(database), listButtons(database)])
      const entities = engine.names().map((name) => {
        const model = engine.model(name)
        const fields = [...model.fields.values()].filter((field) => !field.internal)
        return {
          name,
          title: model.label[locale],
          scopes:
            model.scope.kind === 'owned' ? (['own', 'shared', 'department', 'departmentTree', 'all'] satisfies Scope[]) : [],
          fields: fields.map((field) => ({
            name: field.name,
            title: field.label[locale],
            sensitive: field.field['x-sensitive'] !== undefined,
          })),
        }
      })
      const menuFacts = menus.map(({ id: menuId, name, nameEn, international, parentId, kind }) => ({
        id: menuId,
        name: locale === 'en' && nameEn ? nameEn : name,
        international,
        parentId,
        kind,
      }))
      const buttonFacts = buttons.map(({ key, menuId, zh, en }) => ({ key, menuId, name: locale === 'en' ? en : zh }))
      return ok({ menus: menuFacts, buttons: buttonFacts, entities })
    },
  )

  const keyQuery = {
    type: 'object',
    required: ['key'],
    properties: { key: { type: 'string', minLength: 3, maxLength: 120 } },
  } as const
  app.get(
    '/v2/sys/role/whoHas',
    {
      schema: { summary: 'Who holds a permission, and through which roles', querystring: keyQuery },
      config: { permission: VIEW },
    },
    async (request) => {
      const { now, locale } = contextOf(request)
      const { key } = request.query as { key: string }
      const [menus, roles, members, staff] = await Promise.all([
        listMenus(database),
        listRoles(database),
        listHolding(database, now),
        listStaff(database),
      ])
      const internationalOf = internationals(menus)
      const granting = new Map(
        roles.filter((role) => mergeRoles([role], internationalOf).permissions.has(key)).map((role) => [role.id, role]),
      )
      const holders = staff.filter(mayEnter).flatMap((person) => {
        const through = members.filter((member) => member.staffId === person.id && granting.has(member.roleId))
        if (through.length === 0) return []
        const names = through.map(({ roleId, from, until }) => ({
          roleId,
          name: nameOf(granting.get(roleId), locale),
          from,
          until,
        }))
        return [
          {
            staffId: person.id,
            name: locale === 'en' && person.nameEn ? person.nameEn : person.name,
            jobNumber: person.jobNumber,
            roles: names,
          },
        ]
      })
      return ok({ key, roles: [...granting.values()].map((role) => ({ id: role.id, name: nameOf(role, locale) })), holders })
    },
  )

  const compareQuery = { type: 'object', required: ['a', 'b'], properties: { a: id, b: id } } as const
  app.get(
    '/v2/sys/role/compare',
    { schema: { summary: 'What two roles grant differently', querystring: compareQuery }, config: { permission: VIEW } },
    async (request) => {
      const { a, b } = request.query as { a: string; b: string }
      const [menus, roles] = await Promise.all([listMenus(database), listRoles(database)])
      const [first, second] = [a, b].map((wanted) => roles.find((role) => role.id === wanted))
      if (!first || !second) throw new ServiceError('notFound')
      return ok(compareRoles(first, second, internationals(menus)))
    },
  )
}

function internationals(menus: readonly MenuRow[]): (id: string) => string | undefined {
  const byId = new Map(menus.map((menu) => [menu.id, menu.international]))
  return (menuId) => byId.get(menuId)
}

function nameOf(role: StoredRole | undefined, locale: 'zh' | 'en'): string {
  return (locale === 'en' && role?.nameEn) || role?.name || ''
}

/** Keys, scopes and field rules that only one has or that differ. */
function compareRoles(a: StoredRole, b: StoredRole, internationalOf: (id: string) => string | undefined) {
  const [first, second] = [a, b].map((role) => mergeRoles([{ ...role, enabled: true }], internationalOf))
  const onlyIn = (own: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined) =>
    [...(own ?? [])].filter((key) => !other?.has(key)).sort()
  const differing = (own: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>) =>
    [...new Set([...Object.keys(own), ...Object.keys(other)])]
      .filter((name) => JSON.stringify(own[name]) !== JSON.stringify(other[name]))
      .sort()
      .map((name) => ({ name, a: own[name] ?? null, b: other[name] ?? null }))
  return {
    a: { id: a.id, name: a.name, nameEn: a.nameEn },
    b: { id: b.id, name: b.name, nameEn: b.nameEn },
    permissions: {
      onlyA: onlyIn(first?.permissions, second?.permissions),
      onlyB: onlyIn(second?.permissions, first?.permissions),
    },
    scopes: differing(first?.scopes ?? {}, second?.scopes ?? {}),
    fieldRules: differing(a.fieldRules ?? {}, b.fieldRules ?? {}),
  }
}
