import { rateKeyOf } from '../../biz'
import type { DemoRecord, DemoWorld } from '../../../demo'
import type { EntityRecord } from '../../../entities'
import { addDays, dayOf, startOfDay } from '../../../platform/calendar'

/** A line of a sheet that became a rate. */
export interface Quoted {
  product: string
  unit: string
  destination: EntityRecord
  /** Decimal text; null where the destination is blocked. */
  price: string | null
  flag: string
  old?: string | null
  /** Days from today at which the price begins, and ends where something follows it. */
  from: number
  until?: number
  /** Of the rate only. */
  more?: EntityRecord
  /** The special price that it is owed to. */
  specialPriceId?: string
  /** Other than what the moments say, e.g. a rate that never came to hold. */
  status?: string
}

/** A sheet of the demo world: who quotes what to whom, and how many days ago. */
export interface Quote {
  side: 'customer' | 'supplier'
  account: DemoRecord
  product: string
  sender: string
  sent: number
  scope?: string
  source: string
  lines: readonly Quoted[]
  /** Of the head: status and what else is said. */
  more?: EntityRecord
  /** A sheet that has made no rates. */
  draft?: boolean
}

const SIDES = {
  customer: { rate: 'qm.customerRate', party: 'customerId', account: 'accountId', letters: ['cr', 'Q'] },
  supplier: { rate: 'qm.supplierRate', party: 'supplierId', account: 'supplierAccountId', letters: ['sr', 'S'] },
} as const

/** Writes sheets, their lines and their rates into the world, numbered as they come. */
export class QuoteBook {
  private readonly today: string
  private readonly perDay = new Map<string, number>()

  constructor(private readonly world: DemoWorld) {
    this.today = dayOf(world.now, world.timeZone)
  }

  /** Midnight so many days from today, in the company's zone. */
  at(days: number): string {
    return startOfDay(addDays(this.today, days), this.world.timeZone)
  }
  /** The day so many days from today. */
  day(days: number): string {
    return addDays(this.today, days)
  }
  /** How many days from today a moment was. */
  daysTo(moment: unknown): number {
    const then = dayOf(String(moment), this.world.timeZone)
    return Math.round((Date.parse(`${then}T00:00:00Z`) - Date.parse(`${this.today}T00:00:00Z`)) / 86_400_000)
  }

  /** Adds a sheet with its lines, and the rates that it made. */
  add(quote: Quote): DemoRecord {
    const { side, account, product, sender, sent, scope = 'partial', lines, more, draft } = quote
    const { party, account: field, letters } = SIDES[side]
    const sentAt = new Date(Date.parse(this.at(sent)) + 10 * 3_600_000).toISOString()
    const day = addDays(this.today, sent)
    const nth = (this.perDay.get(`${letters[1]}${day}`) ?? 0) + 1
    this.perDay.set(`${letters[1]}${day}`, nth)
    const stamp = { createdAt: sentAt, createdBy: (account.createdBy ?? '') }
    const sheet: DemoRecord = {
      ...stamp,
      ...{ id: `rs-${String(this.of('qm.rateSheet').length + 1).padStart(5, '0')}`, direction: side, product, sender, scope },
      code: `${letters[1]}${day.replaceAll('-', '')}${String(nth).padStart(4, '0')}`,
      ...{
        [party]: account[party],
        [field]: account.id,
        currency: account.currency,
        effectiveFrom: this.at(lines[0]?.from ?? sent),
      },
      ...{ timezone: this.world.timeZone, revision: 1, autoSend: false, status: side === 'customer' ? 'sent' : 'approved' },
      ...(side === 'customer' && draft !== true ? { sentAt } : {}),
      ...more,
    }
    this.of('qm.rateSheet').push(sheet)
    for (const [position, line] of lines.entries()) {
      const { setupFee: _, monthlyFee: __, aiPrice: ___, ...where } = line.destination
      const rateKey = rateKeyOf(line.product, line.destination)
      const id = `rl-${sheet.id.slice(3)}-${position + 1}`
      const prices = { price: line.price, oldPrice: line.old ?? null, changeFlag: line.flag }
      this.of('qm.rateSheetLine').push({
        ...stamp,
        ...{ id, sheetId: sheet.id, position, rateKey, ...where, unit: line.unit, ...prices },
        ...{ effectiveFrom: this.at(line.from), level: 'ok', hidden: false, specialPriceId: line.specialPriceId ?? null },
      })
      if (draft !== true) this.rate(quote, sheet, line, rateKey)
    }
    return sheet
  }

  private rate({ side, account, product, source }: Quote, sheet: DemoRecord, line: Quoted, rateKey: string): void {
    const { rate, party, account: field, letters } = SIDES[side]
    const rows = this.of(rate)
    const [from, until] = [this.at(line.from), line.until === undefined ? null : this.at(line.until)]
    const now = this.world.now.toISOString()
    const status = line.status ?? (from > now ? 'pending' : until !== null && until <= now ? 'expired' : 'active')
    rows.push({
      ...{ createdAt: sheet.createdAt, createdBy: sheet.createdBy },
      ...{ id: `${letters[0]}-${String(rows.length + 1).padStart(5, '0')}`, product: line.product, rateKey, ...line.destination },
      ...{ [party]: account[party], [field]: account.id, currency: account.currency, unit: line.unit },
      ...{ price: line.price, oldPrice: line.old ?? null, changeFlag: line.flag, effectiveFrom: from, effectiveTo: until },
      ...(product === 'voice' || product === 'aiVoice' ? { incFirst: 60, incNext: 60 } : {}),
      ...{ billingMode: billingOf(product), status, sheetId: sheet.id, source, ...line.more },
      ...(line.specialPriceId === undefined ? {} : { specialPriceId: line.specialPriceId }),
    })
  }

  private of(entity: string): DemoRecord[] {
    return (this.world.rows[entity] ??= [])
  }
}

const billingOf = (product: string): string =>
  product === 'otpSms' || product === 'otpVoice' ? 'verified' : product === 'sms' ? 'sent' : 'delivered'
