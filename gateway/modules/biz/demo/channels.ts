import { Exact, roundedText } from '../../../../src/schema/formats'
import type { DemoRecord, DemoWorld } from '../../../demo'
import type { Entities } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import { ChannelCosts } from '../costs'
import { readQuality } from '../quality'
import { rateKeyOf } from '../rating/rateKey'
import { recommend, writeRecommendations } from '../recommend'
import { textOf } from '../text'

const DAY = 86_400_000

/** Routes of the demo company: alias, class, connection, countries, kinds of traffic, rule for sender IDs, state, delivery of 7 days, seconds to the receipt. */
const CHANNELS = [
  ['India Direct 1', 'direct', 'smpp', ['IN'], ['otp', 'transaction'], 'registered', 'online', 97.1, 3],
  ['India Premium 2', 'premium', 'smpp', ['IN', 'BD'], ['otp', 'transaction', 'marketing'], 'registered', 'online', 94.2, 5],
  ['India Wholesale', 'wholesale', 'http', ['IN', 'PK', 'BD'], ['marketing'], 'dynamic', 'online', 86.4, 9],
  ['Indonesia Direct', 'direct', 'smpp', ['ID'], ['otp', 'transaction'], 'registered', 'online', 96.3, 4],
  ['Indonesia SIM', 'sim', 'sim', ['ID'], ['marketing'], 'numeric', 'online', 76.8, 14],
  ['Brazil Direct', 'direct', 'smpp', ['BR'], ['otp', 'transaction', 'marketing'], 'numeric', 'online', 96.8, 3],
  ['Philippines Premium', 'premium', 'smpp', ['PH'], ['otp', 'transaction'], 'dynamic', 'online', 93.5, 6],
  ['US Toll-free', 'direct', 'http', ['US'], ['otp', 'transaction'], 'numeric', 'online', 98.0, 2],
  ['Mexico Direct', 'direct', 'smpp', ['MX'], ['otp', 'transaction'], 'dynamic', 'online', 95.9, 4],
  ['Vietnam Direct', 'direct', 'smpp', ['VN'], ['otp', 'transaction'], 'registered', 'online', 96.0, 5],
  ['Nigeria Premium', 'premium', 'smpp', ['NG'], ['otp', 'transaction', 'marketing'], 'dynamic', 'faulty', 61.0, 18],
  ['Thailand Direct', 'direct', 'smpp', ['TH'], ['otp', 'transaction'], 'registered', 'online', 97.4, 3],
  ['Germany Direct', 'direct', 'smpp', ['DE', 'FR'], ['otp', 'transaction'], 'dynamic', 'online', 97.9, 2],
  [
    'Global Wholesale A',
    'wholesale',
    'smpp',
    ['BR', 'MX', 'TH', 'PH'],
    ['transaction', 'marketing'],
    'dynamic',
    'online',
    88.1,
    8,
  ],
  ['Global Wholesale B', 'wholesale', 'http', ['VN', 'NG', 'ID'], ['marketing'], 'dynamic', 'paused', 84.6, 11],
  ['Gulf Premium', 'premium', 'smpp', ['SA', 'AE'], ['otp', 'transaction'], 'registered', 'testing', null, null],
  ['Turkey SS7', 'wholesale', 'ss7', ['TR'], ['marketing'], 'dynamic', 'testing', null, null],
  ['Pakistan SIM', 'sim', 'sim', ['PK'], ['marketing'], 'numeric', 'offline', 70.2, 20],
] as const

/** Channels over the supplier accounts for messages; those that suppliers lost their accounts for are offline. */
export function channels({ rows, now, random }: DemoWorld): DemoRecord[] {
  const chance = random.fork('channels')
  const accounts = (rows['srm.supplierAccount'] ?? []).filter(({ kind, status }) => kind === 'sms' && status === 'active')
  if (accounts.length === 0) return []
  return CHANNELS.map(([alias, routeClass, connect, countries, trafficTypes, senderIdRule, status, delivery, p50], index) => {
    const account = accounts[index % accounts.length]!
    const smpp = connect === 'smpp'
    return {
      ...{
        id: `cn-${index + 1}`,
        code: `CH${String(index + 1).padStart(4, '0')}`,
        alias,
        name: `${alias} ${String(index + 1).padStart(2, '0')}`,
      },
      ...{ supplierAccountId: account.id, supplierId: account.supplierId, connect, routeClass, senderIdRule, status },
      ...{ countries: [...countries], trafficTypes: [...trafficTypes], encodings: ['gsm7', 'ucs2'], billingMode: 'sent' },
      ...{ host: smpp || connect === 'http' ? `gw${index + 1}.carrier.example` : null, port: smpp ? 2775 : null },
      ...{
        systemId: smpp ? `sb${chance.integer(1000, 9999)}` : null,
        bindType: chance.pick(['transceiver', 'transceiver', 'transmitter']),
      },
      ...{ windowSize: 10, tps: chance.pick([20, 50, 100, 200]), dlrSupport: connect !== 'ss7', moSupport: smpp, longSms: true },
      ...{ dailyCap: connect === 'sim' ? 20_000 : null, alarmRate: status === 'faulty' ? '70' : null },
      ...{ deliveryRate7d: delivery === null ? null : String(delivery), dlrP50Sec: p50, score: null, scoredAt: null },
      ...{ deliveryRate24h: status === 'faulty' ? '48.5' : null, sample24h: status === 'faulty' ? 120 : 0 },
      pausedReason: status === 'paused' ? '供应商通知检修 / maintenance announced by the supplier' : null,
      remark: null,
      createdAt: new Date(now.getTime() - (400 - index * 9) * DAY).toISOString(),
      createdBy: '',
    }
  })
}

