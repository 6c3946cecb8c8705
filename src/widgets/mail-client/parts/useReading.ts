import { useCallback, useEffect, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'

const KEY = 'mail.reading'

/** How somebody reads: where the message stands, and whether conversations are one row. */
export interface Reading {
  pane: 'right' | 'below' | 'off'
  conversations: boolean
}

const USUAL: Reading = { pane: 'right', conversations: false }

const isPane = (value: unknown): value is Reading['pane'] => ['right', 'below', 'off'].includes(String(value))

const readText = (text: string | null): Reading | null => {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<Reading> | null
    return value && isPane(value.pane) ? { pane: value.pane, conversations: value.conversations === true } : null
  } catch {
    return null
  }
}

/** The reader's own way, kept on the server for all his browsers; this one remembers it, so that nothing jumps. */
export function useReading(): [Reading, (next: Reading) => void] {
  const host = useHost()
  const [reading, setReading] = useState(() => readText(host.local.get(KEY)) ?? USUAL)
  useEffect(() => {
    host
      .preference<Reading>(KEY)
      .then((stored) => {
        const known = readText(JSON.stringify(stored))
        if (known) setReading(known)
      })
      // the browser's own stands
      .catch(() => undefined)
  }, [host])
  const keep = useCallback(
    (next: Reading): void => {
      setReading(next)
      host.local.set(KEY, JSON.stringify(next))
      host.savePreference(KEY, next).catch(() => undefined)
    },
    [host],
  )
  return [reading, keep]
}
