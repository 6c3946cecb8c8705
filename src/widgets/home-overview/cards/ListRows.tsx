import '../../../runtime/plainTable.css'
import { useEffect, useMemo, useState } from 'react'
import type { ListBodyModel } from '../../../schema/model'
import { isAborted, toFailure, type Failure } from '../../../headless/failure'
import { parseQuery } from '../../../headless/list/query'
import { activeView, inView, toQueryBody } from '../../../headless/list/request'
import { pageScope } from '../../../headless/scope'
import { openLinks, useReadyFormats, type CellContext } from '../../../runtime/cell'
import { onChanged } from '../../../runtime/changes'
import { useHost } from '../../../runtime/hostContext'
import { drawColumns } from '../../../runtime/list/columns'
import type { QueryAnswer } from '../../../runtime/list/types'
import { loadCompiled } from '../../../runtime/page/loadCompiled'
import { FailureState } from '../../../runtime/reading/FailureState'
import { Skeleton } from '../../../runtime/state'
import { homeTexts } from '../texts'
import type { OfferedCard } from './useCards'

const ROWS = 5
const COLUMNS = 4
/** A quarter of the width holds a name and one thing about it. */
const NARROW = 2

interface Told {
  body: ListBodyModel
  answer: QueryAnswer
}

/** What of a list stands on a card: the columns that the card names, else the first ones of its tab. */
const columnsOf = (body: ListBodyModel, { columns, span }: OfferedCard) => {
  const most = span === 1 ? NARROW : COLUMNS
  const named = columns?.flatMap((id) => body.columns.find((column) => column.id === id) ?? [])
  return drawColumns((named ?? body.columns.filter(({ hidden }) => !hidden)).slice(0, most), 0, 0)
}

/** The first rows of a tab of a list, each leading to its record. */
export const ListRows = ({ card, round }: { card: OfferedCard; round: number }) => {
  const host = useHost()
  const texts = homeTexts[host.locale]
  const [told, setTold] = useState<Told | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [attempt, setAttempt] = useState(0)
  const scope = useMemo(() => pageScope(host, ''), [host])
  const { page, view, rows = ROWS } = card

  useEffect(() => {
    const abort = new AbortController()
    const ask = async (): Promise<Told | null> => {
      const { result } = await loadCompiled(host, page, abort.signal)
      if (!result.ok || result.model.kind !== 'list') throw new Error(`The list ${page} does not stand.`)
      const query = parseQuery(result.model.body, view === undefined ? '' : `view=${view}`, scope)
      const body = inView(result.model.body, activeView(result.model.body, query))
      const asked = { ...toQueryBody(body, query, rows, { scope }), summary: undefined }
      const answer = await host.request<QueryAnswer>({ ...body.calls.query, body: asked, signal: abort.signal })
      return { body, answer }
    }
    ask().then(
      (found) => {
        setFailure(null)
        setTold(found)
      },
      (error: unknown) => {
        if (!isAborted(error)) setFailure(toFailure(error, host.locale))
      },
    )
    return () => abort.abort()
  }, [host, page, view, rows, scope, round, attempt])

  const path = told?.body.path
  useEffect(() => (path === undefined ? undefined : onChanged(path, () => setAttempt((now) => now + 1))), [path])

  const formats = useReadyFormats(host, told?.body.columns.map(({ field }) => field) ?? [])
  const follow = useMemo(() => openLinks(host), [host])
  if (failure) return <FailureState failure={failure} onRetry={() => setAttempt(attempt + 1)} />
  if (!told) return <Skeleton rows={4} columns={3} rowHeight={32} label={texts.loading} />
  const { body, answer } = told
  if (answer.records.length === 0) return <p className="sb-report-empty">{texts.nothing}</p>
  const context: CellContext = { host, scope, refs: answer.refs ?? {}, formats, now: host.now().getTime() }
  const columns = columnsOf(body, card)
  return (
    <div className="sb-home-rows" onClick={follow}>
      <table className="sb-plain">
        <thead>
          <tr>
            {columns.map(({ id, title, className }) => (
              <th key={id} scope="col" className={className}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answer.records.map((row) => (
            <tr key={String(row[body.rowKey])}>
              {columns.map((column) => (
                <td key={column.id} className={column.className}>
                  {column.render(row, context)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {answer.total > answer.records.length && card.address !== null && host.canOpen(card.address) && (
        <a className="sb-link sb-home-more" href={card.address} data-sb-open="">
          {texts.all(answer.total, answer.totalAtLeast === true)}
        </a>
      )}
    </div>
  )
}
