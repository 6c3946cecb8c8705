import type { ManagedMenu } from '../resources/menus'

/** A new place of an entry, as POST /v2/sys/menuResource/reorder takes it. */
export interface Move {
  id: string
  parentId: string | null
  sortNo: number
}

/** Where an entry goes: before or after another one, or as the last below it. */
export type Place = { at: 'before' | 'after' | 'into'; id: string }

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
export const movesTo = (menus: readonly ManagedMenu[], id: string, place: Place): Move[] => {
  const moving = findMenu(menus, id)
  const target = find(menus, place.id)
  if (!moving || !target || contains(moving, place.id)) return []
  const parentId = place.at === 'into' ? place.id : target.parentId
  const all = place.at === 'into' ? (target.siblings[target.index]?.children ?? []) : target.siblings
  const others = all.filter((menu) => menu.id !== id)
  const beside = others.findIndex((menu) => menu.id === place.id)
  const at = place.at === 'into' ? others.length : place.at === 'before' ? beside : beside + 1
  const order = [...others.slice(0, at), moving, ...others.slice(at)]
  const unchanged = moving.parentId === parentId && order.every((menu, index) => menu.id === all[index]?.id)
  if (unchanged) return []
  return order.flatMap((menu, index) => {
    const sortNo = (index + 1) * STEP
    return menu.id === id || menu.sortNo !== sortNo ? [{ id: menu.id, parentId, sortNo }] : []
  })
}

/** The place one step up, down, or out of the entry above; null when there is none. */
export const stepOf = (menus: readonly ManagedMenu[], id: string, step: 'up' | 'down' | 'out'): Place | null => {
  const found = find(menus, id)
  if (!found) return null
  if (step === 'out') return found.parentId === null ? null : { at: 'after', id: found.parentId }
  const beside = found.siblings[found.index + (step === 'up' ? -1 : 1)]
  return beside ? { at: step === 'up' ? 'before' : 'after', id: beside.id } : null
}

/** Where antd's tree says that an entry was dropped. `dropPosition` counts gaps among the siblings of the target. */
export const placeOfDrop = (targetId: string, gap: -1 | 0 | 1): Place => ({
  at: gap === 0 ? 'into' : gap < 0 ? 'before' : 'after',
  id: targetId,
})
