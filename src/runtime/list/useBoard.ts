import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { boardBody, boardColumns, columnBody } from '../../headless/list/board'
import type { ListQuery } from '../../headless/list/query'
import { isAborted, toFailure, type Failure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import type { Refs, Row } from '../../headless/row'
import type { BoardModel, ListBodyModel, QueryWhere, Scope } from '../../schema/model'
import { onChanged } from '../changes'
import { joinRefs } from './joinRefs'
import type { QueryAnswer } from './types'

/** A value of the field, with the rows that have it. */
export interface BoardColumn {
  code: string
  label: string
  color?: string
  rows: readonly Row[]
  /** Null: not read yet. */
  total: number | null
  next: string | null
  summary: Readonly<Record<string, unknown>>
  failure: Failure | null
}

interface Given {
  host: Host
  body: ListBodyModel
  board: BoardModel
  query: ListQuery
  scope: Scope
  where?: readonly QueryWhere[]
  /** Another number reads the rows anew. */
  reloads: number
}

type Known = Readonly<Record<string, Omit<BoardColumn, 'code' | 'label' | 'color'>>>
const UNREAD = { rows: [], total: null, next: null, summary: {}, failure: null }

/**
 * The rows of a list below the values of its board, each column by the call of the list: the same conditions, rights and order. Read anew
 * when the question changes or rows do; what is shown stays until the answer is there.
 */
export const useBoard = ({ host, body, board, query, scope, where, reloads }: Given) => {
  const [known, setKnown] = useState<Known>({})
  const [refs, setRefs] = useState<Refs>({})
  const [busy, setBusy] = useState(true)
  const whole = useMemo(() => boardBody(body, query, { scope, ...(where ? { where } : {}) }), [body, query, scope, where])
  const columns = useMemo(() => boardColumns(board, whole.where ?? []), [board, whole])
  const question = JSON.stringify([body.calls.query, board.field.name, whole, columns.map(({ code }) => code)])
  const now = useRef({ columns, whole })
  now.current = { columns, whole }
  const asked = useRef('')

  const read = useCallback(
    async (code: string, cursor: string, signal?: AbortSignal): Promise<void> => {
      const put = (change: (before: Known[string]) => Known[string]): void =>
        setKnown((all) => ({ ...all, [code]: change(all[code] ?? UNREAD) }))
      try {
        const answer = await host.request<QueryAnswer>({
          ...body.calls.query,
          body: columnBody(now.current.whole, board, code, cursor),
          signal,
        })
        setRefs((all) => joinRefs(all, answer.refs ?? {}))
        put((before) => ({
          rows: cursor === '' ? answer.records : [...before.rows, ...answer.records],
          total: answer.total,
          next: answer.next ?? null,
          summary: cursor === '' ? (answer.summary ?? {}) : before.summary,
          failure: null,
        }))
      } catch (error) {
        if (!isAborted(error)) put((before) => ({ ...before, failure: toFailure(error, host.locale) }))
      }
    },
    [host, body.calls.query, board],
  )

  useEffect(() => {
    const abort = new AbortController()
    const all = async (): Promise<void> => {
      setBusy(true)
      await Promise.all(now.current.columns.map(({ code }) => read(code, '', abort.signal)))
      if (!abort.signal.aborted) setBusy(false)
    }
    // another question: what is shown answers the one before
    if (asked.current !== question) setKnown({})
    asked.current = question
    void all()
    const deaf = onChanged(body.path, () => void all())
    return () => {
      abort.abort()
      deaf()
    }
  }, [question, reloads, read, body.path])

  return {
    columns: columns.map((column): BoardColumn => ({ ...column, ...(known[column.code] ?? UNREAD) })),
    refs,
    busy,
    more: (column: BoardColumn): void => void read(column.code, column.next ?? ''),
    retry: (column: BoardColumn): void => void read(column.code, ''),
  }
}
