import { randomInt } from 'node:crypto'
import type { RecordOf } from '../../../entities'
import type { ModuleVerb } from '../../module'
import { withRoom } from '../sms/room'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const ids = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const eq = (field: string, value: unknown) => ({ field, operator: 'eq' as const, value })
const among = (field: string, value: readonly unknown[]) => ({ field, operator: 'in' as const, value })
const CODE_DIGITS = 1_000_000

/** `ops.runCycle`: a run of a cycle test with valid numbers of its countries; without any it is skipped and counted. */
export const verb: ModuleVerb<'ops.cycleTest'> = async (hook, runs) => {
  const { entities, now } = hook
  const sources = await entities.list('ops.numberSource', { where: [eq('status', 'enabled')] })
  const priority = new Map(sources.map((source) => [text(source.id), Number(source.priority)]))
  for (const { subject } of runs) {
    const cycle = subject.record
    const valid = await withRoom(
      hook,
      await entities.list('ops.smsTestNumber', { where: [eq('status', 'ok'), among('country', ids(cycle.countries))] }),
    )
    const order = (row: RecordOf<'ops.smsTestNumber'>): number => priority.get(text(row.sourceId)) ?? Infinity
    const chosen = valid
      .sort((a, b) => order(a) - order(b) || Number(a.tests ?? 0) - Number(b.tests ?? 0))
      .slice(0, Number(cycle.perRun))
    if (chosen.length === 0) {
      cycle.skipped = Number(cycle.skipped ?? 0) + 1
      continue
    }
    const code = String(randomInt(CODE_DIGITS)).padStart(6, '0')
    const batch = await entities.save('ops.smsTestBatch', {
      ...{ origin: 'cycle', cycleTestId: cycle.id, numberIds: chosen.map(({ id }) => id), channelIds: ids(cycle.channelIds) },
      ...{ senderId: cycle.senderId, content: text(cycle.contentRule).replaceAll('{code}', code) },
    })
    await entities.transition('ops.smsTestBatch', text(batch.id), 'send')
    cycle.lastRunAt = now.toISOString()
  }
}
