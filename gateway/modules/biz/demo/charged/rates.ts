import { Exact, roundedText } from '../../../../../src/schema/formats'
import type { DemoRecord, DemoWorld } from '../../../../demo'
import { rateKeyOf, type Destination } from '../../rating/rateKey'
import { textOf } from '../../text'
import type { AccountKind, TrafficDays } from './accounts'

/** Where the company sends messages to. */
const COUNTRIES = ['IN', 'ID', 'BR', 'PH', 'US', 'MX', 'VN', 'NG', 'TH', 'DE'] as const
/** What is sold on accounts of a kind: product, destination, and the terms beside the price. */
const SOLD: readonly (readonly [AccountKind, product: string, Destination, terms: object])[] = [
  ...COUNTRIES.map(
    (country) => ['sms', 'sms', { country, routeClass: 'direct' }, { unit: 'segment', billingMode: 'sent' }] as const,
  ),
  ['sms', 'mail', {}, { unit: 'message', billingMode: 'delivered' }],
  [
    'voice',
    'voice',
    { prefix: '447', routeClass: 'cli' },
    { unit: 'minute', billingMode: 'delivered', incFirst: 60, incNext: 60 },
  ],
  ['voice', 'voice', { prefix: '1', routeClass: 'cli' }, { unit: 'minute', billingMode: 'delivered', incFirst: 60, incNext: 60 }],
  ['voice', 'aiVoice', { prefix: '91' }, { unit: 'minute', billingMode: 'delivered', incFirst: 60, incNext: 60 }],
  ['whatsapp', 'whatsapp', { country: 'IN', waCategory: 'marketing' }, { unit: 'message', billingMode: 'delivered' }],
  ['whatsapp', 'whatsapp', { country: 'BR', waCategory: 'utility' }, { unit: 'message', billingMode: 'delivered' }],
  ['otp', 'otpSms', { country: 'ID' }, { unit: 'verified', billingMode: 'verified' }],
  ['otp', 'otpVoice', { prefix: '91' }, { unit: 'call', billingMode: 'verified' }],
]
/** What mail costs: nobody quoted it, so it stands with the first supplier of messages. */
const MAIL_COST = '0.0004'
/** Prices are the cost and so much. */
const MARKUP = '1.4'

/** Who carries a destination, and over which channel where its rate is one of a channel. */
export interface Carrier {
  supplierAccountId: string
  channelId: string | null
}

/** Prices of the accounts and what is missing of their costs, with who carries each destination. */
export interface ChargedRates {
  prices: DemoRecord[]
  costs: DemoRecord[]
  /** By rate key. */
  carriers: ReadonlyMap<string, Carrier>
}

export function chargedRates(
  { rows }: DemoWorld,
  accounts: Readonly<Record<AccountKind, readonly DemoRecord[]>>,
  { since }: TrafficDays,
): ChargedRates {
  const mail = mailCost(rows, since)
  const carriers = new Map<string, Carrier>()
  const prices: DemoRecord[] = []
  const inForce = [...(rows['qm.supplierRate'] ?? []), ...mail].filter(
    ({ status, effectiveFrom, effectiveTo, price }) =>
      status === 'active' && price !== null && !effectiveTo && String(effectiveFrom) <= since,
  )
  const online = new Set((rows['biz.channel'] ?? []).filter(({ status }) => status === 'online').map(({ id }) => id))
  for (const [kind, product, destination, terms] of SOLD) {
    const rateKey = rateKeyOf(product, destination)
    const found = inForce.filter((rate) => rate.rateKey === rateKey && !rate.gatewayId)
    // a message goes over a channel; what has none is carried for the account
    const cost = found.find(({ channelId }) => online.has(textOf(channelId))) ?? found.find(({ channelId }) => !channelId)
    if (!cost) continue
    carriers.set(rateKey, { supplierAccountId: textOf(cost.supplierAccountId), channelId: textOf(cost.channelId) || null })
    for (const account of accounts[kind])
      prices.push({
        ...{
          id: `cr-${account.id}-${rateKey}`,
          createdAt: since,
          createdBy: account.createdBy,
          rateKey,
          product,
          ...destination,
          ...terms,
        },
        ...{ accountId: account.id, customerId: account.customerId, currency: account.currency, price: dearer(cost.price) },
        ...(cost.aiPrice ? { aiPrice: dearer(cost.aiPrice) } : {}),
        ...{ effectiveFrom: since, effectiveTo: null, status: 'active', source: 'opening', changeFlag: 'new' },
      })
  }
  return { prices, costs: mail, carriers }
}

const dearer = (cost: unknown): string => roundedText(new Exact(String(cost)).times(MARKUP), 6)

function mailCost(rows: DemoWorld['rows'], since: string): DemoRecord[] {
  const [account] = (rows['srm.supplierAccount'] ?? []).filter(({ kind, status }) => kind === 'sms' && status === 'active')
  if (!account) return []
  return [
    {
      ...{ id: `sr-mail-${account.id}`, createdAt: since, createdBy: '', product: 'mail', rateKey: rateKeyOf('mail', {}) },
      ...{ supplierAccountId: account.id, supplierId: account.supplierId, currency: account.currency, price: MAIL_COST },
      ...{ unit: 'message', billingMode: 'delivered', effectiveFrom: since, effectiveTo: null, status: 'active' },
      ...{ source: 'opening', changeFlag: 'new', testResult: 'pass' },
    },
  ]
}
