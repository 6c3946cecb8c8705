import { sql } from 'drizzle-orm'
import { nodeById } from '../../../src/schema/process'
import type { FormField, ProcessDocument } from '../../../src/schema/generated/process'
import { groupDigits } from '../../../src/schema/formats'
import type { EntityEngine, EntityRecord, EntityService } from '../../entities'
import { minuteAt } from '../../platform/calendar'
import type { Executor } from '../../platform/database'
import type { Locale, RequestContext, Text } from '../../platform/http'
import { documentsOf } from '../definitions'
import { readsTitles } from '../titles'
import { valuesForOnlooker } from '../views/values'
import { allowsBatch } from './lists'

/** What an application keeps of a field that its process names in `summary`. */
export interface SummaryItem {
  field: string
  label: Text
  value: unknown
  /** What a record is called, where the field names one. */
  text?: string
}

/** What a summary is put into words with. */
export interface Wording {
  locale: Locale
  timeZone: string
  /** Of the application, for amounts whose field names none. */
  currency: string | null
  labelOf(dictionary: string, code: string): Text
}

/** As many facts as a line of a list takes. */
const MOST = 3

/**
 * The telling fields of an application in one line, e.g. "客户 信达科技 · 申请额度 80,000.00 USD" (money 9.1). What is empty is left out, and so is
 * what stands in `known` already (title, amount).
 */
export function summaryLine(
  items: readonly SummaryItem[],
  fields: Readonly<Record<string, FormField>>,
  wording: Wording,
  known: string = '',
): string | null {
  const said = items.flatMap(({ field, label, value, text }) => {
    const words = text ?? wordsOf(fields[field], value, wording)
    if (words === '' || (words.length > 1 && known.includes(words))) return []
    return [`${label[wording.locale]} ${words}`]
  })
  return said.length > 0 ? said.slice(0, MOST).join(' · ') : null
}

function wordsOf(field: FormField | undefined, value: unknown, wording: Wording): string {
  if (value === null || value === undefined || value === '' || typeof value === 'object') return ''
  const { locale, timeZone, currency } = wording
  const plain = String(value as string | number | boolean)
  const dictionary = field?.['x-dictionary']
  if (dictionary !== undefined) return wording.labelOf(dictionary, plain)[locale]
  if (field?.['x-ref'] !== undefined) return ''
  if (typeof value === 'boolean') return value ? { zh: '是', en: 'yes' }[locale] : { zh: '否', en: 'no' }[locale]
  switch (field?.format) {
    case 'money': {
      const unit = field['x-money'] && /^[A-Z]{3,4}$/.test(field['x-money']) ? field['x-money'] : (currency ?? '')
      return `${groupDigits(plain, locale)} ${unit}`.trim()
    }
    case 'decimal':
      return groupDigits(plain, locale)
    case 'percent':
      return `${plain}%`
    case 'date':
      return plain.slice(0, 10)
    case 'date-time':
      return Number.isNaN(Date.parse(plain)) ? plain : minuteAt(plain, timeZone)
    default:
      return plain
  }
}

interface Row {
  id: string
  versionId: string
  summary: SummaryItem[] | null
  currency: string | null
  amount: string | null
  titleZh: string | null
  titleEn: string | null
}

/** Puts the telling fields of applications into the lists of tasks, applications and copies, in the reader's language and as far as he may read them. */
export function registerSummaries(engine: EntityEngine): void {
  engine.hook(
    'wf.instance',
    service(engine, ({ id }) => id),
  )
  engine.hook(
    'wf.cc',
    service(engine, ({ instanceId }) => instanceId),
  )
  const told = service(engine, ({ instanceId }) => instanceId)
  engine.hook('wf.task', {
    // a moment compared with another one of the same row: no value of a condition says that
    filter: ({ conditions, alias }) => {
      const asked = conditions.find(({ field }) => field === 'late')
      if (!asked) return undefined
      const [ended, due] = ['ended_at', 'due_at'].map((name) => sql`${sql.identifier(alias)}.${sql.identifier(name)}`)
      return asked.value === false ? sql`(${due} is null or ${ended} <= ${due})` : sql`(${ended} > ${due})`
    },
    computeFields: async (records, call) => {
      await told.computeFields?.(records, call)
      await tellTogether(records, call.db)
    },
  })
}

