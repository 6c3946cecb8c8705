import type { OutsideVerb, Verb, VerbContext, RecordOf } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import { ServiceError } from '../../../platform/http'
import type { Connectors } from '../connector'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const eq = (field: string, value: unknown) => ({ field, operator: 'eq' as const, value })

/** `ops.placeCalls`: a voice test calls its number, as often as it says. */
export const placeCalls: Verb<'ops.voiceTest'> = async ({ entities }, runs) => {
  const made = await entities.createMany(
    'ops.talkHistory',
    runs.flatMap(({ subject: { record } }) =>
      Array.from({ length: Number(record.repeat ?? 1) }, () => ({
        ...{ kind: 'test', voiceTestId: record.id, caller: record.caller, callee: record.callee, gatewayId: record.gatewayId },
        ...{ codec: record.codec, holdSec: record.holdSec },
        dialled: `${text(record.routePrefix)}${text(record.callee).replace(/^\+/, '')}`,
      })),
    ),
  )
  await entities.transitions('ops.talkHistory', made.map(({ id }) => text(id)), 'dial') // prettier-ignore
}

/** Callees of a pool that may be called today: on, below their cap, on no blacklist. Each counts as used. */
async function takeNumbers({ entities, now, tx }: VerbContext, poolName: string): Promise<RecordOf<'ops.numberPool'>[]> {
  const day = dayOf(now, tx.companyTimeZone)
  const pool = await entities.list('ops.numberPool', {
    where: [eq('poolName', poolName), eq('use', 'callee'), eq('status', 'enabled')],
    limit: 10_000,
    lock: true,
  })
  const black = await entities.list('ops.testBlack', { where: [eq('kind', 'number'), eq('status', 'active')], limit: 10_000 })
  const barred = new Set(black.map(({ value }) => value))
  const usedOf = ({ lastUsedAt, usedToday }: RecordOf<'ops.numberPool'>): number =>
    lastUsedAt && dayOf(new Date(text(lastUsedAt)), tx.companyTimeZone) === day ? Number(usedToday ?? 0) : 0
  const free = pool.filter((row) => !barred.has(row.number) && usedOf(row) < Number(row.dailyCap))
  await entities.changeMany(
    'ops.numberPool',
    new Map(free.map((row) => [text(row.id), { lastUsedAt: now.toISOString(), usedToday: usedOf(row) + 1 }])),
  )
  return free
}

/** `ops.queueCalls`: the calls of a group call task, or (`failed`) those of its calls that were not answered once more. */
export const queueCalls: Verb<'ops.groupCallTask'> = async (hook, runs) => {
  const { entities } = hook
  for (const { subject, with: given } of runs) {
    const task = subject.record
    if (given.failed === true) {
      const calls = await entities.list('ops.talkHistory', {
        where: [eq('groupTaskId', task.id), eq('status', 'ended'), { field: 'result', operator: 'ne', value: 'answered' }],
        limit: 10_000,
      })
      await entities.transitions('ops.talkHistory', calls.map(({ id }) => text(id)), 'again') // prettier-ignore
      continue
    }
    const numbers = await takeNumbers(hook, text(task.poolName))
    if (numbers.length === 0)
      throw new ServiceError('badRequest', {
        message: {
          zh: `号码池 ${text(task.poolName)} 今天没有可呼叫的号码：已达日上限或在黑名单。`,
          en: `No number of the pool ${text(task.poolName)} may be called today: they are at their daily cap or blacklisted.`,
        },
      })
    await entities.createMany(
      'ops.talkHistory',
      numbers.map(({ number }) => ({
        ...{ kind: 'group', groupTaskId: task.id, caller: task.caller, callee: number, gatewayId: task.gatewayId },
        ...{ codec: 'g711a', holdSec: task.holdSec },
      })),
    )
  }
}

/** `ops.runTimed`: a timed task does what it is for: a voice test, or its group call task unless that is under way. */
export const runTimed: Verb<'ops.voiceTimeTask'> = async ({ entities }, runs) => {
  for (const { subject } of runs) {
    const { kind, caller, callee, gatewayId, routePrefix, groupTaskId } = subject.record
    if (kind === 'group') {
      const refused = await entities.transitions('ops.groupCallTask', [text(groupTaskId)], 'start')
      if (refused.size > 0) subject.record.skipped = Number(subject.record.skipped ?? 0) + 1
      continue
    }
    const test = await entities.save('ops.voiceTest', { caller, callee, gatewayId, routePrefix, codec: 'g711a', repeat: 1 })
    await entities.transition('ops.voiceTest', text(test.id), 'dial')
  }
}

/** `ops.dial`: places one call and tells how it went. */
export const dial =
  ({ voice }: Connectors): OutsideVerb =>
  async ({ with: { caller, callee, codec, holdSec }, signal }) => {
    if (!voice) throw new Error('SIP 未连接 / SIP_ADDRESS is not set')
    const order = { caller: text(caller), callee: text(callee), codec: text(codec), holdSec: Number(holdSec ?? 0) }
    const { ringAt, answeredAt, endedAt, ...figures } = await voice.ask(order, signal)
    const moment = (date: Date | null): string | null => date?.toISOString() ?? null
    return { ringAt: moment(ringAt), answeredAt: moment(answeredAt), endedAt: moment(endedAt), ...figures }
  }
