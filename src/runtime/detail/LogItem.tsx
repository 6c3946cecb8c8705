import { Suspense } from 'react'
import type { DetailModel } from '../../schema/model'
import { showPlain } from '../cell'
import type { Host } from '../../headless/host'
import type { LinesInWords } from '../lines/LinesChange'
import { lazyPart } from '../part/lazyPart'
import type { Refs, Row } from '../../headless/row'
import { structuredChange } from './changeText'
import { detailTexts } from './texts'
import { When } from './When'

const LinesChange = lazyPart(() => import('../lines/LinesChange'))

export interface LogEntry {
  id: string
  at: string
  /** null: the gateway itself, in a nightly job or a queue. */
  byId: string | null
  byName: string | null
  action: string
  reason?: string
  /** What led to it, the nearest first: the record whose transition did it, as far as the reader may see it, and the rules. */
  causes?: readonly { record?: { entity: string; title: string; open?: string }; text: string }[]
  changes?: readonly { field: string; before: unknown; after: unknown; lines?: LinesInWords }[]
  /** What somebody read: the fields, and the record below this one that they are of. */
  viewed?: { of: string | null; fields: readonly string[] }
}
interface LogItemProps {
  entry: LogEntry
  host: Host
  model: DetailModel
  record: Row
  refs: Refs
}

/** So many fields of a new record stand unfolded. */
const UNFOLDED = 3

/** What was done to the record: by whom, why, and each field before and after. */
export const LogItem = ({ entry, host, model, record, refs }: LogItemProps) => {
  const texts = detailTexts[host.locale]
  const show = (field: string, value: unknown): string => {
    const definition = model.fields[field]
    if (value === null || value === undefined || value === '') return texts.empty
    if (definition) return showPlain(definition, value, host, record, refs) || texts.empty
    return String(value)
  }
  const sides = (field: string, before: unknown, after: unknown): readonly [string, string] => {
    const { kind } = model.fields[field] ?? {}
    const structured = kind === undefined ? typeof (before ?? after) === 'object' : kind === 'json'
    return structured ? structuredChange(before, after, texts) : [show(field, before), show(field, after)]
  }
  const changes = (entry.changes ?? []).flatMap(({ field, before, after, lines }) => {
    const label = model.fields[field]?.label ?? field
    if (lines)
      return [
        <div key={field} className="sb-change">
          {label}:
          <Suspense fallback={null}>
            <LinesChange lines={lines} locale={host.locale} />
          </Suspense>
        </div>,
      ]
    const [from, to] = sides(field, before, after)
    // one kind of nothing became another
    if (from === texts.empty && to === texts.empty) return []
    return [
      <div key={field} className="sb-change">
        {label}: <del>{from}</del> <span className="sb-hidden-text">{texts.to}</span>
        <span aria-hidden="true">→</span> <ins>{to}</ins>
      </div>,
    ]
  })
  return (
    <li>
      <div className="sb-entry-head">
        <strong>{entry.byName ?? (entry.byId === null ? texts.system : texts.somebody)}</strong>{' '}
        {texts.actions[entry.action] ?? entry.action} <When at={entry.at} host={host} />
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
      {entry.action === 'create' && changes.length > UNFOLDED ? (
        <details>
          <summary>{texts.createdWith(changes.length)}</summary>
          {changes}
        </details>
      ) : (
        changes
      )}
    </li>
  )
}
