import type { Entities, EntityRecord, RecordOf } from '../../entities'
import type { Executor } from '../../platform/database'
import { judge, ruleOf, type Rule } from './evaluate'
import { fieldsOf } from './measure'
import { flaps, OPEN, stepOf, stepsDue, type Step } from './rules/decide'
import { isWithin } from './rules/clock'
import type { Sample } from './rules/windows'
import { historyOf, type Series, type Taken } from './take'

const MINUTE = 60_000
const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : []

export interface AlarmParts {
  entities: Entities
  tx: Executor
  now: Date
  timeZone: string
}

/** Asks the rules of an indicator about what was measured, and writes what follows. Answers how many alarms were opened and ended. */
export async function raiseAlarms(parts: AlarmParts, { config, series, at }: Taken): Promise<{ opened: number; ended: number }> {
  const { entities } = parts
  const records = await entities.list('ew.rule', {
    where: [
      { field: 'configuredId', operator: 'eq', value: config.id },
      { field: 'status', operator: 'eq', value: 'active' },
    ],
  })
  const told = { opened: 0, ended: 0 }
  const fresh: EntityRecord[] = []
  const fired: RecordOf<'ew.rule'>[] = []
  for (const record of records) {
    const rule = ruleOf(record)
    const others = record['otherId']
      ? await historyOf(parts.tx, record['otherId'], new Date(at.getTime() - 86_400_000), parts.now)
      : undefined
    const { opened, ended, alarms } = await askRule(parts, rule, series, others)
    told.opened += opened
    told.ended += ended
    fresh.push(...alarms)
    if (opened > 0) fired.push(record)
  }
  // in one write, so that many at once are one message
  if (fresh.length > 0) await entities.createMany('ew.alarm', fresh)
  for (const record of fired) await muteIfFlapping(parts, record)
  return told
}

async function askRule(
  parts: AlarmParts,
  rule: Rule,
  series: readonly Series[],
  others: ReadonlyMap<string, readonly Sample[]> | undefined,
): Promise<{ opened: number; ended: number; alarms: readonly EntityRecord[] }> {
  const { entities, tx, now, timeZone } = parts
  const { record } = rule
  const last = await lastAlarms(parts, String(record.id))
  const steps = series.map((one) => {
    const verdict = judge(rule, one, timeZone, others?.get(one.dimKey) ?? others?.get('') ?? [])
    const alarm = last.get(`${String(record.id)}|${one.dimKey}`)
    const was = alarm && {
      ...{ status: alarm['status'], severity: alarm['severity'] },
      resolvedAt: alarm['resolvedAt'] ? Date.parse(alarm['resolvedAt']) : null,
    }
    return { one, alarm, verdict, step: stepOf(was, { ...verdict, requireAck: record['requireAck'] === true }, now.getTime()) }
  })
  const isNew = (step: Step): boolean => step === 'open' || step === 'reopen'
  const muted = isMuted(record, now, timeZone)
  const fresh = steps.filter(({ step }) => isNew(step))
  if (muted && fresh.length > 0)
    await tx.query('update ew_rule set suppressed = coalesce(suppressed, 0) + $2 where id = $1', [record['id'], fresh.length])
  const moving = muted ? steps.filter(({ step }) => !isNew(step)) : steps
  const alarms: EntityRecord[] = []
  const taken = new Map<Exclude<Step, 'open' | 'none'>, Map<string, EntityRecord>>()
  for (const { one, alarm, verdict, step } of moving) {
    const sample = one.samples.at(-1)!
    const figures = {
      value: String(sample.value),
      base: sample.base === null ? null : sample.base.toFixed(6),
      lastAt: new Date(sample.at).toISOString(),
    }
    if (step === 'none') continue
    if (step === 'open') {
      alarms.push(await alarmOf(parts, rule, one, { ...figures, severity: verdict.severity }))
      continue
    }
    const worse = step === 'reopen' || step === 'raise'
    const some = taken.get(step) ?? new Map<string, EntityRecord>()
    taken.set(step, some.set(alarm!.id, worse ? { ...figures, severity: verdict.severity } : figures))
  }
  for (const [step, some] of taken) {
    const refused = await entities.transitions('ew.alarm', [...some.keys()], step, ({ id }) => some.get(id)!)
    for (const error of refused.values()) throw error
  }
  return { alarms, opened: muted ? 0 : fresh.length, ended: moving.filter(({ step }) => step === 'recover').length }
}

/** The last alarm of each series of a rule: an open one, else the one that ended last. */
async function lastAlarms({ entities }: AlarmParts, ruleId: string): Promise<ReadonlyMap<string, RecordOf<'ew.alarm'>>> {
  const rows = await entities.list('ew.alarm', {
    where: [{ field: 'ruleId', operator: 'eq', value: ruleId }],
    sort: [{ field: 'firstAt', order: 'desc' }],
    limit: 10_000,
  })
  const found = new Map<string, RecordOf<'ew.alarm'>>()
  for (const row of rows) {
    const key = row['dedupeKey']
    const isOpen = OPEN.some((state) => state === row['status'])
    if (isOpen || !found.has(key)) found.set(key, row)
  }
  return found
}

const isMuted = (rule: EntityRecord, now: Date, timeZone: string): boolean =>
  (typeof rule['mutedUntil'] === 'string' && Date.parse(rule['mutedUntil']) > now.getTime()) ||
  (typeof rule['quietFrom'] === 'string' &&
    typeof rule['quietTo'] === 'string' &&
    isWithin(now.getTime(), rule['quietFrom'], rule['quietTo'], timeZone))

