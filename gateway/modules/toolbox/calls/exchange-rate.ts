import { sql } from 'drizzle-orm'
import { currencyDigits, Exact, roundedText, showNumber } from '../../../../src/schema/formats'
import { tableOf } from '../../../entities'
import { addDays, dayOf } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import { contextOf, ok, type Text } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { columnsOf, type ToolAnswer } from '../answer'
import { lineOf, MIDDLE, rateBetween, type StoredRate } from '../rates/series'

const RATES = sql.raw(tableOf('sys.exchangeRate'))
const DAYS = 90
/** A rate of the day may be as old as that. */
const OLDEST = 400

const TITLES: Readonly<Record<string, Text>> = {
  kind: { zh: '汇率', en: 'Rate' },
  rate: { zh: '数值', en: 'Value' },
  converted: { zh: '折合', en: 'Converted' },
  date: { zh: '生效日', en: 'From' },
  source: { zh: '来源', en: 'Source' },
  at: { zh: '记录时间', en: 'Written down' },
}
const KINDS = [
  { kind: 'xe', exactly: false, label: { zh: '当日汇率', en: 'Rate of the day' } },
  { kind: 'average', exactly: true, label: { zh: '当月平均', en: 'Average of the month' } },
  { kind: 'performance', exactly: true, label: { zh: '业绩汇率', en: 'Performance rate' } },
] as const
const NONE: Text = { zh: '没有汇率', en: 'There is none' }

interface Body {
  from: string
  to: string
  date?: string | null
  amount?: string | null
}

/** The rates of a kind that a pair can be made of. */
async function ratesOf(db: Executor, { from, to }: Body, days: { first: string; last: string }): Promise<StoredRate[]> {
  const currencies = sql.param([from, to, MIDDLE])
  const { rows } = await db.query<StoredRate>(
    sql`select x.kind, x.base, x.quote, to_char(x.date, 'YYYY-MM-DD') as date, x.rate::text as rate, x.source,
        to_char(coalesce(x.updated_at, x.created_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at
      from ${RATES} x where x.deleted_at is null and x.rate > 0 and x.base = any(${currencies}::text[]) and x.quote = any(${currencies}::text[])
        and x.date between ${days.first}::date and ${days.last}::date`,
  )
  return rows
}

/** POST /v2/toolbox/exchangeRate: the rates of a pair on a day, an amount converted with them, and the line of the last 90 days. */
export const call: ModuleCall = ({ app, database, configuration }) => {
  const currency = { type: 'string', pattern: '^[A-Z]{3,5}$' }
  app.post<{ Body: Body }>(
    '/v2/toolbox/exchangeRate',
    {
      schema: {
        tags: ['toolbox'],
        summary: 'Exchange rates of a pair on a day',
        body: {
          type: 'object',
          required: ['from', 'to'],
          additionalProperties: false,
          properties: {
            ...{ from: currency, to: currency, date: { type: ['string', 'null'], format: 'date' } },
            amount: { type: ['string', 'null'], pattern: '^[0-9]{1,15}(\\.[0-9]{1,8})?$' },
          },
        },
      },
      config: { permission: 'toolbox:exchange-rate' },
    },
    async (request) => {
      const { locale, now } = contextOf(request)
      const { from, to, amount } = request.body
      const day = request.body.date ?? dayOf(now, configuration.companyTimeZone)
      const rates = await ratesOf(database, request.body, { first: addDays(day, -OLDEST), last: day })
      const pair = { from, to }
      const rows = KINDS.map(({ kind, exactly, label }): ToolAnswer['rows'][number] => {
        const found = rateBetween(rates, pair, { kind, day: exactly ? `${day.slice(0, 8)}01` : day, exactly })
        if (!found) return { kind: label[locale], rate: NONE[locale], tone: 'warning' }
        const converted = amount ? roundedText(new Exact(amount).times(found.rate), currencyDigits(to)) : null
        const each = (value: (leg: StoredRate) => string | null): string | null =>
          [...new Set(found.legs.flatMap((leg) => value(leg) ?? []))].join(', ') || null
        return {
          ...{ kind: label[locale], rate: found.rate, converted: converted && `${converted} ${to}` },
          ...{ date: each((leg) => leg.date), source: each((leg) => leg.source), at: each((leg) => `${leg.at} UTC`) },
        }
      })
      const line = lineOf(rates, pair, { kind: 'xe', day, days: DAYS })
      const title = { zh: `${from}/${to} 近 ${DAYS} 天`, en: `${from}/${to}, last ${DAYS} days` }
      const across = {
        zh: `${from} 与 ${to} 之间没有直接汇率时经 ${MIDDLE} 折算。`,
        en: `Without a rate of the pair itself, ${from} and ${to} are converted across ${MIDDLE}.`,
      }
      const answer: ToolAnswer = {
        columns: columnsOf(TITLES, locale),
        rows,
        notes: from === MIDDLE || to === MIDDLE ? [] : [across[locale]],
        ...(line.length > 1
          ? {
              line: {
                label: title[locale],
                points: line.map(({ day: one, rate }) => ({ name: one, value: Number(rate), text: showNumber(rate, locale) })),
              },
            }
          : {}),
      }
      return ok(answer)
    },
  )
}
