import Decimal from 'decimal.js'
import { closable, dayIn, periodEnd, plusDays } from './calendar'
import { round } from './rating'
import type { Entry, Ledger } from './ledger'
import type { Account, Company, CycleKind, Day, PayMode } from './model'

export interface Bill {
  id: string
  /** Stem of the keys of its postings. */
  key: string
  account: Account
  from: Day
  to: Day
  usage: Decimal
  fee: Decimal
  adjustment: Decimal
  rounding: Decimal
  tax: Decimal
  total: Decimal
  /** What its entries are worth in CNY. */
  base: Decimal
  lines: Record<string, Decimal>
  issued: Day
  due: Day
  void: boolean
}

/** Money of a post-paid account that bills may take: a receipt, allocation, hedge or credit note. */
interface Credit {
  id: string
  account: string
  day: Day
  amount: Decimal
  left: Decimal
  base: Decimal
}

interface Allocation {
  bill: Bill
  credit: Credit
  amount: Decimal
  posting: string
  undone: boolean
}

interface Plan {
  cycle?: CycleKind
  /** First day that is on no bill yet. */
  next: Day
}

const BILLED = ['usage', 'fee', 'adjustment']
const ZERO = new Decimal(0)

/** Bills of post-paid accounts and what pays them (money 2.4, 1.3). */
export class Bills {
  readonly bills: Bill[] = []
  readonly credits: Credit[] = []
  private readonly allocations: Allocation[] = []
  private readonly plans = new Map<string, Plan>()
  private readonly modes = new Map<string, [Day, PayMode][]>()
  private fxPostings = 0

  constructor(
    private readonly company: Company,
    private readonly ledger: Ledger,
    begin: Day,
  ) {
    for (const account of company.accounts) {
      this.modes.set(account.code, [['0000-01-01', account.mode]])
      if (account.mode === 'postpaid') this.plans.set(account.code, { cycle: account.cycle, next: begin })
    }
  }

  /** The payment method on a day: it decides who is billed for what was used then. */
  modeOn(account: string, day: Day): PayMode {
    const mode = this.modes
      .get(account)
      ?.filter(([from]) => from <= day)
      .at(-1)
    if (!mode) throw new Error(`Unknown account ${account}`)
    return mode[1]
  }

  changeMode(account: string, to: PayMode, from: Day, cycle?: CycleKind): void {
    this.modes.get(account)?.push([from, to])
    if (to === 'postpaid') this.plans.set(account, { cycle, next: from })
  }

  /** Entries of post-paid consumption that no bill has taken. */
  unbilled(account: string): Entry[] {
    return this.ledger.entries.filter(
      (entry) =>
        entry.kind === 'customer' &&
        entry.account === account &&
        entry.bill === null &&
        !entry.onBill &&
        BILLED.includes(entry.type) &&
        this.modeOn(account, entry.serviceDay) === 'postpaid',
    )
  }

  /** Closes and issues what has ended and waited for its receipts. */
  run(at: number, today: Day): void {
    for (const account of this.company.accounts) {
      const plan = this.plans.get(account.code)
      if (!plan?.cycle) continue
      while (this.modeOn(account.code, plan.next) === 'postpaid') {
        const to = this.lastDay(account.code, plan.cycle, plan.next)
        if (closable(account.zone, to, this.company.cycles[plan.cycle].waitHours) > at) break
        this.issue(account, plan.cycle, plan.next, to, today)
        plan.next = plusDays(to, 1)
      }
    }
  }

  /** What becomes prepaid today is billed up to yesterday, whatever its receipts may still bring. */
  change(at: number): void {
    for (const account of this.company.accounts) {
      const plan = this.plans.get(account.code)
      const today = dayIn(account.zone, at)
      const changes = this.modes.get(account.code)?.some(([from, mode]) => from === today && mode === 'prepaid')
      if (!plan?.cycle || !changes) continue
      while (plan.next < today) {
        const to = this.lastDay(account.code, plan.cycle, plan.next)
        this.issue(account, plan.cycle, plan.next, to, today)
        plan.next = plusDays(to, 1)
      }
    }
  }

