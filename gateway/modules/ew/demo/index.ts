import type { DemoPart, DemoRecord, DemoWorld } from '../../../demo'
import { tableOf, type Entities, type EntityRecord } from '../../../entities'
import { newId, type Executor } from '../../../platform/database'
import { indicatorId, wordsOf } from '../library'
import { fieldsOf, keyOf } from '../measure'
import { boundaryOf, nextBoundary } from '../rules/windows'

const [HOUR, DAY] = [3_600_000, 86_400_000]

/** Configured indicators: id, name, indicator, grouping, window, interval, comparison, least samples. */
const CONFIGURED = [
  ['cfg-dlr-country', '短信送达率 · 按国家', 'DLR_RATE', ['country'], '1d', '1h', 'avg7d', 3],
  ['cfg-delay-channel', '短信回执时延 · 按通道', 'DLR_DELAY', ['channel'], '1d', '1h', 'yesterday', 5],
  ['cfg-balance', '客户余额 ÷ 预警额', 'BALANCE_LOW', ['account'], '1h', '15m', 'prevWindow', 0],
  ['cfg-supplier-days', '供应商余额可用天数', 'SUPPLIER_DAYS', ['channel'], '1h', '1h', 'yesterday', 0],
  ['cfg-overdue', '客户逾期天数', 'OVERDUE', ['account'], '1d', '1d', 'none', 0],
  ['cfg-approval', '超时审批任务 · 按流程', 'APPROVAL_SLOW', ['process'], '1h', '1h', 'yesterday', 0],
  ['cfg-stock', '低库存产品 · 按仓库', 'STOCK_LOW', ['warehouse'], '1h', '1h', 'none', 0],
] as const

/** Rules: id, name, indicator, condition, threshold, n of m, severity, severe condition and severity, whether the owner is told. */
const RULES = [
  [
    'rule-dlr',
    '送达率低于 7 日均值 15 个点',
    'cfg-dlr-country',
    'v < b - 15 && n >= 3',
    '< 基准 − 15',
    2,
    3,
    'P2',
    null,
    null,
    false,
  ],
  ['rule-balance', '客户余额低于预警额', 'cfg-balance', 'v < 1', '< 1', 1, 1, 'P3', 'v < 0.3', 'P2', true],
  ['rule-supplier', '供应商余额不足 3 天', 'cfg-supplier-days', 'v < 3', '< 3 天', 1, 1, 'P2', null, null, true],
  ['rule-overdue', '客户账单逾期', 'cfg-overdue', 'v > 0', '> 0 天', 1, 1, 'P4', 'v > 5', 'P2', true],
  ['rule-stock', '库存低于最低量', 'cfg-stock', 'v > 0', '> 0', 2, 3, 'P4', null, null, false],
  ['rule-approval', '审批任务超时', 'cfg-approval', 'v > 3', '> 3 个', 2, 3, 'P3', null, null, false],
] as const

/** A simple condition as it is chosen; any other one is a formula. */
function chosenOf(expr: string, severeExpr: string | null): EntityRecord {
  const simple = /^v ([<>]) ([0-9.]+)$/
  const [, sign, limitValue] = simple.exec(expr) ?? []
  if (limitValue === undefined) return { conditionBy: 'text' }
  const severeLimit = severeExpr === null ? null : (simple.exec(severeExpr)?.[2] ?? null)
  return {
    conditionBy: 'choice',
    figure: 'value',
    comparison: sign === '<' ? 'lt' : 'gt',
    limitValue,
    severeLimit,
    samplesAtLeast: 0,
  }
}

/** Indicators, rules, and what they said of the demo company's records. */
export const ewDemo: DemoPart = {
  make: (world) => {
    const { now, timeZone } = world
    const before = new Date(now.getTime() - 40 * DAY).toISOString()
    const keeper = keeperOf(world)
    const by = { createdAt: before, createdBy: keeper }
    world.rows['ew.configured'] = CONFIGURED.map(([id, name, code, groupBy, window, every, compare, minSamples]) => ({
      ...{
        id,
        name,
        indicatorId: indicatorId(code),
        groupBy: [...groupBy],
        window,
        every,
        compare,
        minSamples,
        ownerId: keeper,
        ...by,
      },
      ...{ status: 'active', nextAt: nextBoundary(now, every, timeZone).toISOString(), ...wordsOf(code) },
    }))
    world.rows['ew.rule'] = RULES.map(
      ([id, name, configuredId, expr, threshold, forTimes, ofTimes, severity, severeExpr, severeAs, tellOwner]): DemoRecord => ({
        ...{ id, name, configuredId, expr, threshold, forTimes, ofTimes, severity, severeExpr, severeAs, tellOwner, ...by },
        ...{
          resolveTimes: 3,
          receiverIds: [keeper],
          roleIds: [],
          chat: false,
          requireAck: false,
          suppressed: 0,
          ownerId: keeper,
        },
        ...chosenOf(expr, severeExpr),
        status: id === 'rule-approval' ? 'disabled' : 'active',
        switchReason: id === 'rule-approval' ? '与流程自带的超时提醒重复，先停用' : null,
        runbook: id === 'rule-dlr' ? '1. 看该国家各通道的回执；2. 切到备用通道；3. 通知供应商。' : null,
      }),
    )
    world.rows['ew.escalation'] = [
      {
        id: 'esc-dlr-1',
        ruleId: 'rule-dlr',
        afterMin: 15,
        staffIds: [leaderOf(world, keeper)],
        roleIds: [],
        chat: false,
        position: 1,
        ...by,
      },
      {
        id: 'esc-dlr-2',
        ruleId: 'rule-dlr',
        afterMin: 60,
        staffIds: [],
        roleIds: ['ro-generalManager'],
        chat: false,
        position: 2,
        ...by,
      },
    ]
  },
  filled: async (world, entities, tx) => {
    await tx.query(
      'update ew_indicator i set used_by = (select count(*) from ew_configured c where c.indicator_id = i.id and c.deleted_at is null)',
    )
    await sampled(world, entities, tx)
  },
}

