import { Exact, exactText } from '../../../src/schema/formats'
import type { BulkSave, EntityRecord, EntityService, SaveHook } from '../../entities'
import { dayOf } from '../../platform/calendar'
import { amountOf, isBillable, type BillingMode, type MessageOutcome } from './rating/messages'
import { RateBook, type Rate, type RatedDestination } from './rating/rates'
import { segmentsOf } from '../../../src/schema/sms/segments'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const idsOf = (hooks: readonly SaveHook[], field: string): string[] => [
  ...new Set(hooks.map(({ record }) => text(record[field])).filter((id) => id !== '')),
]

/** Accounts, rates and billing modes of one side: what the customer pays, or what the supplier gets. */
interface Side {
  accounts: ReadonlyMap<string, EntityRecord>
  books: ReadonlyMap<string, RateBook>
  /** Billing mode by rate. */
  modes: ReadonlyMap<string, BillingMode>
}

/** States in which a rate has been in force, or is. */
const RATED = ['active', 'pending', 'expired', 'superseded']
const MANY = 100_000

async function readSide(
  { entities }: Pick<SaveHook, 'entities'>,
  [accountEntity, rateEntity, key]: readonly [string, string, string],
  ids: readonly string[],
): Promise<Side> {
  if (ids.length === 0) return { accounts: new Map(), books: new Map(), modes: new Map() }
  const accounts = await entities.list(accountEntity, { where: [{ field: 'id', operator: 'in', value: ids }], limit: MANY })
  const rates = await entities.list(rateEntity, {
    where: [
      { field: key, operator: 'in', value: ids },
      { field: 'status', operator: 'in', value: RATED },
    ],
    limit: MANY,
  })
  const byAccount = new Map<string, Rate[]>()
  for (const rate of rates) {
    const account = text(rate[key])
    byAccount.set(account, [...(byAccount.get(account) ?? []), rateOf(rate)])
  }
  return {
    accounts: new Map(accounts.map((account) => [text(account.id), account])),
    books: new Map([...byAccount].map(([account, some]) => [account, new RateBook(some)])),
    modes: new Map(rates.map((rate) => [text(rate.id), (text(rate.billingMode) || 'sent') as BillingMode])),
  }
}

const rateOf = (rate: EntityRecord): Rate => ({
  id: text(rate.id),
  rateKey: text(rate.rateKey),
  price: rate.price === null || rate.price === undefined ? null : exactText(new Exact(String(rate.price))),
  currency: text(rate.currency),
  from: Date.parse(text(rate.effectiveFrom)),
  until: rate.effectiveTo ? Date.parse(text(rate.effectiveTo)) : Infinity,
})

/** What records of a batch are rated by, read in a number of statements that does not grow with them. */
class Rating {
  private customers: Side = { accounts: new Map(), books: new Map(), modes: new Map() }
  private suppliers: Side = this.customers

  async read(hooks: readonly SaveHook[]): Promise<void> {
    const [first] = hooks
    if (!first) return
    this.customers = await readSide(first, ['fin.customerAccount', 'qm.customerRate', 'accountId'], idsOf(hooks, 'accountId'))
    this.suppliers = await readSide(
      first,
      ['srm.supplierAccount', 'qm.supplierRate', 'supplierAccountId'],
      idsOf(hooks, 'supplierAccountId'),
    )
  }

  /** Segments, days, price and cost of a record (quotes-traffic 5.3, 5.4, 7.1), and what it says of times that cannot be. */
  rate({ record, tx, now, fail, warn }: SaveHook): void {
    const at = Date.parse(text(record.submittedAt))
    // without its moment or its account it is refused by the checks of its fields
    if (Number.isNaN(at) || text(record.accountId) === '') return
    if (at > now.getTime())
      fail({
        field: 'submittedAt',
        message: { zh: '提交时间不能晚于现在。', en: 'A message that was not submitted yet has no record.' },
      })
    Object.assign(record, segmentsOf(text(record.content)))
    const submitted = new Date(at)
    const sent = Date.parse(text(record.sentAt))
    const received = Date.parse(text(record.dlrAt))
    record.latency = received >= sent ? Math.round((received - sent) / 1000) : null
    const customer = this.customers.accounts.get(text(record.accountId))
    const supplier = this.suppliers.accounts.get(text(record.supplierAccountId))
    record.customerId = customer?.customerId ?? null
    record.supplierId = supplier?.supplierId ?? null
    record.billDay = dayOf(submitted, text(customer?.timezone) || tx.companyTimeZone)
    record.costDay = supplier ? dayOf(submitted, text(supplier.timezone) || tx.companyTimeZone) : null
    const outcome: MessageOutcome = { status: text(record.status), sent: !Number.isNaN(sent) }
    const destination: RatedDestination = {
      product: record.product === 'otpSms' ? 'otpSms' : 'sms',
      country: text(record.country),
      mccmnc: text(record.mccmnc),
      routeClass: text(record.routeClass),
    }
    const segments = Number(record.segments)
    const test = record.testFlag === true
    const price = priceOf(this.customers, text(record.accountId), destination, at, outcome)
    const isRefused = outcome.status === 'rejected'
    // what was sent stays a record: it is not priced, and says so (quotes-traffic 5.8)
    if (!isRefused && !test && 'refused' in price)
      warn(
        price.refused === 'BLOCKED'
          ? {
              zh: '该账户的此目的地已屏蔽，未计价。',
              en: 'The destination is blocked for this account: the record has no price.',
            }
          : {
              zh: '该账户当时没有此目的地的费率，未计价。',
              en: 'The account had no rate for this destination then: the record has no price.',
            },
      )
    Object.assign(record, {
      price: 'refused' in price || test ? null : price.price,
      currency: text(customer?.currency) || null,
      rateId: 'refused' in price ? null : price.rateId,
      billable: !('refused' in price) && !test && price.billable,
      revenue:
        'refused' in price ? (isRefused || test ? '0' : null) : test ? '0' : amountOf(price.price, segments, price.billable),
    })
    const cost = priceOf(this.suppliers, text(record.supplierAccountId), destination, at, outcome)
    Object.assign(record, {
      cost: 'refused' in cost ? null : cost.price,
      costCurrency: text(supplier?.currency) || null,
      costRateId: 'refused' in cost ? null : cost.rateId,
      costBillable: !('refused' in cost) && cost.billable,
      costAmount: 'refused' in cost ? '0' : amountOf(cost.price, segments, cost.billable),
    })
  }
}

function priceOf(
  { books, modes }: Side,
  account: string,
  destination: RatedDestination,
  at: number,
  outcome: MessageOutcome,
): { price: string; rateId: string; billable: boolean } | { refused: 'NO_RATE' | 'BLOCKED' } {
  const found = books.get(account)?.find(destination, at) ?? { refused: 'NO_RATE' as const }
  if ('refused' in found) return { refused: found.refused }
  const { id, price } = found.rate
  return { price: price ?? '0', rateId: id, billable: isBillable(modes.get(id) ?? 'sent', outcome) }
}

const bulkRating = (): BulkSave => {
  const rating = new Rating()
  return {
    prepare: (hooks) => rating.read(hooks),
    beforeSave: (hook) => rating.rate(hook),
    accepted: () => undefined,
    afterSave: () => Promise.resolve(),
  }
}

/** Rates a record of a message when it comes in; it is rated by itself and by nothing that comes later. */
export const smsRecordService: EntityService = {
  async beforeSave(hook) {
    if (hook.before !== null) return
    const rating = new Rating()
    await rating.read([hook])
    rating.rate(hook)
  },
  bulk: bulkRating,
}
