import type { EntityEngine, EntityRecord, References } from '../entities'
import type { SchemaRegistry } from '../pages'
import { systemContext, type RequestContext, type Text } from '../platform/http'
import type { Item, PaperDocument, PaperTable } from '../../src/schema/generated/paper'
import {
  currencyDigits,
  currencyOf,
  Exact,
  exactText,
  formatOf,
  ready,
  toExact,
  type FormatContext,
} from '../../src/schema/formats'
import type { FieldModel } from '../../src/schema/entity'
import type { PaperContent, PaperGroup, PaperLanguage, PaperTableContent } from './content'

export interface ComposeParts {
  schemas: SchemaRegistry
  engine: EntityEngine
  /** IANA name of the zone in which moments are told. */
  timeZone: string
}

/** Rows of one table on paper. */
const MOST_ROWS = 5_000
const PAGE = 500
const ENTITY = 'sys.companyEntity'
const BANK = 'sys.bankAccount'

const WORDS = {
  total: { zh: '合计', en: 'Total' },
  none: { zh: '其他', en: 'Other' },
  pay: { zh: '收款账户', en: 'Bank details' },
  page: { zh: '第 {page} / {pages} 页', en: 'Page {page} of {pages}' },
} as const

/**
 * What stands on the paper of a record, with the rights of whoever asks: what he may not read of it is left out.
 * @throws ServiceError 10010004 for a record that he does not see
 */
export async function composePaper(
  { schemas, engine, timeZone }: ComposeParts,
  paper: PaperDocument,
  context: RequestContext,
  { recordId, language }: { recordId: string; language: PaperLanguage },
): Promise<{ content: PaperContent; file: string }> {
  await ready('country', 'phone')
  const { record, refs } = await engine.view(paper.entity, context, recordId)
  const reader = new Reader({ schemas, engine, timeZone }, context, language)
  const start: Place = { entity: paper.entity, record, refs, path: paper.entity }
  const shown = async (path: string): Promise<string> => (await reader.value(start, path))?.text ?? ''
  const filled = async (text: string): Promise<string | null> => {
    const names = [...text.matchAll(/\{\{ *([A-Za-z0-9.]+) *\}\}/g)].map(([, name]) => name!)
    const values = new Map<string, string>()
    for (const name of names) values.set(name, await shown(name))
    if ([...values.values()].includes('')) return null
    return text.replace(/\{\{ *([A-Za-z0-9.]+) *\}\}/g, (_whole, name: string) => values.get(name) ?? '')
  }
  const items = async (wanted: readonly Item[] | undefined): Promise<{ label: string; value: string; strong: boolean }[]> => {
    const rows: { label: string; value: string; strong: boolean }[] = []
    for (const { field, label, strong = false, unlessZero = false } of wanted ?? []) {
      const value = await reader.value(start, field)
      if (!value || value.text === '' || (unlessZero && (toExact(value.raw)?.isZero() ?? false))) continue
      rows.push({ label: reader.say(label ?? value.label), value: value.text, strong })
    }
    return rows
  }
  const parties = []
  for (const { title, lines } of paper.parties ?? []) {
    const texts: string[] = []
    for (const line of lines) {
      const value = await shown(line)
      if (value !== '' && !texts.includes(value)) texts.push(value)
    }
    parties.push({ title: reader.say(title), lines: texts })
  }
  const tables: PaperTableContent[] = []
  for (const table of paper.tables ?? []) tables.push(await reader.table(table, start))
  const notes: string[] = []
  for (const { zh, en } of paper.notes ?? []) {
    const said = language === 'both' ? [await filled(zh), await filled(en)] : [await filled(language === 'zh' ? zh : en)]
    if (!said.includes(null)) notes.push(said.join('\n'))
  }
  return {
    file: (await filled(paper.file)) ?? recordId,
    content: {
      title: reader.say(paper.title, '\n'),
      number: paper.number === undefined ? '' : await shown(paper.number),
      letterhead: await reader.letterhead(start, paper.letterhead),
      parties,
      facts: await items(paper.facts),
      tables,
      totals: await items(paper.totals),
      bank: await reader.bank(start, paper.bank),
      notes,
      pageWords: reader.say(WORDS.page, ' · '),
      madeAt: context.now.toISOString(),
    },
  }
}