/** What a segment costs over a direct route, in USD. */
const COSTS: Readonly<Record<string, string>> = {
  ...{ IN: '0.0026', BD: '0.0410', PK: '0.0520', ID: '0.0330', BR: '0.0150', PH: '0.0210', US: '0.0080', MX: '0.0190' },
  ...{ VN: '0.0310', NG: '0.0460', TH: '0.0120', DE: '0.0700', FR: '0.0520', SA: '0.0380', AE: '0.0290', TR: '0.0140' },
}
/** Cost of a class, of a direct route's. */
const OF_DIRECT: Readonly<Record<string, string>> = { direct: '1', premium: '0.92', wholesale: '0.7', sim: '0.45' }

/** The active costs of the channels: without one a channel is not online. */
export function channelRates({ rows, now }: DemoWorld): DemoRecord[] {
  const stamp = { createdAt: new Date(now.getTime() - 90 * DAY).toISOString(), createdBy: '' }
  return (rows['biz.channel'] ?? []).flatMap((channel, at) =>
    (channel.countries as string[]).map((country, index) => ({
      ...{ id: `sr-${channel.id}-${country}`, supplierId: channel.supplierId, supplierAccountId: channel.supplierAccountId },
      ...{ channelId: channel.id, product: 'sms', rateKey: rateKeyOf('sms', { country, routeClass: channel.routeClass }) },
      ...{ country, mccmnc: null, routeClass: channel.routeClass, unit: 'segment', billingMode: 'sent', currency: 'USD' },
      price: roundedText(
        new Exact(COSTS[country] ?? '0.0300')
          .times(OF_DIRECT[textOf(channel.routeClass)] ?? '1')
          .times(100 + ((at + index) % 4))
          .dividedBy(100),
        6,
      ),
      ...{ effectiveFrom: stamp.createdAt, effectiveTo: null, status: 'active', source: 'import', testResult: 'pass' },
      ...{ changeFlag: 'new', ...stamp },
    })),
  )
}

/** How the channels came into the states in which they are. */
export function channelEvents({ rows, now }: DemoWorld): DemoRecord[] {
  return (rows['biz.channel'] ?? []).flatMap((channel) => {
    const path = {
      testing: [],
      online: ['online'],
      paused: ['online', 'paused'],
      faulty: ['online', 'faulty'],
      offline: ['online', 'offline'],
    }[channel.status as 'testing' | 'online' | 'paused' | 'faulty' | 'offline']
    return path.map((toStatus, index) => {
      const at = new Date(index === 0 ? Date.parse(channel.createdAt) + 10 * DAY : now.getTime() - 2 * DAY).toISOString()
      return {
        ...{ id: `ce-${channel.id}-${index + 1}`, channelId: channel.id, at, fromStatus: path[index - 1] ?? 'testing', toStatus },
        ...{ reason: toStatus === 'paused' ? channel.pausedReason : null, createdAt: at, createdBy: '' },
      }
    })
  })
}

/** What the job of the night would make of the records, costs and events of the world. */
export async function scoreChannels({ now, timeZone }: DemoWorld, entities: Entities, tx: Executor): Promise<void> {
  const recommended = recommend(await readQuality(tx, now), await ChannelCosts.read(tx, dayOf(now, timeZone)))
  await writeRecommendations(
    entities,
    recommended.filter(({ rank }) => rank <= 3),
    now,
  )
  const scores = new Map<string, Exact[]>()
  for (const { channelId, score } of recommended) scores.set(channelId, [...(scores.get(channelId) ?? []), new Exact(score)])
  const mean = (some: readonly Exact[]): string =>
    roundedText(some.reduce((sum, one) => sum.plus(one), new Exact(0)).dividedBy(some.length), 2)
  await entities.changeMany(
    'biz.channel',
    new Map([...scores].map(([id, some]) => [id, { score: mean(some), scoredAt: now.toISOString() }])),
  )
}
