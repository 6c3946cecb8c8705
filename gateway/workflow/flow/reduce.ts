import type { Node, ProcessDocument } from '../../../src/schema/generated/process'
import type { Text } from '../../platform/http'
import {
  askedAt,
  isOver,
  openTasks,
  type FlowState,
  type FlowTask,
  type NodeRun,
  type Person,
  type Seat,
  type TaskSource,
  type TaskStatus,
} from './state'
import { branchesAround, isForPeople, placesOf, standsBefore, type Place } from './tree'

/** What somebody does, or what the world answers to an effect. */
export type FlowAction =
  | { kind: 'start' }
  | { kind: 'resubmit' }
  | { kind: 'agree'; taskId: string; by: string; add?: { where: 'before' | 'after' | 'transmit'; people: readonly Person[] } }
  | { kind: 'reject'; taskId: string; by: string }
  | { kind: 'return'; taskId: string; by: string; to: 'start' | 'previous' | { nodeId: string }; backToMe: boolean }
  | { kind: 'transmit'; taskId: string; by: string; to: Person }
  /** Others are asked for their opinion first; the task comes back then. */
  | { kind: 'addSign'; taskId: string; by: string; people: readonly Person[] }
  | { kind: 'takeBack'; taskId: string; by: string }
  | { kind: 'withdraw' }
  | { kind: 'timeout'; taskId: string; outcome: 'agree' | 'reject' | { transmit: Person } }
  /** An admin, or the departure of the assignee. */
  | { kind: 'reassign'; taskId: string; to: Person }
  | { kind: 'assign'; nodeId: string; people: readonly Person[] }
  | { kind: 'jump'; nodeId: string }
  | { kind: 'terminate' }
  | { kind: 'retry' }
  // answers
  | { kind: 'people'; nodeId: string; people: readonly Person[]; sequence: boolean; empty?: 'skip' | 'alarm'; reason?: Text }
  | { kind: 'branches'; nodeId: string; taken: readonly string[] }
  | { kind: 'delay'; nodeId: string; waits: boolean }
  | { kind: 'delayOver'; nodeId: string }
  | { kind: 'serviceDone'; nodeId: string }
  | { kind: 'serviceRefused'; nodeId: string }
  /** Of one that had failed: the outside is asked once more. */
  | { kind: 'serviceRunning'; nodeId: string }
  | { kind: 'serviceFailed'; nodeId: string; reason: Text }
  | { kind: 'subEnded'; nodeId: string; result: 'agreed' | 'rejected' | 'other' }
  | { kind: 'stuck'; nodeId: string; reason: Text }
  | { kind: 'effectDone' }
  /** The outside has been asked and has not answered. */
  | { kind: 'effectRunning' }
  | { kind: 'effectFailed' }

/** What follows of an action, in its order. Questions are answered by an action of the same name. */
export type FlowEffect =
  | { kind: 'ask'; about: 'people' | 'branches' | 'delay'; nodeId: string }
  | { kind: 'task'; nodeId: string; task: FlowTask }
  | { kind: 'taskEnded'; nodeId: string; taskId: string; status: TaskStatus }
  | { kind: 'reopened'; nodeId: string; taskId: string }
  | { kind: 'passed'; nodeId: string; by: readonly string[] }
  | { kind: 'skipped'; nodeId: string }
  | { kind: 'cc' | 'notify' | 'service' | 'subProcess'; nodeId: string }
  | { kind: 'alarm'; nodeId: string; reason: Text }
  /** A step has returned it as often as it may. */
  | { kind: 'returnedOften'; nodeId: string; times: number }
  | { kind: 'gaveBack'; nodeId: string }
  | { kind: 'returned' }
  | { kind: 'ended'; result: 'agreed' | 'rejected' }

export type FlowRefusalReason =
  'over' | 'notOpen' | 'notYours' | 'notPossible' | 'involved' | 'unknownNode' | 'tooLate' | 'returnedOften'

