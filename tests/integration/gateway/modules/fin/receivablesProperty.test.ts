import fc from 'fast-check'
import { Decimal } from 'decimal.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../../gateway/entities'
import { closePeriod } from '../../../../../gateway/modules/fin/bills/books'
import { postUsage } from '../../../../../gateway/modules/fin'
import { customerAccount } from '../../../../../gateway/modules/fin/facts'
import { verifyLedger } from '../../../../../gateway/modules/fin/ledger/verify'
import { adjust } from '../../../../../gateway/modules/fin/acts/adjust'
import { refund } from '../../../../../gateway/modules/fin/acts/pay'
import { recharge } from '../../../../../gateway/modules/fin/acts/recharge'
import { ServiceError } from '../../../../../gateway/platform/http'
import { openCompany, type Company } from './books'

let company: Company
let receiptId: string
beforeAll(async () => {
  company = await openCompany()
  receiptId = await company.inTransaction(async ({ entities }) => {
    const line = { bankAccountId: 'usd', bankRef: 'ALL', payAmount: '1000000', payDate: '2026-02-01', payer: 'everybody' }
    const { id } = await entities.save('fin.unclaimedReceipt', line)
    for (const step of ['submit', 'check']) await entities.transition('fin.unclaimedReceipt', String(id), step, {})
    return String(id)
  })
})
afterAll(() => company.test.close())

/** Half months in a row; usage is of any of them, also of one that has its bill. */
const PERIODS = ['02-01 02-15', '02-16 02-28', '03-01 03-15', '03-16 03-31', '04-01 04-15'].map((one) =>
  one.split(' ').map((day) => `2026-${day}`),
)
const cents = fc.integer({ min: 1, max: 50_000 }).map((value) => new Decimal(value).div(100).toFixed(2))
const act = fc.oneof(
  fc.record({ do: fc.constant('use' as const), amount: cents, period: fc.nat(PERIODS.length - 1) }),
  fc.record({ do: fc.constant('pay' as const), amount: cents }),
  fc.record({ do: fc.constant('claim' as const), amount: cents }),
  fc.record({ do: fc.constant('refund' as const), amount: cents }),
  fc.record({
    do: fc.constant('note' as const),
    amount: cents,
    kind: fc.constantFrom('creditNote', 'debitNote'),
    onBill: fc.boolean(),
  }),
  fc.record({ do: fc.constant('bill' as const) }),
  fc.record({ do: fc.constant('void' as const), which: fc.nat(9) }),
  fc.record({ do: fc.constant('reverse' as const), which: fc.nat(99) }),
)
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never

/** Each kind of act, in an order in which none is refused. */
const EACH: Act[] = [
  { do: 'use', amount: '100.00', period: 0 },
  { do: 'pay', amount: '40.00' },
  { do: 'bill' },
  { do: 'use', amount: '50.00', period: 1 },
  { do: 'bill' },
  { do: 'void', which: 1 },
  { do: 'claim', amount: '30.00' },
  { do: 'note', amount: '5.00', kind: 'creditNote', onBill: false },
  { do: 'pay', amount: '120.00' },
  { do: 'refund', amount: '10.00' },
  { do: 'reverse', which: 0 },
]

let made = 0
/** A post-paid account and what happened to it. */
class Account {
  readonly id = `R${(made += 1)}`
  private readonly documents: [entity: string, id: string][] = []
  private readonly bills: string[] = []
  private period = 0