  /** Nothing of it is paid: rounding and tax are reversed, entries wait; its period is billed again unless a later bill exists. */
  voidBill(id: string): void {
    const bill = this.live(id)
    if (!this.open(bill).eq(bill.total)) throw new Error(`${id} is partly paid`)
    for (const type of ['rounding', 'tax']) {
      const key = `${bill.key}:${type}`
      if (this.ledger.posted(key)) this.ledger.reverse(key)
    }
    for (const entry of this.ledger.entries)
      if (entry.bill === bill.id) entry.bill = BILLED.includes(entry.type) ? null : `${id}/void`
    bill.void = true
    bill.id = `${id}/void`
    const later = this.bills.some((other) => !other.void && other.account === bill.account && other.from > bill.from)
    const plan = this.plans.get(bill.account.code)
    if (plan && !later) plan.next = bill.from
  }

  /** Money that came in for a post-paid account: named bills, then the oldest due, the rest waits. */
  receive(id: string, account: string, day: Day, amount: Decimal, named: string[] = []): void {
    if (this.modeOn(account, day) !== 'postpaid' || amount.isZero()) return
    const base = round(amount.times(this.ledger.rate(this.account(account).currency, day)), 6)
    const credit: Credit = { id, account, day, amount, left: amount, base }
    this.credits.push(credit)
    const open = this.bills.filter((bill) => !bill.void && bill.account.code === account && this.open(bill).gt(0))
    const fifo = [...open].sort((a, b) => a.due.localeCompare(b.due))
    for (const bill of [...named.map((name) => this.live(name)), ...fifo]) this.allocate(bill, credit, day)
  }

  /** Money that goes out again: of the receipts that are named, else of the newest that are on no bill. */
  giveBack(account: string, day: Day, amount: Decimal, named: string[] = []): void {
    if (this.modeOn(account, day) !== 'postpaid') return
    let rest = amount
    const mine = this.credits.filter((credit) => credit.account === account)
    const order = named.length > 0 ? mine.filter((credit) => named.includes(credit.id)) : [...mine].reverse()
    for (const credit of order) {
      const taken = Decimal.min(rest, credit.left)
      credit.left = credit.left.minus(taken)
      rest = rest.minus(taken)
    }
    if (rest.gt(0)) throw new Error(`${account} has no ${rest.toFixed()} that is on no bill`)
  }

  /** A receipt that is reversed pays nothing any more: its bills are open again. */
  takeBack(id: string): void {
    const credit = this.credits.find((one) => one.id === id)
    if (!credit) return
    for (const allocation of this.allocations) {
      if (allocation.credit !== credit || allocation.undone) continue
      allocation.undone = true
      if (allocation.posting) this.ledger.reverse(allocation.posting)
    }
    credit.left = ZERO
    credit.amount = ZERO
  }

  open(bill: Bill): Decimal {
    if (bill.void) return ZERO
    return bill.total.minus(this.paid(bill))
  }

  paid(bill: Bill): Decimal {
    const own = this.allocations.filter((one) => one.bill === bill && !one.undone)
    return own.reduce((sum, one) => sum.plus(one.amount), ZERO)
  }

  status(bill: Bill): 'void' | 'paid' | 'partPaid' | 'issued' {
    if (bill.void) return 'void'
    if (this.open(bill).isZero()) return 'paid'
    return this.paid(bill).isZero() ? 'issued' : 'partPaid'
  }

  /** What an account had when it became post-paid and no bill has taken yet (money 8.4: consumed first). */
  fromBefore(account: string): Decimal {
    const change = this.modes.get(account)?.find(([from, mode]) => from > '0000-01-01' && mode === 'postpaid')
    if (!change) return ZERO
    const had = this.ledger.net((entry) => entry.kind === 'customer' && entry.account === account && entry.day < change[0]).neg()
    const used = this.allocations
      .filter((one) => !one.undone && one.credit.id === 'before' && one.credit.account === account)
      .reduce((sum, one) => sum.plus(one.amount), ZERO)
    return Decimal.max(0, had.minus(used))
  }

  live(id: string): Bill {
    const bill = this.bills.find((one) => one.id === id)
    if (!bill) throw new Error(`There is no bill ${id}`)
    return bill
  }

