import { sql, type SQL } from 'drizzle-orm'
import { tableOf, thereIs, type FieldDrift } from '../../../entities'
import type { Database } from '../../../platform/database'

/** States in which a rate has been in force, or is. */
const IN_FORCE = `('active', 'pending', 'expired', 'superseded')`

/** One side of a record: whose rates hold for it, and what it says that it was rated by. */
interface RatedSide {
  name: 'price' | 'cost'
  rates: 'qm.customerRate' | 'qm.supplierRate'
  /** Columns of the rate's account, and of the record: account, rate, price, what it came to. */
  owner: string
  account: string
  rateId: string
  unit: string
  amount: string
}
const PRICE: RatedSide = {
  ...{ name: 'price', rates: 'qm.customerRate', owner: 'account_id', account: 'account_id' },
  ...{ rateId: 'rate_id', unit: 'price', amount: 'revenue' },
}
const COST: RatedSide = {
  ...{ name: 'cost', rates: 'qm.supplierRate', owner: 'supplier_account_id', account: 'supplier_account_id' },
  ...{ rateId: 'cost_rate_id', unit: 'cost', amount: 'cost_amount' },
}

/** Records that are rated, as SQL over a record `m` (and its message `s` where it is a try of one) and a rate `r`. */
interface RatedRecords {
  entity: string
  /** What is joined to the record. */
  from?: string
  at: string
  sides: readonly RatedSide[]
  /** Which records are rated by themselves. */
  where: string
  /** The keys that are tried, the first first. */
  keys: string
  /** Of suppliers' rates: the route that the record went over. */
  route?: readonly [rate: string, record: string]
  /** Whether somebody would have been charged, also where no rate says so. */
  charged: string
  /** What the record comes to by the rate `r` of a side. */
  amount: string
  /** Whether other records say what it costs. */
  costElsewhere?: string
}

const SENT_ON: Readonly<Record<string, string>> = {
  submit: `m.status <> 'rejected'`,
  sent: `m.sent_at is not null and m.status <> 'rejected'`,
  delivered: `m.status = 'delivered' and not coalesce(m.late, false)`,
  deliveredUnknown: `m.status = 'delivered' and not coalesce(m.late, false) or m.status = 'unknown' and m.sent_at is not null`,
  verified: 'coalesce(m.otp_verified, false)',
}
const TRIED_ON: Readonly<Record<string, string>> = {
  submit: `m.status <> 'rejected'`,
  sent: `m.status <> 'rejected'`,
  delivered: `m.status = 'delivered'`,
  deliveredUnknown: `m.status in ('delivered', 'unknown')`,
  verified: 'false',
}
/** Whether a mode charges (quotes-traffic 5.4). */
const charges = (on: Readonly<Record<string, string>>): string =>
  `case coalesce(r.billing_mode, 'sent') ${Object.entries(on)
    .map(([mode, when]) => `when '${mode}' then (${when})`)
    .join(' ')} end`
const segments = (on: Readonly<Record<string, string>>): string => `case when ${charges(on)} then r.price * m.segments else 0 end`

const NO_TEST = 'not coalesce(m.test_flag, false)'

const messageKeys = (of: string): string =>
  `array[concat_ws('|', ${of}.product, ${of}.country, nullif(${of}.mccmnc, ''), case when ${of}.product = 'sms' then coalesce(nullif(${of}.route_class, ''), '*') end),
    concat_ws('|', ${of}.product, ${of}.country, '*', case when ${of}.product = 'sms' then coalesce(nullif(${of}.route_class, ''), '*') end)]`

/** Seconds that a call is charged (quotes-traffic 5.5), in steps of `first` and `next`. */
const billed = (first: string, next: string): string =>
  `(${first} + ceil(greatest(0, ceil(m.duration_ms / 1000.0) - ${first}) / ${next}::numeric) * ${next})`
const LINE = billed('coalesce(r.inc_first, 1)', 'coalesce(r.inc_next, 1)')
const CALL = `case when m.answer_at is null or ceil(m.duration_ms / 1000.0) <= coalesce(r.grace_sec, 0) then 0
    when r.billing_mode = 'verified' and not coalesce(m.otp_verified, false) then 0
    when r.unit in ('call', 'verified') then r.price
    else round(r.price * ${LINE} / 60, 6) + case m.product when 'aiVoice' then round(coalesce(r.ai_price, 0) * ${billed('60', '60')} / 60, 6) else coalesce(r.setup_fee, 0) end end`
const DIGITS = `regexp_replace(m.callee, '\\D', '', 'g')`
const PREFIXES = `select left(${DIGITS}, n) as prefix, n from generate_series(length(${DIGITS}), 1, -1) n`