const keeperOf = ({ members, staff }: DemoWorld): string =>
  members.find(({ roleId }) => roleId === 'ro-operations')?.staffId ?? staff[0]?.id ?? ''
const leaderOf = ({ staff }: DemoWorld, id: string): string => staff.find((one) => one.id === id)?.managerId ?? id

interface Point {
  configuredId: string
  at: Date
  dims: Record<string, string>
  value: number
  base: number | null
  samples: number
  quality: 'ok' | 'low'
}

/** Samples of the stored records, and the alarms that follow from them. */
async function sampled(world: DemoWorld, entities: Entities, tx: Executor): Promise<void> {
  const points = [...(await deliveries(world, tx)), ...(await present(world, tx))]
  const { now } = world
  await entities.insertMany(
    'ew.sample',
    points.map(({ configuredId, at, dims, value, base, samples, quality }) => ({
      ...{
        id: newId(at.getTime()),
        createdAt: at.toISOString(),
        createdBy: '',
        configuredId,
        dimKey: keyOf(dims),
        at: at.toISOString(),
      },
      ...{ value: value.toFixed(6), base: base?.toFixed(6) ?? null, samples, quality, ...fieldsOf(dims) },
      keepUntil: new Date(at.getTime() + 366 * DAY).toISOString(),
    })),
  )
  const last = new Map<string, EntityRecord>()
  for (const { id } of world.rows['ew.configured'] ?? []) {
    const own = points.filter(({ configuredId }) => configuredId === id)
    const newest = Math.max(...own.map(({ at }) => at.getTime()))
    const values = own.filter(({ at }) => at.getTime() === newest).map(({ value }) => value)
    if (values.length === 0) continue
    const worst = /overdue|stock|approval|delay/.test(id) ? Math.max(...values) : Math.min(...values)
    last.set(id, { lastAt: new Date(newest).toISOString(), lastValue: worst.toFixed(6), seriesCount: values.length })
  }
  await entities.changeMany('ew.configured', last, { keepTime: true })
  const alarms = alarmsOf(world, points)
  if (alarms.length === 0) return
  const codes = await entities.numbers('ew.alarm', 'code', alarms.length)
  await entities.insertMany(
    'ew.alarm',
    alarms.map((alarm, index) => ({
      ...alarm,
      code: codes[index],
      createdAt: String(alarm['firstAt']),
      createdBy: '',
      id: newId(now.getTime() - index),
    })),
  )
}

/** Delivery rates of the last days by country, each compared with the days before it. */
async function deliveries({ now, timeZone }: DemoWorld, tx: Executor): Promise<Point[]> {
  const { rows } = await tx.query<{ day: string; country: string; ended: number; delivered: number }>(
    `select to_char(submitted_at at time zone $2, 'YYYY-MM-DD') as day, country,
       count(*) filter (where status in ('delivered', 'failed', 'expired'))::int as ended, count(*) filter (where status = 'delivered')::int as delivered
     from ${tableOf('biz.smsRecord')} where submitted_at >= $1 and country in ('IN', 'ID', 'BR', 'PH') group by 1, 2 order by 1, 2`,
    [new Date(now.getTime() - 5 * DAY).toISOString(), timeZone],
  )
  const before = new Map<string, number[]>()
  return rows.flatMap(({ day, country, ended, delivered }) => {
    const at = nextBoundary(new Date(`${day}T12:00:00Z`), '1d', timeZone)
    if (ended === 0 || at > now) return []
    const earlier = before.get(country) ?? []
    const value = (delivered / ended) * 100
    const base = earlier.length === 0 ? null : earlier.reduce((sum, one) => sum + one, 0) / earlier.length
    before.set(country, [...earlier, value])
    return [
      {
        configuredId: 'cfg-dlr-country',
        at,
        dims: { country },
        value,
        base,
        samples: ended,
        quality: ended < 3 ? 'low' : 'ok',
      } as const,
    ]
  })
}

