import type { VerbContext, RecordOf } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import { ServiceError } from '../../../platform/http'
import type { ModuleVerb } from '../../module'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const eq = (field: string, value: unknown) => ({ field, operator: 'eq' as const, value })

/** `ops.queueCalls`: the calls of a group call task, or (`failed`) those of its calls that were not answered once more. */
export const verb: ModuleVerb<'ops.groupCallTask'> = async (hook, runs) => {
  const { entities } = hook
  for (const { subject, with: given } of runs) {
    const task = subject.record
    if (given.failed === true) {
      const calls = await entities.list('ops.talkHistory', {
        where: [eq('groupTaskId', task.id), eq('status', 'ended'), { field: 'result', operator: 'ne', value: 'answered' }],
        limit: 10_000,
      })
      await entities.transitions(
        'ops.talkHistory',
        calls.map(({ id }) => text(id)),
        'again',
      )
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
