/** One fact that is made from the records of its hours. */
export interface FactSource {
  /** The entity of the fact. */
  fact: string
  /** The entity of the records. */
  record: string
  /** The column of the moment that a record belongs to. */
  at: string
  /** What the money of a record is in the end: of both sides, or of the customer's alone. */
  sides: 'both' | 'customer'
  /** Further columns of the grain, as SQL over a record `r`. */
  keys: Readonly<Record<string, string>>
  /** Columns that are counted, as SQL over the records of a group. */
  counters: Readonly<Record<string, string>>
  /** The cost of a group, where it is not the sum of all its records. */
  cost?: string
  /** Records that carry a part of a record by themselves; they count on their own route. */
  tries?: Tries
  /** Its share in the facts of a day; without it the records are counted there by another fact. */
  day?: Readonly<Record<DayColumn, string>>
}

/** Tries `t` of a record `r`, each with the fields `msg_id`, those of `at`, and those of the supplier's side. */
export interface Tries {
  record: string
  /** Columns of the grain that are the try's own, as SQL over `r` and `t`. */
  keys: Readonly<Record<string, string>>
  /** Columns that are counted over tries: the others are counted over the records alone. */
  counters: Readonly<Record<string, string>>
}

/** What the facts of a day have beside the money, as SQL over an hour `h`. */
export type DayColumn =
  | 'product'
  | 'channel_id'
  | 'gateway_id'
  | 'submitted'
  | 'sent'
  | 'delivered'
  | 'failed'
  | 'unknown'
  | 'rejected'
  | 'units'
  | 'cost_units'
  | 'uncosted'

const counted = (condition: string): string => `count(*) filter (where ${condition})`
const added = (value: string, condition = 'true'): string => `coalesce(sum(${value}) filter (where ${condition}), 0)`
const SENT = 'r.sent_at is not null'
const LATE = 'coalesce(r.late, false)'
/** A supplier carried it, and no rate says what it costs (quotes-traffic 7.3, m22). */
const UNCOSTED = (alias: string): string => `${alias}.supplier_account_id is not null and ${alias}.cost_amount is null`
/** The tries of a message tell its cost, where it has some (quotes-traffic 2.4). */
const ITSELF = 'not coalesce(r.cost_by_attempts, false)'
/** What a receipt said after its day was locked counts as late alone (quotes-traffic 7.1). */
const DELIVERED = `r.status = 'delivered' and not ${LATE}`

/**
 * What facts are made of (quotes-traffic 7.2, 7.3). Records of one product are counted by one fact of the day: those of one-time passwords by the message or the call that
 * carried them.
 */