  private issue(account: Account, cycle: CycleKind, from: Day, to: Day, today: Day): void {
    const id = `${account.code}:${from}`
    const key = `bill:${this.bills.length}:${id}`
    const entries = this.unbilled(account.code).filter((entry) => entry.day <= to)
    const sum = (type: string): Decimal => owed(entries.filter((entry) => entry.type === type))
    const net = owed(entries)
    const decimals = this.company.decimals[account.currency]
    const rounded = round(net, decimals)
    const tax = round(rounded.times(account.tax ?? 0).div(100), decimals)
    const lines: Record<string, Decimal> = {}
    for (const entry of entries) {
      const line = `${entry.type} ${entry.product}`
      lines[line] = (lines[line] ?? ZERO).plus(owed([entry]))
    }
    const rounding = rounded.minus(net)
    const posted = [
      ...entries,
      ...this.charge(account, `${key}:rounding`, 'rounding', 'RND', rounding, to),
      ...this.charge(account, `${key}:tax`, 'tax', 'TAX', tax, to),
    ]
    for (const entry of posted) entry.bill = id
    const base = posted.reduce((all, entry) => (entry.side === 'D' ? all.plus(entry.base) : all.minus(entry.base)), ZERO)
    const bill: Bill = {
      id,
      key,
      account,
      from,
      to,
      usage: sum('usage'),
      fee: sum('fee'),
      adjustment: sum('adjustment'),
      rounding,
      tax,
      total: rounded.plus(tax),
      base,
      lines,
      issued: today,
      due: plusDays(today, this.company.cycles[cycle].termDays),
      void: false,
    }
    this.bills.push(bill)
    const before = this.fromBefore(account.code)
    if (before.gt(0)) {
      const amount = Decimal.min(before, bill.total)
      const credit: Credit = { id: 'before', account: account.code, day: from, amount, left: amount, base: amount }
      if (account.currency !== 'CNY') throw new Error(`Money from before of ${account.code}: its worth in CNY is not kept`)
      this.allocate(bill, credit, today)
    }
    for (const credit of this.credits) if (credit.account === account.code) this.allocate(bill, credit, today)
  }

  private charge(account: Account, key: string, type: string, code: string, amount: Decimal, day: Day): Entry[] {
    if (amount.isZero()) return []
    const [customer, system] = amount.gt(0) ? (['D', 'C'] as const) : (['C', 'D'] as const)
    const side = { currency: account.currency, amount: amount.abs() }
    const entries = this.ledger.post({ key, type, entity: account.entity, day }, [
      { ...side, kind: 'customer', account: account.code, side: customer },
      { ...side, kind: 'system', account: code, side: system },
    ])
    return entries.filter((entry) => entry.kind === 'customer')
  }

  /** Lets a credit pay a bill; what the rates did between use and receipt is a realised difference (money 1.3 fxRealised, L7). */
  private allocate(bill: Bill, credit: Credit, day: Day): void {
    const amount = Decimal.min(this.open(bill), credit.left)
    if (amount.lte(0)) return
    credit.left = credit.left.minus(amount)
    const used = round(amount.times(bill.base).div(bill.total), 6)
    const came = round(amount.times(credit.base).div(credit.amount), 6)
    const loss = used.minus(came)
    let posting = ''
    if (!loss.isZero()) {
      posting = `fx:${(this.fxPostings += 1)}`
      const zero = { amount: ZERO, base: loss.abs() }
      const { code, currency, entity } = bill.account
      this.ledger.post({ key: posting, type: 'fxRealised', entity, day }, [
        { ...zero, kind: 'customer', account: code, currency, side: loss.gt(0) ? 'C' : 'D' },
        { ...zero, kind: 'system', account: 'FXD', currency: 'CNY', side: loss.gt(0) ? 'D' : 'C' },
      ])
    }
    this.allocations.push({ bill, credit, amount, posting, undone: false })
  }

  private lastDay(account: string, cycle: CycleKind, from: Day): Day {
    const to = periodEnd(cycle, from)
    const change = this.modes.get(account)?.find(([day]) => day > from && day <= to)
    return change ? plusDays(change[0], -1) : to
  }

  private account(code: string): Account {
    const account = this.company.accounts.find((one) => one.code === code)
    if (!account) throw new Error(`Unknown account ${code}`)
    return account
  }
}

function owed(entries: Entry[]): Decimal {
  return entries.reduce((sum, entry) => (entry.side === 'D' ? sum.plus(entry.amount) : sum.minus(entry.amount)), ZERO)
}
