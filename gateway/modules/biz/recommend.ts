import { Exact, exactText, roundedText } from '../../../src/schema/formats'
import type { Entities, EntityRecord, RecordOf } from '../../entities'
import type { ChannelCosts } from './costs'
import { qualityKey, type Quality } from './quality'
import { scoresOf, type Scores } from './rating/channels'
import { textOf } from './text'

const ENTITY = 'biz.channelRecommend'
const MANY = 100_000

/** A channel among those of a network, of one class and kind of traffic. */
export interface Recommended extends Scores {
  country: string
  mccmnc: string
  routeClass: string
  trafficType: string
  channelId: string
  cost: string
  rank: number
  reason: 'both' | 'quality' | 'price' | 'balanced'
}

type Candidate = Omit<Recommended, 'rank' | 'reason'>

const networkOf = ({
  country,
  mccmnc,
  routeClass,
  trafficType,
}: Omit<Recommended, keyof Scores | 'channelId' | 'cost' | 'rank' | 'reason'>): string =>
  [country, mccmnc, routeClass, trafficType].join(' ')
const keyOf = (row: Candidate): string => `${networkOf(row)} ${row.channelId}`

/** Ranks the channels that are online for every destination that they have a cost for; what nothing was sent over is not recommended. */
export function recommend(quality: Quality, costs: ChannelCosts): Recommended[] {
  const online = new Map(
    quality.channels.flatMap((channel) => (channel.status === 'online' ? [[channel.id, channel] as const] : [])),
  )
  const lowest = new Map<string, Exact>()
  const offers = costs.all.filter(({ channelId }) => online.has(channelId))
  for (const { country, mccmnc, routeClass, cost } of offers) {
    const key = [country, mccmnc, routeClass].join(' ')
    const known = lowest.get(key)
    if (known === undefined || new Exact(cost).lt(known)) lowest.set(key, new Exact(cost))
  }
  const networks = new Map<string, Candidate[]>()
  for (const { channelId, country, mccmnc, routeClass, cost } of offers) {
    const channel = online.get(channelId)!
    for (const trafficType of channel.trafficTypes) {
      const delivery = quality.delivery.get(qualityKey(channelId, country, trafficType)) ?? channel.delivery7d
      if (delivery === null) continue
      const lowestCost = exactText(lowest.get([country, mccmnc, routeClass].join(' '))!)
      const scores = scoresOf({ delivery, cost, lowestCost, faults: channel.faults })
      const row = { country, mccmnc, routeClass, trafficType, channelId, cost, ...scores }
      networks.set(networkOf(row), [...(networks.get(networkOf(row)) ?? []), row])
    }
  }
  return [...networks.values()].flatMap(ranked)
}

function ranked(rows: readonly Candidate[]): Recommended[] {
  const best = rows.reduce(
    (most, { qualityScore }) => (new Exact(qualityScore).gt(most) ? new Exact(qualityScore) : most),
    new Exact(0),
  )
  return [...rows]
    .sort((one, other) => Number(other.score) - Number(one.score) || one.channelId.localeCompare(other.channelId))
    .map((row, index) => {
      const [quality, price] = [best.eq(row.qualityScore), new Exact(row.priceScore).gte(100)]
      return { ...row, rank: index + 1, reason: quality && price ? 'both' : quality ? 'quality' : price ? 'price' : 'balanced' }
    })
}

/** Writes the recommendations; those that stood keep their place (pinned, hidden), those that nobody makes any more go unless they are pinned. */
export async function writeRecommendations(entities: Entities, rows: readonly Recommended[], now: Date): Promise<void> {
  const stored = await entities.list(ENTITY, { limit: MANY })
  const known = new Map(stored.map((row) => [keyOf(read(row)), row]))
  const computedAt = now.toISOString()
  const valuesOf = (row: Recommended): EntityRecord => ({ ...row, mccmnc: row.mccmnc || null, computedAt })
  const wanted = new Set(rows.map(keyOf))
  await entities.changeMany(
    ENTITY,
    new Map(
      stored.flatMap((row) =>
        wanted.has(keyOf(read(row))) || row.place === 'pinned' ? [] : [[textOf(row.id), { deletedAt: computedAt }] as const],
      ),
    ),
  )
  await entities.changeMany(
    ENTITY,
    new Map(rows.flatMap((row) => (known.has(keyOf(row)) ? [[textOf(known.get(keyOf(row))!.id), valuesOf(row)] as const] : []))),
  )
  await entities.createMany(ENTITY, rows.filter((row) => !known.has(keyOf(row))).map(valuesOf))
}

const read = (row: RecordOf<'biz.channelRecommend'>): Candidate => ({
  ...{ country: textOf(row.country), mccmnc: textOf(row.mccmnc), routeClass: textOf(row.routeClass) },
  ...{ trafficType: textOf(row.trafficType), channelId: textOf(row.channelId), cost: '0' },
  ...{ qualityScore: '0', priceScore: '0', stabilityScore: '0', score: '0' },
})

/** Writes quality and score of each channel: the mean of its scores for its destinations. Automatic transitions follow (faulty, recovered). */
export async function writeScores(entities: Entities, quality: Quality, rows: readonly Recommended[], now: Date): Promise<void> {
  for (const { id, delivery7d, delivery24h, sample24h, p50 } of quality.channels) {
    const scores = rows.filter(({ channelId }) => channelId === id).map(({ score }) => new Exact(score))
    const sum = scores.reduce((total, score) => total.plus(score), new Exact(0))
    await entities.save('biz.channel', {
      ...{ id, deliveryRate7d: delivery7d, deliveryRate24h: delivery24h, sample24h, dlrP50Sec: p50, scoredAt: now.toISOString() },
      score: scores.length === 0 ? null : roundedText(sum.dividedBy(scores.length), 2),
    })
  }
}
