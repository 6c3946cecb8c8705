import { array, assert, constantFrom, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cycle,
  grant,
  grantBelow,
  grantStates,
  indexMenus,
  nodeKey,
  nodeOfKey,
  revoke,
  type GrantNode,
  type Grants,
} from '../../../../src/widgets/sys-admin/roles/grants'
import { changesOf, draftOf, type Role } from '../../../../src/widgets/sys-admin/roles/role'
import { searchMenus } from '../../../../src/widgets/sys-admin/resources/menus'
import { menu } from '../answers'

const tree = [
  menu('a', {
    children: [
      menu('b', {
        parentId: 'a',
        buttons: [
          { id: '1', key: 'b:add', zh: '新建', en: 'Add', grantedBy: 0 },
          { id: '2', key: 'b:edit', zh: '编辑', en: 'Edit', grantedBy: 0 },
        ],
        children: [menu('c', { parentId: 'b' })],
      }),
      menu('d', { parentId: 'a' }),
    ],
  }),
  menu('e'),
]
const index = indexMenus(tree)
const none: Grants = { resourceIds: new Set(), buttonKeys: new Set() }
const ids = (grants: Grants): string[] => [...grants.resourceIds, ...grants.buttonKeys].sort()
const menuNode = (id: string): GrantNode => ({ type: 'menu', id })
const button = (key: string): GrantNode => ({ type: 'button', key })
const stateOf = (grants: Grants, node: GrantNode) => grantStates(tree, grants).get(nodeKey(node))

describe('the grants of a role', () => {
  it('bring along what stands above an entry or a key', () => {
    expect(ids(grant(index, none, menuNode('c')))).toEqual(['a', 'b', 'c'])
    expect(ids(grant(index, none, button('b:add')))).toEqual(['a', 'b', 'b:add'])
  })

  it('of an entry lose everything below when it is taken away, and nothing beside it', () => {
    const all = grantBelow(index, none, 'a')
    expect(ids(revoke(index, all, menuNode('b')))).toEqual(['a', 'd'])
    expect(ids(revoke(index, all, button('b:add')))).toEqual(['a', 'b', 'b:edit', 'c', 'd'])
  })

  it('are half-checked as long as anything below is missing', () => {
    const part = grant(index, none, button('b:add'))
    expect(stateOf(part, menuNode('a'))).toBe('some')
    expect(stateOf(part, menuNode('b'))).toBe('some')
    expect(stateOf(part, menuNode('c'))).toBe('none')
    expect(stateOf(part, button('b:add'))).toBe('all')
    expect(stateOf(grantBelow(index, part, 'a'), menuNode('a'))).toBe('all')
  })

  it('go from nothing to the entry, to everything below, to nothing, click by click', () => {
    const click = (grants: Grants): Grants => cycle(index, grants, menuNode('b'), stateOf(grants, menuNode('b')) ?? 'none')
    const first = click(none)
    expect(ids(first)).toEqual(['a', 'b'])
    const second = click(first)
    expect(ids(second)).toEqual(['a', 'b', 'b:add', 'b:edit', 'c'])
    expect(ids(click(second))).toEqual(['a'])
  })

  it('never hold an entry without the ones above it, whatever is clicked', () => {
    const nodes = [...index.menus.keys()].map(menuNode).concat([...index.menuOfKey.keys()].map(button))
    assert(
      property(array(record({ node: constantFrom(...nodes) }), { maxLength: 20 }), (clicks) => {
        const grants = clicks.reduce((now, { node }) => cycle(index, now, node, stateOf(now, node) ?? 'none'), none)
        for (const id of grants.resourceIds) {
          const { parentId } = index.menus.get(id) ?? { parentId: null }
          expect(parentId === null || grants.resourceIds.has(parentId)).toBe(true)
        }
        for (const key of grants.buttonKeys) expect(grants.resourceIds.has(index.menuOfKey.get(key) ?? '')).toBe(true)
      }),
    )
  })

  it('keep what the tree does not know', () => {
    const strange: Grants = { resourceIds: new Set(['gone']), buttonKeys: new Set(['gone:key']) }
    expect(ids(revoke(index, grantBelow(index, strange, 'a'), menuNode('a')))).toEqual(['gone', 'gone:key'])
  })

  it('have keys that lead back to their entry', () => {
    for (const node of [menuNode('a'), button('b:add')]) expect(nodeOfKey(nodeKey(node))).toEqual(node)
  })
})

describe('the search in the menus', () => {
  it('finds by either language, route and key, and keeps what stands above', () => {
    expect(searchMenus(tree, 'MENU C').map(({ id, children }) => [id, children.map((child) => child.id)])).toEqual([['a', ['b']]])
    expect(searchMenus(tree, '新建')[0]?.children[0]?.buttons.map(({ key }) => key)).toEqual(['b:add'])
    expect(searchMenus(tree, 'nothing like it')).toEqual([])
    expect(searchMenus(tree, '  ')).toBe(tree)
  })
})

describe('the changes of a role', () => {
  const role: Role = {
    id: 'r',
    version: 1,
    code: 'r',
    name: 'R',
    nameEn: null,
    remark: null,
    enabled: true,
    memberCount: 0,
    resourceIds: ['a', 'b'],
    buttonKeys: null,
    scopes: { 'crm.customer': 'own', 'crm.contact': ['all', 'own'] },
    fieldRules: null,
    $write: true,
  }

  it('are nothing when only the order differs', () => {
    const draft = draftOf(role)
    expect(changesOf(role, draft)).toEqual({})
    const shuffled = {
      ...draft,
      resourceIds: new Set(['b', 'a']),
      scopes: { 'crm.contact': ['own', 'all'], 'crm.customer': ['own'] } as const,
    }
    expect(changesOf(role, shuffled)).toEqual({})
  })

  it('hold only the parts that were touched', () => {
    const draft = { ...draftOf(role), fieldRules: { 'crm.customer.remark': 'hide' } as const }
    expect(changesOf(role, draft)).toEqual({ fieldRules: { 'crm.customer.remark': 'hide' } })
    expect(changesOf(role, { ...draftOf(role), resourceIds: new Set(['a']) })).toEqual({ resourceIds: ['a'] })
  })
})
