import { sql } from 'drizzle-orm'
import { tableOf, type EntityService, type HookContext } from '../../entities'
import { dayOf } from '../../platform/calendar'
import { ChannelCosts } from './costs'
import { differenceOf } from './rating/channels'
import { textOf } from './text'

/** The supplier of an account; null where suppliers are not kept. */
export const supplierOf = async (
  entities: HookContext['entities'],
  { supplierAccountId }: { supplierAccountId: string | null },
): Promise<string | null> =>
  entities.has('srm.supplierAccount')
    ? ((await entities.find('srm.supplierAccount', textOf(supplierAccountId)))?.supplierId ?? null)
    : null

/** A channel belongs to the supplier of its account, and tells how much of its daily cap is used. */
export const channelService = (timeZone: string): EntityService<'biz.channel'> => ({
  async beforeSave({ record, entities }) {
    record.supplierId = await supplierOf(entities, record)
  },
  async computeFields(records, { db, now }) {
    const { rows } = await db.query<{ id: string; used: string }>(
      sql`select channel_id as id, count(*)::text as used from ${sql.raw(tableOf('biz.smsRecord'))}
        where channel_id = any(${sql.param(records.map(({ id }) => textOf(id)))}::text[]) and status <> 'rejected'
          and submitted_at >= (${dayOf(now, timeZone)}::timestamp at time zone ${timeZone}) and submitted_at <= ${now.toISOString()}::timestamptz group by 1`,
    )
    const used = new Map(rows.map(({ id, used }) => [id, Number(used)]))
    for (const record of records) record.usedToday = used.get(textOf(record.id)) ?? 0
  },
})

/** Market offers stand beside the lowest cost that we have for the same country, network and class. */
export const marketService = (timeZone: string): EntityService<'biz.marketChannel'> => ({
  async computeFields(records, { db, now }) {
    const costs = await ChannelCosts.read(db, dayOf(now, timeZone))
    for (const record of records) {
      const usd = costs.lowest(textOf(record.routeClass), textOf(record.country), textOf(record.mccmnc))
      const ours = usd === null ? null : costs.inCurrency(usd, textOf(record.currency))
      const offer = textOf(record.offerPrice)
      record.ourCost = ours
      record.deltaPct = ours === null || offer === '' ? null : differenceOf(offer, ours)
    }
  },
})