/** An action that the state of the instance does not allow. */
export class FlowRefusal extends Error {
  override readonly name = 'FlowRefusal'
  constructor(
    readonly reason: FlowRefusalReason,
    /** Whom or what it is about. */
    readonly subject?: string,
  ) {
    super(reason)
  }
}

/** Before anything happened. */
export const newFlow = (): FlowState => ({
  status: 'running',
  round: 1,
  nodes: {},
  passed: [],
  decided: 0,
  handled: false,
  resume: [],
  undo: null,
  effect: 'none',
})

/** Times that one step returns an application where its process says nothing else (`maxReturns`). */
const MOST_RETURNS = 20
const NOBODY: Text = { zh: '没有可用的处理人', en: 'Nobody was found' }
const SUB_STOPPED: Text = { zh: '子流程被撤回或终止', en: 'The other process was withdrawn or terminated' }

/** How often a step has returned an application, and how often it may. */
export const returnsOf = (
  process: Pick<ProcessDocument, 'maxReturns'>,
  { returns = {} }: Pick<FlowState, 'returns'>,
  nodeId: string,
): { times: number; most: number } => ({ times: returns[nodeId] ?? 0, most: process.maxReturns ?? MOST_RETURNS })

/** Decisions that their author may take back. */
const UNDOABLE = new Set<FlowAction['kind']>(['agree', 'transmit', 'addSign'])
/** Parts of the action before: they change nothing of what can be taken back. */
const ANSWERS = new Set<FlowAction['kind']>([
  'people',
  'branches',
  'delay',
  'stuck',
  'serviceDone',
  'serviceFailed',
  'serviceRefused',
  'serviceRunning',
  'effectDone',
  'effectRunning',
  'effectFailed',
])

/**
 * One step of an instance, pure: the same inputs give the same answer. What needs the world (people, conditions, services) comes out
 * as an effect and goes in again as an action.
 * @param newId makes the ids of tasks
 * @throws FlowRefusal for what the state does not allow
 */
export function reduce(
  process: ProcessDocument,
  before: FlowState,
  action: FlowAction,
  newId: () => string,
): { state: FlowState; effects: FlowEffect[] } {
  const step = new Step(process, structuredClone(before), newId)
  step.take(action)
  const { state } = step
  if (UNDOABLE.has(action.kind) && 'taskId' in action && 'by' in action && !isOver(state) && !step.irrevocable) {
    const { undo: _, ...rest } = structuredClone(before)
    state.undo = { taskId: action.taskId, personId: action.by, before: rest }
  } else if (!ANSWERS.has(action.kind) || isOver(state) || step.irrevocable) state.undo = null
  return { state, effects: step.effects }
}

/** The steps that a task may be returned to, in their order: people have finished them, and they do not stand in a sister branch. */
export function returnTargets(process: ProcessDocument, state: Pick<FlowState, 'passed'>, nodeId: string): string[] {
  const places = placesOf(process)
  const passed = new Set(state.passed.map((step) => step.nodeId))
  return [...places.keys()].filter((id) => passed.has(id) && standsBefore(places, id, nodeId))
}

class Step {
  readonly effects: FlowEffect[] = []
  /** Something was done that stays done. */
  irrevocable = false
  private readonly places: ReadonlyMap<string, Place>

  constructor(
    private readonly process: ProcessDocument,
    readonly state: FlowState,
    private readonly newId: () => string,
  ) {
    this.places = placesOf(process)
  }

