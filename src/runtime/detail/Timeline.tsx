import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { isDay, toInstant, wallClock } from '../../schema/formats'
import type { DetailModel } from '../../schema/model'
import { showPlain } from '../cell'
import { relativeTime } from '../cell/time'
import { isAborted, toFailure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import type { LinesInWords } from '../lines/LinesChange'
import { lazyPart } from '../part/lazyPart'
import type { Refs, Row } from '../../headless/row'
import { structuredChange } from './changeText'
import { detailTexts } from './texts'

const LinesChange = lazyPart(() => import('../lines/LinesChange'))

interface LogEntry {
  id: string
  at: string
  /** null: the gateway itself, in a nightly job or a queue. */
  byId: string | null
  byName: string | null
  action: string
  reason?: string
  /** What led to it, the nearest first: the record whose transition did it, as far as the reader may see it, and the rules. */
  causes?: readonly { record?: { title: string; open?: string }; text: string }[]
  changes?: readonly { field: string; before: unknown; after: unknown; lines?: LinesInWords }[]
  /** What somebody read: the fields, and the record below this one that they are of. */
  viewed?: { of: string | null; fields: readonly string[] }
}
interface LogAnswer {
  records: readonly LogEntry[]
  refs?: Refs
  more: boolean
  viewed?: boolean
}

const AT_ONCE = 20

interface TimelineProps {
  host: Host
  model: DetailModel
  record: Row
  refs: Refs
}

/**
 * The audit log of the record, newest first, with each field before and after; on demand who read sensitive fields. It is read
 * when it comes into sight.
 */
export const Timeline = ({ host, model, record, refs }: TimelineProps) => {
  const texts = detailTexts[host.locale]
  const root = useRef<HTMLDivElement>(null)
  const [entries, setEntries] = useState<readonly LogEntry[] | null>(null)
  const [known, setKnown] = useState<Refs>({})
  const [more, setMore] = useState(false)
  const [viewed, setViewed] = useState(false)
  const [views, setViews] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [seen, setSeen] = useState(false)
  const { id, version } = record
  const { basePath } = model

  const load = useCallback(
    async (before: string | undefined, signal?: AbortSignal): Promise<void> => {
      setFailure(null)
      try {
        const query = { limit: AT_ONCE, ...(views ? { views } : {}), ...(before === undefined ? {} : { before }) }
        const answer = await host.request<LogAnswer>({
          method: 'GET',
          path: `${basePath}/log/${encodeURIComponent(String(id))}`,
          query,
          signal,
        })
        setEntries((now) => (before === undefined ? answer.records : [...(now ?? []), ...answer.records]))
        setKnown((now) => ({ ...now, ...answer.refs }))
        setMore(answer.more)
        setViewed(answer.viewed === true)
      } catch (error) {
        if (!isAborted(error)) setFailure(toFailure(error, host.locale).message)
      }
    },
    [host, basePath, id, views],
  )
  useEffect(() => {
    const element = root.current
    if (!element || seen) return
    if (typeof IntersectionObserver !== 'function') {
      setSeen(true)
      return
    }
    const observer = new IntersectionObserver((found) => {
      if (found.some((entry) => entry.isIntersecting)) setSeen(true)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [seen])
  useEffect(() => {
    if (!seen) return
    const abort = new AbortController()
    void load(undefined, abort.signal)
    return () => abort.abort()
    // version: a changed record has a new entry
  }, [seen, load, version])

  const allRefs = { ...refs, ...known }
  const show = (field: string, value: unknown): string => {
    const definition = model.fields[field]
    if (value === null || value === undefined || value === '') return texts.empty
    if (definition) return showPlain(definition, value, host, record, allRefs) || texts.empty
    return String(value)
  }
  const sides = (field: string, before: unknown, after: unknown): readonly [string, string] => {
    const { kind } = model.fields[field] ?? {}
    const structured = kind === undefined ? typeof (before ?? after) === 'object' : kind === 'json'
    return structured ? structuredChange(before, after, texts) : [show(field, before), show(field, after)]
  }
  const now = host.now().getTime()
  return (
    <div ref={root} className="sb-timeline">
      <h2>{views ? texts.views : texts.timeline}</h2>
      {viewed && (
        <button type="button" className="sb-link" onClick={() => setViews(!views)}>
          {views ? texts.toTimeline : texts.views}
        </button>
      )}
      {failure !== null && (
        <p role="alert">
          {texts.failed}: {failure}{' '}
          <button type="button" className="sb-link" onClick={() => void load(undefined)}>
            {texts.retry}
          </button>
        </p>
      )}
      {entries?.length === 0 && <p>{texts.noTimeline}</p>}
      <ol>
        {entries?.map((entry) => {
          const instant = isDay(entry.at) ? undefined : toInstant(entry.at)
          const exact = instant === undefined ? entry.at : wallClock(instant, host.timeZone).format('YYYY-MM-DD HH:mm:ss')
          return (
            <li key={entry.id}>
              <div className="sb-entry-head">
                <strong>{entry.byName ?? (entry.byId === null ? texts.system : texts.somebody)}</strong>{' '}
                {texts.actions[entry.action] ?? entry.action}{' '}
                <time dateTime={entry.at} title={exact}>
                  {(instant === undefined ? null : relativeTime(instant, now, host.locale, host.timeZone)) ?? exact}
                </time>
              </div>
              {entry.viewed && (
                <div>
                  {entry.viewed.of !== null && <bdi>{entry.viewed.of}: </bdi>}
                  {entry.viewed.fields.join(texts.comma)}
                </div>
              )}
              {entry.reason && (
                <div>
                  {texts.reason}: <bdi>{entry.reason}</bdi>
                </div>
              )}
              {entry.causes?.map(({ record: by, text }, index) => (
                <div key={index} className="sb-cause">
                  {by && `${texts.because} `}
                  {by?.open !== undefined && host.canOpen(by.open) ? (
                    <button type="button" className="sb-link" onClick={() => host.navigate(by.open!)}>
                      {by.title}
                    </button>
                  ) : (
                    by && <bdi>{by.title}</bdi>
                  )}
                  {by && text !== '' ? `${texts.colon}${text}` : text}
                </div>
              ))}
              {(entry.changes ?? []).map(({ field, before, after, lines }) => {
                if (lines)
                  return (
                    <div key={field} className="sb-change">
                      {model.fields[field]?.label ?? field}:
                      <Suspense fallback={null}>
                        <LinesChange lines={lines} locale={host.locale} />
                      </Suspense>
                    </div>
                  )
                const [from, to] = sides(field, before, after)
                // one kind of nothing became another
                if (from === texts.empty && to === texts.empty) return null
                return (
                  <div key={field} className="sb-change">
                    {model.fields[field]?.label ?? field}: <del>{from}</del> <span className="sb-hidden-text">{texts.to}</span>
                    <span aria-hidden="true">→</span> <ins>{to}</ins>
                  </div>
                )
              })}
            </li>
          )
        })}
      </ol>
      {more && (
        <button type="button" className="sb-link" onClick={() => void load(entries?.at(-1)?.id)}>
          {texts.older}
        </button>
      )}
    </div>
  )
}
