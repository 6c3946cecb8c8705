import { sql, type SQL } from 'drizzle-orm'
import { columnName, type ChargedEntity, type ChargeSide, type ChargeSideName } from '../../../../src/schema/entity'
import { CHARGED } from '../../../../src/schema/generated/charges'
import { dueSql, openSql, tableOf } from '../../../entities'
import type { Executor } from '../../../platform/database'

/** Which records are asked about; days in the zone of the account, both included. */
export interface ChargesAsked {
  side?: ChargeSideName
  accountIds?: readonly string[]
  /** YYYY-MM-DD. */
  from?: string
  through?: string
}

/** Records of an account and day that the ledger does not tell as they stand. */
export interface OpenCharge {
  /** The entity of the records, e.g. biz.callRecord. */
  entity: string
  side: ChargeSideName
  /** The customer's account, or the one at a supplier. */
  accountId: string
  /** The day that they belong to, in the zone of the account. */
  day: string
  /** Dictionary `product`; empty where a record does not say it. */
  product: string
  /** How many records are open. */
  records: number
  /** What they come to above what is posted of them, in the currency of the account, as far as they have a price. */
  amount: string
  /** How many of them have no price: what they come to is not known. */
  unrated: number
}

/** A side of charged records whose table is here. */
export interface ChargedSide {
  charged: ChargedEntity
  side: ChargeSide
}

/** Sides of charged records that are kept here, those of modules that are absent left out. */
export async function chargedSides(db: Executor, only?: ChargeSideName): Promise<ChargedSide[]> {
  const { rows } = await db.query<{ entity: string }>(
    sql`select g.entity from jsonb_to_recordset(${JSON.stringify(CHARGED.map(({ entity }) => ({ entity, name: tableOf(entity) })))}::jsonb) as g(entity text, name text)
      where to_regclass(g.name) is not null`,
  )
  const here = new Set(rows.map(({ entity }) => entity))
  return CHARGED.filter(({ entity }) => here.has(entity)).flatMap((charged) =>
    charged.sides.filter(({ side }) => only === undefined || side === only).map((side) => ({ charged, side })),
  )
}

/** A column of the records `r`. */
export const recordColumn = (field: string): SQL => sql.raw(`r.${columnName(field)}`)

/** The product of records `r`. */
export const productSql = ({ product }: ChargedEntity): SQL =>
  'value' in product ? sql`${product.value}::text` : sql`coalesce(${recordColumn(product.field)}, '')`

/** What the ledger has of a side of open records `r`. */
export const postedSql = ({ posted, posting }: ChargeSide): SQL =>
  posting === null ? sql`coalesce(${recordColumn(posted)}, 0)` : sql`0`

/** Open records `r` of a side, narrowed to what is asked. */
export function openRecords({ charged, side }: ChargedSide, { accountIds, from, through }: Omit<ChargesAsked, 'side'>): SQL {
  const day = recordColumn(side.day)
  return sql.join(
    [
      sql`${sql.raw(tableOf(charged.entity))} r where ${openSql(charged, side.side, 'r')}`,
      ...(accountIds ? [sql`${recordColumn(side.account)} = any(${sql.param([...accountIds])}::text[])`] : []),
      ...(from ? [sql`${day} >= ${from}::date`] : []),
      ...(through ? [sql`${day} <= ${through}::date`] : []),
    ],
    sql` and `,
  )
}

/**
 * What is charged and not in the ledger as it stands: unposted, posted otherwise, or without a price; by entity, side, account, day and
 * product. Reads the open records alone, however many are kept (money 1.5, quotes-traffic 7.1).
 */
export async function openCharges(db: Executor, { side, ...asked }: ChargesAsked = {}): Promise<OpenCharge[]> {
  const parts = (await chargedSides(db, side)).map((one) => {
    const due = dueSql(one.charged, one.side.side, 'r')
    return sql`select ${one.charged.entity}::text as entity, ${one.side.side}::text as side, ${recordColumn(one.side.account)} as "accountId", ${recordColumn(one.side.day)}::text as day, ${productSql(one.charged)} as product,
        count(*)::int as records, trim_scale(coalesce(sum(${due} - ${postedSql(one.side)}), 0))::text as amount, count(*) filter (where ${due} is null)::int as unrated
      from ${openRecords(one, asked)} group by 3, 4, 5`
  })
  if (parts.length === 0) return []
  const { rows } = await db.query<OpenCharge>(
    sql`select * from (${sql.join(parts, sql` union all `)}) o order by "accountId", day, product, entity, side`,
  )
  return rows
}