  take(action: FlowAction): void {
    const { state } = this
    if (isOver(state)) return this.takeOver(action)
    switch (action.kind) {
      case 'start':
        return this.after(this.process.nodes[0]!.id)
      case 'resubmit':
        if (state.status !== 'returned') throw new FlowRefusal('notPossible')
        state.status = 'running'
        return this.after(this.process.nodes[0]!.id)
      case 'agree':
        return this.agree(action)
      case 'reject':
        return this.reject(action)
      case 'return':
        return this.giveBack(action)
      case 'transmit':
        return this.transmit(action.taskId, action.by, action.to, 'transmitted')
      case 'addSign':
        return this.agree({ ...action, kind: 'agree', add: { where: 'before', people: action.people } })
      case 'takeBack':
        return this.takeBack(action)
      case 'withdraw':
        return this.withdraw()
      case 'timeout':
        return this.timeout(action)
      case 'reassign':
        return this.transmit(action.taskId, null, { ...action.to, source: 'admin' }, 'transmitted')
      case 'assign':
        return this.assign(action)
      case 'jump':
        if (!this.places.has(action.nodeId)) throw new FlowRefusal('unknownNode', action.nodeId)
        state.status = 'running'
        state.resume = []
        state.round += 1
        state.decided = 0
        state.returns = {}
        return this.jump(action.nodeId)
      case 'terminate':
        return this.stop('terminated')
      case 'retry':
        return this.retry()
      default:
        return this.answer(action)
    }
  }

  /** What an ended instance still takes. */
  private takeOver(action: FlowAction): void {
    const { state } = this
    if (action.kind === 'effectDone') {
      state.effect = 'done'
      if (state.status === 'agreed' || state.status === 'effectFailed') state.status = 'done'
    } else if (action.kind === 'effectFailed') {
      state.effect = 'failed'
      if (state.status === 'agreed') state.status = 'effectFailed'
    } else if (action.kind === 'effectRunning') {
      state.effect = 'running'
      if (state.status === 'effectFailed') state.status = 'agreed'
    } else if (action.kind === 'retry') {
      if (state.effect !== 'failed') throw new FlowRefusal('notPossible')
      state.effect = 'waiting'
      this.effects.push({ kind: 'ended', result: state.status === 'rejected' ? 'rejected' : 'agreed' })
    } else if (!ANSWERS.has(action.kind) && action.kind !== 'subEnded' && action.kind !== 'delayOver')
      throw new FlowRefusal('over')
  }

  private answer(action: FlowAction): void {
    if (!('nodeId' in action)) throw new FlowRefusal('notPossible')
    const run = this.state.nodes[action.nodeId]
    if (action.kind === 'serviceRunning' && run?.phase === 'alarm') this.state.nodes[action.nodeId] = { phase: 'waiting' }
    const asking = run?.phase === 'asking'
    const waiting = run?.phase === 'waiting'
    // The instance went another way meanwhile: nobody needs the answer any more.
    if (!asking && !waiting) return
    if (action.kind === 'people' && asking) this.seat(action)
    else if (action.kind === 'branches' && asking) this.takeBranches(action.nodeId, action.taken)
    else if (action.kind === 'delay' && asking) {
      if (action.waits) run.phase = 'waiting'
      else this.after(action.nodeId)
    } else if (action.kind === 'delayOver' && waiting) this.after(action.nodeId)
    else if (action.kind === 'serviceDone' && waiting) this.after(action.nodeId)
    else if (action.kind === 'serviceRefused' && waiting) this.toStart()
    else if (action.kind === 'serviceFailed' && waiting) {
      if (this.nodeOf(action.nodeId).onError === 'skip') this.after(action.nodeId)
      else this.alarm(action.nodeId, action.reason)
    } else if (action.kind === 'subEnded' && waiting) {
      if (action.result === 'agreed') this.after(action.nodeId)
      else if (action.result === 'rejected') this.finish('rejected')
      else this.alarm(action.nodeId, SUB_STOPPED)
    } else if (action.kind === 'stuck') this.alarm(action.nodeId, action.reason)
  }

  private nodeOf(id: string): Node {
    const place = this.places.get(id)
    if (!place) throw new FlowRefusal('unknownNode', id)
    return place.node
  }

  // going on

