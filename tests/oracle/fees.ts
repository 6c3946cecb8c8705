import Decimal from 'decimal.js'
import { dayIn, firstOfNextMonth } from './calendar'
import { firstMonthFee, releaseRefund } from './rating'
import type { Ledger } from './ledger'
import type { ActOf, Company, Day } from './model'

interface Asset extends ActOf<'number'> {
  released?: { at: number; refund: boolean }
  /** First of the months charged to the customer and by the supplier, with what was charged. */
  months: { customer: Map<Day, string>; supplier: Map<Day, string> }
}

type Side = 'customer' | 'supplier'

/** Numbers (quotes-traffic 5.6): set-up once at activation, months in advance, once an asset and month, on both sides. */
export class Fees {
  private readonly assets = new Map<string, Asset>()

  constructor(
    private readonly company: Company,
    private readonly ledger: Ledger,
  ) {}

  activate(act: ActOf<'number'>): void {
    this.assets.set(act.id, { ...act, months: { customer: new Map(), supplier: new Map() } })
  }

  /** A new price holds from the next month's charge on. */
  reprice(act: ActOf<'numberPrice'>): void {
    Object.assign(this.asset(act.id), { mrc: act.mrc, costMrc: act.costMrc })
  }

  release(act: ActOf<'numberRelease'>): void {
    this.asset(act.id).released = { at: Date.parse(act.at), refund: act.refund }
  }

  /** Charges whatever has fallen due. */
  run(at: number): void {
    for (const asset of this.assets.values()) for (const side of ['customer', 'supplier'] as const) this.runSide(asset, side, at)
  }

  private runSide(asset: Asset, side: Side, at: number): void {
    const zone = side === 'customer' ? this.account(asset).zone : this.supplier(asset).zone
    const activated = dayIn(zone, asset.at)
    const [nrc, mrc] = side === 'customer' ? [asset.nrc, asset.mrc] : [asset.costNrc, asset.costMrc]
    this.charge(asset, side, `setup`, activated, new Decimal(nrc))
    const released = asset.released ? dayIn(zone, asset.released.at) : null
    const until = dayIn(zone, Math.min(at, asset.released?.at ?? at))
    for (let day = activated; day <= until; day = firstOfNextMonth(day)) {
      if (asset.months[side].has(day)) continue
      asset.months[side].set(day, mrc)
      this.charge(asset, side, day.slice(0, 7), day, firstMonthFee(mrc, day))
    }
    if (released && asset.released?.refund && asset.released.at <= at) {
      const [last] = [...asset.months[side].values()].slice(-1)
      this.charge(asset, side, 'release', released, releaseRefund(last ?? mrc, released).neg())
    }
  }

  private charge(asset: Asset, side: Side, what: string, day: Day, amount: Decimal): void {
    if (amount.isZero()) return
    const value = amount.abs()
    const [debit, credit] = amount.gt(0) ? (['D', 'C'] as const) : (['C', 'D'] as const)
    const key = `fee:${asset.id}:${side}:${what}`
    if (side === 'customer') {
      const { code, currency, entity } = this.account(asset)
      this.ledger.post({ key, type: 'fee', entity, day, product: 'number' }, [
        { kind: 'customer', account: code, currency, side: debit, amount: value },
        { kind: 'system', account: 'REV:number', currency, side: credit, amount: value },
      ])
      return
    }
    const { code, currency, entity } = this.supplier(asset)
    this.ledger.post({ key, type: 'cost', entity, day, product: 'number' }, [
      { kind: 'system', account: 'COS:number', currency, side: debit, amount: value },
      { kind: 'supplier', account: code, currency, side: credit, amount: value },
    ])
  }

  private asset(id: string): Asset {
    const asset = this.assets.get(id)
    if (!asset) throw new Error(`There is no number ${id}`)
    return asset
  }

  private account(asset: Asset): Company['accounts'][number] {
    const account = this.company.accounts.find((one) => one.code === asset.account)
    if (!account) throw new Error(`Unknown account ${asset.account}`)
    return account
  }

  private supplier(asset: Asset): Company['suppliers'][number] {
    const supplier = this.company.suppliers.find((one) => one.code === asset.supplier)
    if (!supplier) throw new Error(`Unknown supplier ${asset.supplier}`)
    return supplier
  }
}
