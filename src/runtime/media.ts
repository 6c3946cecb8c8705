import { createContext, use, useSyncExternalStore } from 'react'

/** Below this width rows become cards and description lists one column (UX: phone). */
export const PHONE = 'screen and (max-width: 767px)'

/** A phone shows so many chosen values below each other; in its width "as many as fit" would often be none. */
export const TAGS_ON_PHONE = 6

const subscribe = (query: string) => (listener: () => void) => {
  if (typeof matchMedia !== 'function') return () => undefined
  const list = matchMedia(query)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}
const watchPhone = subscribe(PHONE)

const DESK = 'screen and (min-width: 1200px)'
const watchDesk = subscribe(DESK)

/** True while there is room for something beside what is read. */
export const useDesk = (): boolean =>
  useSyncExternalStore(
    watchDesk,
    () => typeof matchMedia === 'function' && matchMedia(DESK).matches,
    () => false,
  )

const PRINT = 'print'
const watchPrint = subscribe(PRINT)

/** True while the page is laid out for paper: what scrolling would bring has to stand there. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    watchPrint,
    () => typeof matchMedia === 'function' && matchMedia(PRINT).matches,
    () => false,
  )

/** Says what is drawn below it that it stands on a phone, or that it does not, whatever the window is like. */
export const PhoneProvider = createContext<boolean | null>(null)

/** True while the window is as narrow as a phone. */
export const usePhone = (): boolean => {
  const said = use(PhoneProvider)
  const narrow = useSyncExternalStore(
    watchPhone,
    () => typeof matchMedia === 'function' && matchMedia(PHONE).matches,
    () => false,
  )
  return said ?? narrow
}