  private enter(id: string): void {
    const node = this.nodeOf(id)
    const { nodes } = this.state
    switch (node.kind) {
      case 'start':
        return this.after(id)
      case 'approve':
      case 'handle':
        nodes[id] = { phase: 'asking' }
        if (node.kind === 'handle') this.state.handled = true
        return void this.effects.push({ kind: 'ask', about: 'people', nodeId: id })
      case 'condition':
      case 'inclusive':
        nodes[id] = { phase: 'asking' }
        return void this.effects.push({ kind: 'ask', about: 'branches', nodeId: id })
      case 'parallel':
        return this.takeBranches(
          id,
          (node.branches ?? []).map((branch) => branch.id),
        )
      case 'delay':
        nodes[id] = { phase: 'asking' }
        return void this.effects.push({ kind: 'ask', about: 'delay', nodeId: id })
      case 'cc':
      case 'notify':
        this.effects.push({ kind: node.kind, nodeId: id })
        return this.after(id)
      case 'service':
        this.irrevocable = true
        nodes[id] = { phase: 'waiting' }
        return void this.effects.push({ kind: 'service', nodeId: id })
      case 'subProcess':
        this.irrevocable = true
        this.effects.push({ kind: 'subProcess', nodeId: id })
        if (node.wait === false) return this.after(id)
        nodes[id] = { phase: 'waiting' }
        return
      case 'end':
        return this.finish(node.result ?? 'agreed')
    }
  }

  private takeBranches(id: string, taken: readonly string[]): void {
    const branches = (this.nodeOf(id).branches ?? []).filter((branch) => taken.includes(branch.id))
    if (branches.length === 0) return this.after(id)
    const ids = branches.map((branch) => branch.id)
    const run: NodeRun = { phase: 'branches', taken: ids, open: ids }
    this.state.nodes[id] = run
    for (const branch of branches) {
      // an end in an earlier one ends the whole
      if (this.state.nodes[id] !== run) return
      const [first] = branch.nodes
      if (first) this.enter(first.id)
      else this.branchOver(id, branch.id)
    }
  }

  private branchOver(id: string, branchId: string): void {
    const run = this.state.nodes[id]
    if (!run) return
    run.open = (run.open ?? []).filter((open) => open !== branchId)
    if (run.open.length === 0) this.after(id)
  }

  /** A node is over. */
  private after(id: string): void {
    const place = this.places.get(id)!
    delete this.state.nodes[id]
    const resume = this.state.resume.findLast(({ at }) => at === id)
    if (resume) {
      this.state.resume = this.state.resume.filter((other) => other !== resume)
      this.leaveBranches(id)
      return this.restore(resume.nodes)
    }
    const next = place.siblings[place.index + 1]
    if (next) this.enter(next.id)
    else if (place.within) this.branchOver(place.within.container.id, place.within.branch.id)
    else this.finish('agreed')
  }

  /** The branches around a node that is over end with it; those in which something else goes on stay. */
  private leaveBranches(id: string): void {
    for (const { container, branch } of branchesAround(this.places, id).toReversed()) {
      const run = this.state.nodes[container.id]
      if (!run) continue
      run.open = (run.open ?? []).filter((open) => open !== branch.id)
      if (run.open.length > 0) return
      delete this.state.nodes[container.id]
    }
  }

  private finish(result: 'agreed' | 'rejected'): void {
    this.cancelAll()
    this.state.nodes = {}
    this.state.resume = []
    this.state.status = result
    this.state.effect = 'waiting'
    this.effects.push({ kind: 'ended', result })
  }

  private withdraw(): void {
    const { status, handled, decided } = this.state
    const { allowWithdraw = 'beforeFirst' } = this.process
    if (handled) throw new FlowRefusal('tooLate')
    if (status === 'running' && allowWithdraw === 'never') throw new FlowRefusal('notPossible')
    if (status === 'running' && allowWithdraw === 'beforeFirst' && decided > 0) throw new FlowRefusal('tooLate')
    this.stop('withdrawn')
  }

  private stop(status: 'withdrawn' | 'terminated'): void {
    this.cancelAll()
    this.state.nodes = {}
    this.state.resume = []
    this.state.status = status
  }

