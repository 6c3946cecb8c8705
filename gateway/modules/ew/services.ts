import { sql } from 'drizzle-orm'
import { tableOf, type EntityEngine, type EntityRecord, type EntityService } from '../../entities'
import type { Executor } from '../../platform/database'
import { isConnected } from './measure'
import { chosenConditions } from './rules/chosen'
import { problemOf } from './rules/expression'
import { isDimension, SOURCES } from './sources'

const DAY = 86_400_000

/** Says which indicators have data. */
export const indicatorService = (engine: EntityEngine): EntityService<'ew.indicator'> => ({
  computeFields: (records) => {
    for (const record of records) record['connected'] = isConnected(engine, String(record['code']))
  },
})

/** An indicator is configured by what its data can tell. */
export const configuredService = (engine: EntityEngine): EntityService<'ew.configured'> => ({
  beforeSave: async ({ entities, record, fail }) => {
    const indicator = await entities.find('ew.indicator', record['indicatorId'] ?? '')
    if (!indicator) return
    const code = indicator['code']
    if (!isConnected(engine, code)) {
      fail({
        field: 'indicatorId',
        message: { zh: '该指标的数据尚未接入', en: 'The data of this indicator are not connected yet' },
      })
      return
    }
    const known = Object.keys(SOURCES[code]!.dimensions)
    const wrong = ((record['groupBy'] ?? []) as string[]).filter((name) => !isDimension(name) || !known.includes(name))
    if (wrong.length > 0)
      fail({
        field: 'groupBy',
        message: {
          zh: `该指标不能按${wrong.map((name) => engine.dictionaryLabel('ewDimension', name).zh).join('、')}分组`,
          en: `This indicator cannot be grouped by ${wrong.map((name) => engine.dictionaryLabel('ewDimension', name).en.toLowerCase()).join(', ')}`,
        },
      })
    // what changed is measured at once, not at the next boundary
    record['nextAt'] = null
  },
})

const CONDITIONS = ['expr', 'severeExpr', 'resolveExpr'] as const

/** Conditions are read when they are saved; lists say how often a rule fired of late. */
export const ruleService: EntityService<'ew.rule'> = {
  beforeSave: ({ record, before, given, fail }) => {
    // whoever writes a formula without saying how conditions are given means the formula
    if (given.has('expr') && record['expr'] && !given.has('conditionBy') && !given.has('limitValue'))
      record['conditionBy'] = 'text'
    Object.assign(record, chosenConditions(record))
    // a trial of other conditions says nothing of these
    if (before && ([...CONDITIONS, 'configuredId', 'forTimes', 'ofTimes'] as const).some((name) => before[name] !== record[name]))
      Object.assign(record, { dryFires: null, dryAt: null })
    for (const field of CONDITIONS) {
      const text = record[field]
      if (typeof text !== 'string' || text.trim() === '') continue
      const problem = problemOf(text)
      if (problem === null) continue
      fail({ field, message: { zh: `条件有误：${problem}`, en: `The condition cannot be read: ${problem}` } })
    }
  },
  computeFields: async (records, { db, now }) => {
    const { rows } = await db.query<{ id: string; fired: number; wrong: number }>(
      `select rule_id as id, count(*)::int as fired, count(*) filter (where status = 'falseAlarm')::int as wrong from ew_alarm
       where rule_id = any($1::text[]) and first_at >= $2 and deleted_at is null group by 1`,
      [records.map(({ id }) => String(id)), new Date(now.getTime() - 7 * DAY).toISOString()],
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const record of records) {
      const found = byId.get(String(record.id))
      Object.assign(record, { fired7d: found?.fired ?? 0, false7d: found?.wrong ?? 0 })
    }
  },
}

const ACCOUNT = 'fin.customerAccount'

/** The references by which an alarm says what it is about, in the order in which they are told. */
const ABOUT: readonly (readonly [field: string, entity: string])[] = [
  ['customerId', 'crm.customer'],
  ['accountId', ACCOUNT],
  ['supplierId', 'srm.supplier'],
  ['channelId', 'srm.supplierAccount'],
  ['staffId', 'sys.staff'],
  ['processId', 'wf.process'],
  ['warehouseId', 'srm.warehouse'],
  ['productId', 'srm.product'],
]

/** Whose the accounts of alarms are that name no customer of their own, by account. */
async function customersOf(db: Executor, records: readonly EntityRecord[]): Promise<ReadonlyMap<unknown, string>> {
  const accounts = records.flatMap(({ accountId, customerId }) => (accountId && !customerId ? [accountId] : []))
  if (accounts.length === 0) return new Map()
  const { rows } = await db.query<{ id: string; customer: string }>(
    sql`select id, customer_id as customer from ${sql.raw(tableOf(ACCOUNT))} where id = any(${sql.param(accounts)}::text[])`,
  )
  return new Map(rows.map(({ id, customer }) => [id, customer]))
}

/** Lists and details say in words what an alarm is about, as the reader may see it, and its figures with their unit. */
export const alarmService = (engine: EntityEngine): EntityService<'ew.alarm'> => ({
  computeFields: async (records, { db, context }) => {
    const known = new Set(engine.names())
    const customers = known.has(ACCOUNT) ? await customersOf(db, records) : new Map<unknown, string>()
    const idOf = (record: EntityRecord, field: string): unknown =>
      field === 'customerId' ? (record[field] ?? customers.get(record['accountId'])) : record[field]
    const wanted: Record<string, string[]> = {}
    for (const record of records)
      for (const [field, entity] of ABOUT) {
        const id = idOf(record, field)
        if (typeof id === 'string' && known.has(entity)) (wanted[entity] ??= []).push(id)
      }
    const titles = Object.keys(wanted).length === 0 ? {} : await engine.titles(context, wanted)
    const places = new Intl.DisplayNames([context.locale], { type: 'region' })
    for (const record of records) {
      const named = ABOUT.map(([field, entity]) => {
        const id = idOf(record, field)
        const title = titles[entity]?.[String(id)]?.title
        // whose title is closed to the reader is called by its id, which says nothing to a person
        return title === id ? undefined : title
      })
      const country = record['country'] ? places.of(String(record['country'])) : undefined
      record['about'] = [...named, country, record['currency']].filter(Boolean).join(' · ') || null
      const unit = record['unit'] ? engine.dictionaryLabel('ewUnit', String(record['unit']))[context.locale] : ''
      const figure = (value: unknown): string | null =>
        value === null || value === undefined ? null : `${shownNumber(value, context.locale)} ${unit}`.trim()
      Object.assign(record, { reading: figure(record['value']), baseReading: figure(record['base']) })
    }
  },
})

/** A figure with at most two decimals, as numbers are written in the language. */
const shownNumber = (value: unknown, locale: string): string =>
  Number(value).toLocaleString(locale === 'zh' ? 'zh-CN' : 'en-GB', { maximumFractionDigits: 2 })
