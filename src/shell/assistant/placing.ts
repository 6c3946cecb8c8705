/** Height of the icon, px: it is never lower than this above the end of the window (R089). */
const ICON = 52
/** From the end of the window, where nobody has moved it. */
const AT_FIRST = 220
/** R415 */
const WIDTH = 556
const WIDE = 700
const SIDEBAR = 232

/** Where the icon stands, px from the top of the window (R089). */
export const iconTop = (wanted: number, height: number): number => Math.max(0, Math.min(wanted, height - ICON))

export const firstIconTop = (height: number): number => iconTop(height - AT_FIRST, height)

interface PanelState {
  fullScreen: boolean
  sidebarCollapsed: boolean
  /** Of the window, px. */
  window: number
  phone: boolean
}

/** Width of the conversation, px (R415); never wider than the window leaves it. */
export function chatWidth({ fullScreen, sidebarCollapsed, window, phone }: PanelState): number {
  if (phone) return window
  const beside = sidebarCollapsed ? 0 : SIDEBAR
  return Math.min(fullScreen || sidebarCollapsed ? WIDE : WIDTH, window - beside)
}

/** Width of the panel, px: the conversation and the history beside it; the whole window in full screen and on a phone. */
export function panelWidth(state: PanelState): number {
  const { fullScreen, sidebarCollapsed, window, phone } = state
  if (fullScreen || phone) return window
  return chatWidth(state) + (sidebarCollapsed ? 0 : SIDEBAR)
}
