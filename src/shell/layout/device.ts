/** Device modes by window width (R201-R203, R406) and the width of the side menu (R073-R075). */
export type Device = 'PC' | 'IPAD' | 'Mobile'

export const WIDE = 1080
export const NARROW = 768
const MENU_EXPANDED = 221
const MENU_COLLAPSED = 65

export function deviceOf(width: number): Device {
  if (width >= WIDE) return 'PC'
  return width > NARROW ? 'IPAD' : 'Mobile'
}

/** The menu of a new mode: expanded on a PC, collapsed on the others. */
export const startsCollapsed = (device: Device): boolean => device !== 'PC'

/** Width of the side menu in px. */
export function menuWidth(device: Device, collapsed: boolean): number {
  if (device === 'Mobile') return 0
  return collapsed ? MENU_COLLAPSED : MENU_EXPANDED
}
