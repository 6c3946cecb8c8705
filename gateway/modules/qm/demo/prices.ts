import type { EntityRecord } from '../../../entities'

/** A destination, and what it costs us in millionths of a USD. */
export interface Priced {
  product: string
  unit: string
  destination: EntityRecord
  cost: number
}

/** Countries of messages: the cost of the whole country, and of one network of it. */
const MESSAGES = [
  ['IN', 2600, '40410', 2900],
  ['ID', 24_000, '51010', 25_500],
  ['BR', 9800, '72405', 10_400],
  ['PH', 10_200, '51502', 10_900],
  ['US', 6400, '310260', 7600],
  ['MX', 12_500, '334020', 13_100],
  ['VN', 29_000, '45204', 30_500],
  ['NG', 15_000, '62130', 16_200],
  ['TH', 7500, '52003', 8200],
  ['DE', 61_000, '26201', 63_500],
] as const
/** Networks that have a price of their own in every list; the other ones follow their country. */
const NETWORKS = ['IN', 'BR', 'US', 'ID', 'DE']

/** Prefixes of calls: a minute. The longest one that fits wins. */
const CALLS = [
  ['GB', '44', 'United Kingdom', 9000],
  ['GB', '447', 'United Kingdom mobile', 21_000],
  ['GB', '4470', 'United Kingdom personal 70', 73_000],
  ['IN', '91', 'India', 7200],
  ['US', '1', 'USA and Canada', 4600],
  ['MX', '52', 'Mexico', 6100],
  ['NG', '234', 'Nigeria', 68_000],
  ['DE', '49', 'Germany', 8800],
] as const

/** Messages of WhatsApp: marketing, utility, authentication. */
const WHATSAPP = [
  ['IN', 10_700, 1400, 1400],
  ['BR', 62_500, 8000, 31_500],
  ['ID', 41_100, 20_000, 25_000],
  ['MX', 43_600, 10_000, 23_900],
  ['SA', 45_500, 11_500, 22_500],
] as const

const NUMBERS = [
  ['US', 'local', 500_000, 800_000],
  ['GB', 'local', 1_000_000, 1_200_000],
  ['DE', 'mobile', 4_000_000, 6_500_000],
  ['BR', 'tollFree', 12_000_000, 18_000_000],
] as const

/** What a bot says over the line: prefix, the line and the bot a minute, a month for each line. */
const AI = [
  ['IN', '91', 'India', 7600, 28_000, 9_000_000],
  ['US', '1', 'USA and Canada', 5200, 34_000, 12_000_000],
  ['ID', '62', 'Indonesia', 19_000, 30_000, 9_000_000],
] as const

const messages = (product: 'sms' | 'otpSms', rise: number): Priced[] =>
  MESSAGES.flatMap(([country, cost, mccmnc, own]) => {
    const routed = product === 'sms' ? { routeClass: 'direct' } : {}
    const unit = product === 'sms' ? 'segment' : 'verified'
    const whole = { product, unit, cost: cost + rise, destination: { country, ...routed } }
    if (product === 'otpSms' || !NETWORKS.includes(country)) return [whole]
    return [whole, { product, unit, cost: own + rise, destination: { country, mccmnc, ...routed } }]
  })

/** Destinations by product: SMS everywhere, the others where the demo company sells them. */
export const PRICED: Readonly<Record<string, readonly Priced[]>> = {
  sms: messages('sms', 0),
  otpSms: messages('otpSms', 900).slice(0, 6),
  voice: CALLS.map(([country, prefix, destination, cost]) => ({
    ...{ product: 'voice', unit: 'minute', cost },
    destination: { country, prefix, destination, routeClass: 'cli' },
  })),
  otpVoice: CALLS.filter(([, prefix]) => prefix === '91' || prefix === '1').map(([country, prefix, destination, cost]) => ({
    ...{ product: 'otpVoice', unit: 'call', cost: cost * 2, destination: { country, prefix, destination } },
  })),
  whatsapp: WHATSAPP.flatMap(([country, ...costs]) =>
    (['marketing', 'utility', 'authentication'] as const).map((waCategory, at) => ({
      ...{ product: 'whatsapp', unit: 'message', cost: costs[at] ?? 0, destination: { country, waCategory } },
    })),
  ),
  number: NUMBERS.map(([country, numberType, setup, monthly]) => ({
    ...{ product: 'number', unit: 'month', cost: monthly },
    destination: { country, numberType, setupFee: text(setup) },
  })),
  aiVoice: AI.map(([country, prefix, destination, line, bot, monthly]) => ({
    ...{ product: 'aiVoice', unit: 'minute', cost: line },
    destination: { country, prefix, destination, aiPrice: text(bot), monthlyFee: text(monthly) },
  })),
}

/** Millionths as decimal text. */
export function text(millionths: number): string {
  return (millionths / 1_000_000).toFixed(6)
}

/** A price in millionths, to the four decimals that sheets are written with. */
export const rounded = (millionths: number): number => Math.round(millionths / 100) * 100
