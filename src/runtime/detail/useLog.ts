import { useCallback, useEffect, useState } from 'react'
import { isAborted, toFailure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import type { Refs, Row } from '../../headless/row'
import type { LogEntry } from './LogItem'

interface LogAnswer {
  records: readonly LogEntry[]
  refs?: Refs
  more: boolean
  viewed?: boolean
}

interface Log {
  /** The newest first; null: not read yet. */
  entries: readonly LogEntry[] | null
  refs: Refs
  more: boolean
  /** Somebody read sensitive fields. */
  viewed: boolean
  failure: string | null
  /** Reads on; from the beginning when nothing is there. */
  load(before?: string): Promise<void>
}

const AT_ONCE = 20

/** The audit log of a record, or with `views` who read sensitive fields of it. Read once `wanted`, and again when the record changes. */
export const useLog = (host: Host, basePath: string, { id, version }: Row, views: boolean, wanted: boolean): Log => {
  const [log, setLog] = useState<Omit<Log, 'load'>>({ entries: null, refs: {}, more: false, viewed: false, failure: null })
  const load = useCallback(
    async (before?: string, signal?: AbortSignal): Promise<void> => {
      setLog((now) => ({ ...now, failure: null }))
      try {
        const query = { limit: AT_ONCE, ...(views ? { views } : {}), ...(before === undefined ? {} : { before }) }
        const answer = await host.request<LogAnswer>({
          method: 'GET',
          path: `${basePath}/log/${encodeURIComponent(String(id))}`,
          query,
          signal,
        })
        setLog((now) => ({
          ...now,
          entries: before === undefined ? answer.records : [...(now.entries ?? []), ...answer.records],
          refs: { ...now.refs, ...answer.refs },
          more: answer.more,
          viewed: answer.viewed === true,
        }))
      } catch (error) {
        if (!isAborted(error)) setLog((now) => ({ ...now, failure: toFailure(error, host.locale).message }))
      }
    },
    [host, basePath, id, views],
  )
  useEffect(() => {
    if (!wanted) return
    const abort = new AbortController()
    void load(undefined, abort.signal)
    return () => abort.abort()
    // version: a changed record has a new entry
  }, [wanted, load, version])
  return { ...log, load }
}
