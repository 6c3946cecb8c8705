import { sql } from 'drizzle-orm'
import { exactText, Exact, roundedText } from '../../../src/schema/formats'
import { tableOf, type EntityRecord, type EntityService } from '../../entities'
import { dayOf } from '../../platform/calendar'
import { ChannelCosts } from './costs'
import { blended, marginOf } from './rating/channels'
import { textOf } from './text'

const LINE = sql.raw(tableOf('biz.mixLine'))
const CHANNEL = sql.raw(tableOf('biz.channel'))
/** What a version keeps of a line. */
const KEPT = ['channelId', 'weight', 'priority', 'cap', 'failover'] as const

interface Line {
  solutionId: string
  channelId: string
  weight: number
  delivery: string | null
}

/** A solution tells its blended cost and delivery from the costs of today, and keeps a version of its lines whenever they change. */
export const mixService = (timeZone: string): EntityService<'biz.mixSolution'> => ({
  async afterSave({ record, entities, now }) {
    const solutionId = textOf(record.id)
    const of = [{ field: 'solutionId', operator: 'eq' as const, value: solutionId }]
    const stored = await entities.list('biz.mixLine', { where: of, sort: [{ field: 'position', order: 'asc' }] })
    const lines = stored.map((line) => Object.fromEntries(KEPT.map((name) => [name, line[name] ?? null])))
    const [last] = await entities.list('biz.mixVersion', { where: of, sort: [{ field: 'number', order: 'desc' }], limit: 1 })
    if (last && JSON.stringify(last.lines) === JSON.stringify(lines)) return
    const channels = await entities.list('biz.channel', {
      where: [{ field: 'id', operator: 'in', value: stored.map(({ channelId }) => textOf(channelId)) }],
    })
    const alias = new Map(channels.map((channel) => [textOf(channel.id), textOf(channel.alias)]))
    const summary = stored.map(
      (line) => `${alias.get(textOf(line.channelId)) ?? ''} ${String(line.weight)}% (${String(line.priority)})`,
    )
    if (last && last.status === 'current') await entities.transition('biz.mixVersion', textOf(last.id), 'supersede')
    await entities.save('biz.mixVersion', {
      ...{ solutionId, number: Number(last?.number ?? 0) + 1, at: now.toISOString(), lines },
      summary: summary.join(' · ').slice(0, 1000),
    })
  },
  async computeFields(records, { db, now }) {
    const { rows } = await db.query<Line>(
      sql`select l.solution_id as "solutionId", l.channel_id as "channelId", l.weight, c.delivery_rate7d::text as delivery
        from ${LINE} l join ${CHANNEL} c on c.id = l.channel_id
        where l.solution_id = any(${sql.param(records.map(({ id }) => textOf(id)))}::text[]) and l.deleted_at is null
          and l.priority = (select min(o.priority) from ${LINE} o where o.solution_id = l.solution_id and o.deleted_at is null)`,
    )
    const costs = await ChannelCosts.read(db, dayOf(now, timeZone), [...new Set(rows.map(({ channelId }) => channelId))])
    for (const record of records)
      Object.assign(
        record,
        figuresOf(
          record,
          rows.filter(({ solutionId }) => solutionId === record.id),
          costs,
        ),
      )
  },
})

function figuresOf(record: EntityRecord, lines: readonly Line[], costs: ChannelCosts): EntityRecord {
  const [country, mccmnc] = [textOf(record.country), textOf(record.mccmnc)]
  const cost = blended(lines.map(({ channelId, weight }) => ({ weight, value: costs.of(channelId, country, mccmnc) })))
  const delivery = blended(lines.map(({ weight, delivery }) => ({ weight, value: delivery })))
  const price = textOf(record.simulatedPrice)
  return {
    blendedCost: cost === null ? null : exactText(new Exact(cost).toDecimalPlaces(6)),
    blendedDelivery: delivery === null ? null : roundedText(new Exact(delivery), 2),
    simulatedMargin: cost === null || price === '' ? null : marginOf(price, cost),
  }
}
