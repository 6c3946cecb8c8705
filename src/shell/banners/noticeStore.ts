import { makeAutoObservable } from 'mobx'
import { PART_MISSING } from '../../runtime/part/loadPart'

const RELOADED_KEY = 'switchboard.reloadedAt'
const LOOP_WINDOW = 10_000

/** True when the gateway answers for a file that every version has: what did not arrive is then gone, not the network. */
async function answers(): Promise<boolean> {
  if (!navigator.onLine) return false
  try {
    return (await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/** The banners above the page: gray release, upgrade, offline. */
export class NoticeStore {
  /** A part of the program could not be loaded: a new version was put in place (R383). */
  upgraded = false
  offline: boolean
  readonly gray: string | null
  /** The browser keeps nothing that is typed. */
  readonly unkept: boolean

  /**
   * @param reached whether the gateway answers, asked when a part of the program did not arrive
   * @param keeps whether the browser has a storage for drafts
   */
  constructor(
    gray: string | null,
    private readonly reached: () => Promise<boolean> = answers,
    keeps = true,
  ) {
    this.gray = gray
    this.unkept = !keeps
    this.offline = typeof navigator !== 'undefined' && navigator.onLine === false
    makeAutoObservable<this, 'reached'>(this, { reached: false }, { autoBind: true })
  }

  setUpgraded(): void {
    this.upgraded = true
  }

  setOffline(offline: boolean): void {
    this.offline = offline
  }

  /** Follows the browser. Nothing reloads by itself: only the person does, so there is no loop. */
  watch(): () => void {
    // The browser's own preload error comes with the first try already: a part that arrives at the second is no new version.
    // Without a network nothing arrives either, and reloading would lose the page that still stands.
    const missing = () => void this.reached().then((reached) => reached && this.setUpgraded())
    const online = () => this.setOffline(false)
    const offline = () => this.setOffline(true)
    window.addEventListener(PART_MISSING, missing)
    window.addEventListener('online', online)
    window.addEventListener('offline', offline)
    return () => {
      window.removeEventListener(PART_MISSING, missing)
      window.removeEventListener('online', online)
      window.removeEventListener('offline', offline)
    }
  }
}

/** Reloads for the new version. A second click within seconds goes past the browser's cache with a fresh address. */
export function reloadForUpgrade(storage: Storage, forgetRoutes: () => void): void {
  forgetRoutes()
  const last = Number(storage.getItem(RELOADED_KEY)) || 0
  try {
    storage.setItem(RELOADED_KEY, String(Date.now()))
  } catch {
    // A full storage does not keep anybody from reloading.
  }
  if (Date.now() - last > LOOP_WINDOW) return window.location.reload()
  const address = new URL(window.location.href)
  address.searchParams.set('_v', String(Date.now()))
  window.location.replace(address.href)
}