/** A record with where it stands behind the one that is printed. */
interface Place {
  entity: string
  record: EntityRecord
  refs: References
  path: string
}

interface Value {
  raw: unknown
  text: string
  label: Text
}

class Reader {
  private readonly behind = new Map<string, Promise<EntityRecord | null>>()

  constructor(
    private readonly parts: ComposeParts,
    private readonly context: RequestContext,
    private readonly language: PaperLanguage,
  ) {}

  say(text: Text, between = ' '): string {
    return this.language !== 'both' ? text[this.language] : text.zh === text.en ? text.zh : `${text.zh}${between}${text.en}`
  }

  /** Reads what a path of references leads to; the paper names it, so that the record alone decides who may. */
  private find(entity: string, id: string): Promise<EntityRecord | null> {
    const key = `${entity} ${id}`
    const known = this.behind.get(key)
    if (known) return known
    const { engine } = this.parts
    const found = engine.transaction(systemContext({ now: this.context.now }), (entities) => entities.find(entity, id))
    this.behind.set(key, found)
    return found
  }

  /** The record that a path ends at; null: nothing is there. */
  async place(start: Place, path: string): Promise<Place | null> {
    let place = start
    for (const step of path.split('.')) {
      const target = this.parts.engine.model(place.entity).fields.get(step)?.field['x-ref']
      const id = place.record[step]
      if (target === undefined || typeof id !== 'string' || id === '') return null
      const record = await this.find(target, id)
      if (!record) return null
      place = { entity: target, record, refs: {}, path: `${place.path}.${step}` }
    }
    return place
  }

  async value(start: Place, path: string): Promise<Value | null> {
    const { engine } = this.parts
    const steps = path.split('.')
    const name = steps.pop()!
    const place = steps.length === 0 ? start : await this.place(start, steps.join('.'))
    const model = place && engine.model(place.entity).fields.get(name)
    if (!place || !model || !engine.readable(this.context, `${place.path}.${name}`)) return null
    const raw = place.record[name]
    return { raw, text: this.shown(model, raw, place), label: model.label }
  }

  private shown({ kind, field }: Pick<FieldModel, 'kind' | 'field'>, value: unknown, { record, refs }: Place): string {
    const { schemas, timeZone } = this.parts
    const inLocale = (locale: 'zh' | 'en'): string => {
      const format: FormatContext = {
        ...{ locale, timeZone, record },
        dictionary: (name) => schemas.dictionary(name)?.items,
        refTitle: (entity, id) => refs[entity]?.[id]?.title,
      }
      return formatOf(kind).show(value, field, format)
    }
    if (this.language !== 'both') return inLocale(this.language)
    const [zh, en] = [inLocale('zh'), inLocale('en')]
    return zh === en ? zh : `${zh} ${en}`
  }

  private async rows({ entity, by, of, where = {}, sort = [], group }: PaperTable, start: Place): Promise<Place[]> {
    const { engine } = this.parts
    const belongs = of === undefined ? start.record.id : start.record[of]
    const rows: Place[] = []
    for (let pageNo = 1; rows.length < MOST_ROWS; pageNo += 1) {
      const { records, refs, total } = await engine.queryPage(entity, this.context, {
        pageNo,
        pageSize: PAGE,
        where: [
          { field: by, operator: 'eq', value: belongs },
          ...Object.entries(where).map(([field, value]) => ({ field, operator: 'in' as const, value: [value].flat() })),
        ],
        sort: [...(group === undefined ? [] : [group]), ...sort.filter((field) => field !== group)].map((field) => ({
          field,
          order: 'asc' as const,
        })),
      })
      rows.push(...records.map((record) => ({ entity, record, refs, path: entity })))
      if (records.length === 0 || rows.length >= total) break
    }
    return rows
  }

