import { sql } from 'drizzle-orm'
import { Exact, toExact } from '../../../src/schema/formats'
import { tableOf, type DeriveFunction, type EntityService } from '../../entities'
import { ruleFor } from '../../rules'
import { Costs, costText } from './costs'
import { neededPrice, type Basis } from './margins'

const GROUPS = sql.raw(tableOf('qm.quoteGroup'))
const LINES = sql.raw(tableOf('qm.quoteGroupLine'))
const COSTS = sql.raw(tableOf('qm.supplierRate'))

/** `qm.groupCost`: what a line of a quote group costs at the least in the group's currency, and the price that the group's rule makes of it. */
export const groupCost: DeriveFunction = async ({ db, now }, rows) => {
  const costs = await Costs.of(
    db,
    now,
    rows.map(({ record }) => String(record.rateKey)),
  )
  const { decimalsSms, decimalsVoice } = await ruleFor(db, 'qm.quote', now)
  return rows.map(({ record }) => {
    const cost = costs.lowest(String(record.rateKey), String(record.currency))
    if (!cost) return { cost: null, suggested: null }
    const value = toExact(record.ruleValue) ?? new Exact(0)
    const decimals = record.product === 'voice' ? decimalsVoice : decimalsSms
    return { cost: costText(cost), suggested: neededPrice(cost, record.ruleType as Basis, value, decimals) }
  })
}

/** Tells which of the countries that we have a cost for have a price in a group. */
export const quoteGroups: EntityService<'qm.quoteGroup'> = {
  async computeFields(records, { db }) {
    const ids = records.map(({ id }) => String(id))
    const { rows } = await db.query<{ id: string; served: string; missing: string[] | null }>(
      sql`select g.id, count(*) as served, array_agg(c.country order by c.country) filter (where not exists
          (select 1 from ${LINES} l where l.group_id = g.id and l.country = c.country and l.deleted_at is null)) as missing
        from ${GROUPS} g join (select distinct s.product, s.country from ${COSTS} s where s.status = 'active' and s.country is not null and s.deleted_at is null) c on c.product = g.product
        where g.id = any(${sql.param(ids)}::text[]) group by g.id`,
    )
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const record of records) {
      const { served = '0', missing = null } = found.get(String(record.id)) ?? {}
      record.coverage = `${Number(served) - (missing?.length ?? 0)}/${Number(served)}`
      record.missing = missing?.join(', ') ?? null
    }
  },
}
