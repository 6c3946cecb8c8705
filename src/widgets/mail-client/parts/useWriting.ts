import { useCallback } from 'react'
import { dock } from '../../../runtime/dock'
import { useHost } from '../../../runtime/hostContext'
import { usePhone } from '../../../runtime/media'
import { writeAddress } from './place'
import type { View } from './types'

/** Begins to write: in a window that stays while one looks at other pages, on a phone and beside two of them on a page. */
export function useWriting(view: View) {
  const host = useHost()
  const phone = usePhone()
  return useCallback(
    (query: Readonly<Record<string, string | undefined>>): void => {
      const address = writeAddress(view, query)
      if (phone || !host.canOpen(address) || !dock('mail.compose', address)) host.navigate(address)
    },
    [host, phone, view],
  )
}
