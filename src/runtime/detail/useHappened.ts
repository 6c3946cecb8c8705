import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isAborted, toFailure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import { toViewBody } from '../../headless/list/request'
import type { Refs, Row } from '../../headless/row'
import type { ListBodyModel, Scope, TabModel } from '../../schema/model'
import { onChanged } from '../changes'

/** Something that came to be around a record: a row of one of its related lists. */
export interface Happening {
  tab: string
  list: ListBodyModel
  row: Row
  refs: Refs
  /** ISO 8601 in UTC. */
  at: string
}

/** What is known of one list: its rows, newest first, and where the next ones begin; null = there are no more. */
interface Source {
  tab: string
  list: ListBodyModel
  rows: readonly Happening[]
  next: string | null
}
interface Answer {
  sources: readonly ({ records: readonly Row[]; refs: Refs; next: string | null } | null)[]
}

export interface Happened {
  sources: readonly Source[]
  failure: string | null
  /** Reads on in these lists; in all of them from the beginning without any. */
  load(tabs?: readonly string[]): Promise<void>
}

/**
 * The rows of the related lists that are things that happened, all by one call, with the rights of the lists. Read once `wanted`, and
 * again when the record or rows of a list change.
 */
export const useHappened = (host: Host, tabs: readonly TabModel[], scope: Scope, version: unknown, wanted: boolean): Happened => {
  const [sources, setSources] = useState<readonly Source[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const known = useRef<readonly Source[]>([])
  const lists = useMemo(
    () =>
      tabs.flatMap(({ id, timeline, content }) => (timeline && content.type === 'list' ? [{ tab: id, list: content.list }] : [])),
    [tabs],
  )
  const load = useCallback(
    async (on?: readonly string[], signal?: AbortSignal): Promise<void> => {
      const cursorOf = (tab: string): string | null | undefined => known.current.find((one) => one.tab === tab)?.next
      const asked = lists.flatMap(({ tab, list }) => {
        const cursor = on ? cursorOf(tab) : ''
        if (typeof cursor !== 'string' || (on && !on.includes(tab))) return []
        try {
          return [{ tab, list, body: { entity: list.entity, ...toViewBody(list, undefined, { scope }), cursor } }]
        } catch {
          // what the list asks for cannot be worked out: the list says so itself
          return []
        }
      })
      setFailure(null)
      if (asked.length === 0) return
      try {
        const body = { sources: asked.map((one) => one.body) }
        const answer = await host.request<Answer>({ method: 'POST', path: '/v2/sys/timeline', body, signal })
        const read = asked.map(({ tab, list }, index): Source => {
          const { records = [], refs = {}, next = null } = answer.sources[index] ?? {}
          const before = on ? (known.current.find((one) => one.tab === tab)?.rows ?? []) : []
          const rows = records.map((row): Happening => ({ tab, list, row, refs, at: String(row.createdAt ?? '') }))
          return { tab, list, rows: [...before, ...rows], next }
        })
        known.current = on ? known.current.map((one) => read.find(({ tab }) => tab === one.tab) ?? one) : read
        setSources(known.current)
      } catch (error) {
        if (!isAborted(error)) setFailure(toFailure(error, host.locale).message)
      }
    },
    [host, lists, scope],
  )
  useEffect(() => {
    if (!wanted) return
    const abort = new AbortController()
    void load(undefined, abort.signal)
    const deaf = lists.map(({ list }) => onChanged(list.path, () => void load(undefined, abort.signal)))
    return () => {
      abort.abort()
      deaf.forEach((end) => end())
    }
    // version: a changed record may have got something new around it
  }, [wanted, load, lists, version])
  return { sources, failure, load }
}