export const FACT_SOURCES: readonly FactSource[] = [
  {
    fact: 'rpt.smsHour',
    record: 'biz.smsRecord',
    at: 'submitted_at',
    sides: 'both',
    keys: {
      product: 'r.product',
      app_id: 'r.app_id',
      mccmnc: 'r.mccmnc',
      channel_id: 'r.channel_id',
      traffic_type: 'r.traffic_type',
      encoding: 'r.encoding',
      fail_reason: 'r.fail_reason',
    },
    counters: {
      submitted: 'count(*)',
      rejected: counted(`r.status = 'rejected'`),
      accepted: counted(`r.status <> 'rejected'`),
      sent: counted(SENT),
      delivered: counted(DELIVERED),
      failed: counted(`${SENT} and r.status in ('failed', 'expired')`),
      finished: counted(`${SENT} and (${DELIVERED} or r.status in ('failed', 'expired'))`),
      unknown: counted(`${SENT} and not (${DELIVERED}) and r.status not in ('failed', 'expired', 'rejected')`),
      late: counted(LATE),
      seg_sent: added('r.segments', SENT),
      seg_delivered: added('r.segments', DELIVERED),
      bill_seg: added('r.segments', 'r.billable'),
      attempts: counted(`${SENT} and ${ITSELF}`),
      cost_seg: added('r.segments', `r.cost_billable and ${ITSELF}`),
      uncosted: added('r.segments', `${ITSELF} and ${UNCOSTED('r')}`),
      latency_sum: added('r.latency', `not ${LATE}`),
      latency_count: counted(`r.latency is not null and not ${LATE}`),
    },
    cost: `coalesce(sum(r.cost_amount) filter (where ${ITSELF}), 0)`,
    tries: {
      record: 'biz.smsAttempt',
      keys: { channel_id: 't.channel_id' },
      counters: {
        attempts: 'count(*)',
        cost_seg: added('t.segments', 't.cost_billable'),
        uncosted: added('t.segments', UNCOSTED('t')),
      },
    },
    day: {
      product: 'h.product',
      channel_id: 'h.channel_id',
      gateway_id: 'null::text',
      submitted: 'h.submitted',
      sent: 'h.sent',
      delivered: 'h.delivered',
      failed: 'h.failed',
      unknown: 'h.unknown',
      rejected: 'h.rejected',
      units: 'h.bill_seg',
      cost_units: 'h.cost_seg',
      uncosted: 'coalesce(h.uncosted, 0)',
    },
  },
  {
    fact: 'rpt.voiceHour',
    record: 'biz.callRecord',
    at: 'start_at',
    sides: 'both',
    keys: {
      product: 'r.product',
      destination: 'r.destination',
      prefix: 'r.prefix',
      docking_gateway_id: 'r.docking_gateway_id',
      landing_gateway_id: 'r.landing_gateway_id',
    },
    counters: {
      attempts: 'count(*)',
      answered: counted('r.answer_at is not null'),
      busy: counted(`r.release_cause = 'busy'`),
      no_answer: counted(`r.release_cause = 'noAnswer'`),
      rejected: counted(`r.release_cause = 'rejected'`),
      net_fail: counted(`r.release_cause in ('badNumber', 'congestion', 'noRoute', 'noBalance', 'failure')`),
      reached: counted(`r.answer_at is not null or r.release_cause in ('busy', 'noAnswer', 'rejected')`),
      talk_sec: `round(${added('r.duration_ms', 'r.answer_at is not null')} / 1000.0, 6)`,
      bill_sec: added('r.bill_sec'),
      bill_min: `round(${added('r.bill_sec')} / 60.0, 6)`,
      cost_bill_sec: added('r.cost_bill_sec'),
      uncosted: counted(UNCOSTED('r')),
      cost_min: `round(${added('r.cost_bill_sec')} / 60.0, 6)`,
      pdd_ms_sum: added('r.pdd_ms', 'r.ring_at is not null or r.answer_at is not null'),
      pdd_count: counted('r.pdd_ms is not null and (r.ring_at is not null or r.answer_at is not null)'),
    },
    day: {
      product: 'h.product',
      channel_id: 'null::text',
      gateway_id: 'h.landing_gateway_id',
      submitted: 'h.attempts',
      sent: 'h.attempts',
      delivered: 'h.answered',
      failed: 'h.attempts - h.answered',
      unknown: '0',
      rejected: 'h.rejected',
      units: 'h.bill_sec',
      cost_units: 'h.cost_bill_sec',
      uncosted: 'coalesce(h.uncosted, 0)',
    },
  },
  {
    fact: 'rpt.waHour',
    record: 'biz.waRecord',
    at: 'submitted_at',
    sides: 'both',
    keys: { product: `'whatsapp'`, category: 'r.category' },
    counters: {
      sent: counted(SENT),
      delivered: counted('r.delivered_at is not null'),
      read: counted('r.read_at is not null'),
      failed: counted(`r.status = 'failed'`),
      billed: counted('r.delivered_at is not null and not coalesce(r.free, false)'),
      free: counted('r.delivered_at is not null and r.free'),
      uncosted: counted(UNCOSTED('r')),
    },
    day: {
      product: `'whatsapp'`,
      channel_id: 'null::text',
      gateway_id: 'null::text',
      submitted: 'h.sent',
      sent: 'h.sent',
      delivered: 'h.delivered',
      failed: 'h.failed',
      unknown: 'greatest(0, h.sent - h.delivered - h.failed)',
      rejected: '0',
      units: 'h.billed',
      cost_units: 'h.billed',
      uncosted: 'coalesce(h.uncosted, 0)',
    },
  },
  {
    fact: 'rpt.otpHour',
    record: 'biz.otpRecord',
    at: 'requested_at',
    sides: 'customer',
    keys: {
      product: `case r.channel when 'voice' then 'otpVoice' when 'whatsapp' then 'whatsapp' else 'otpSms' end`,
      channel: 'r.channel',
    },
    counters: {
      requests: counted('r.fallback_of is null'),
      sends: 'count(*)',
      delivered: counted(`r.status in ('sent', 'verified')`),
      verified: counted('r.verified_at is not null'),
      verify_sec_sum: `coalesce(sum(extract(epoch from r.verified_at - r.requested_at))::bigint, 0)`,
    },
  },
  {
    fact: 'rpt.mailHour',
    record: 'biz.mailRecord',
    at: 'submitted_at',
    sides: 'customer',
    keys: { product: `'mail'` },
    counters: {
      accepted: counted(`r.status not in ('softBounce', 'hardBounce')`),
      opens: added('r.opens'),
      clicks: added('r.clicks'),
      bounced: counted(`r.status in ('softBounce', 'hardBounce')`),
    },
    day: {
      product: `'mail'`,
      channel_id: 'null::text',
      gateway_id: 'null::text',
      submitted: 'h.accepted + h.bounced',
      sent: 'h.accepted + h.bounced',
      delivered: 'h.accepted',
      failed: 'h.bounced',
      unknown: '0',
      rejected: '0',
      units: 'h.accepted',
      cost_units: '0',
      uncosted: '0',
    },
  },
]