/** What balances, limits and stocks say now. */
async function present({ now, timeZone }: DemoWorld, tx: Executor): Promise<Point[]> {
  const { rows } = await tx.query<{ configured: string; dimension: string; id: string; value: string }>(
    `(select 'cfg-balance' as configured, 'account' as dimension, account_id as id, (available / warn_amount)::text as value from ${tableOf('fin.creditControl')}
       where pay_mode = 'prepaid' and warn_amount > 0 and available is not null and deleted_at is null order by available / warn_amount, account_id limit 8)
     union all (select 'cfg-overdue', 'account', account_id, overdue_days::text from ${tableOf('fin.creditControl')} where overdue_days > 0 and deleted_at is null order by overdue_days desc, account_id limit 5)
     union all (select 'cfg-supplier-days', 'channel', id, days_left::text from ${tableOf('srm.supplierAccount')} where status = 'active' and days_left is not null and deleted_at is null order by days_left, id limit 6)
     union all (select 'cfg-stock', 'warehouse', warehouse_id, count(*)::text from ${tableOf('srm.stock')} where alarm = 'below' and deleted_at is null group by warehouse_id order by warehouse_id)`,
    [],
  )
  const every: Record<string, string> = { 'cfg-balance': '15m', 'cfg-overdue': '1d' }
  return rows.map(({ configured, dimension, id, value }) => ({
    ...{ configuredId: configured, at: boundaryOf(now, every[configured] ?? '1h', timeZone), dims: { [dimension]: id } },
    ...{ value: Number(value), base: null, samples: 1, quality: 'ok' as const },
  }))
}

/** What the rules say of the last samples, and how alarms of earlier days ended. */
function alarmsOf(world: DemoWorld, points: readonly Point[]): EntityRecord[] {
  const { now } = world
  const keeper = keeperOf(world)
  const iso = (ago: number): string => new Date(now.getTime() - ago).toISOString()
  const make = (ruleId: string, point: Point, severity: string, ago: number, more: EntityRecord): EntityRecord => {
    const [, name, configuredId, , threshold] = RULES.find(([id]) => id === ruleId)!
    return {
      ...{
        title: name,
        ruleId,
        configuredId,
        threshold,
        severity,
        dedupeKey: `${ruleId}|${keyOf(point.dims)}`,
        ...fieldsOf(point.dims),
      },
      ...{
        value: point.value.toFixed(6),
        base: point.base?.toFixed(6) ?? null,
        firstAt: iso(ago),
        lastAt: point.at.toISOString(),
        told: iso(ago),
      },
      ...{ count: 1, escalated: 0, receiverIds: [keeper], status: 'firing', ...more },
    }
  }
  const of = (configuredId: string, bad: (value: number) => boolean): Point[] =>
    points.filter((point) => point.configuredId === configuredId && bad(point.value))
  const low = of('cfg-balance', (value) => value < 1)
  const acknowledged = { status: 'acknowledged', ackById: keeper, ackAt: iso(HOUR), ackNote: '已通知客户充值' }
  const open = [
    ...low.map((point, index) =>
      make('rule-balance', point, point.value < 0.3 ? 'P2' : 'P3', (index + 2) * HOUR, index % 3 === 1 ? acknowledged : {}),
    ),
    ...of('cfg-overdue', (value) => value > 0).map((point, index) =>
      make(
        'rule-overdue',
        point,
        point.value > 5 ? 'P2' : 'P4',
        (index + 5) * HOUR,
        index === 0 ? { status: 'snoozed', snoozeUntil: iso(-10 * HOUR), comment: '客户承诺明天付款' } : {},
      ),
    ),
    ...of('cfg-supplier-days', (value) => value < 3).map((point, index) =>
      make('rule-supplier', point, 'P2', (index + 3) * HOUR, {}),
    ),
  ]
  const ended = points
    .filter(({ configuredId, value, base }) => configuredId === 'cfg-dlr-country' && base !== null && value < base - 15)
    .slice(0, 6)
    .map((point, index) => {
      const first = now.getTime() - (index + 1) * 17 * HOUR
      const minutes = 35 + index * 20
      const cause = ['route', 'supplier', 'network'][index % 3]
      const over = {
        resolvedAt: new Date(first + minutes * 60_000).toISOString(),
        minutes,
        ackById: keeper,
        ackAt: new Date(first + 600_000).toISOString(),
        ackNote: '切换通道',
      }
      const isFalse = index === 3
      return make('rule-dlr', point, 'P2', now.getTime() - first, {
        ...{
          ...over,
          status: isFalse ? 'falseAlarm' : 'resolved',
          comment: isFalse ? '样本全是测试号码' : null,
          cause: isFalse ? null : cause,
        },
        lastAt: over.resolvedAt,
      })
    })
  return [...open, ...ended]
}
