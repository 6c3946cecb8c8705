import { useEffect, useMemo, useState } from 'react'
import type { Host } from '../../../headless/host'
import { useHost } from '../../../runtime/hostContext'
import type { Message } from '../parts/types'
import { picturesOf } from './frame'

/** Pictures that are fetched at once. */
const AT_ONCE = 4
const NONE: ReadonlyMap<string, string> = new Map()
const NOWHERE: ReadonlyMap<number, string> = new Map()

interface Pictures {
  inside: ReadonlyMap<string, string>
  outside: ReadonlyMap<number, string>
  /** Pictures from elsewhere that there are. */
  waiting: number
  failed: number
}

const dataOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('unread'))
    reader.readAsDataURL(blob)
  })

/** Reads pictures as data addresses, a few at once; those that cannot be had are counted. */
async function readAll<K>(
  host: Pick<Host, 'readBlob'>,
  wanted: readonly (readonly [K, string])[],
  signal: AbortSignal,
): Promise<{ found: ReadonlyMap<K, string>; failed: number }> {
  const found = new Map<K, string>()
  const queue = [...wanted]
  let failed = 0
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift())
      try {
        found.set(next[0], await dataOf(await host.readBlob(next[1], signal)))
      } catch {
        failed += 1
      }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { found, failed }
}

/** Where a file of a message lies. */
export const fileAddress = (messageId: string, index: number, inside?: number): string =>
  `/v2/mail/attachment/${encodeURIComponent(messageId)}/${index}${inside === undefined ? '' : `?inside=${inside}`}`

/** The pictures of a message: those that came with it, and when they are trusted those from elsewhere, which the gateway fetches. */
export function usePictures(message: Message, isTrusted: boolean): Pictures {
  const host = useHost()
  const { id, accountId, content, attachments } = message
  const named = useMemo(() => picturesOf(content), [content])
  const [inside, setInside] = useState<ReadonlyMap<string, string>>(NONE)
  const [outside, setOutside] = useState<{ found: ReadonlyMap<number, string>; failed: number } | null>(null)
  useEffect(() => {
    const wanted = named.inside.flatMap((cid) => {
      const file = attachments.find(({ contentId }) => contentId?.replace(/^<|>$/gu, '') === cid)
      return file?.type.startsWith('image/') ? [[cid, fileAddress(id, file.index)] as const] : []
    })
    if (wanted.length === 0) return
    const abort = new AbortController()
    void readAll(host, wanted, abort.signal).then(({ found }) => abort.signal.aborted || setInside(found))
    return () => abort.abort()
  }, [host, id, attachments, named])
  useEffect(() => {
    if (!isTrusted || named.outside === 0) return
    const abort = new AbortController()
    const wanted = Array.from({ length: named.outside }, (_, place) => {
      const query = new URLSearchParams({ accountId, messageId: id, n: String(place) })
      return [place, `/v2/mail/picture?${query.toString()}`] as const
    })
    void readAll(host, wanted, abort.signal).then((read) => abort.signal.aborted || setOutside(read))
    return () => abort.abort()
  }, [host, id, accountId, named, isTrusted])
  const shown = isTrusted ? outside : null
  return { inside, outside: shown?.found ?? NOWHERE, waiting: named.outside, failed: shown?.failed ?? 0 }
}
