import type { ManagedMenu } from '../resources/menus'

/** A new place of an entry, as POST /v2/sys/menuResource/reorder takes it. */
export interface Move {
  id: string
  parentId: string | null
  sortNo: number
}

/** Where an entry goes: before or after another one, or as the last below it. */
export type MenuPosition = { at: 'before' | 'after' | 'into'; id: string }

const STEP = 10

interface Found {
  siblings: readonly ManagedMenu[]
  index: number
  parentId: string | null
}

const find = (menus: readonly ManagedMenu[], id: string, parentId: string | null = null): Found | null => {
  const index = menus.findIndex((menu) => menu.id === id)
  if (index >= 0) return { siblings: menus, index, parentId }
  for (const menu of menus) {
    const below = find(menu.children, id, menu.id)
    if (below) return below
  }
  return null
}

export const findMenu = (menus: readonly ManagedMenu[], id: string): ManagedMenu | null => {
  const found = find(menus, id)
  return found?.siblings[found.index] ?? null
}

const contains = (menu: ManagedMenu, id: string): boolean => menu.id === id || menu.children.some((child) => contains(child, id))

/**
 * The moves that bring an entry to its place: the entry itself, and those beside it whose order number has to change.
 * Empty when nothing changes, or when the place lies inside the entry.
 */
export const movesTo = (menus: readonly ManagedMenu[], id: string, position: MenuPosition): Move[] => {
  const moving = findMenu(menus, id)
  const target = find(menus, position.id)
  if (!moving || !target || contains(moving, position.id)) return []
  const parentId = position.at === 'into' ? position.id : target.parentId
  const all = position.at === 'into' ? (target.siblings[target.index]?.children ?? []) : target.siblings
  const others = all.filter((menu) => menu.id !== id)
  const beside = others.findIndex((menu) => menu.id === position.id)
  const at = position.at === 'into' ? others.length : position.at === 'before' ? beside : beside + 1
  const order = [...others.slice(0, at), moving, ...others.slice(at)]
  const unchanged = moving.parentId === parentId && order.every((menu, index) => menu.id === all[index]?.id)
  if (unchanged) return []
  return order.flatMap((menu, index) => {
    const sortNo = (index + 1) * STEP
    return menu.id === id || menu.sortNo !== sortNo ? [{ id: menu.id, parentId, sortNo }] : []
  })
}

/** The place one step up, down, or out of the entry above; null when there is none. */
export const stepOf = (menus: readonly ManagedMenu[], id: string, step: 'up' | 'down' | 'out'): MenuPosition | null => {
  const found = find(menus, id)
  if (!found) return null
  if (step === 'out') return found.parentId === null ? null : { at: 'after', id: found.parentId }
  const beside = found.siblings[found.index + (step === 'up' ? -1 : 1)]
  return beside ? { at: step === 'up' ? 'before' : 'after', id: beside.id } : null
}

/** Where antd's tree says that an entry was dropped. `dropPosition` counts gaps among the siblings of the target. */
export const positionOfDrop = (targetId: string, gap: -1 | 0 | 1): MenuPosition => ({
  at: gap === 0 ? 'into' : gap < 0 ? 'before' : 'after',
  id: targetId,
})
