import { useCallback, useEffect, useRef, useState } from 'react'
import type { DetailModel } from '../../schema/model'
import { toRequest } from '../../headless/call'
import { changedSince, onChanged, tellChanged } from '../changes'
import { isAborted, toFailure, type Failure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import { useWhenOnline } from '../reading/useWhenOnline'
import type { Refs, Row } from '../../headless/row'

/** Answer of `GET base/view/{id}`. */
export interface ViewAnswer {
  record: Row
  /** When it is no field of the record. */
  title?: string
  refs?: Refs
  can?: { edit?: boolean; delete?: boolean; transitions?: Readonly<Record<string, string | null>> }
}

export interface RecordState {
  answer: ViewAnswer | null
  failure: Failure | null
  busy: boolean
  /** Set when a silent reload met another version: who changed it, and when. */
  changed: { by: string | null; at: string } | null
  reload(): Promise<void>
  /** The record once nothing is read any more: what acts on it needs the version that the gateway has now. */
  current(): Promise<ViewAnswer | null>
}

/** A record that is shown again after this many milliseconds is read anew; at once when this window changed one of its kind. */
const STALE_AFTER = 30_000

/** Loads the record and keeps showing the old one while it is read again. */
export const useRecord = (host: Host, model: DetailModel, id: string): RecordState => {
  const [state, setState] = useState<Omit<RecordState, 'reload' | 'current'>>({
    answer: null,
    failure: null,
    busy: true,
    changed: null,
  })
  const seen = useRef<{ at: number; version: unknown } | null>(null)
  const flight = useRef<AbortController | null>(null)
  const reading = useRef<Promise<void>>(Promise.resolve())
  const latest = useRef<ViewAnswer | null>(null)

  const readOnce = useCallback(
    async (silent: boolean): Promise<void> => {
      flight.current?.abort()
      const own = new AbortController()
      flight.current = own
      setState((now) => ({ ...now, busy: true }))
      try {
        const request = toRequest(model.viewCall, { id })
        const query = { ...request.query, ...(model.view ? { view: model.view } : {}) }
        const answer = await host.request<ViewAnswer>({ ...request, query, signal: own.signal })
        if (flight.current !== own) return
        const { record, refs } = answer
        const other = silent && seen.current !== null && seen.current.version !== record.version
        seen.current = { at: Date.now(), version: record.version }
        latest.current = answer
        const by = refs?.['sys.staff']?.[String(record.updatedBy)]?.title ?? null
        setState({ answer, failure: null, busy: false, changed: other ? { by, at: String(record.updatedAt ?? '') } : null })
      } catch (error) {
        if (flight.current !== own || isAborted(error)) return
        const failure = toFailure(error, host.locale)
        if (failure.kind === 'failed') host.report(error, { where: model.source.where, record: id })
        setState((now) => ({ ...now, failure, busy: false }))
      }
    },
    [host, model, id],
  )
  const load = useCallback((silent: boolean): Promise<void> => (reading.current = readOnce(silent)), [readOnce])
  const current = useCallback(async () => {
    await reading.current
    return latest.current
  }, [])

  useEffect(() => {
    const { at } = seen.current ?? {}
    const stale = at === undefined || Date.now() - at > STALE_AFTER || changedSince(model.basePath, at)
    if (id && stale) void load(at !== undefined && !changedSince(model.basePath, at))
    return () => flight.current?.abort()
  }, [load, id, model])

  // a list beside it, or one in it, may change the record
  const own = useRef({}).current
  useEffect(() => onChanged(model.basePath, () => void load(false), own), [load, model, own])

  const reload = useCallback(async () => {
    await load(false)
    tellChanged(model.basePath, own)
  }, [load, model, own])
  useWhenOnline(state.failure, reload)
  return { ...state, reload, current }
}
