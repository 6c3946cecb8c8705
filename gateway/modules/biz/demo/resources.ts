import type { DemoRecord, DemoWorld } from '../../../demo'
import { addDays, dayOf } from '../../../platform/calendar'

const DAY = 86_400_000
const before = (now: Date, days: number): string => new Date(now.getTime() - days * DAY).toISOString()

const NAMES = ['CLOUDBR', 'NOTICE', 'VERIFY', 'MYSHOP', 'PAYINFO', 'ALERTS'] as const

/** Sender IDs of the channels that want them registered: most registered, one near its end, one ended, one refused. */
export function senderIds({ rows, now, timeZone }: DemoWorld): DemoRecord[] {
  const today = dayOf(now, timeZone)
  const channels = (rows['biz.channel'] ?? []).filter(
    ({ senderIdRule }) => senderIdRule === 'registered' || senderIdRule === 'numeric',
  )
  const customers = rows['crm.customer'] ?? []
  return channels.flatMap((channel, index) =>
    [0, 1, 2].map((nth) => {
      const at = index * 3 + nth
      const numeric = channel.senderIdRule === 'numeric'
      const status = at % 8 === 7 ? 'rejected' : at % 8 === 6 ? 'applying' : at % 8 === 5 ? 'expired' : 'registered'
      const decided = status === 'registered' || status === 'expired'
      const expires =
        status === 'expired'
          ? addDays(today, -12)
          : status === 'registered'
            ? addDays(today, at % 8 === 1 ? 20 : 120 + at * 5)
            : null
      return {
        ...{ id: `si-${at + 1}`, channelId: channel.id, country: (channel.countries as string[])[0], mccmnc: null },
        ...{ senderId: numeric ? `1069${String(1000 + at)}` : NAMES[at % NAMES.length], kind: numeric ? 'numeric' : 'alpha' },
        ...{ customerId: nth === 0 ? null : (customers[at * 3]?.id ?? null), status, submittedAt: before(now, 300 - at * 4) },
        ...{ approvedAt: decided ? before(now, 290 - at * 4) : null, expiresAt: expires, documents: [], remark: null },
        rejectedBecause: status === 'rejected' ? '缺少品牌授权书 / the letter of the brand is missing' : null,
        ...{ fee: nth === 2 ? '50' : null, feeCurrency: 'USD', createdAt: before(now, 300 - at * 4), createdBy: '' },
      }
    }),
  )
}

/** Prices that were heard: country, operator, class, price, where, who, result of a test, days that it is good for, state. */
const MARKET = [
  ['IN', 'Airtel', 'direct', '0.0024', 'mail', 'Nimbus Telecom', 'pass', 20, 'open'],
  ['IN', 'Jio', 'wholesale', '0.0017', 'chat', 'Peninsula SMS', 'partial', 12, 'open'],
  ['ID', 'Telkomsel', 'direct', '0.0318', 'event', 'Garuda Messaging', 'untested', 30, 'open'],
  ['ID', 'Indosat', 'sim', '0.0130', 'chat', 'Java Bulk', 'fail', -5, 'lapsed'],
  ['BR', 'Vivo', 'direct', '0.0146', 'mail', null, 'pass', 25, 'open'],
  ['BR', 'Claro', 'wholesale', '0.0101', 'partner', 'Sul Connect', 'untested', 10, 'open'],
  ['PH', 'Globe', 'premium', '0.0188', 'mail', null, 'pass', 40, 'open'],
  ['PH', 'Smart', 'direct', '0.0205', 'event', 'Manila Reach', 'untested', -20, 'lapsed'],
  ['US', 'AT&T', 'direct', '0.0076', 'public', 'Prairie Link', 'untested', 60, 'open'],
  ['MX', 'Telcel', 'direct', '0.0182', 'mail', null, 'pass', 15, 'open'],
  ['VN', 'Viettel', 'direct', '0.0295', 'partner', 'Red River Telecom', 'partial', 18, 'open'],
  ['NG', 'MTN', 'premium', '0.0440', 'chat', 'Lagos Hub', 'untested', 14, 'open'],
  ['TH', 'AIS', 'direct', '0.0115', 'mail', null, 'pass', 22, 'open'],
  ['DE', 'Telekom', 'direct', '0.0690', 'mail', null, 'untested', 35, 'open'],
  ['SA', 'STC', 'premium', '0.0330', 'event', 'Najd Messaging', 'untested', 28, 'open'],
  ['TR', 'Turkcell', 'wholesale', '0.0092', 'partner', 'Bosphorus Cloud', 'fail', -40, 'lapsed'],
] as const

