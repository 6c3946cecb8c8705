import type { Locale } from '../../schema/problem'
import type { ThemeName } from '../../runtime/themeConfig'

/**
 * The messages between the portal and an embedded sub-application. Every message carries `channel` and a version; both
 * sides check the origin and the window that a message came from.
 */
export const CHANNEL = 'switchboard'
export const BRIDGE_VERSION = 1

/** From the portal to the sub-application. */
export type ToApp =
  | { type: 'init'; token: string; locale: Locale; theme: ThemeName; path: string }
  | { type: 'token'; token: string }
  | { type: 'locale'; locale: Locale }
  | { type: 'theme'; theme: ThemeName }
  /** Show this address: the path below the module with its query. */
  | { type: 'navigate'; path: string }

/** From the sub-application to the portal. */
export type FromApp =
  | { type: 'ready' }
  /** The token was refused: send a new one. */
  | { type: 'tokenRequest'; refused?: string }
  /** Open an address of the portal. */
  | { type: 'navigate'; address: string; replace?: boolean }
  | { type: 'title'; title: string }
  /** Height of its content in CSS px. */
  | { type: 'height'; height: number }
  | { type: 'unsaved'; unsaved: boolean }

const MAX_TITLE = 200
const MAX_HEIGHT = 100_000

/** Reads a message of the sub-application; anything that is not exactly one is null. */
export function readFromApp(data: unknown): FromApp | null {
  if (typeof data !== 'object' || data === null) return null
  const message = data as Record<string, unknown>
  if (message.channel !== CHANNEL || message.version !== BRIDGE_VERSION) return null
  switch (message.type) {
    case 'ready':
      return { type: 'ready' }
    case 'tokenRequest':
      return { type: 'tokenRequest', refused: typeof message.refused === 'string' ? message.refused : undefined }
    case 'navigate':
      return typeof message.address === 'string'
        ? { type: 'navigate', address: message.address, replace: message.replace === true }
        : null
    case 'title':
      return typeof message.title === 'string' ? { type: 'title', title: message.title.slice(0, MAX_TITLE) } : null
    case 'height':
      return typeof message.height === 'number' && message.height > 0 && message.height <= MAX_HEIGHT
        ? { type: 'height', height: Math.ceil(message.height) }
        : null
    case 'unsaved':
      return typeof message.unsaved === 'boolean' ? { type: 'unsaved', unsaved: message.unsaved } : null
    default:
      return null
  }
}

/** One end of the bridge, in the portal. */
export interface Bridge {
  send(message: ToApp): void
  close(): void
}

/** Listens to one frame and one origin, and sends only there. */
export function openBridge(frame: HTMLIFrameElement, origin: string, onMessage: (message: FromApp) => void): Bridge {
  const listen = (event: MessageEvent<unknown>) => {
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    const message = readFromApp(event.data)
    if (message !== null) onMessage(message)
  }
  window.addEventListener('message', listen)
  return {
    send: (message) => frame.contentWindow?.postMessage({ channel: CHANNEL, version: BRIDGE_VERSION, ...message }, origin),
    close: () => window.removeEventListener('message', listen),
  }
}

/** Entry address of a sub-application for a path of the portal: the rest below the module goes into its path. */
export function entryAddress(entry: string, path: string, search: string, portalOrigin: string): URL {
  const url = new URL(entry, portalOrigin)
  const below = path.split('/').slice(2).join('/')
  if (below !== '') url.pathname = `${url.pathname.replace(/\/+$/, '')}/${below}`
  url.search = [url.search.replace(/^\?/, ''), search.replace(/^\?/, '')].filter(Boolean).join('&')
  return url
}
