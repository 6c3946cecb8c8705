import type { Text } from '../../platform/http'

/** What the reducer knows of an instance; kept as JSON in wf.instance.state. */

export type InstanceStatus = 'running' | 'returned' | 'agreed' | 'rejected' | 'withdrawn' | 'terminated' | 'effectFailed' | 'done'
export type TaskStatus =
  'pending' | 'agreed' | 'rejected' | 'returned' | 'transmitted' | 'done' | 'cancelled' | 'autoAgreed' | 'timeout'
export type TaskSource = 'normal' | 'delegated' | 'transmitted' | 'addBefore' | 'addAfter' | 'admin'

/** Somebody who is asked. */
export interface Person {
  id: string
  /** For whom, while that one is absent or has handed it on. */
  forId?: string
  source?: TaskSource
}

export interface FlowTask {
  id: string
  assigneeId: string
  forId: string | null
  source: TaskSource
  status: TaskStatus
}

/** One voice of a node: whoever holds it now, and who is asked after that. */
export interface Seat {
  tasks: FlowTask[]
  queue: Person[][]
  result?: 'agreed' | 'rejected'
}

/** A node where the instance stands. */
export interface NodeRun {
  /** What it waits for: an answer of this very action, tasks, branches, a timer or something that runs, an admin. */
  phase: 'asking' | 'tasks' | 'branches' | 'waiting' | 'alarm'
  mode?: 'any' | 'all' | 'sequence' | 'vote'
  seats?: Seat[]
  /** In order: who is asked later. */
  next?: Person[]
  /** Branches that were taken, and those that have not come to their end. */
  taken?: string[]
  open?: string[]
  /** Of an alarm: what went wrong; a plain string where it was kept by an earlier release. */
  reason?: Text | string
}

/** A step that people have finished. */
export interface Passed {
  nodeId: string
  round: number
  /** Who agreed, or did it. */
  by: string[]
}

/** Where it goes when a step is done that it was returned to for that alone. */
export interface Resume {
  at: string
  /** The node and the person that it goes back to. */
  nodeId: string
  personId: string
  nodes: Record<string, NodeRun>
}

export interface FlowState {
  status: InstanceStatus
  round: number
  nodes: Record<string, NodeRun>
  passed: Passed[]
  /** Decisions of people in this round. */
  decided: number
  /** A step in which something is done has begun: there is nothing to take back any more. */
  handled: boolean
  resume: Resume[]
  /** How often a step has returned it, by step; an administrator who moves it begins anew. */
  returns?: Record<string, number>
  /** The last decision, as long as it can be taken back. */
  undo: { taskId: string; personId: string; before: Omit<FlowState, 'undo'> } | null
  /** What the end does: dictionary effectStatus. */
  effect: 'none' | 'waiting' | 'running' | 'done' | 'failed'
}

/** What a condition read of an application, with the value that it had. */
export interface ReadValue {
  /** Name of a field, or `amountCny`. */
  field: string
  value: unknown
}

/** An ended instance takes comments and an admin's retry only. */
export const isOver = ({ status }: Pick<FlowState, 'status'>): boolean => status !== 'running' && status !== 'returned'

/** Whoever is asked at a node, or will be. */
export const askedAt = ({ seats = [], next = [] }: NodeRun): Set<string> =>
  new Set([
    ...[...next, ...seats.flatMap(({ queue }) => queue.flat())].map(({ id }) => id),
    ...seats.flatMap(({ tasks }) => tasks.flatMap(({ status, assigneeId }) => (status === 'pending' ? [assigneeId] : []))),
  ])

/** The tasks that wait, with their nodes. */
export function openTasks(state: Pick<FlowState, 'nodes'>): { nodeId: string; task: FlowTask }[] {
  return Object.entries(state.nodes).flatMap(([nodeId, { seats = [] }]) =>
    seats.flatMap(({ tasks }) => tasks.filter(({ status }) => status === 'pending').map((task) => ({ nodeId, task }))),
  )
}