/** Offers of the market, of suppliers that we have and of others. */
export function marketChannels({ rows, now, timeZone }: DemoWorld): DemoRecord[] {
  const today = dayOf(now, timeZone)
  const suppliers = (rows['srm.supplier'] ?? []).filter(({ status }) => status === 'cooperating')
  return MARKET.map(([country, operator, routeClass, offerPrice, source, prospect, testResult, days, status], index) => ({
    ...{
      id: `mk-${index + 1}`,
      title: `${country} ${operator} ${routeClass}`,
      country,
      operator,
      mccmnc: null,
      routeClass,
      offerPrice,
    },
    ...{ currency: 'USD', source, supplierId: prospect === null ? (suppliers[index]?.id ?? null) : null, testResult, status },
    prospect: prospect ?? (suppliers[index] ? null : 'Unknown'),
    ...{ contactName: null, contactEmail: null, validUntil: addDays(today, days), note: null },
    ...{ createdAt: before(now, 10 + index * 2 + Math.max(0, -days)), createdBy: '' },
  }))
}

/** Numbers by country: how they begin, MRC and cost of a month. */
const NUMBERS = [
  ['US', '+1415555', 'local', '1.20', '0.70'],
  ['GB', '+44203555', 'local', '2.50', '1.40'],
  ['BR', '+5511355', 'mobile', '5.00', '3.60'],
  ['HK', '+8523555', 'national', '6.00', '4.20'],
] as const
const STATES = ['assigned', 'assigned', 'stock', 'assigned', 'suspended', 'released', 'quarantine', 'bought'] as const

/** Numbers of the demo company, in each of their states. */
export function numbers({ rows, now, timeZone }: DemoWorld): DemoRecord[] {
  const suppliers = (rows['srm.supplierAccount'] ?? []).filter(({ status }) => status === 'active')
  const accounts = (rows['fin.customerAccount'] ?? []).filter(
    ({ product, status }) => product === 'number' && status === 'active',
  )
  if (suppliers.length === 0) return []
  return Array.from({ length: 32 }, (_, index) => {
    const [country, begin, numberType, mrc, costMrc] = NUMBERS[index % NUMBERS.length]!
    const wanted = STATES[(index * 3) % STATES.length]!
    const taken = wanted !== 'stock' && wanted !== 'bought'
    const account = accounts.length > 0 && taken ? accounts[index % accounts.length]! : null
    const status = taken && account === null ? 'stock' : wanted
    const supplier = suppliers[index % Math.min(4, suppliers.length)]!
    const released = status === 'quarantine' ? before(now, 20) : status === 'released' ? before(now, 0.3) : null
    return {
      ...{ id: `nu-${index + 1}`, number: `${begin}${String(1000 + index * 37).slice(-4)}`, country, numberType },
      ...{ capabilities: numberType === 'mobile' ? ['voice', 'sms'] : ['voice'], docs: [], remark: null, status },
      ...{
        supplierAccountId: supplier.id,
        supplierId: supplier.supplierId,
        costMrc,
        costNrc: '0',
        costCurrency: supplier.currency,
      },
      ...{
        accountId: account?.id ?? null,
        customerId: account?.customerId ?? null,
        mrc: account ? mrc : null,
        nrc: account ? '1' : null,
      },
      ...{
        currency: account?.currency ?? 'USD',
        activatedAt: account ? before(now, 60 + index * 5) : null,
        feesFrom: account ? `${dayOf(now, timeZone).slice(0, 7)}-01` : null,
        releasedAt: released,
      },
      quarantineUntil: released === null ? null : new Date(Date.parse(released) + 90 * DAY).toISOString(),
      ...{ createdAt: before(now, 300 - index), createdBy: '' },
    }
  })
}
