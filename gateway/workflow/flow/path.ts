import { ExpressionError } from '../../../src/schema/expression'
import type { Node } from '../../../src/schema/generated/process'
import type { Text } from '../../platform/http'
import { assigneesOf } from './assign'
import { branchesOf } from './branches'
import { reasonOf } from './reasons'
import { limitHours } from './waits'
import { staffById } from './people'
import { isForPeople } from './tree'
import type { Standing } from './standing'

export interface PathPerson {
  id: string
  name: string
  state: string
  at: string | null
  forName?: string
}

/** A step of the way: what happened there, or what is expected to. */
export interface PathNode {
  id: string
  kind: string
  label: Text
  state: 'done' | 'current' | 'predicted' | 'skipped' | 'returned'
  assignees: PathPerson[]
  why?: Text
  dueAt?: string
  /** Of a step that is still to come: the hours that it may take. */
  limitHours?: number
  branches?: { id: string; label: Text; taken: boolean; why?: Text; nodes: PathNode[] }[]
}

/** A task as the way shows it. */
export interface PathTask {
  nodeId: string
  assigneeId: string
  originalAssigneeId: string | null
  status: string
  round: number
  dueAt: string | null
  endedAt: string | null
}

/**
 * The way of an instance from its start to its end: done, standing, predicted with the values of now, each with its people.
 * @param hidden fields that the reader may not see: no reason names them
 */
export async function predictPath(
  turn: Standing,
  tasks: ReadonlyMap<string, readonly PathTask[]>,
  hidden: (field: string) => boolean = () => false,
): Promise<PathNode[]> {
  const { flow } = turn
  const over = flow.status !== 'running' && flow.status !== 'returned'
  const passed = new Set(flow.passed.filter(({ round }) => round === flow.round).map(({ nodeId }) => nodeId))
  const once = new Set(flow.passed.map(({ nodeId }) => nodeId))
  const started = turn.row.startedAt !== null
  /** Nodes of a way that stands behind everything that is open are over. */
  const inside = (nodes: readonly Node[]): boolean =>
    nodes.some((node) => flow.nodes[node.id] !== undefined || (node.branches ?? []).some((branch) => inside(branch.nodes)))

  const stateOf = (node: Node, index: number, siblings: readonly Node[], around: PathNode['state']): PathNode['state'] => {
    if (around === 'skipped') return 'skipped'
    if (flow.nodes[node.id]) return 'current'
    if (node.kind === 'start') return started ? 'done' : 'predicted'
    if (passed.has(node.id)) return 'done'
    const ahead = siblings.findIndex((other) => flow.nodes[other.id] !== undefined || inside([other]))
    if (ahead >= 0) return index < ahead ? 'done' : once.has(node.id) ? 'returned' : 'predicted'
    if (over && around !== 'predicted') {
      const good = flow.status === 'agreed' || flow.status === 'done' || flow.status === 'effectFailed'
      if (good) return 'done'
      if (node.kind === 'end') return flow.status === 'rejected' ? 'done' : 'skipped'
      return once.has(node.id) || (tasks.get(node.id)?.length ?? 0) > 0 ? 'done' : 'skipped'
    }
    if (around === 'done') return once.has(node.id) || !isForPeople(node) ? 'done' : 'skipped'
    return once.has(node.id) || (tasks.get(node.id) ?? []).length > 0 ? 'returned' : 'predicted'
  }

  const peopleAt = async (
    node: Node,
    state: PathNode['state'],
  ): Promise<Pick<PathNode, 'assignees' | 'why' | 'dueAt' | 'limitHours'>> => {
    if (!isForPeople(node)) return { assignees: [] }
    const known = tasks.get(node.id) ?? []
    const last = Math.max(0, ...known.map(({ round }) => round))
    const shown = known.filter(({ round, status }) => round === last && status !== 'cancelled')
    const why = turn.kept.trail[node.id]?.why
    if (shown.length > 0 && state !== 'predicted') {
      const staff = await staffById(
        turn.tx,
        shown.flatMap(({ assigneeId, originalAssigneeId }) => [assigneeId, originalAssigneeId ?? '']),
        turn.context.locale,
      )
      const due = shown.find(({ status, dueAt }) => status === 'pending' && dueAt !== null)?.dueAt
      const assignees = shown.map(({ assigneeId, originalAssigneeId, status, endedAt }): PathPerson => ({
        id: assigneeId,
        name: staff.get(assigneeId)?.name ?? assigneeId,
        state: status,
        at: endedAt,
        ...(originalAssigneeId && originalAssigneeId !== assigneeId
          ? { forName: staff.get(originalAssigneeId)?.name ?? originalAssigneeId }
          : {}),
      }))
      return { assignees, ...(why ? { why } : {}), ...(due ? { dueAt: due } : {}) }
    }
    if (state === 'done' || state === 'skipped') return { assignees: [], ...(why ? { why } : {}) }
    const hours = await limitHours(turn, node)
    const limit = hours === null ? {} : { limitHours: hours }
    try {
      const found = await assigneesOf(turn.call, node, turn.about())
      const staff = await staffById(
        turn.tx,
        found.people.flatMap(({ id, forId }) => [id, forId ?? '']),
        turn.context.locale,
      )
      const assignees = found.people.map(({ id, forId }): PathPerson => ({
        id,
        name: staff.get(id)?.name ?? id,
        state: 'predicted',
        at: null,
        ...(forId ? { forName: staff.get(forId)?.name ?? forId } : {}),
      }))
      return { assignees, why: found.why, ...limit }
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      return { assignees: [], why: error.problem.message, ...limit }
    }
  }

  const branchesAt = async (node: Node, state: PathNode['state']): Promise<Pick<PathNode, 'branches'>> => {
    if (!node.branches) return {}
    let trail = turn.kept.trail[node.id]
    if (state === 'predicted' || state === 'returned' || !trail) {
      try {
        trail = await branchesOf(turn, node)
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error
        trail = { taken: [], why: error.problem.message }
      }
    }
    const taken = new Set(flow.nodes[node.id]?.taken ?? trail.taken)
    const open = new Set(flow.nodes[node.id]?.open ?? [])
    const why = trail.read ? await reasonOf(turn, trail.read, hidden) : trail.why
    const branches = []
    for (const branch of node.branches) {
      const is = taken.has(branch.id)
      const around = !is ? 'skipped' : state === 'current' ? (open.has(branch.id) ? 'current' : 'done') : state
      branches.push({
        id: branch.id,
        label: branch.label ?? { zh: branch.id, en: branch.id },
        taken: is,
        ...(is && why ? { why } : {}),
        nodes: await sequence(branch.nodes, around),
      })
    }
    return { branches }
  }

  async function sequence(nodes: readonly Node[], around: PathNode['state']): Promise<PathNode[]> {
    const path: PathNode[] = []
    for (const [index, node] of nodes.entries()) {
      const state = stateOf(node, index, nodes, around)
      path.push({
        id: node.id,
        kind: node.kind,
        label: turn.labelOf(node.id),
        state,
        ...(await peopleAt(node, state)),
        ...(await branchesAt(node, state)),
      })
    }
    return path
  }
  return sequence(turn.process.document.nodes, over ? 'done' : 'current')
}
