import { Select } from 'antd'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { DetailModel, Scope } from '../../schema/model'
import type { Host } from '../../headless/host'
import type { Refs, Row } from '../../headless/row'
import { HappeningItem } from './HappeningItem'
import { LogItem, type LogEntry } from './LogItem'
import { detailTexts } from './texts'
import { useHappened, type Happening } from './useHappened'
import { useLog } from './useLog'

type Item = { at: string } & ({ kind: 'log'; entry: LogEntry } | { kind: 'row'; happening: Happening })

const ALL = ''
const CHANGES = '$log'

interface TimelineProps {
  host: Host
  model: DetailModel
  record: Row
  refs: Refs
  scope: Scope
}

/**
 * Everything that happened to the record, newest first: its audit log, with each field before and after, and the rows of its related
 * lists; by kind on demand, and who read sensitive fields. It is read when it comes into sight.
 */
export const Timeline = ({ host, model, record, refs, scope }: TimelineProps) => {
  const texts = detailTexts[host.locale]
  const root = useRef<HTMLDivElement>(null)
  const [views, setViews] = useState(false)
  const [kind, setKind] = useState(ALL)
  const seen = useSeen(root)
  const log = useLog(host, model.basePath, record, views, seen)
  const happened = useHappened(host, model.tabs, scope, record.version, seen)

  const read = views ? [] : happened.sources.filter(({ tab, rows }) => rows.length > 0 && (kind === ALL || kind === tab))
  const told = new Set(read.map(({ list }) => list.entity))
  // what a row of the timeline brought about is told by that row
  const isOwn = ({ causes }: LogEntry): boolean => !told.has(causes?.[0]?.record?.entity ?? '')
  const entries = log.entries ?? []
  const changes = views || kind === CHANGES ? entries : kind === ALL ? entries.filter(isOwn) : []
  // what is older than the last one of a list that has more may have something unread before it
  const ends = [
    ...(log.more && (views || kind === ALL || kind === CHANGES) ? [{ tab: CHANGES, at: entries.at(-1)?.at ?? '' }] : []),
    ...read.flatMap(({ tab, next, rows }) => (next === null ? [] : [{ tab, at: rows.at(-1)!.at }])),
  ]
  const readUntil = ends.reduce((latest, { at }) => (at > latest ? at : latest), '')
  const items: Item[] = [
    ...changes.map((entry): Item => ({ kind: 'log', at: entry.at, entry })),
    ...read.flatMap(({ rows }) => rows.map((happening): Item => ({ kind: 'row', at: happening.at, happening }))),
  ]
    .filter(({ at }) => at >= readUntil)
    .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0))
  const older = (): void => {
    const behind = ends.filter(({ at }) => at === readUntil).map(({ tab }) => tab)
    if (behind.includes(CHANGES)) void log.load(entries.at(-1)?.id)
    if (behind.some((tab) => tab !== CHANGES)) void happened.load(behind)
  }
  const kinds = happened.sources.filter(({ rows }) => rows.length > 0)
  const allRefs = { ...refs, ...log.refs }
  const failed = log.failure ?? (views ? null : happened.failure)
  return (
    <div ref={root} className="sb-timeline">
      <div className="sb-timeline-head">
        <h2>{views ? texts.views : texts.timeline}</h2>
        {!views && kinds.length > 0 && (
          <Select
            size="small"
            variant="borderless"
            popupMatchSelectWidth={false}
            aria-label={texts.kind}
            value={kind}
            onChange={setKind}
            options={[
              { value: ALL, label: texts.allKinds },
              ...kinds.map(({ tab, list }) => ({ value: tab, label: list.entityLabel })),
              { value: CHANGES, label: texts.changes },
            ]}
          />
        )}
      </div>
      {log.viewed && (
        <button type="button" className="sb-link" onClick={() => setViews(!views)}>
          {views ? texts.toTimeline : texts.views}
        </button>
      )}
      {failed !== null && (
        <p role="alert">
          {failed}{' '}
          <button
            type="button"
            className="sb-link"
            onClick={() => {
              if (log.failure !== null) void log.load()
              if (happened.failure !== null) void happened.load()
            }}
          >
            {texts.retry}
          </button>
        </p>
      )}
      {log.entries !== null && items.length === 0 && failed === null && <p>{texts.noTimeline}</p>}
      <ol>
        {items.map((item) =>
          item.kind === 'log' ? (
            <LogItem key={item.entry.id} entry={item.entry} host={host} model={model} record={record} refs={allRefs} />
          ) : (
            <HappeningItem
              key={`${item.happening.tab} ${String(item.happening.row.id)}`}
              happening={item.happening}
              host={host}
              scope={scope}
            />
          ),
        )}
      </ol>
      {ends.length > 0 && (
        <button type="button" className="sb-link" onClick={older}>
          {texts.older}
        </button>
      )}
    </div>
  )
}

/** Whether an element has been in sight. */
function useSeen(root: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false)
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
  }, [root, seen])
  return seen
}