  private alarm(id: string, reason: Text): void {
    const run = this.state.nodes[id]
    if (run?.seats) this.cancel(id, run)
    this.state.nodes[id] = { phase: 'alarm', reason }
    this.effects.push({ kind: 'alarm', nodeId: id, reason })
  }

  private retry(): void {
    const stuck = Object.entries(this.state.nodes).filter(([, { phase }]) => phase === 'alarm')
    if (stuck.length === 0) throw new FlowRefusal('notPossible')
    for (const [id] of stuck) if (this.state.nodes[id]) this.enter(id)
  }

  // people

  private seat({ nodeId, people, sequence, empty, reason }: Extract<FlowAction, { kind: 'people' }>): void {
    const node = this.nodeOf(nodeId)
    const asked = [...new Map(people.map((person) => [person.id, person])).values()]
    if (asked.length === 0) {
      if (empty !== 'skip') return this.alarm(nodeId, reason ?? NOBODY)
      this.effects.push({ kind: 'skipped', nodeId })
      return this.after(nodeId)
    }
    const mode = sequence ? 'sequence' : (node.multiMode ?? 'any')
    const run: NodeRun = { phase: 'tasks', mode, seats: [] }
    this.state.nodes[nodeId] = run
    if (mode === 'sequence') {
      run.next = asked
      this.callNext(nodeId, run)
    } else for (const person of asked) this.openSeat(nodeId, run, person)
    this.settle(nodeId)
  }

  private callNext(nodeId: string, run: NodeRun): void {
    const person = run.next?.shift()
    if (person) this.openSeat(nodeId, run, person)
  }

  private openSeat(nodeId: string, run: NodeRun, person: Person): void {
    const seat: Seat = { tasks: [], queue: [] }
    run.seats!.push(seat)
    const task = this.open(nodeId, seat, person, 'normal')
    if (!this.hasAgreedBefore(nodeId, person)) return
    this.end(nodeId, task, 'autoAgreed')
    seat.result = 'agreed'
  }

  /** Somebody who has agreed is not asked again where the process says so. */
  private hasAgreedBefore(nodeId: string, { id, source }: Person): boolean {
    const node = this.nodeOf(nodeId)
    if (node.kind !== 'approve' || source === 'admin') return false
    const { dedupe = 'none' } = this.process
    const passed = this.state.passed.filter(
      (step) => step.round === this.state.round && this.nodeOf(step.nodeId).kind === 'approve',
    )
    if (dedupe === 'all') return passed.some((step) => step.by.includes(id))
    if (dedupe !== 'adjacent' && node.sameAsPrevious !== 'autoAgree') return false
    return passed.at(-1)?.by.includes(id) ?? false
  }

  private open(nodeId: string, seat: Seat, person: Person, source: TaskSource): FlowTask {
    const task: FlowTask = {
      id: this.newId(),
      assigneeId: person.id,
      forId: person.forId ?? null,
      source: person.source ?? source,
      status: 'pending',
    }
    seat.tasks.push(task)
    this.effects.push({ kind: 'task', nodeId, task: { ...task } })
    return task
  }

  private end(nodeId: string, task: FlowTask, status: TaskStatus): void {
    task.status = status
    this.effects.push({ kind: 'taskEnded', nodeId, taskId: task.id, status })
  }

  private cancel(nodeId: string, { seats = [] }: NodeRun): void {
    for (const { tasks } of seats) for (const task of tasks) if (task.status === 'pending') this.end(nodeId, task, 'cancelled')
  }

  private cancelAll(): void {
    for (const [id, run] of Object.entries(this.state.nodes)) this.cancel(id, run)
  }

  private find(taskId: string, by: string | null): { nodeId: string; run: NodeRun; seat: Seat; task: FlowTask } {
    for (const [nodeId, run] of Object.entries(this.state.nodes))
      for (const seat of run.seats ?? [])
        for (const task of seat.tasks)
          if (task.id === taskId && task.status === 'pending') {
            if (by !== null && task.assigneeId !== by) throw new FlowRefusal('notYours')
            return { nodeId, run, seat, task }
          }
    throw new FlowRefusal('notOpen')
  }

