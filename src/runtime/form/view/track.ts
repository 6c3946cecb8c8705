import { autorun } from '@formily/reactive'
import { useCallback, useRef, useSyncExternalStore } from 'react'

const sameShape = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => Object.is(value, b[index]))

/**
 * Reads observables of the form in a component and renders again when one of them changed. `read` answers a short list of
 * plain values; `source` is what it reads from (a new source is followed anew).
 *
 * Formily's own `observer` disposes its tracker on unmount and relies on a garbage-collection timer; this one subscribes the
 * way React asks for, so StrictMode and a hidden and shown Activity need nothing special.
 */
export const useTracked = <T extends readonly unknown[]>(source: object, read: () => T): T => {
  const last = useRef<T | null>(null)
  const reader = useRef(read)
  reader.current = read
  const subscribe = useCallback(
    (notify: () => void) => {
      void source
      let first = true
      return autorun(() => {
        reader.current()
        if (first) first = false
        else notify()
      })
    },
    [source],
  )
  return useSyncExternalStore(subscribe, () => {
    const next = reader.current()
    if (last.current && sameShape(last.current, next)) return last.current
    last.current = next
    return next
  })
}