/** The alarm that a rule opens for a series. */
async function alarmOf(parts: AlarmParts, { record }: Rule, series: Series, figures: EntityRecord): Promise<EntityRecord> {
  const { now } = parts
  const parties = await partiesOf(parts, series.dims)
  const owners = record['tellOwner'] === true ? await ownersOf(parts, parties, series.dims) : []
  const receiverIds = [
    ...new Set([...idsIn(record['receiverIds']), ...(await holdersOf(parts, idsIn(record['roleIds']))), ...owners]),
  ]
  return {
    ...{
      title: String(record['name']),
      ruleId: record.id,
      configuredId: record['configuredId'],
      threshold: record['threshold'] ?? record['expr'],
    },
    ...{ dedupeKey: `${String(record.id)}|${series.dimKey}`, firstAt: now.toISOString(), count: 1, ...figures },
    // nobody in charge of what it is about: whoever keeps the rule
    receiverIds: receiverIds.length > 0 ? receiverIds : idsIn([record['ownerId']]),
    ...fieldsOf(series.dims),
    // an account is told by whose it is
    ...parties,
    threshold: String(record['threshold'] ?? record['expr']).slice(0, 60),
  }
}

type Dims = Readonly<Record<string, string>>

/** A field of a record as text; null without one. */
async function behind(
  { entities }: AlarmParts,
  entity: string,
  id: string | null | undefined,
  field: string,
): Promise<string | null> {
  const value = id ? (await entities.find(entity, id))?.[field] : null
  return typeof value === 'string' ? value : null
}

/** The customer and the supplier of a series, or of the account that it is about. */
async function partiesOf(parts: AlarmParts, dims: Dims): Promise<{ customerId: string | null; supplierId: string | null }> {
  return {
    customerId: dims['customer'] ?? (await behind(parts, 'fin.customerAccount', dims['account'], 'customerId')),
    supplierId: dims['supplier'] ?? (await behind(parts, 'srm.supplierAccount', dims['channel'], 'supplierId')),
  }
}

/** Who owns the customer or supplier of a series, and whoever it is about. */
async function ownersOf(
  parts: AlarmParts,
  { customerId, supplierId }: Awaited<ReturnType<typeof partiesOf>>,
  dims: Dims,
): Promise<string[]> {
  return idsIn([
    await behind(parts, 'crm.customer', customerId, 'ownerId'),
    await behind(parts, 'srm.supplier', supplierId, 'ownerId'),
    dims['staff'],
  ])
}

/** Whoever holds one of these roles now. */
async function holdersOf({ entities, now }: AlarmParts, roleIds: readonly string[]): Promise<string[]> {
  if (roleIds.length === 0) return []
  const members = await entities.list('sys.roleMember', { where: [{ field: 'roleId', operator: 'in', value: roleIds }] })
  const holds = ({ from, until }: RecordOf<'sys.roleMember'>): boolean =>
    (!from || Date.parse(from) <= now.getTime()) && (!until || Date.parse(until) > now.getTime())
  return [...new Set(idsIn(members.filter(holds).map(({ staffId }) => staffId)))]
}

async function muteIfFlapping({ entities, now }: AlarmParts, rule: RecordOf<'ew.rule'>): Promise<void> {
  const rows = await entities.list('ew.alarm', {
    where: [
      { field: 'ruleId', operator: 'eq', value: rule.id },
      { field: 'firstAt', operator: 'gte', value: new Date(now.getTime() - 60 * MINUTE).toISOString() },
    ],
  })
  // a rule of many series may fire for each of them once: one that comes and goes is counted by series
  const bySeries = new Map<string, number[]>()
  for (const row of rows) {
    const key = row['dedupeKey']
    bySeries.set(key, [
      ...(bySeries.get(key) ?? []),
      ...Array.from({ length: Number(row['count'] ?? 1) }, () => Date.parse(row['firstAt'])),
    ])
  }
  if ([...bySeries.values()].some((at) => flaps(at, now.getTime()))) await entities.transition('ew.rule', rule.id, 'flap')
}

/** Takes the steps of escalations that are due. Answers how many alarms were escalated. */
export async function escalate(parts: AlarmParts): Promise<number> {
  const { entities, tx, now } = parts
  const { rows } = await tx.query<{ id: string; firstAt: string; escalated: number; ruleId: string }>(
    `select a.id, a.first_at as "firstAt", coalesce(a.escalated, 0) as escalated, a.rule_id as "ruleId" from ew_alarm a
     where a.status = 'firing' and a.deleted_at is null and exists (select from ew_escalation e where e.rule_id = a.rule_id and e.deleted_at is null)
     order by a.first_at limit 500`,
  )
  let escalated = 0
  for (const row of rows) {
    const steps = await entities.list('ew.escalation', {
      where: [{ field: 'ruleId', operator: 'eq', value: row.ruleId }],
      sort: [{ field: 'afterMin', order: 'asc' }],
    })
    const due = stepsDue(
      steps.map(({ afterMin }) => ({ afterMin: Number(afterMin) })),
      Date.parse(row.firstAt),
      now.getTime(),
    )
    if (due <= row.escalated) continue
    const taken = steps.slice(row.escalated, due)
    const people = new Set(taken.flatMap(({ staffIds }) => idsIn(staffIds)))
    for (const id of await holdersOf(
      parts,
      taken.flatMap(({ roleIds }) => idsIn(roleIds)),
    ))
      people.add(id)
    await entities.transition('ew.alarm', row.id, 'escalate', {
      ...{ escalatedIds: [...people], escalated: due, text: taken.some(({ chat }) => chat === true) },
    })
    escalated += 1
  }
  return escalated
}
