import Decimal from 'decimal.js'
import { closable, dayIn } from './calendar'
import { billable, billedSeconds, callAmount, rateOf, segments, type Asked } from './rating'
import type { Act, ActOf, Company, Day, Product, Rate, SmsState, Zone } from './model'

const DLR_WAIT_HOURS = 72
const ZERO = new Decimal(0)
const BY_MINUTE: [number, number, number] = [60, 60, 0]

/** One try of a record over a route, or the one thing a supplier does for it. Cost is null without a rate: counted and named, never 0. */
export interface Try {
  route: string
  supplier: string
  day: Day
  state: SmsState
  cost: Decimal | null
  posted: Decimal
}

export interface TrafficRecord {
  id: string
  account: string
  product: Product
  day: Day
  state: SmsState
  units: number
  revenue: Decimal
  posted: Decimal
  late: boolean
  tries: Try[]
  /** What it and its tries come to in another state. */
  rated(state: SmsState): { revenue: Decimal; costs: (Decimal | null)[] }
}

type Traffic = ActOf<'sms'> | ActOf<'call'> | ActOf<'whatsapp'> | ActOf<'mail'> | ActOf<'otp'>

export function isTraffic(act: Act): act is Traffic {
  return ['sms', 'call', 'whatsapp', 'mail', 'otp'].includes(act.act)
}

/** All records of traffic, rated (quotes-traffic 5). A record that comes twice is one. */
export class Records {
  readonly all = new Map<string, TrafficRecord>()
  private readonly zones = new Map<string, [Day, Zone][]>()

  constructor(private readonly company: Company) {
    for (const { code, zone } of [...company.accounts, ...company.suppliers]) this.zones.set(code, [['0000-01-01', zone]])
  }

  changeZone(code: string, zone: Zone, from: Day): void {
    this.zones.get(code)?.push([from, zone])
  }

  /** The day of a moment for an account: billDay of customers, costDay of suppliers (quotes-traffic 7.1). A new zone holds from a day on. */
  dayOf(code: string, at: number | string): Day {
    const zones = this.zones.get(code) ?? []
    const [, first] = zones[0] ?? []
    if (!first) throw new Error(`${code} has no zone`)
    const changed = zones.slice(1).findLast(([from, zone]) => dayIn(zone, at) >= from && dayIn(first, at) >= from)
    return dayIn(changed?.[1] ?? first, at)
  }

  add(act: Traffic): void {
    for (let n = 0; n < act.count; n += 1) {
      const id = `${act.id}-${n + 1}`
      if (this.all.has(id)) continue
      this.all.set(id, this.record(id, act, Date.parse(act.first) + n * act.every * 1000))
    }
  }

  /** Whether the day of a record is locked at a moment (quotes-traffic 7.1). */
  locked(record: TrafficRecord, at: number): boolean {
    const zone = this.company.accounts.find((one) => one.code === record.account)?.zone ?? 'Asia/Shanghai'
    return closable(zone, record.day, DLR_WAIT_HOURS) <= at
  }

  private record(id: string, act: Traffic, at: number): TrafficRecord {
    const product = PRODUCT[act.act]
    const state = stateOf(act)
    const common = { id, account: act.account, product, day: this.dayOf(act.account, at), state, posted: ZERO, late: false }
    const tries = this.triesOf(act, at)
    const rated = (changed: SmsState): { revenue: Decimal; costs: (Decimal | null)[] } => {
      const last = tries.length - 1
      return {
        revenue: this.amount(act, { party: act.account }, at, changed, tries.length > 0),
        costs: tries.map((one, index) =>
          this.cost(act, { party: one.supplier, route: one.route || undefined }, at, index === last ? changed : one.state),
        ),
      }
    }
    const { revenue, costs } = rated(state)
    return {
      ...common,
      units: act.act === 'sms' ? segments(act.text) : 1,
      revenue,
      rated,
      tries: tries.map((one, index) => ({ ...one, cost: costs[index] ?? null, posted: ZERO })),
    }
  }

