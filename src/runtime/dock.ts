import { useSyncExternalStore } from 'react'

/** A widget that stands beside the pages, whichever of them is looked at. */
export interface Docked {
  /** The address at which the same stands as a page: asked for twice, it is one. */
  address: string
  widget: string
  isSmall: boolean
}

/** More of them hide the page that one looks at. */
const MOST = 2

let docked: readonly Docked[] = []
const listeners = new Set<() => void>()
const put = (next: readonly Docked[]): void => {
  docked = next
  for (const listener of listeners) listener()
}

/** Docks a widget, or opens the window that it has. False: there is no room, it stands as a page. */
export function dock(widget: string, address: string): boolean {
  const isThere = docked.some((one) => one.address === address)
  if (!isThere && docked.length >= MOST) return false
  if (isThere) sizeDocked(address, false)
  else put([...docked, { widget, address, isSmall: false }])
  return true
}

/** Makes a docked widget a bar with its title, or a window again. */
export const sizeDocked = (address: string, isSmall: boolean): void =>
  put(docked.map((one) => (one.address === address ? { ...one, isSmall } : one)))

/** Takes a docked widget away; all of them without an address. */
export const undock = (address?: string): void =>
  put(address === undefined ? [] : docked.filter((one) => one.address !== address))

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What is docked, in the order in which it came. */
export const useDocked = (): readonly Docked[] => useSyncExternalStore(subscribe, () => docked)
