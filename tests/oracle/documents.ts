import Decimal from 'decimal.js'
import { round } from './rating'
import type { Bills } from './bills'
import type { Kind, Ledger, Leg } from './ledger'
import type { Act, ActOf, Company, Currency, Day } from './model'

type Document = Exclude<
  Act,
  | ActOf<'sms'>
  | ActOf<'call'>
  | ActOf<'whatsapp'>
  | ActOf<'mail'>
  | ActOf<'otp'>
  | ActOf<'receipts'>
  | ActOf<'repeat'>
  | ActOf<'jobs'>
  | ActOf<'number'>
  | ActOf<'numberPrice'>
  | ActOf<'numberRelease'>
  | ActOf<'zone'>
>

interface Party {
  kind: Kind
  account: string
  currency: Currency
  entity: string
}

/** What each document posts (money 1.3), and what it does with bills. */
export class Documents {
  private readonly writtenOff = new Map<string, Decimal>()
  private readonly paid = new Map<string, ActOf<'payment'>>()
  private readonly unknown = new Map<string, ActOf<'suspense'>>()

  constructor(
    private readonly company: Company,
    private readonly ledger: Ledger,
    private readonly bills: Bills,
  ) {}

  play(act: Document): void {
    const day = act.at.slice(0, 10)
    switch (act.act) {
      case 'usage': {
        const account = this.party(act.account)
        const amount = new Decimal(act.price).times(act.units)
        this.pair(
          act.id,
          'usage',
          act.day,
          account,
          { ...account, kind: 'system', account: `REV:${act.product}` },
          amount,
          act.product,
        )
        return
      }
      case 'opening': {
        const bank = this.party(act.bank)
        this.pair(act.id, 'opening', day, bank, { ...bank, kind: 'system', account: 'OPN' }, new Decimal(act.amount))
        return
      }
      case 'receipt':
        return this.receipt(act, day)
      case 'suspense': {
        const bank = this.party(act.bank)
        this.arrived(act.id, 'suspense', day, bank, { ...bank, kind: 'system', account: 'SUS' }, act)
        this.unknown.set(act.id, act)
        return
      }
      case 'claim':
        return this.claim(act, day)
      case 'allocateMain':
        return this.move(act.id, 'allocate', day, act.main, act.to, act.amount, act.rate)
      case 'transfer':
        return this.move(act.id, 'transfer', day, act.from, act.to, act.amount, act.rate)
      case 'gift': {
        const to = this.party(act.to)
        this.pair(act.id, 'gift', day, { ...to, kind: 'system', account: 'GFT' }, to, new Decimal(act.amount))
        return
      }
      case 'refund': {
        const amount = new Decimal(act.amount)
        this.bills.giveBack(act.from, day, amount, act.receipts)
        this.pair(act.id, 'refund', day, this.party(act.from), this.party(act.bank), amount)
        return
      }
      case 'creditNote':
      case 'debitNote':
        return this.note(act, day)
      case 'writeOff': {
        const account = this.party(act.account)
        const amount = new Decimal(act.amount)
        this.pair(act.id, 'writeOff', day, { ...account, kind: 'system', account: 'BAD' }, account, amount)
        this.bills.receive(act.id, act.account, day, amount, [act.bill])
        this.writtenOff.set(act.account, (this.writtenOff.get(act.account) ?? new Decimal(0)).plus(amount))
        return
      }
      case 'hedge':
        return this.hedge(act, day)
      case 'payment':
        return this.payment(act, day)
      case 'paymentRefund': {
        const payment = found(this.paid, act.of)
        this.arrived(act.id, 'paymentRefund', day, this.party(payment.bank), this.party(payment.supplier), act)
        return
      }
      case 'costAdjust': {
        const supplier = this.party(act.supplier)
        const cost = { ...supplier, kind: 'system' as const, account: `COS:${act.product}` }
        this.pair(act.id, 'costAdjust', day, cost, supplier, new Decimal(act.amount), act.product)
        return
      }
      case 'reverse':
        this.bills.takeBack(act.of)
        this.ledger.reverse(act.of)
        return
      case 'voidBill':
        return this.bills.voidBill(act.bill)
      case 'mode':
        return this.bills.changeMode(act.account, act.to, act.from, act.cycle)
      case 'closeMonth':
        return this.ledger.closeMonth(act.month)
    }
  }

