import type { Node } from '../../../src/schema/generated/process'
import { startOfDay } from '../../platform/calendar'
import type { Message } from '../../platform/queue'
import { tolerantly } from './form'
import { limitOf } from './hours'
import type { Standing } from './standing'

/** Where timers of instances wait. */
export const TIMER_LINE = 'wf.timer'

/** What a timer does. */
export type Timer =
  | { kind: 'remind'; taskId: string; percent: number }
  | { kind: 'limit'; taskId: string }
  | { kind: 'leader'; taskId: string }
  | { kind: 'delay'; instanceId: string; nodeId: string }

/** Hours that a step may take with the values of now; urgent ones have half of them (money 8.0). Null: it has no limit. */
export async function limitHours(standing: Standing, { limitHours: given }: Node): Promise<number | null> {
  if (given === undefined) return null
  const { form, call, values } = standing
  const [value] =
    typeof given === 'number'
      ? [given]
      : await form.records.evaluate(call, values, standing.named(), [tolerantly(given)]).catch(() => [null])
  const hours = Number(value)
  if (!(hours > 0)) return null
  return values.urgency === 'urgent' ? hours / 2 : hours
}

/** What a turn leaves to wait for a moment: reminders and limits of tasks, delays. */
export class Waits {
  private readonly timers: Message[] = []

  constructor(private readonly standing: Standing) {}

  /** Reminders and the limit of a task that was opened now. Answers when it is due. */
  async forTask(taskId: string, node: Node): Promise<Date | null> {
    const { context, parts } = this.standing
    const hours = await limitHours(this.standing, node)
    if (hours === null) return null
    const limit = limitOf(context.now, hours, { working: node.workCalendar !== false, timeZone: parts.timeZone })
    for (const percent of node.remindBefore ?? [50, 100])
      this.add(`remind/${taskId}/${percent}`, { kind: 'remind', taskId, percent }, limit(percent))
    if ((node.onTimeout ?? 'remind') !== 'remind') this.add(`limit/${taskId}`, { kind: 'limit', taskId }, limit(100))
    this.add(`leader/${taskId}`, { kind: 'leader', taskId }, limit(200))
    return limit(100)
  }

  /** A delay until some hours are over, or a moment of the form has come. Answers whether it waits. */
  async forDelay(node: Node): Promise<boolean> {
    const { standing } = this
    const { now } = standing.context
    let until: Date | null = node.hours === undefined ? null : new Date(now.getTime() + node.hours * 3_600_000)
    if (node.until !== undefined) {
      const [value] = await standing.form.records.evaluate(standing.call, standing.values, standing.named(), [
        tolerantly(node.until),
      ])
      const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
      const moment = isDay
        ? new Date(startOfDay(value, standing.tx.companyTimeZone))
        : typeof value === 'string' && value !== ''
          ? new Date(value)
          : null
      until = moment && !Number.isNaN(moment.getTime()) ? moment : null
    }
    standing.kept.trail[node.id] = { until: until?.toISOString() ?? null }
    if (until === null || until <= now) return false
    this.add(`delay/${standing.row.id}/${node.id}`, { kind: 'delay', instanceId: standing.row.id, nodeId: node.id }, until)
    return true
  }

  async write(): Promise<void> {
    const { parts, tx } = this.standing
    await parts.queue.send(tx, TIMER_LINE, this.timers)
  }

  private add(key: string, data: Timer, at: Date): void {
    this.timers.push({ key: `${key}/${at.getTime()}`, data, at })
  }
}