  private triesOf(act: Traffic, at: number): Omit<Try, 'cost' | 'posted'>[] {
    if (act.act !== 'sms') {
      const supplier = act.act === 'call' ? this.supplierOf(act.gateway) : act.supplier
      const route = act.act === 'call' ? act.gateway : ''
      return [{ route, supplier, day: this.dayOf(supplier, at), state: stateOf(act) }]
    }
    return act.tries.map(([route, state]) => {
      const supplier = this.supplierOf(route)
      return { route, supplier, day: this.dayOf(supplier, at), state }
    })
  }

  private cost(act: Traffic, party: Pick<Asked, 'party' | 'route'>, at: number, state: SmsState): Decimal | null {
    try {
      return this.amount(act, party, at, state, true)
    } catch (error) {
      if (error instanceof NoRate) return null
      throw error
    }
  }

  private amount(act: Traffic, party: Pick<Asked, 'party' | 'route'>, at: number, state: SmsState, sent: boolean): Decimal {
    if (act.act === 'call') {
      const rate = this.rate({ ...party, product: 'voice', at, callee: act.callee })
      const seconds = billedSeconds(act.end === 'normal' ? act.ms : 0, rate.increments ?? BY_MINUTE)
      return callAmount(rate.price, seconds, rate.setupFee)
    }
    if (act.act === 'whatsapp') return this.messageAmount(act, party, at)
    // quotes-traffic 2.5: mail is charged when the remote server accepted it.
    if (act.act === 'mail')
      return act.state === 'delivered' ? new Decimal(this.rate({ ...party, product: 'mail', at }).price) : ZERO
    if (act.act === 'otp') {
      const rate = this.rate({ ...party, product: 'otpSms', at, country: act.country })
      return rate.mode === 'sent' || act.state === 'verified' ? new Decimal(rate.price) : ZERO
    }
    if (state === 'rejected') return ZERO
    const rate = this.rate({ ...party, product: 'sms', at, country: act.country, network: act.network })
    const mode = rate.mode ?? this.company.routes.find((one) => one.code === party.route)?.mode ?? 'submit'
    return billable(mode, state, sent) ? new Decimal(rate.price).times(segments(act.text)) : ZERO
  }

  /** quotes-traffic 5.7: what a delivered template costs; nothing free-form, nor a utility message in an open service window. */
  private messageAmount(act: ActOf<'whatsapp'>, party: Pick<Asked, 'party' | 'route'>, at: number): Decimal {
    if (act.state === 'failed' || act.category === 'service' || (act.category === 'utility' && act.window)) return ZERO
    const asked = { ...party, product: 'whatsapp' as const, at, country: act.country }
    const abroad = act.category === 'authentication' && act.business !== undefined && act.business !== act.country
    const international = abroad ? rateOf(this.company.rates, { ...asked, category: 'authenticationInternational' }) : null
    return new Decimal((international ?? this.rate({ ...asked, category: act.category })).price)
  }

  private rate(asked: Asked): Rate {
    const rate = rateOf(this.company.rates, asked)
    if (!rate) throw new NoRate(`${asked.party} has no rate of ${asked.product} ${asked.country ?? asked.callee ?? ''}`)
    return rate
  }

  private supplierOf(route: string): string {
    const supplier = this.company.routes.find((one) => one.code === route)?.supplier
    if (!supplier) throw new Error(`Unknown route ${route}`)
    return supplier
  }
}

class NoRate extends Error {}

const PRODUCT: Record<Traffic['act'], Product> = { sms: 'sms', call: 'voice', whatsapp: 'whatsapp', mail: 'mail', otp: 'otpSms' }

function stateOf(act: Traffic): SmsState {
  if (act.act === 'sms') return act.state
  if (act.act === 'call') return act.end === 'normal' && act.ms > 0 ? 'delivered' : 'failed'
  if (act.act === 'mail') return act.state === 'delivered' ? 'delivered' : 'failed'
  if (act.act === 'otp') return act.state === 'verified' ? 'delivered' : 'expired'
  return act.state === 'failed' ? 'failed' : 'delivered'
}
