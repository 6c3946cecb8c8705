import { useSyncExternalStore } from 'react'

/** Below this width rows become cards and description lists one column (UX: phone). */
export const PHONE = '(max-width: 767px)'

const subscribe = (query: string) => (listener: () => void) => {
  if (typeof matchMedia !== 'function') return () => undefined
  const list = matchMedia(query)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}
const watchPhone = subscribe(PHONE)

/** True while the window is as narrow as a phone. */
export const usePhone = (): boolean =>
  useSyncExternalStore(
    watchPhone,
    () => typeof matchMedia === 'function' && matchMedia(PHONE).matches,
    () => false,
  )
