import { localStore } from '../session/storage'

const KEY = 'grayVersion'

/** The local gray flag (R312, R313): set by hand or by a gray link, null when there is none. */
export function grayFlag(storage: Storage = localStore()): string | null {
  const value = storage.getItem(KEY)
  // Header values are visible ASCII; anything else would make every call fail.
  return value !== null && /^[\x21-\x7e][\x20-\x7e]{0,99}$/.test(value) ? value : null
}
