import './related.css'
import { useMemo, useState, type ReactNode } from 'react'
import type { DetailModel, PageField, RelatedModel, TabModel } from '../../schema/model'
import type { Refs, Row } from '../../headless/row'
import { compileCell, dialled, showPlain, type CellContext } from '../cell'
import { usePhone } from '../media'
import { sumsOf } from './sums'
import { detailTexts } from './texts'
import type { Addition } from './additions'
import { countOf, type Related as Known, type RelatedSource } from './useRelated'

interface RelatedProps {
  model: DetailModel
  /** Those that the person sees, in the order of the page. */
  tabs: readonly TabModel[]
  related: Known
  record: Row
  context: CellContext
  /** Adds to a list: what its tab offers first. */
  additions: readonly Addition[]
  onAdd(addition: Addition): void
  onOpen(tab: string): void
}

interface Entry {
  tab: TabModel
  related: RelatedModel
  source: RelatedSource
}

/** The people around a record and the lists that belong to it: how many rows each has, what they come to, those that are still open. */
const Related = ({
  model,
  tabs,
  related: { sources, failure, retry },
  record,
  context,
  additions,
  onAdd,
  onOpen,
}: RelatedProps) => {
  const { host } = context
  const texts = detailTexts[host.locale]
  const phone = usePhone()
  const [open, setOpen] = useState(false)
  const entries = tabs.flatMap((tab): Entry[] => {
    const source = sources[tab.id]
    return tab.related && source && source.total > 0 ? [{ tab, related: tab.related, source }] : []
  })
  const people = entries.filter(({ related }) => related.reach.length > 0)
  const lists = entries.filter(({ related }) => related.reach.length === 0)
  const { ownerId } = record
  const owner = typeof ownerId === 'string' ? context.refs['sys.staff']?.[ownerId]?.title : undefined
  if (failure !== null)
    return (
      <section className="sb-related" aria-label={texts.related}>
        <p role="alert">
          {texts.failed}: {failure}{' '}
          <button type="button" className="sb-link" onClick={retry}>
            {texts.retry}
          </button>
        </p>
      </section>
    )
  if (entries.length === 0 && additions.length === 0) return null
  const strip = phone && !open
  return (
    <section className="sb-related" aria-label={texts.related}>
      {phone && (
        <button type="button" className="sb-link sb-related-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span>{texts.related}</span>
          {strip && (
            <span className="sb-related-strip">
              {entries.map(({ tab, source }) => `${tab.title} ${countOf(source)}`).join(' · ') || texts.begin}
            </span>
          )}
        </button>
      )}
      {!strip && (
        <>
          {(owner !== undefined || people.length > 0) && (
            <div className="sb-related-group">
              <h2>{texts.people}</h2>
              <ul>
                {owner !== undefined && (
                  <li>
                    <bdi className="sb-related-name">{owner}</bdi>
                    <span className="sb-related-note">{model.fields.ownerId?.label ?? texts.owner}</span>
                  </li>
                )}
                {people.flatMap(({ related, source }) =>
                  (source.records ?? []).map((row) => (
                    <Person key={String(row.id)} row={row} refs={source.refs ?? {}} related={related} context={context} />
                  )),
                )}
              </ul>
              {people
                .filter(({ source }) => source.total > (source.records?.length ?? 0))
                .map(({ tab, source }) => (
                  <button key={tab.id} type="button" className="sb-link" onClick={() => onOpen(tab.id)}>
                    {texts.allOf(tab.title, countOf(source))}
                  </button>
                ))}
            </div>
          )}
          {lists.map((entry) => (
            <List key={entry.tab.id} {...entry} context={context} onOpen={onOpen} />
          ))}
          {additions.length > 0 && (
            <div className="sb-related-group sb-related-add" role="group" aria-label={texts.begin}>
              {additions.map((addition) => (
                <button key={addition.tab.id} type="button" className="sb-link" onClick={() => onAdd(addition)}>
                  + {addition.action.label}
                </button>
              ))}
            </div>
          )}
        </>
      )}
    </section>
  )
}
export default Related

interface ListProps extends Entry {
  context: CellContext
  onOpen(tab: string): void
}

const List = ({ tab, related, source, context, onOpen }: ListProps) => {
  const sums = sumsOf(related.amount, source, context.host.locale)
  return (
    <div className="sb-related-group">
      <h2>
        <button type="button" className="sb-link" onClick={() => onOpen(tab.id)}>
          {tab.title}
        </button>{' '}
        <span className="sb-count">{countOf(source)}</span>
        {sums.length > 0 && (
          <span className="sb-related-sums" title={related.amount?.label}>
            {sums.map((sum) => (
              <span key={sum}>{sum}</span>
            ))}
          </span>
        )}
      </h2>
      {source.records && source.records.length > 0 && (
        <ul>
          {source.records.map((row) => (
            <Line
              key={String(row.id)}
              row={row}
              refs={source.refs ?? {}}
              open={source.open}
              related={related}
              context={context}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

interface RowProps {
  row: Row
  refs: Refs
  related: RelatedModel
  context: CellContext
}

const cellOf = (field: PageField) =>
  compileCell({
    ...{ id: field.name, title: field.label, field, path: [field.name], cell: field.kind },
    source: { where: field.entity, at: field.name },
  })

const Line = ({ row, refs, related, context, open }: RowProps & { open: string | undefined }) => {
  const { host } = context
  const { title, state, amount } = related
  const own = { ...context, refs }
  const drawState = useMemo(() => (state ? cellOf(state) : null), [state])
  const name = title ? showPlain(title, row[title.name], host, row, refs) || String(row.id) : ''
  const to = open === undefined ? undefined : `${open}?id=${encodeURIComponent(String(row.id))}`
  const sum = amount && showPlain(amount, row[amount.name], host, row, refs)
  return (
    <li>
      <span className="sb-related-name">
        {to !== undefined && host.canOpen(to) ? (
          <a className="sb-link" href={to} data-sb-open="">
            <bdi>{name}</bdi>
          </a>
        ) : (
          <bdi>{name}</bdi>
        )}
      </span>
      {drawState?.(row, own)}
      {sum && <span className="sb-related-amount">{sum}</span>}
    </li>
  )
}

const Person = ({ row, refs, related, context }: RowProps) => {
  const { host } = context
  const { title, reach } = related
  const ways = reach.flatMap((field) => {
    const value = row[field.name]
    return typeof value === 'string' && value !== '' ? [{ field, value }] : []
  })
  return (
    <li className="sb-related-person">
      <bdi className="sb-related-name">{title ? showPlain(title, row[title.name], host, row, refs) || String(row.id) : ''}</bdi>
      {ways.map(({ field, value }) => (
        <Way key={field.name} field={field} value={value} row={row} context={{ ...context, refs }} />
      ))}
    </li>
  )
}

/** A number to call or an address to write to; a masked one is only shown. */
const Way = ({ field, value, row, context }: { field: PageField; value: string; row: Row; context: CellContext }): ReactNode => {
  const draw = useMemo(() => cellOf(field), [field])
  const number = dialled(field, value)
  if (number === undefined) return <span className="sb-related-note">{draw(row, context)}</span>
  return (
    <a className="sb-link sb-related-note" href={`tel:${number}`} aria-label={`${field.label} ${value}`}>
      <bdi>{showPlain(field, value, context.host, row)}</bdi>
    </a>
  )
}