  async table(table: PaperTable, start: Place): Promise<PaperTableContent> {
    const { engine } = this.parts
    const { fields } = engine.model(table.entity)
    const rows = await this.rows(table, start)
    const between = this.language === 'both' ? '\n' : ' '
    const all = table.columns.flatMap((column) => {
      const model = fields.get(column.field)
      return model && engine.readable(this.context, `${table.entity}.${column.field}`) ? [{ ...column, model }] : []
    })
    const holds = ({ field }: { field: string }): boolean => rows.some(({ record }) => !isEmpty(record[field]))
    const columns = rows.length === 0 ? all : all.filter(holds)
    const cell = (model: FieldModel, value: unknown, place: Place): string => {
      if (model.kind !== 'money') return this.shown(model, value, place)
      const { 'x-money': _money, ...plain } = model.field
      const digits = currencyDigits(currencyOf(model.field, place.record))
      const decimals = toExact(value)?.decimalPlaces() ?? 0
      return this.shown({ kind: 'money', field: { ...plain, 'x-scale': Math.max(digits, decimals) } }, value, place)
    }
    const sumsOf = (places: readonly Place[]): string[] | null => {
      if (!columns.some(({ sum }) => sum) || places.length === 0) return null
      return columns.map(({ model, field, sum }) => {
        if (!sum) return ''
        const added = places.reduce((all, { record }) => all.plus(toExact(record[field]) ?? 0), new Exact(0))
        return cell(model, exactText(added), places[0]!)
      })
    }
    const currencies = ({ model }: { model: FieldModel }): string => {
      const named = new Set(model.kind === 'money' ? rows.map(({ record }) => currencyOf(model.field, record)) : [])
      const [only] = named
      return named.size === 1 && only !== undefined ? ` (${only})` : ''
    }
    const parted = new Map<string, Place[]>()
    for (const row of rows) {
      const name = table.group === undefined ? '' : this.groupName(table.group, row)
      parted.set(name, [...(parted.get(name) ?? []), row])
    }
    const groups = [...parted].map(([name, places]): PaperGroup => ({
      title: table.group === undefined ? null : name,
      rows: places.map((place) => columns.map(({ model, field }) => cell(model, place.record[field], place))),
      sums: table.group === undefined ? null : sumsOf(places),
    }))
    return {
      title: table.title ? this.say(table.title) : null,
      columns: columns.map((column) => ({
        title: this.say(column.label ?? column.model.label, between) + currencies(column),
        right: formatOf(column.model.kind).align === 'right',
        width: column.width ?? 1,
      })),
      groups,
      sums: sumsOf(rows),
      sumLabel: this.say(WORDS.total),
    }
  }

  private groupName(group: string, row: Place): string {
    const model = this.parts.engine.model(row.entity).fields.get(group)
    return (model && this.shown(model, row.record[group], row)) || this.say(WORDS.none)
  }

  async letterhead(start: Place, path: string | undefined): Promise<PaperContent['letterhead']> {
    const place = path === undefined ? null : await this.place(start, path)
    if (place?.entity !== ENTITY) return { name: '', lines: [] }
    const { name, nameEn, address } = place.record
    const [zh, en] = [textOf(name), textOf(nameEn)]
    const named = this.language === 'en' ? en || zh : zh || en
    const numbers = ['regNo', 'taxNo'].flatMap((field) => {
      const model = this.parts.engine.model(ENTITY).fields.get(field)
      const value = textOf(place.record[field])
      return model && value !== '' ? [`${this.say(model.label)} ${value}`] : []
    })
    const other = this.language === 'both' && en !== '' && en !== named ? [en] : []
    return { name: named, lines: [...other, textOf(address), numbers.join('   ')].filter((line) => line !== '') }
  }

  async bank(start: Place, bank: PaperDocument['bank']): Promise<PaperContent['bank']> {
    if (!bank) return null
    const { engine } = this.parts
    const company = await this.value(start, bank.company)
    const currency = await this.value(start, bank.currency)
    if (!company?.raw || !currency?.raw) return null
    const there = await engine.transaction(systemContext({ now: this.context.now }), (entities) =>
      entities.list(BANK, {
        where: [
          { field: 'companyEntityId', operator: 'eq', value: company.raw },
          { field: 'currency', operator: 'eq', value: currency.raw },
          { field: 'enabled', operator: 'eq', value: true },
        ],
        sort: [{ field: 'code', order: 'asc' }],
      }),
    )
    const preferred = there.filter(({ isDefault }) => isDefault === true)
    const accounts = (preferred.length > 0 ? preferred : there).map((record: EntityRecord) =>
      ['accountName', 'bankName', 'accountNo', 'swift', 'currency'].flatMap((field) => {
        const model = engine.model(BANK).fields.get(field)
        const value = textOf(record[field])
        return model && value !== '' ? [{ label: this.say(model.label), value }] : []
      }),
    )
    return accounts.length === 0 ? null : { title: this.say(WORDS.pay), accounts }
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''