  /** Nobody is asked twice at a node: whoever is asked there, or will be, takes no further task of it. */
  private admit(run: NodeRun, people: readonly Person[], leaving: string): void {
    const asked = askedAt(run)
    if (people.length === 0) throw new FlowRefusal('notPossible')
    for (const { id } of people) if (asked.has(id) || id === leaving) throw new FlowRefusal('involved', id)
    if (new Set(people.map(({ id }) => id)).size < people.length) throw new FlowRefusal('notPossible')
  }

  private agree({ taskId, by, add }: Extract<FlowAction, { kind: 'agree' }>): void {
    const { nodeId, run, seat, task } = this.find(taskId, by)
    if (add) this.admit(run, add.people, task.assigneeId)
    if (add?.where === 'before') {
      this.end(nodeId, task, 'transmitted')
      seat.queue.unshift([{ id: task.assigneeId, ...(task.forId ? { forId: task.forId } : {}), source: task.source }])
      for (const person of add.people) this.open(nodeId, seat, person, 'addBefore')
      return
    }
    this.state.decided += 1
    this.end(nodeId, task, this.nodeOf(nodeId).kind === 'handle' ? 'done' : 'agreed')
    if (add)
      seat.queue.unshift(add.people.map((person) => ({ ...person, source: add.where === 'after' ? 'addAfter' : 'transmitted' })))
    this.goOn(nodeId, seat)
  }

  /** The next of a seat, or its result. */
  private goOn(nodeId: string, seat: Seat): void {
    if (seat.tasks.some(({ status }) => status === 'pending')) return
    const people = seat.queue.shift()
    if (people) for (const person of people) this.open(nodeId, seat, person, 'normal')
    else seat.result = 'agreed'
    this.settle(nodeId)
  }

  private reject({ taskId, by }: Extract<FlowAction, { kind: 'reject' }>): void {
    const { nodeId, seat, task } = this.find(taskId, by)
    if (this.nodeOf(nodeId).kind === 'handle') throw new FlowRefusal('notPossible')
    this.state.decided += 1
    this.refuseSeat(nodeId, seat, task, 'rejected')
  }

  private refuseSeat(nodeId: string, seat: Seat, task: FlowTask, status: TaskStatus): void {
    this.end(nodeId, task, status)
    for (const other of seat.tasks) if (other.status === 'pending') this.end(nodeId, other, 'cancelled')
    seat.queue = []
    seat.result = 'rejected'
    this.settle(nodeId)
  }

  /** Whether the voices of a node decide. */
  private settle(nodeId: string): void {
    const run = this.state.nodes[nodeId]
    if (run?.phase !== 'tasks') return
    const { seats = [], next = [], mode } = run
    const agreed = seats.filter(({ result }) => result === 'agreed').length
    const rejected = seats.filter(({ result }) => result === 'rejected').length
    if (mode === 'vote') {
      const needed = (this.nodeOf(nodeId).percent ?? 100) * seats.length
      if (agreed * 100 >= needed) return this.pass(nodeId, run)
      if ((seats.length - rejected) * 100 < needed) this.finish('rejected')
      return
    }
    if (rejected > 0) return this.finish('rejected')
    if (mode === 'any' ? agreed > 0 : agreed === seats.length && next.length === 0) return this.pass(nodeId, run)
    if (mode === 'sequence' && agreed === seats.length) {
      this.callNext(nodeId, run)
      this.settle(nodeId)
    }
  }

  private pass(nodeId: string, run: NodeRun): void {
    this.cancel(nodeId, run)
    const done = new Set<TaskStatus>(['agreed', 'done', 'autoAgreed', 'timeout'])
    const by = [
      ...new Set(
        (run.seats ?? []).flatMap(({ tasks }) =>
          tasks.flatMap(({ status, assigneeId }) => (done.has(status) ? [assigneeId] : [])),
        ),
      ),
    ]
    const { state } = this
    state.passed = [...state.passed.filter((step) => step.nodeId !== nodeId), { nodeId, round: state.round, by }]
    this.effects.push({ kind: 'passed', nodeId, by })
    this.after(nodeId)
  }

