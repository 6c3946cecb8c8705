const HOUR = 3_600_000
/** How long a user can be answered freely after he wrote. */
const WINDOW = 24 * HOUR
/** How long everything is free after he came by an advertisement or a button of a page. */
const ENTRY_POINT = 72 * HOUR

/** A session between a business number and a user; moments in milliseconds since 1970. */
export interface WaWindow {
  openedBy: 'user' | 'business' | 'entryPoint'
  openedAt: number
  /** When the user wrote last. */
  lastInAt: number | null
}
export type FreeReason = 'service' | 'window' | 'entryPoint'

/** When the service window of a session ends; that of an entry point is longer. */
export function windowEnd({ openedBy, openedAt, lastInAt }: WaWindow): number {
  const service = lastInAt === null ? openedAt : lastInAt + WINDOW
  return openedBy === 'entryPoint' ? Math.max(service, openedAt + ENTRY_POINT) : service
}

/** Why a message costs nothing (quotes-traffic 5.7), or null. */
export function freeReasonOf(category: string, at: number, window: WaWindow | null): FreeReason | null {
  const opened = window !== null && window.openedAt <= at
  if (opened && window.openedBy === 'entryPoint' && at < window.openedAt + ENTRY_POINT) return 'entryPoint'
  if (category === 'service') return 'service'
  if (category !== 'utility' || !opened || window.lastInAt === null) return null
  return at < window.lastInAt + WINDOW ? 'window' : null
}

/** WhatsApp is paid by the delivered message. */
export const isWaBillable = (status: string, free: FreeReason | null): boolean =>
  free === null && (status === 'delivered' || status === 'read')
