/**
 * The engine of approvals: an instance takes an action, a pure reducer says what follows, one transaction writes it.
 *
 *   reduce.ts (pure)  <-  turn.ts (one action in one transaction)  <-  start.ts, acting.ts, timers.ts  <-  operate.ts (calls)
 *
 * A turn stands on standing.ts (the instance with its form) and leaves to its parts what they know: tasks.ts, copies.ts, effects.ts, sub.ts,
 * branches.ts, waits.ts, messages.ts, timeline.ts. Actions of people: act.ts, withdraw.ts, urge.ts, administer.ts.
 */
import type { Notices } from '../notices'
import type { WorkflowParts } from '../parts'
import { registerOperateCalls } from './operate'
import { defineTimers, handOverLeavers, hearOutside } from './timers'

export type { InstanceDetail, Pick } from './detail'
export type { PathNode } from './path'
export { leadersOf, staffById } from './people'
export { startForRecord } from './forRecord'
export type { StartRequest } from './start'
export { tryStart } from './tryStart'
export { type FlowParts, type InstanceRow } from './instance'
export { TIMER_LINE } from './waits'

/** Serves the calls operate/*, and makes known what waits for a moment. Before the queue is opened. */
export function registerFlow(parts: WorkflowParts, notices: Notices): void {
  const all = { ...parts, notices }
  registerOperateCalls(all)
  defineTimers(all)
  handOverLeavers(all)
  hearOutside(all)
}
