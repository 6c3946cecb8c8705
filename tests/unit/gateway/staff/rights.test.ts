import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeRoles, planResources } from '../../../../gateway/staff'
import type { StoredRole } from '../../../../gateway/staff'
import { menuTree } from '../../../../gateway/staff/menuTree'
import type { MenuRow } from '../../../../gateway/staff/store'
import type { ModuleDocument } from '../../../../src/schema/generated/module'

const role = (changes: Partial<StoredRole>): StoredRole => ({
  id: 'r',
  code: 'r',
  name: 'r',
  nameEn: null,
  enabled: true,
  resourceIds: null,
  buttonKeys: null,
  scopes: null,
  fieldRules: null,
  ...changes,
})
const internationalOf = (id: string) => ({ m1: 'crm:crm', m2: 'crm:client-partner' })[id]
const merge = (...roles: Partial<StoredRole>[]) => mergeRoles(roles.map(role), internationalOf)

describe('rights of a person (R298, R299)', () => {
  it('are the union of the enabled roles', () => {
    const merged = merge(
      { resourceIds: ['m1'], buttonKeys: ['crm:customer:add'], scopes: { 'crm.customer': ['own'] } },
      {
        resourceIds: ['m2', 'gone'],
        buttonKeys: ['crm:customer:edit'],
        scopes: { 'crm.customer': ['departmentTree'], 'srm.supplier': 'all' },
      },
      { enabled: false, resourceIds: ['m1'], buttonKeys: ['crm:customer:delete'], scopes: { 'crm.customer': ['all'] } },
    )
    expect([...merged.permissions].sort()).toEqual(['crm:client-partner', 'crm:crm', 'crm:customer:add', 'crm:customer:edit'])
    expect(merged.scopes).toEqual({ 'crm.customer': ['own', 'departmentTree'], 'srm.supplier': ['all'] })
    expect([...merged.resourceIds]).toEqual(['m1', 'm2'])
  })

  it('take the least strict field rule of the roles that concern the entity', () => {
    const hide = { scopes: { 'crm.customer': ['all'] as const }, fieldRules: { 'crm.customer.phone': 'hide' as const } }
    const mask = { scopes: { 'crm.customer': ['own'] as const }, fieldRules: { 'crm.customer.phone': 'mask' as const } }
    expect(merge(hide, mask).fieldRules).toEqual({ 'crm.customer.phone': 'mask' })
    expect(merge(hide, { scopes: { 'crm.customer': ['own'] } }).fieldRules).toEqual({})
    expect(merge(hide, { buttonKeys: ['crm:customer:edit'] }).fieldRules).toEqual({})
    expect(merge(hide, { scopes: { 'srm.supplier': ['all'] }, buttonKeys: ['crm:contact:add'] }).fieldRules).toEqual({
      'crm.customer.phone': 'hide',
    })
    expect(merge(hide, { scopes: { '*': ['all'] } }).fieldRules).toEqual({})
  })

  it('never shrink when a role is added, and do not depend on the order', () => {
    const scope = fc.constantFrom('own', 'shared', 'department', 'departmentTree', 'all')
    const roles = fc.array(
      fc.record({
        enabled: fc.boolean(),
        resourceIds: fc.subarray(['m1', 'm2', 'm3']),
        buttonKeys: fc.subarray(['a:b:c', 'crm:customer:add', 'd:e']),
        scopes: fc.dictionary(fc.constantFrom('crm.customer', 'srm.supplier', '*'), fc.array(scope)),
        fieldRules: fc.dictionary(
          fc.constantFrom('crm.customer.phone', 'crm.customer.name'),
          fc.constantFrom('hide', 'mask', 'read'),
        ),
      }),
      { minLength: 1, maxLength: 5 },
    )
    fc.assert(
      fc.property(roles, (given) => {
        const some = given as Partial<StoredRole>[]
        const [all, fewer, reversed] = [merge(...some), merge(...some.slice(1)), merge(...[...some].reverse())]
        for (const key of fewer.permissions) expect(all.permissions.has(key)).toBe(true)
        for (const [entity, scopes] of Object.entries(fewer.scopes))
          expect(all.scopes[entity]).toEqual(expect.arrayContaining([...scopes]))
        expect(reversed.fieldRules).toEqual(all.fieldRules)
        expect(reversed.scopes).toEqual(all.scopes)
      }),
    )
  })
})