  private transmit(taskId: string, by: string | null, to: Person, status: TaskStatus): void {
    const { nodeId, run, seat, task } = this.find(taskId, by)
    this.admit(run, [to], task.assigneeId)
    this.end(nodeId, task, status)
    this.open(nodeId, seat, { forId: task.assigneeId, ...to }, 'transmitted')
  }

  private timeout({ taskId, outcome }: Extract<FlowAction, { kind: 'timeout' }>): void {
    if (typeof outcome === 'object') return this.transmit(taskId, null, outcome.transmit, 'timeout')
    const { nodeId, seat, task } = this.find(taskId, null)
    if (outcome === 'reject') return this.refuseSeat(nodeId, seat, task, 'timeout')
    this.end(nodeId, task, 'timeout')
    this.goOn(nodeId, seat)
  }

  private assign({ nodeId, people }: Extract<FlowAction, { kind: 'assign' }>): void {
    const run = this.state.nodes[nodeId]
    if (!run || !isForPeople(this.nodeOf(nodeId))) throw new FlowRefusal('notPossible')
    if (people.length === 0) throw new FlowRefusal('notPossible')
    this.cancel(nodeId, run)
    this.seat({ kind: 'people', nodeId, people: people.map((person) => ({ ...person, source: 'admin' })), sequence: false })
  }

  // going back

  private giveBack({ taskId, by, to, backToMe }: Extract<FlowAction, { kind: 'return' }>): void {
    const { nodeId, task } = this.find(taskId, by)
    const targets = returnTargets(this.process, this.state, nodeId)
    const target = to === 'start' ? undefined : to === 'previous' ? this.previous(targets) : to.nodeId
    if (typeof to === 'object' && target !== this.process.nodes[0]!.id && !targets.includes(to.nodeId))
      throw new FlowRefusal('notPossible', to.nodeId)
    const { times, most } = returnsOf(this.process, this.state, nodeId)
    if (times >= most) throw new FlowRefusal('returnedOften', nodeId)
    this.state.returns = { ...this.state.returns, [nodeId]: times + 1 }
    if (times + 1 === most) this.effects.push({ kind: 'returnedOften', nodeId, times: most })
    const goes = target === this.process.nodes[0]!.id ? undefined : target
    const nodes = structuredClone(this.state.nodes)
    this.effects.push({ kind: 'gaveBack', nodeId })
    this.end(nodeId, task, 'returned')
    if (!backToMe) this.state.resume = []
    else this.state.resume.push({ at: goes ?? this.process.nodes[0]!.id, nodeId, personId: task.assigneeId, nodes })
    this.state.round += 1
    this.state.decided = 0
    if (goes === undefined) this.toStart(backToMe)
    else {
      this.jump(goes)
      if (backToMe) this.keepDropped()
    }
  }

  /** Of what goes back to somebody, only what was dropped comes back with him: sister branches went on. */
  private keepDropped(): void {
    const resume = this.state.resume.at(-1)!
    resume.nodes = Object.fromEntries(
      Object.entries(resume.nodes).filter(([id, { phase }]) => phase === 'branches' || !this.state.nodes[id]),
    )
  }

  private previous(targets: readonly string[]): string | undefined {
    const last = this.state.passed.filter((step) => targets.includes(step.nodeId)).at(-1)
    return last?.nodeId
  }

  /** The applicant has it again. */
  private toStart(keepResume = false): void {
    this.cancelAll()
    this.state.nodes = {}
    if (!keepResume) {
      this.state.resume = []
      this.state.decided = 0
    }
    this.state.status = 'returned'
    this.effects.push({ kind: 'returned' })
  }