const RATED: readonly RatedRecords[] = [
  {
    entity: 'biz.smsRecord',
    at: 'm.submitted_at',
    sides: [PRICE, COST],
    where: `m.status <> 'rejected' and ${NO_TEST}`,
    keys: messageKeys('m'),
    route: ['channel_id', 'm.channel_id'],
    charged: charges(SENT_ON),
    amount: segments(SENT_ON),
    costElsewhere: 'coalesce(m.cost_by_attempts, false)',
  },
  {
    entity: 'biz.smsAttempt',
    from: `join ${tableOf('biz.smsRecord')} s on s.msg_id = m.msg_id and s.submitted_at = m.submitted_at and s.deleted_at is null`,
    at: 'm.submitted_at',
    sides: [COST],
    where: NO_TEST,
    keys: messageKeys('s'),
    route: ['channel_id', 'm.channel_id'],
    charged: charges(TRIED_ON),
    amount: segments(TRIED_ON),
  },
  {
    entity: 'biz.callRecord',
    at: 'm.start_at',
    sides: [PRICE, COST],
    where: `m.answer_at is not null and ${NO_TEST}`,
    keys: `array(select key from (${PREFIXES}) p, lateral (
        select concat_ws('|', m.product, p.prefix, case when m.product = 'voice' then coalesce(nullif(m.route_class, ''), '*') end) as key, 0 as n where m.product <> 'aiVoice'
        union all select concat_ws('|', 'aiVoice', p.prefix, nullif(m.ai_model, '')), 0 where m.product = 'aiVoice' and nullif(m.ai_model, '') is not null
        union all select concat_ws('|', 'aiVoice', p.prefix, '*'), 1 where m.product = 'aiVoice') k order by p.n desc, k.n)
      || case when m.product = 'aiVoice' then array_remove(array['aiVoice|*|' || nullif(m.ai_model, ''), 'aiVoice|*|*'], null) else '{}' end`,
    route: ['gateway_id', 'm.landing_gateway_id'],
    charged: 'ceil(m.duration_ms / 1000.0) > 0',
    amount: CALL,
  },
  {
    entity: 'biz.mailRecord',
    at: 'm.submitted_at',
    sides: [PRICE, COST],
    where: `m.status in ('delivered', 'opened', 'clicked', 'complained') and ${NO_TEST}`,
    keys: `array['mail|*']`,
    charged: 'true',
    amount: 'r.price',
  },
  {
    entity: 'biz.waRecord',
    at: 'm.submitted_at',
    sides: [PRICE, COST],
    where: `m.status in ('delivered', 'read') and not coalesce(m.free, false) and ${NO_TEST}`,
    keys: `array[concat_ws('|', 'whatsapp', m.country, m.category), concat_ws('|', 'whatsapp', '*', m.category)]
      || case when m.category = 'authenticationInternational' then array['whatsapp|' || m.country || '|authentication'] else '{}' end`,
    charged: 'true',
    amount: 'r.price',
  },
]

/** The rate of a side that was in force at the moment of a record, by keys in their order; of one key the row of the route before the row of the account. */
const inForce = ({ keys, at, route }: RatedRecords, side: RatedSide): SQL => {
  const own = side === COST && route ? route : undefined
  return sql.raw(
    `select r.* from unnest(${keys}) with ordinality k(key, place) join ${tableOf(side.rates)} r on r.rate_key = k.key
      where r.${side.owner} = m.${side.account} and r.status in ${IN_FORCE} and r.deleted_at is null and r.effective_from <= ${at} and (r.effective_to is null or ${at} < r.effective_to)
        ${own ? `and (r.${own[0]} is null or r.${own[0]} = ${own[1]})` : ''} and (r.created_at <= m.created_at or r.id = m.${side.rateId})
      order by k.place${own ? `, r.${own[0]} is null` : ''} limit 1`,
  )
}

/**
 * Reckons anew, in the database and by the rates alone, by which rate each record had to be rated and what it comes to (quotes-traffic 5.2 to 5.7): the row of the route, else
 * that of the account; never another route's. Records of tests, and those that nobody pays, are left out.
 */
export async function verifyRating(database: Database): Promise<FieldDrift[]> {
  const drifts: FieldDrift[] = []
  for (const records of RATED) {
    if (!(await thereIs(database, records.entity))) continue
    for (const side of records.sides) {
      if (!(await thereIs(database, side.rates))) continue
      const { rateId, unit, amount, account } = side
      // who pays nothing because finance said so (`biz.freeTraffic`) is rated by no rate
      const elsewhere = side === COST ? (records.costElsewhere ?? 'false') : 'm.free_traffic_id is not null'
      const { rows } = await database.query<{ rows: string; wrong: string }>(
        sql`select count(*)::text as rows, count(*) filter (where ${sql.raw(
          `(m.${rateId} is distinct from (case when r.price is not null then r.id end) or m.${unit} is distinct from r.price
            or case when r.price is not null then m.${amount} is distinct from ${records.amount} else ${records.charged} and m.${amount} is not null end)`,
        )})::text as wrong from ${sql.raw(tableOf(records.entity))} m ${sql.raw(records.from ?? '')} left join lateral (${inForce(records, side)}) r on true
        where ${sql.raw(`m.deleted_at is null and m.${account} is not null and not (${elsewhere}) and ${records.where}`)}`,
      )
      drifts.push({
        field: `${records.entity}.${side.name} = rate in force`,
        rows: Number(rows[0]?.rows),
        drifted: Number(rows[0]?.wrong),
      })
    }
  }
  return drifts
}