const menu = (id: string, parentId: string | null, changes: Partial<MenuRow> = {}): MenuRow => ({
  id,
  name: id,
  nameEn: null,
  router: null,
  international: `x:${id}`,
  icon: null,
  kind: 'menu',
  parentId,
  sortNo: 0,
  webShowFlag: null,
  mobileFlag: null,
  newWindow: null,
  iframeName: null,
  version: 1,
  ...changes,
})

describe('the menu tree (R144)', () => {
  const menus = [
    menu('a', null),
    menu('b', 'a'),
    menu('c', 'b', { nameEn: 'See' }),
    menu('d', 'a'),
    menu('e', null),
    menu('loop1', 'loop2'),
    menu('loop2', 'loop1'),
  ]

  it('holds what is granted and the groups above it, nothing else (R299)', () => {
    const tree = menuTree(menus, ({ id }) => id === 'c', 'en')
    expect(tree).toMatchObject([
      { id: 'a', children: [{ id: 'b', children: [{ id: 'c', name: 'See', parentId: 'b', webShowFlag: true, children: [] }] }] },
    ])
    expect(menuTree(menus, () => false, 'zh')).toEqual([])
  })

  it('ends on entries that stand below one another', () => {
    expect(menuTree(menus, ({ id }) => id === 'loop1', 'zh')).toEqual([])
  })
})

describe('seeding resources from the modules', () => {
  const text = { zh: '客户', en: 'Customers' }
  const document: ModuleDocument = {
    formatVersion: 3,
    name: 'crm',
    title: text,
    routes: [],
    menu: [
      {
        id: 'list',
        title: text,
        international: 'crm:list',
        path: '/crm/list',
        buttons: [{ key: 'crm:list:add', title: text }],
        children: [{ id: 'deep', title: text, international: 'crm:list:deep', webShow: false }],
      },
    ],
  }

  it('places entries below their module with their keys', () => {
    const { menus, buttons } = planResources([document], new Map(), new Set())
    expect(menus.map(({ international, kind, router, webShowFlag }) => [international, kind, router, webShowFlag])).toEqual([
      ['crm:crm', 'module', null, true],
      ['crm:list', 'menu', '/crm/list', true],
      ['crm:list:deep', 'menu', null, false],
    ])
    expect(menus[2]?.['parentId']).toBe(menus[1]?.['id'])
    expect(buttons).toMatchObject([{ key: 'crm:list:add', menuId: menus[1]?.['id'], zh: '客户', en: 'Customers' }])
  })

  it('adds only what is missing, below what an administrator may have moved', () => {
    const { menus, buttons } = planResources(
      [document],
      new Map([
        ['crm:crm', { id: 'one', sortNo: 30 }],
        ['crm:list', { id: 'two', sortNo: 10 }],
      ]),
      new Set(['crm:list:add']),
    )
    expect(menus).toMatchObject([{ international: 'crm:list:deep', parentId: 'two' }])
    expect(buttons).toEqual([])
  })

  it('puts a new entry between its neighbours and grants it to the roles that it names', () => {
    const entry = (id: string, roles?: string[]) => ({
      id,
      title: text,
      international: `crm:${id}`,
      path: `/crm/${id}`,
      ...(roles ? { roles } : {}),
    })
    const menu = [entry('first'), entry('made', ['sales', 'leader']), entry('second')]
    const { menus, grants } = planResources(
      [{ ...document, menu }],
      new Map([
        ['crm:crm', { id: 'one', sortNo: 30 }],
        ['crm:first', { id: 'f', sortNo: 10 }],
        ['crm:second', { id: 's', sortNo: 20 }],
      ]),
      new Set(),
    )
    expect(menus).toMatchObject([{ international: 'crm:made', sortNo: 15 }])
    const made = menus[0]?.['id']
    expect(grants).toEqual([
      { role: 'sales', menus: [made] },
      { role: 'leader', menus: [made] },
    ])
  })
})
