import Decimal from 'decimal.js'
import { firstOfNextMonth } from './calendar'
import { round } from './rating'
import type { Company, Currency, Day } from './model'

export type Kind = 'customer' | 'main' | 'supplier' | 'bank' | 'system'

export interface Leg {
  kind: Kind
  /** Code of the account; of a system account its code without entity and currency. */
  account: string
  currency: Currency
  side: 'D' | 'C'
  amount: Decimal
  /** CNY; worked out from the rate of the day where it is left out. */
  base?: Decimal
}

export interface Entry extends Leg {
  base: Decimal
  posting: string
  type: string
  entity: string
  day: Day
  /** The day of the service, which a closed month does not move. */
  serviceDay: Day
  product: string
  /** A note that names an issued bill is on that bill, never collected again. */
  onBill: boolean
  /** The bill that has taken the entry. */
  bill: string | null
}

interface Act {
  key: string
  type: string
  entity: string
  day: Day
  product?: string
  onBill?: boolean
}

/** Double entry (money 1.1-1.3): postings balance in each currency and in CNY, once a key, never into a closed month. */
export class Ledger {
  readonly entries: Entry[] = []
  private readonly closed = new Set<string>()

  constructor(private readonly company: Company) {}

  closeMonth(month: string): void {
    this.closed.add(month)
  }

  /** money 1.3, reversal: closed period → first open day. */
  openDay(day: Day): Day {
    let open = day
    while (this.closed.has(open.slice(0, 7))) open = firstOfNextMonth(open)
    return open
  }

  /** CNY for one unit on a day: the last rate that began by then. */
  rate(currency: Currency, day: Day): Decimal {
    if (currency === 'CNY') return new Decimal(1)
    const found = this.company.exchange[currency].filter(([from]) => from <= day).at(-1)
    if (!found) throw new Error(`No rate of ${currency} on ${day}`)
    return new Decimal(found[1])
  }

  posted(key: string): boolean {
    return this.entries.some((entry) => entry.posting === key)
  }

  /** Posts once: the same key again changes nothing (money 1.4). */
  post(act: Act, legs: Leg[]): Entry[] {
    const before = this.entries.filter((entry) => entry.posting === act.key)
    if (before.length > 0) return before
    const day = this.openDay(act.day)
    const full = legs.map((leg) => ({ ...leg, base: leg.base ?? round(leg.amount.times(this.rate(leg.currency, day)), 6) }))
    this.clearBase(full, ['FXC', 'HDG'])
    this.check(act.key, full)
    const entries = full.map((leg): Entry => ({
      ...leg,
      posting: act.key,
      type: act.type,
      entity: act.entity,
      day,
      serviceDay: act.day,
      product: act.product ?? '',
      onBill: act.onBill ?? false,
      bill: null,
    }))
    this.entries.push(...entries)
    return entries
  }

  /** Mirrors every entry of a posting (money 1.3, reversal), also in CNY. */
  reverse(key: string): void {
    const original = this.entries.filter((entry) => entry.posting === key)
    if (original.length === 0) throw new Error(`Nothing was posted as ${key}`)
    if (this.posted(`rev:${key}`)) return
    for (const entry of original) {
      const side = entry.side === 'D' ? 'C' : 'D'
      this.entries.push({ ...entry, posting: `rev:${key}`, side, day: this.openDay(entry.day), bill: null })
    }
  }

  /** Debit less credit of what `where` picks. */
  net(where: (entry: Entry) => boolean, what: 'amount' | 'base' = 'amount'): Decimal {
    return this.entries
      .filter(where)
      .reduce((sum, entry) => (entry.side === 'D' ? sum.plus(entry[what]) : sum.minus(entry[what])), new Decimal(0))
  }

  /** Clearing accounts end at base 0; what the rates leave is an exchange difference (money 1.2, L2). */
  private clearBase(legs: (Leg & { base: Decimal })[], codes: string[]): void {
    for (const code of codes) {
      const clearing = legs.filter((leg) => leg.kind === 'system' && leg.account.split(':')[0] === code)
      const rest = clearing.reduce((sum, leg) => (leg.side === 'D' ? sum.plus(leg.base) : sum.minus(leg.base)), new Decimal(0))
      if (rest.isZero() || !clearing[0]) continue
      const zero = { kind: 'system' as const, currency: 'CNY' as const, amount: new Decimal(0), base: rest.abs() }
      legs.push({ ...zero, account: clearing[0].account, side: rest.isPositive() ? 'C' : 'D' })
      legs.push({ ...zero, account: 'FXD', side: rest.isPositive() ? 'D' : 'C' })
    }
  }

  private check(key: string, legs: (Leg & { base: Decimal })[]): void {
    const sums = new Map<string, Decimal>()
    for (const leg of legs) {
      const sign = leg.side === 'D' ? 1 : -1
      sums.set(leg.currency, (sums.get(leg.currency) ?? new Decimal(0)).plus(leg.amount.times(sign)))
      sums.set('base', (sums.get('base') ?? new Decimal(0)).plus(leg.base.times(sign)))
    }
    for (const [currency, sum] of sums)
      if (!sum.isZero()) throw new Error(`${key} does not balance in ${currency}: ${sum.toFixed()}`)
  }
}
