import { verifyModules } from '../../gateway/modules'
import type { Database } from '../../gateway/platform/database'

/** A fault that is put back into the books, and the line of reconcile that has to find it. */
export interface Mutant {
  fault: string
  /** Statements that put it back; each has to touch a row. */
  put: readonly string[]
  found: RegExp
}

/** A copy of a record that was posted, as if it had never been. */
const never = (table: string, key: string, more: object = {}): string => {
  const change = { id: 'mutant', [key]: 'mutant', posted_revenue: null, posted_cost: null, ...more }
  return `insert into ${table} select x.* from (select * from ${table} where revenue > 0 and exists (select 1 from biz_day_lock k where k.account_id = ${table}.account_id and ${table}.bill_day between k.begins and k.through) limit 1) r,
    lateral jsonb_populate_record(null::${table}, to_jsonb(r) || '${JSON.stringify(change)}'::jsonb) x`
}

export const MUTANTS: readonly Mutant[] = [
  {
    fault: 'a kind of traffic is not charged',
    put: [never('biz_call_record', 'call_id')],
    found: /^biz\.callRecord revenue = ledger, or open$/,
  },
  {
    fault: 'what is not posted within five days is never posted',
    put: [never('biz_sms_record', 'msg_id')],
    found: /^biz\.smsRecord revenue = ledger, or open$/,
  },
  {
    fault: 'a day is locked although a record of it has no price',
    put: [never('biz_wa_record', 'wa_id', { revenue: null, price: null, rate_id: null })],
    found: /^biz\.waRecord revenue = ledger, or open$/,
  },
  {
    fault: "the cost of a try is that of another channel's row",
    put: [
      `update biz_sms_attempt a set cost_rate_id = r.id, cost = r.price, cost_amount = r.price * a.segments from qm_supplier_rate r
        where r.supplier_account_id = a.supplier_account_id and r.channel_id is not null and r.channel_id <> a.channel_id and r.price is not null and r.price <> a.cost and a.cost_billable`,
    ],
    found: /^biz\.smsAttempt\.cost = rate in force$/,
  },
  {
    fault: 'a failover pays the supplier of another try',
    put: [
      `update biz_sms_attempt a set supplier_account_id = (select min(b.supplier_account_id) from biz_sms_attempt b where b.supplier_account_id <> a.supplier_account_id) where a.posted_cost <> 0`,
    ],
    found: /^charged records = fin\.ledgerEntry \(I7\)$/,
  },
  {
    fault: 'a try without a cost rate costs nothing',
    put: [
      `update qm_supplier_rate set status = 'cancelled' where product = 'sms'`,
      `update biz_sms_attempt set cost = null, cost_rate_id = null, cost_amount = 0`,
    ],
    found: /^biz\.smsAttempt\.cost = rate in force$/,
  },
  {
    fault: 'a price is changed after the message was rated',
    put: [`update biz_sms_record set price = price + 0.001 where price is not null and not test_flag`],
    found: /^biz\.smsRecord\.price = rate in force$/,
  },
  {
    fault: 'usage of a period that has a bill is on no bill',
    put: [
      `update fin_ledger_entry e set bill_id = null where e.id = (select min(x.id) from fin_ledger_entry x join fin_bill b on b.id = x.bill_id where x.type = 'usage' and b.status <> 'draft')`,
    ],
    found: /^fin\.(billLine\.amount|ledgerEntry\.billId \(usage without a bill\))$/,
  },
  {
    fault: 'the usage of a void bill is asked for by no other',
    put: [`update fin_bill set status = 'void' where id = (select min(id) from fin_bill where status = 'paid' and total > 0)`],
    found: /^fin\.(billLine\.amount|ledgerEntry\.billId \(usage without a bill\)|customerAccount\.balance \(receivables\))$/,
  },
  {
    fault: 'money that was refunded goes on paying a bill',
    put: [
      `update fin_bill_refund c set unallocated = c.unallocated + s.amount from (select collection_id, sum(amount) as amount from fin_refund_source where status = 'live' group by 1) s where s.collection_id = c.id`,
      `delete from fin_refund_source`,
    ],
    found: /^fin\.(billRefund\.unallocated|customerAccount\.balance \(receivables\))$/,
  },
  {
    fault: 'the same traffic is typed and rated from records',
    put: [
      `update fin_usage u set account_id = r.account_id, product = r.product, day = r.bill_day, beside_records = false from (select account_id, product, bill_day from biz_sms_record where posted_revenue <> 0 limit 1) r where u.id = (select min(id) from fin_usage)`,
    ],
    found: /^fin\.usage beside charged records$/,
  },
  {
    fault: 'records are dropped and leave nothing behind',
    put: [`delete from biz_mail_record`],
    found: /^charged records = fin\.ledgerEntry \(I7\)$/,
  },
  {
    fault: 'consumption comes from where nobody compares it',
    put: [`update fin_posting set idem_key = 'elsewhere:' || id where idem_key like 'creditNote:%'`],
    found: /^fin\.ledgerEntry of a kind that is compared$/,
  },
  {
    fault: 'a month of a number is not charged',
    put: [`delete from biz_number_fee where kind = 'mrc'`],
    found: /^biz\.number(Asset \(months that are not charged\)|Fee = fin\.ledgerEntry)$/,
  },
  {
    fault: 'the cost of a try is counted on the channel of another one',
    put: [
      `update rpt_sms_hour h set channel_id = o.channel_id from rpt_sms_hour o where o.channel_id <> h.channel_id and h.cost <> 0`,
    ],
    found: /^rpt\.smsHour/,
  },
  {
    fault: 'a revaluation is not taken back on the first',
    put: [`delete from fin_posting where idem_key like 'fxrev:%:rev'`],
    found: /^fin\.posting fxRevalue$/,
  },
  {
    fault: 'what is claimed of a receipt can be claimed again',
    put: [`update fin_unclaimed_receipt set open_amount = pay_amount, claimed_amount = 0 where claimed_amount > 0`],
    found: /^fin\.accountBalance SUS = fin\.unclaimedReceipt\.openAmount$/,
  },
  {
    fault: 'a payment does not know what of it came back',
    put: [`update fin_payment set returned_amount = 0 where returned_amount > 0`],
    found: /^fin\.payment\.returnedAmount$/,
  },
]

class Undone extends Error {}

/** The lines of reconcile that find a fault; it is taken back again. */
export async function findings(database: Database, { put }: Mutant): Promise<string[]> {
  let found: string[] = []
  const undone = await database
    .transaction(async (tx) => {
      await tx.query(`set local session_replication_role = replica`)
      for (const statement of put) {
        const { rowCount } = await tx.query(statement)
        if (rowCount === 0) throw new Error(`The fault touches nothing: ${statement}`)
      }
      const drifts = await verifyModules(tx as unknown as Database, { fix: false })
      found = drifts.flatMap(({ field, drifted }) => (drifted > 0 ? [field] : []))
      throw new Undone()
    })
    .catch((error: unknown) => error)
  if (!(undone instanceof Undone)) throw undone
  return found
}