  private receipt(act: ActOf<'receipt'>, day: Day): void {
    if (this.ledger.posted(act.id)) return
    const bank = this.party(act.bank)
    const to = this.party(act.to)
    const fee = new Decimal(act.fee ?? 0)
    const paid = new Decimal(act.paid)
    // money 8.6: borne by us, what was paid is credited and the fee is ours; borne by the payer, what arrived is credited.
    const gross = act.bearer === 'payer' ? paid.minus(fee) : paid
    const legs = [leg(bank, 'D', paid.minus(fee))]
    if (act.bearer === 'us' && !fee.isZero()) legs.push(leg({ ...bank, kind: 'system', account: 'FEE' }, 'D', fee))
    const credited = this.convert(legs, bank, to, gross, act.rate, 'C')
    this.ledger.post({ key: act.id, type: 'recharge', entity: to.entity, day }, legs)
    const off = this.writtenOff.get(act.to) ?? new Decimal(0)
    const recovered = Decimal.min(off, credited)
    if (recovered.gt(0)) {
      this.pair(`${act.id}:bad`, 'writeOff', day, to, { ...to, kind: 'system', account: 'BAD' }, recovered)
      this.writtenOff.set(act.to, off.minus(recovered))
    }
    if (to.kind === 'customer') this.bills.receive(act.id, act.to, day, credited.minus(recovered), act.bills)
  }

  /** What the bank took of it is ours to bear (money 1.3 recharge: D bank net · D FEE charge · C gross). */
  private arrived(
    key: string,
    type: string,
    day: Day,
    bank: Party,
    credited: Party,
    came: { amount: string; fee?: string; rate?: string },
  ): void {
    const [amount, fee] = [new Decimal(came.amount), new Decimal(came.fee ?? 0)]
    const legs = [leg(bank, 'D', amount.minus(fee))]
    if (!fee.isZero()) legs.push(leg({ ...bank, kind: 'system', account: 'FEE' }, 'D', fee))
    this.convert(legs, bank, credited, amount, came.rate, 'C')
    this.ledger.post({ key, type, entity: bank.entity, day }, legs)
  }

  /** money 1.3 suspense, claimed: D SUS · C customer/main, in the books of the entity whose bank got it. */
  private claim(act: ActOf<'claim'>, day: Day): void {
    const suspense: Party = { ...this.party(found(this.unknown, act.of).bank), kind: 'system', account: 'SUS' }
    const [to, amount] = [this.party(act.to), new Decimal(act.amount)]
    const legs = [leg(suspense, 'D', amount)]
    const credited = this.convert(legs, suspense, to, amount, act.rate, 'C')
    this.ledger.post({ key: act.id, type: 'suspense', entity: suspense.entity, day }, legs)
    if (to.kind === 'customer') this.bills.receive(act.id, act.to, day, credited)
  }

  private move(id: string, type: string, day: Day, fromCode: string, toCode: string, amount: string, rate?: string): void {
    const from = this.party(fromCode)
    const to = this.party(toCode)
    const legs = [leg(from, 'D', new Decimal(amount))]
    const credited = this.convert(legs, from, to, new Decimal(amount), rate, 'C')
    this.ledger.post({ key: id, type, entity: from.entity, day }, legs)
    if (from.kind === 'customer') this.bills.giveBack(fromCode, day, new Decimal(amount))
    this.bills.receive(id, toCode, day, credited)
  }

