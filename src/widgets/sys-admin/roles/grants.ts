import { flatMenus, type ManagedMenu } from '../resources/menus'

/** What a role grants of the menu tree: ids of menu entries and permission keys. */
export interface Grants {
  resourceIds: ReadonlySet<string>
  buttonKeys: ReadonlySet<string>
}

/** all: the entry and everything below it; some: a part; none. */
export type GrantState = 'all' | 'some' | 'none'

/** An entry of the tree: a menu entry or a permission key. */
export type GrantNode = { type: 'menu'; id: string } | { type: 'button'; key: string }

export const nodeKey = (node: GrantNode): string => (node.type === 'menu' ? `menu ${node.id}` : `button ${node.key}`)
export const nodeOfKey = (key: string): GrantNode =>
  key.startsWith('menu ') ? { type: 'menu', id: key.slice(5) } : { type: 'button', key: key.slice(7) }

/** The menu tree prepared for changing grants. */
export interface GrantIndex {
  menus: ReadonlyMap<string, ManagedMenu>
  /** The entry under which a permission key stands. */
  menuOfKey: ReadonlyMap<string, string>
}

export const indexMenus = (menus: readonly ManagedMenu[]): GrantIndex => {
  const all = flatMenus(menus)
  return {
    menus: new Map(all.map((menu) => [menu.id, menu])),
    menuOfKey: new Map(all.flatMap((menu) => menu.buttons.map((button) => [button.key, menu.id] as const))),
  }
}

/** The state of every entry of the tree, by node key. */
export const grantStates = (menus: readonly ManagedMenu[], grants: Grants): Map<string, GrantState> => {
  const states = new Map<string, GrantState>()
  const visit = (menu: ManagedMenu): GrantState => {
    const below = [
      ...menu.children.map(visit),
      ...menu.buttons.map(({ key }): GrantState => {
        const state = grants.buttonKeys.has(key) ? 'all' : 'none'
        states.set(nodeKey({ type: 'button', key }), state)
        return state
      }),
    ]
    const own = grants.resourceIds.has(menu.id)
    const state =
      own && below.every((entry) => entry === 'all') ? 'all' : own || below.some((entry) => entry !== 'none') ? 'some' : 'none'
    states.set(nodeKey({ type: 'menu', id: menu.id }), state)
    return state
  }
  menus.forEach(visit)
  return states
}

const withMenu = (index: GrantIndex, ids: Set<string>, start: string | null): void => {
  for (let id = start; id !== null; id = index.menus.get(id)?.parentId ?? null) ids.add(id)
}

const below = (menu: ManagedMenu): { ids: string[]; keys: string[] } => {
  const all = flatMenus([menu])
  return { ids: all.map(({ id }) => id), keys: all.flatMap(({ buttons }) => buttons.map(({ key }) => key)) }
}

/** Grants one entry; what stands above it comes along, because nobody reaches it otherwise. */
export const grant = (index: GrantIndex, grants: Grants, node: GrantNode): Grants => {
  const resourceIds = new Set(grants.resourceIds)
  const buttonKeys = new Set(grants.buttonKeys)
  if (node.type === 'button') buttonKeys.add(node.key)
  withMenu(index, resourceIds, node.type === 'menu' ? node.id : (index.menuOfKey.get(node.key) ?? null))
  return { resourceIds, buttonKeys }
}

/** Grants an entry with all entries and keys below it. */
export const grantBelow = (index: GrantIndex, grants: Grants, id: string): Grants => {
  const menu = index.menus.get(id)
  if (!menu) return grants
  const { ids, keys } = below(menu)
  const first = grant(index, grants, { type: 'menu', id })
  return { resourceIds: new Set([...first.resourceIds, ...ids]), buttonKeys: new Set([...first.buttonKeys, ...keys]) }
}

/** Takes an entry away with everything below it. */
export const revoke = (index: GrantIndex, grants: Grants, node: GrantNode): Grants => {
  if (node.type === 'button') return { ...grants, buttonKeys: new Set([...grants.buttonKeys].filter((key) => key !== node.key)) }
  const menu = index.menus.get(node.id)
  if (!menu) return grants
  const gone = below(menu)
  const ids = new Set(gone.ids)
  const keys = new Set(gone.keys)
  return {
    resourceIds: new Set([...grants.resourceIds].filter((id) => !ids.has(id))),
    buttonKeys: new Set([...grants.buttonKeys].filter((key) => !keys.has(key))),
  }
}

/** What a click does: nothing granted -> the entry; a part -> everything below; everything -> nothing. */
export const cycle = (index: GrantIndex, grants: Grants, node: GrantNode, state: GrantState): Grants => {
  if (state === 'all') return revoke(index, grants, node)
  if (state === 'some' && node.type === 'menu') return grantBelow(index, grants, node.id)
  return grant(index, grants, node)
}