  /** Stands at a node again, or for the first time: what stands after it in its own sequence is dropped, sister branches go on. */
  private jump(target: string): void {
    const { nodes } = this.state
    const drop = (meant: (id: string) => boolean): void => {
      for (const [id, run] of Object.entries(nodes))
        if (meant(id)) {
          this.cancel(id, run)
          delete nodes[id]
        }
    }
    const inside = (id: string, containerId: string, branchId?: string): boolean =>
      branchesAround(this.places, id).some(
        ({ container, branch }) => container.id === containerId && (branchId === undefined || branch.id === branchId),
      )
    const around = branchesAround(this.places, target)
    const open = around.findIndex(({ container }) => nodes[container.id]?.phase !== 'branches')
    const kept = open < 0 ? around : around.slice(0, open)
    const innermost = kept.at(-1)
    if (innermost) drop((id) => inside(id, innermost.container.id, innermost.branch.id))
    else drop(() => true)
    for (const { container, branch } of kept) {
      const run = nodes[container.id]!
      if (container.kind === 'condition' && !run.taken?.includes(branch.id)) {
        drop((id) => inside(id, container.id))
        Object.assign(run, { taken: [branch.id], open: [branch.id] })
      }
      run.taken = [...new Set([...(run.taken ?? []), branch.id])]
      run.open = [...new Set([...(run.open ?? []), branch.id])]
    }
    for (const { container, branch } of around.slice(kept.length))
      nodes[container.id] = { phase: 'branches', taken: [branch.id], open: [branch.id] }
    this.enter(target)
  }

  /** Brings back what stood open when it was returned: whoever had decided has decided, whoever had not is asked again. */
  private restore(kept: Record<string, NodeRun>): void {
    const { nodes } = this.state
    for (const [id, run] of Object.entries(kept)) {
      if (run.phase === 'branches') continue
      for (const { container, branch } of branchesAround(this.places, id)) {
        const { taken = [], open = [] } = nodes[container.id] ?? {}
        const before = kept[container.id]?.taken ?? []
        nodes[container.id] = {
          phase: 'branches',
          taken: union(union(before, taken), [branch.id]),
          open: union(open, [branch.id]),
        }
      }
    }
    for (const [id, run] of Object.entries(kept)) {
      if (isOver(this.state)) return
      if (run.phase === 'branches') continue
      if (run.phase === 'alarm') this.alarm(id, bothLanguages(run.reason))
      else if (run.phase !== 'tasks') this.enter(id)
      else {
        nodes[id] = run
        for (const seat of run.seats ?? []) {
          const waiting = seat.tasks.filter(({ status }) => status === 'pending')
          seat.tasks = seat.tasks.filter(({ status }) => status !== 'pending')
          for (const { assigneeId, forId, source } of waiting)
            this.open(id, seat, { id: assigneeId, ...(forId ? { forId } : {}), source }, source)
        }
      }
    }
  }

  private takeBack({ taskId, by }: Extract<FlowAction, { kind: 'takeBack' }>): void {
    const { undo } = this.state
    if (undo?.taskId !== taskId) throw new FlowRefusal('tooLate')
    if (undo.personId !== by) throw new FlowRefusal('notYours')
    const now = openTasks(this.state)
    const then = openTasks(undo.before)
    for (const { nodeId, task } of now)
      if (!then.some((other) => other.task.id === task.id))
        this.effects.push({ kind: 'taskEnded', nodeId, taskId: task.id, status: 'cancelled' })
    for (const { nodeId, task } of then)
      if (!now.some((other) => other.task.id === task.id)) this.effects.push({ kind: 'reopened', nodeId, taskId: task.id })
    Object.assign(this.state, undo.before)
  }
}

const bothLanguages = (reason: Text | string = NOBODY): Text => (typeof reason === 'string' ? { zh: reason, en: reason } : reason)
const union = (a: readonly string[] = [], b: readonly string[] = []): string[] => [...new Set([...a, ...b])]
