import { useEffect, useMemo, useRef, useState } from 'react'
import { isAborted, toFailure, type Failure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import { partBody } from '../../headless/list/part'
import type { QueryBody } from '../../headless/list/request'
import type { Refs, Row } from '../../headless/row'
import type { ListBodyModel, QueryWhere } from '../../schema/model'
import { onChanged } from '../changes'
import { joinRefs } from './joinRefs'
import type { QueryAnswer } from './types'

/** Rows of a list that stand together. */
export interface Part {
  rows: readonly Row[]
  /** Null: not read yet. */
  total: number | null
  next: string | null
  failure: Failure | null
}

interface Given {
  host: Host
  body: ListBodyModel
  /** What the list asks for, with the number of rows that a part reads at once. */
  whole: QueryBody
  /** What the rows of each part that is shown meet besides. */
  open: ReadonlyMap<string, readonly QueryWhere[]>
  /** Another number reads the rows anew. */
  reloads: number
}

const UNREAD: Part = { rows: [], total: null, next: null, failure: null }

/**
 * Parts of a list, each read by the call of the list when it is shown: the same conditions, rights and order. Read anew when the question
 * changes or rows do; what is shown stays until the answer is there.
 */
export const useParts = ({ host, body, whole, open, reloads }: Given) => {
  const [known, setKnown] = useState<ReadonlyMap<string, Part>>(new Map())
  const [refs, setRefs] = useState<Refs>({})
  const [changes, setChanges] = useState(0)
  const question = JSON.stringify([body.calls.query, whole, reloads, changes])
  /** What each part was asked for last. */
  const asked = useRef(new Map<string, string>())
  const now = useRef({ whole, open })
  now.current = { whole, open }
  useEffect(() => onChanged(body.path, () => setChanges((count) => count + 1)), [body.path])

  const read = useMemo(
    () =>
      async (key: string, stamp: string, cursor: string): Promise<void> => {
        const put = (change: (before: Part) => Part): void => {
          // another question was asked meanwhile
          if (asked.current.get(key) === stamp) setKnown((all) => new Map(all).set(key, change(all.get(key) ?? UNREAD)))
        }
        try {
          const answer = await host.request<QueryAnswer>({
            ...body.calls.query,
            body: partBody(now.current.whole, now.current.open.get(key) ?? [], cursor),
          })
          setRefs((all) => joinRefs(all, answer.refs ?? {}))
          put((before) => ({
            rows: cursor === '' ? answer.records : [...before.rows, ...answer.records],
            total: answer.total,
            next: answer.next ?? null,
            failure: null,
          }))
        } catch (error) {
          if (!isAborted(error)) put((before) => ({ ...before, failure: toFailure(error, host.locale) }))
        }
      },
    [host, body.calls.query],
  )

  useEffect(() => {
    for (const key of open.keys()) {
      const stamp = `${question} ${JSON.stringify(open.get(key))}`
      if (asked.current.get(key) === stamp) continue
      asked.current.set(key, stamp)
      void read(key, stamp, '')
    }
    for (const key of [...asked.current.keys()]) if (!open.has(key)) asked.current.delete(key)
  }, [open, question, read])
  useEffect(() => {
    const those = asked.current
    return () => those.clear()
  }, [])

  const onwards = (key: string, cursor: string): void => void read(key, asked.current.get(key) ?? '', cursor)
  return {
    part: (key: string): Part => known.get(key) ?? UNREAD,
    refs,
    more: (key: string): void => onwards(key, known.get(key)?.next ?? ''),
    retry: (key: string): void => onwards(key, ''),
  }
}