  async open(): Promise<void> {
    const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null, status: 'active' }
    await company.inTransaction(async ({ entities }) => {
      const { id } = this
      await entities.insertMany('crm.customer', [{ ...stamp, id: `c-${id}`, code: `CU-${id}`, name: id, nameKey: id }])
      await entities.insertMany('fin.customerAccount', [
        {
          ...{ ...stamp, id, code: id, name: id, customerId: `c-${id}`, product: 'sms', currency: 'USD', payMode: 'postpaid' },
          ...{ companyEntityId: 'hk', timezone: 'Asia/Hong_Kong', termDays: 15, graceDays: 7, billCycleId: 'half' },
        },
      ])
    })
  }

  async play(one: Act): Promise<void> {
    const [id, instanceId] = [this.id, `w${(made += 1)}`]
    const head = { instanceId, instanceCode: instanceId, accountId: id, customerId: `c-${id}`, payDate: '2026-04-20' }
    const money = { ...head, payCurrency: 'USD', lines: [] as object[] }
    switch (one.do) {
      case 'use': {
        const batch = { accountId: id, product: 'sms', billDay: PERIODS[one.period]![0]!, amount: one.amount }
        await company.inTransaction((fin) => postUsage(fin, [{ ...batch, batchStart: new Date(made * 1000) }]))
        return
      }
      case 'pay': {
        const lines = [{ accountId: id, amount: one.amount }]
        const receipt = {
          ...money,
          lines,
          rechargeType: 'receipt',
          bankAccountId: 'usd',
          payAmount: one.amount,
          bankRef: instanceId,
        }
        return this.keep('fin.recharge', company.effect(recharge, receipt))
      }
      case 'claim': {
        const lines = [{ accountId: id, amount: one.amount }]
        const claim = { ...money, lines, rechargeType: 'manual', manualKind: 'claim', receiptId, payAmount: one.amount }
        return this.keep('fin.recharge', company.effect(recharge, claim))
      }
      case 'refund':
        return this.keep(
          'fin.billRefund',
          company.effect(refund, { ...head, amount: one.amount, bankAccountId: 'usd', paidAt: '2026-04-20' }),
        )
      case 'note': {
        const billId = one.onBill && one.kind === 'creditNote' ? (this.bills.at(-1) ?? '') : ''
        return this.keep(
          'fin.adjustment',
          company.effect(adjust, { ...head, kind: one.kind, amount: one.amount, billId, reason: 'price' }),
        )
      }
      case 'bill': {
        const [from, to] = PERIODS[this.period] ?? []
        if (!from || !to) return
        const bill = await company.inTransaction(async (fin) =>
          closePeriod(fin, await customerAccount(fin, id), { from, to }, { issue: true }),
        )
        this.period += 1
        this.bills.push(String(bill.id))
        return
      }
      case 'void':
        return this.move('fin.bill', this.bills[one.which % this.bills.length], 'void')
      case 'reverse': {
        const [entity, document] = this.documents[one.which % this.documents.length] ?? []
        return this.move(entity ?? '', document, 'reverse')
      }
    }
  }

  private async keep(entity: string, effect: Promise<unknown>): Promise<void> {
    this.documents.push([entity, String(((await effect) as EntityRecord).id)])
  }

  private async move(entity: string, id: string | undefined, transition: string): Promise<void> {
    if (id !== undefined)
      await company.inTransaction(({ entities }) => entities.transition(entity, id, transition, { note: 'a mistake' }))
  }

  /** Reckoned from entries, documents and allocations alone, without what the rows keep of it. */
  async position(): Promise<Record<'balance' | 'free' | 'open' | 'waiting' | 'keptFree' | 'keptOpen', Decimal>> {
    const spent = `r.kind in ('refund', 'transfer', 'badDebt', 'toPrepaid')`
    const live = `x.status = 'live' and x.deleted_at is null`
    const [row] = await company.rows<Record<string, string>>(
      `with paid as (select coalesce(sum(x.amount), 0) as amount from fin_allocation x where x.account_id = $1 and ${live}),
          rows as (select r.* from fin_bill_refund r where r.account_id = $1 and r.status = 'posted' and r.deleted_at is null),
          asked as (select l.* from fin_bill l where l.account_id = $1 and l.status in ('issued', 'partPaid', 'paid') and l.deleted_at is null)
        select coalesce((select sum(case direction when 'credit' then amount else -amount end) from fin_ledger_entry where account_kind = 'customer' and account_id = $1), 0)::text as balance,
          ((select coalesce(sum(case when ${spent} then -r.amount else r.amount end), 0) from rows r) - (select amount from paid))::text as free,
          ((select coalesce(sum(greatest(total, 0)), 0) from asked) - (select amount from paid))::text as open,
          (select coalesce(sum(case e.direction when 'debit' then e.amount else -e.amount end), 0) from fin_ledger_entry e left join asked l on l.id = e.bill_id
            where e.account_kind = 'customer' and e.account_id = $1 and l.id is null and (e.type = 'usage' or (e.type = 'adjustment' and not exists (
              select 1 from fin_posting p join fin_adjustment n on n.posting_id in (p.id, p.reverses_id) where p.id = e.posting_id and n.bill_id is not null))))::text as waiting,
          (select coalesce(sum(unallocated), 0) from rows)::text as "keptFree", (select coalesce(sum(open_amount), 0) from asked)::text as "keptOpen"`,
      [this.id],
    )
    const exact = Object.entries(row!).map(([name, value]) => [name, new Decimal(value)])
    return Object.fromEntries(exact) as Awaited<ReturnType<Account['position']>>
  }
}

it('after any acts a post-paid account has what is free, less open bills, less what waits for a bill, and reconcile agrees', async () => {
  const done: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 22 }), async (acts) => {
      const account = new Account()
      await account.open()
      for (const one of acts) {
        await account.play(one).then(
          () => (done[one.do] = (done[one.do] ?? 0) + 1),
          (error: unknown) => {
            if (!(error instanceof ServiceError)) throw error
            // whatever else is refused, the books add up
            expect(error.message).not.toMatch(/would not add up/)
          },
        )
        const { balance, free, open, waiting, keptFree, keptOpen } = await account.position()
        expect([one.do, balance.toFixed(), keptFree.toFixed(), keptOpen.toFixed()]).toEqual([
          ...[one.do, free.minus(open).minus(waiting).toFixed(), free.toFixed(), open.toFixed()],
        ])
      }
    }),
    { numRuns: 14, examples: [[EACH]] },
  )
  expect(Object.keys(done).sort()).toEqual(['bill', 'claim', 'note', 'pay', 'refund', 'reverse', 'use', 'void'])
  expect((await verifyLedger(company.test.gateway.database)).filter(({ drifted }) => drifted > 0)).toEqual([])
}, 60_000)
