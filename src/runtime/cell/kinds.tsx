import type { ReactNode } from 'react'
import { countryName, formatOf, isDay, isWebAddress, showNumber, toInstant, wallClock } from '../../schema/formats'
import type { DictionaryOption, FieldKind } from '../../schema/model'
import { registerCell, type Cell, type CellContext } from './cell'
import { showPlain } from '../../headless/plain'
import { cellTexts } from './texts'
import { relativeTime } from './time'

const SHOWN_ITEMS = 3

const optionMaps = new WeakMap<readonly DictionaryOption[], ReadonlyMap<string, DictionaryOption>>()
const optionsOf = (options: readonly DictionaryOption[]): ReadonlyMap<string, DictionaryOption> => {
  const known = optionMaps.get(options)
  if (known) return known
  const map = new Map(options.map((option) => [option.code, option]))
  optionMaps.set(options, map)
  return map
}

const plain = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const text: Cell = (value) => <bdi>{plain(value)}</bdi>
const code: Cell = (value) => <bdi className="sb-code">{plain(value)}</bdi>

/** A few of many and how many more, all of them on hover; where there is room, as in details, all of them. */
const some = (
  values: readonly unknown[],
  context: CellContext,
  label: (value: unknown) => string,
  draw: (value: unknown, index: number) => ReactNode,
): ReactNode => {
  if (context.whole || values.length <= SHOWN_ITEMS) return values.map(draw)
  return (
    <span title={values.map(label).join('\n')}>
      {values.slice(0, SHOWN_ITEMS).map(draw)}
      <span className="sb-dash"> +{values.length - SHOWN_ITEMS}</span>
    </span>
  )
}
const commas = (values: readonly unknown[], context: CellContext, label: (value: unknown) => string): ReactNode =>
  some(values, context, label, (value, index) => (
    <span key={index}>
      {index > 0 && (context.host.locale === 'zh' ? '、' : ', ')}
      <bdi>{label(value)}</bdi>
    </span>
  ))
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const tag = (option: DictionaryOption | undefined, value: unknown, key?: number): ReactNode => {
  const color = option?.color && option.color !== 'default' ? ` sb-tag-${option.color}` : ''
  return (
    <span key={key} className={`sb-tag${color}${option?.retired ? ' sb-tag-retired' : ''}`}>
      {option?.label ?? String(value)}
    </span>
  )
}
const dictionary: Cell = (value, _row, _context, { field }) =>
  tag(optionsOf(field?.dictionary?.options ?? []).get(String(value)), value)
const dictionaries: Cell = (value, _row, context, { field }) => {
  const options = optionsOf(field?.dictionary?.options ?? [])
  return some(
    asList(value),
    context,
    (entry) => options.get(String(entry))?.label ?? String(entry),
    (entry, index) => tag(options.get(String(entry)), entry, index),
  )
}

/** Numbers, percents and amounts as their format shows them; an amount knows its currency from the row. */
const number: Cell = (value, row, { host }, { field }) => {
  const shown = (field ? showPlain(field, value, host, row) : showNumber(value, host.locale)) || plain(value)
  return <span className={shown.startsWith('-') ? 'sb-number sb-negative' : 'sb-number'}>{shown}</span>
}

const dateTime: Cell = (value, _row, { host, now }, { props }) => {
  const instant = isDay(value) ? undefined : toInstant(value)
  if (instant === undefined) return <span className="sb-number">{plain(value)}</span>
  const exact = wallClock(instant, host.timeZone).format('YYYY-MM-DD HH:mm')
  const relative = props?.relative === false ? null : relativeTime(instant, now, host.locale, host.timeZone)
  return (
    <time className="sb-number" dateTime={new Date(instant).toISOString()} title={`${exact} (${host.timeZone})`}>
      {relative ?? exact}
    </time>
  )
}
const date: Cell = (value, row, { host }, { field }) => (
  <span className="sb-number">{(field && showPlain(field, value, host, row)) || plain(value)}</span>
)

const titleIn = (entity: string | undefined, value: unknown, refs: Parameters<Cell>[2]['refs']): string =>
  (entity === undefined ? undefined : refs[entity]?.[String(value)]?.title) ?? String(value)
const ref: Cell = (value, _row, { refs }, { field }) => <bdi>{titleIn(field?.ref?.entity, value, refs)}</bdi>
const refList: Cell = (value, _row, context, { field }) =>
  commas(asList(value), context, (entry) => titleIn(field?.ref?.entity, entry, context.refs))

const boolean: Cell = (value, _row, { host }) => {
  const texts = cellTexts[host.locale]
  return value === true ? texts.yes : value === false ? texts.no : plain(value)
}
const country: Cell = (value, _row, { host }) => <span title={String(value)}>{countryName(String(value), host.locale)}</span>
const countries: Cell = (value, _row, context) =>
  commas(asList(value), context, (entry) => countryName(String(entry), context.host.locale))

const url: Cell = (value, row, context, item) => {
  // A page's own link goes first: two links in one another are neither.
  if (typeof value !== 'string' || !isWebAddress(value) || item.open) return text(value, row, context, item)
  return (
    <a className="sb-link" href={value} target="_blank" rel="noreferrer noopener">
      <bdi>{value.replace(/^https?:\/\//i, '')}</bdi>
    </a>
  )
}
const email: Cell = (value, row, context, item) =>
  item.open || typeof value !== 'string' || !value.includes('@') || value.includes('*') ? (
    text(value, row, context, item)
  ) : (
    <a className="sb-link" href={`mailto:${encodeURIComponent(value).replace('%40', '@')}`}>
      <bdi>{value}</bdi>
    </a>
  )

const files: Cell = (value, _row, { host }) => {
  const names = asList(value).map((file) =>
    file !== null && typeof file === 'object' && 'name' in file ? String(file.name) : String(file),
  )
  return <span title={names.join('\n')}>{cellTexts[host.locale].files(names.length)}</span>
}
/** Markup is for the detail and its widget; a list shows the words. */
const richText: Cell = (value) => (
  <bdi>
    {plain(value)
      .replace(/<[^>]*>/g, ' ')
      .replace(/&nbsp;/g, ' ')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&')
      .replace(/\s+/g, ' ')
      .trim()}
  </bdi>
)

const KINDS: Readonly<Record<FieldKind, Cell>> = {
  string: text,
  text,
  richText,
  integer: number,
  decimal: number,
  money: number,
  percent: number,
  boolean,
  date,
  dateTime,
  dictionary,
  dictionaries,
  ref,
  refs: refList,
  country,
  countries,
  phone: code,
  email,
  url,
  file: files,
  files,
  currency: code,
  mccmnc: code,
  json: code,
  lines: (value, _row, { host }) => formatOf('lines').show(value, {}, { locale: host.locale, timeZone: host.timeZone }),
  strings: (value, _row, context) => commas(asList(value), context, plain),
}
for (const [kind, cell] of Object.entries(KINDS)) registerCell(kind, cell)
registerCell('code', code)
