import { isIP } from 'node:net'
import { sql, type SQL } from 'drizzle-orm'
import { tableOf, type EntityService } from '../../../entities'

/** What a gateway did in the days that its samples are kept, as sums over them. */
export interface SampleSums {
  attempts: number
  answered: number
  seconds: number
  pdd: number | null
}

/** ASR in per cent with two decimals and ACD in whole seconds; null where nothing was tried or answered. Pure. */
export function quality({ attempts, answered, seconds, pdd }: SampleSums): {
  asr7: string | null
  acd7: number | null
  pdd7: number | null
} {
  return {
    asr7: attempts > 0 ? ((answered * 100) / attempts).toFixed(2) : null,
    acd7: answered > 0 ? Math.round(seconds / answered) : null,
    pdd7: pdd === null ? null : Math.round(pdd),
  }
}

/**
 * Gateways that carry a number: one of their prefixes begins it. Without prefixes a gateway takes every number. Leading `+` and `00` of an
 * international number say nothing.
 */
const coversNumber = (alias: string, asked: string): SQL => {
  const number = asked.replace(/[\s()-]/g, '').replace(/^(\+|00)/, '')
  const prefix = sql`${sql.identifier(alias)}."prefix"`
  return sql`(coalesce(${prefix}, '') = '' or exists (select 1 from unnest(string_to_array(${prefix}, ',')) p where left(${number}, length(p)) = p))`
}

/** Gateways: quality of 7 days from their samples, and the search for who carries a number. */
const gatewayService: EntityService = {
  async computeFields(records, { db }) {
    if (records.length === 0) return
    const ids = records.map(({ id }) => String(id))
    const { rows } = await db.query<SampleSums & { id: string }>(
      sql`select gateway_id as id, coalesce(sum(attempts15), 0)::int as attempts, coalesce(sum(answered15), 0)::int as answered,
          coalesce(sum(seconds15), 0)::int as seconds, avg(pdd15)::float8 as pdd
        from biz_gateway_sample where gateway_id = any(${sql.param(ids)}::text[]) and deleted_at is null group by 1`,
    )
    const sums = new Map(rows.map((row) => [row.id, row]))
    for (const record of records) {
      const sum = sums.get(String(record.id))
      Object.assign(record, sum ? quality(sum) : { asr7: null, acd7: null, pdd7: null })
    }
  },
  filter: ({ alias, conditions }) => {
    const asked = conditions.find(({ field }) => field === 'covers')?.value
    return typeof asked === 'string' && asked.trim() !== '' ? coversNumber(alias, asked) : undefined
  },
}

/** IPs of gateways: the search for an address inside their blocks. */
const gatewayIpService: EntityService = {
  filter: ({ alias, conditions }) => {
    const asked = conditions.find(({ field }) => field === 'contains')?.value
    if (typeof asked !== 'string' || asked.trim() === '') return undefined
    const address = asked.trim()
    const ip = sql`${sql.identifier(alias)}."ip"`
    // what is no address is looked for in the text
    return isIP(address) === 0
      ? sql`position(${address} in ${ip}) > 0`
      : sql`case when pg_input_is_valid(${ip}, 'inet') then ${ip}::inet >>= ${address}::inet else false end`
  },
}

/** VOS accounts beside our ledger: balances that are read now, and how far VOS differs from them. */
const vosAccountService: EntityService = {
  async computeFields(records, { db }) {
    if (records.length === 0) return
    const { rows } = await db.query<{ id: string; ours: string; difference: string }>(
      sql`select v.id, coalesce(b.balance, 0)::text as ours, (v.balance - coalesce(b.balance, 0))::text as difference
        from biz_vos_account v left join ${sql.identifier(tableOf('fin.accountBalance'))} b on b.id = case when v.customer_account_id is not null then 'customer:' || v.customer_account_id else 'supplier:' || v.supplier_account_id end
        where v.id = any(${sql.param(records.map(({ id }) => String(id)))}::text[])`,
    )
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const record of records) {
      const row = found.get(String(record.id))
      record.ourBalance = row?.ours ?? null
      record.difference = row?.difference ?? null
    }
  },
}

/** Services of the voice side, by entity. */
export const voiceServices: Readonly<Record<string, EntityService>> = {
  'biz.gateway': gatewayService,
  'biz.gatewayIp': gatewayIpService,
  'biz.vosAccount': vosAccountService,
}