const service = (engine: EntityEngine, idOf: (record: EntityRecord) => unknown): EntityService => ({
  computeFields: async (records, { db, context }) => {
    const rows = await rowsOf(db, records.map(idOf))
    const [titles, amounts] = [readsTitles(engine, context), engine.readable(context, 'wf.instance.amount')]
    const documents = titles ? await documentsIn(db, [...rows.values()]) : NO_DOCUMENTS
    const names = await namesIn(engine, context, documents, [...rows.values()])
    for (const record of records) {
      const row = rows.get(String(idOf(record)))
      if (row && titles) record['about'] = lineOf(engine, db.companyTimeZone, context, row, documents.get(row.versionId), names)
      if (row?.amount && amounts) record['amountText'] = `${groupDigits(row.amount, context.locale)} ${row.currency ?? ''}`.trim()
    }
  },
})

async function rowsOf(db: Executor, ids: readonly unknown[]): Promise<Map<string, Row>> {
  const { rows } = await db.query<Row>(
    `select id, version_id as "versionId", summary, currency, round(amount, 2)::text as amount, title_zh as "titleZh", title_en as "titleEn" from wf_instance where id = any($1::text[])`,
    [[...new Set(ids.map(String))]],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

type Documents = Awaited<ReturnType<typeof documentsOf>>
const NO_DOCUMENTS: Documents = new Map()

const documentsIn = (db: Executor, rows: readonly Row[]): Promise<Documents> =>
  documentsOf(
    db,
    rows.map(({ versionId }) => versionId),
  )

type Names = Awaited<ReturnType<EntityEngine['titles']>>

/** What the records of summaries are called for the reader: a name that is closed to him stays closed. */
async function namesIn(
  engine: EntityEngine,
  context: RequestContext,
  documents: Documents,
  rows: readonly Row[],
): Promise<Names> {
  const wanted: Record<string, string[]> = {}
  for (const { versionId, summary } of rows) {
    const fields = documents.get(versionId)?.form.fields
    for (const { field, value } of summary ?? []) {
      const entity = fields?.[field]?.['x-ref']
      if (entity !== undefined && typeof value === 'string') (wanted[entity] ??= []).push(value)
    }
  }
  return engine.titles(context, wanted)
}

function lineOf(
  engine: EntityEngine,
  timeZone: string,
  context: RequestContext,
  row: Row,
  document: ProcessDocument | undefined,
  names: Names,
): string | null {
  if (!document) return null
  const items = row.summary ?? []
  const open = valuesForOnlooker(document, Object.fromEntries(items.map(({ field, value }) => [field, value])), context)
  const { locale } = context
  return summaryLine(
    items
      .filter(({ field }) => field in open)
      .map(({ text: _kept, ...item }) => {
        const text = names[document.form.fields[item.field]?.['x-ref'] ?? '']?.[String(item.value)]?.title
        return { ...item, ...(text === undefined ? {} : { text }) }
      }),
    document.form.fields,
    {
      locale,
      timeZone,
      currency: row.currency,
      labelOf: (dictionary, code) => engine.dictionaryLabel(dictionary, code),
    },
    (locale === 'en' ? row.titleEn : row.titleZh) ?? '',
  )
}

/** Which tasks can be agreed to together with others of their process: their step asks for nothing but the decision. */
async function tellTogether(records: readonly EntityRecord[], db: Executor): Promise<void> {
  const pending = records.filter(({ status }) => status === 'pending')
  if (pending.length === 0) return
  const rows = await rowsOf(
    db,
    pending.map(({ instanceId }) => instanceId),
  )
  const documents = await documentsIn(db, [...rows.values()])
  for (const record of pending) {
    const document = documents.get(rows.get(String(record['instanceId']))?.versionId ?? '')
    const node = document && nodeById(document, String(record['nodeId']))
    record['together'] = node !== undefined && allowsBatch(node)
  }
}
