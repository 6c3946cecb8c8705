/**
 * The engine of approvals: an instance takes an action, a pure reducer says what follows, one transaction writes it.
 *
 *   reduce.ts (pure)  <-  turn.ts (one action in one transaction)  <-  start.ts, act.ts, timers.ts  <-  operate.ts (calls)
 */
import type { Notices } from '../notices'
import type { WorkflowParts } from '../parts'
import { registerOperateCalls } from './operate'
import { defineTimers, handOverLeavers } from './timers'

export type { InstanceDetail, Pick } from './detail'
export type { PathNode } from './path'
export { startForRecord } from './forRecord'
export { tryStart, type StartRequest } from './start'
export { TIMER_LINE, type FlowParts, type InstanceRow } from './turn'

/** Serves the calls operate/*, and makes known what waits for a moment. Before the queue is opened. */
export function registerFlow(parts: WorkflowParts, notices: Notices): void {
  const all = { ...parts, notices }
  registerOperateCalls(all)
  defineTimers(all)
  handOverLeavers(all)
}