  /** money 1.3: another currency goes through FXC; the account's amount is rounded to the decimals of its currency. */
  private convert(legs: Leg[], from: Party, to: Party, amount: Decimal, rate: string | undefined, side: 'C' | 'D'): Decimal {
    if (from.currency === to.currency) {
      legs.push(leg(to, side, amount))
      return amount
    }
    if (!rate) throw new Error(`${from.account} to ${to.account}: no rate`)
    const converted = round(amount.times(rate), this.company.decimals[to.currency])
    const other = side === 'C' ? 'D' : 'C'
    const clearing = { kind: 'system' as const, account: 'FXC', entity: from.entity }
    legs.push(leg({ ...clearing, currency: from.currency }, side, amount))
    legs.push(leg({ ...clearing, currency: to.currency }, other, converted))
    legs.push(leg(to, side, converted))
    return converted
  }

  private note(act: ActOf<'creditNote' | 'debitNote'>, day: Day): void {
    const account = this.party(act.account)
    const revenue: Party = { ...account, kind: 'system', account: `REV:${act.product}` }
    const amount = new Decimal(act.amount)
    const [debit, credit] = act.act === 'creditNote' ? [revenue, account] : [account, revenue]
    const head = {
      key: act.id,
      type: 'adjustment',
      entity: account.entity,
      day,
      product: act.product,
      onBill: act.bill !== undefined,
    }
    this.ledger.post(head, [leg(debit, 'D', amount), leg(credit, 'C', amount)])
    if (act.bill) this.bills.receive(act.id, act.account, day, amount, [act.bill])
  }

  private hedge(act: ActOf<'hedge'>, day: Day): void {
    const customer = this.party(act.customer)
    const supplier = this.party(act.supplier)
    const clearing = { kind: 'system' as const, account: `HDG:${act.id}`, entity: customer.entity }
    const leg1 = new Decimal(act.leg1)
    const leg2 = new Decimal(act.leg2)
    if (!round(leg2.times(act.rate), this.company.decimals[customer.currency]).eq(leg1))
      throw new Error(`${act.id}: leg 1 is not leg 2 × rate`)
    this.ledger.post({ key: act.id, type: 'hedge', entity: customer.entity, day }, [
      leg(supplier, 'D', leg2),
      leg({ ...clearing, currency: supplier.currency }, 'C', leg2),
      leg({ ...clearing, currency: customer.currency }, 'D', leg1),
      leg(customer, 'C', leg1),
    ])
    this.bills.receive(act.id, act.customer, day, leg1, act.bills)
  }

  private payment(act: ActOf<'payment'>, day: Day): void {
    const bank = this.party(act.bank)
    const supplier = this.party(act.supplier)
    const amount = new Decimal(act.amount)
    const legs = [leg(bank, 'C', amount)]
    this.convert(legs, bank, supplier, amount, act.rate, 'D')
    if (act.fee) {
      legs.push(leg({ ...bank, kind: 'system', account: 'FEE' }, 'D', new Decimal(act.fee)))
      legs.push(leg(bank, 'C', new Decimal(act.fee)))
    }
    this.ledger.post({ key: act.id, type: 'payment', entity: bank.entity, day }, legs)
    this.paid.set(act.id, act)
  }

  private pair(key: string, type: string, day: Day, debit: Party, credit: Party, amount: Decimal, product?: string): void {
    const entity = [debit, credit].find((party) => party.kind !== 'system')?.entity ?? debit.entity
    this.ledger.post({ key, type, entity, day, product }, [leg(debit, 'D', amount), leg(credit, 'C', amount)])
  }

  private party(code: string): Party {
    const { accounts, suppliers, banks, mains } = this.company
    const lists: [Kind, { code: string; currency: Currency; entity: string }[]][] = [
      ['customer', accounts],
      ['supplier', suppliers],
      ['bank', banks],
      ['main', mains],
    ]
    for (const [kind, list] of lists) {
      const one = list.find((row) => row.code === code)
      if (one) return { kind, account: code, currency: one.currency, entity: one.entity }
    }
    throw new Error(`Unknown account ${code}`)
  }
}

function leg(party: Party, side: 'D' | 'C', amount: Decimal): Leg {
  return { kind: party.kind, account: party.account, currency: party.currency, side, amount }
}

function found<T>(map: Map<string, T>, key: string): T {
  const value = map.get(key)
  if (value === undefined) throw new Error(`There is no ${key}`)
  return value
}
