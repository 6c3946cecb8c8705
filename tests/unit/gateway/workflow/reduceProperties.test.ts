import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  FlowRefusal,
  newFlow,
  reduce,
  returnTargets,
  type FlowAction,
  type FlowEffect,
} from '../../../../gateway/workflow/flow/reduce'
import { isOver, openTasks, type FlowState } from '../../../../gateway/workflow/flow/state'
import type { Node, ProcessDocument } from '../../../../src/schema/generated/process'
import { walksOf } from '../../../support/walkPart'

const { walksAll } = walksOf(import.meta.filename)

const PEOPLE = ['wang', 'liu', 'chen', 'zhou', 'gao']
const text = { zh: '步骤', en: 'Step' }

/** Processes with every kind of node, up to three branches deep. */
const processes: fc.Arbitrary<ProcessDocument> = (() => {
  let count = 0
  const id = (): string => `n${(count += 1)}`
  const people = fc.record({
    kind: fc.constantFrom('approve' as const, 'approve' as const, 'handle' as const),
    multiMode: fc.constantFrom('any' as const, 'all' as const, 'sequence' as const, 'vote' as const),
    percent: fc.integer({ min: 1, max: 100 }),
    sameAsPrevious: fc.constantFrom('autoAgree' as const, 'keep' as const),
  })
  const leaf = fc.oneof(
    {
      weight: 6,
      arbitrary: people.map((node): Node => ({ id: id(), label: text, assignees: [{ rule: 'applicant' }], ...node })),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom('cc' as const, 'notify' as const, 'delay' as const, 'service' as const)
        .map((kind): Node => ({ id: id(), kind })),
    },
    { weight: 1, arbitrary: fc.boolean().map((wait): Node => ({ id: id(), kind: 'subProcess', process: 'other', wait })) },
  )
  const sequence = (depth: number): fc.Arbitrary<Node[]> =>
    fc.array(depth === 0 ? leaf : fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 2, arbitrary: fork(depth) }), {
      maxLength: 4,
    })
  const fork = (depth: number): fc.Arbitrary<Node> =>
    fc
      .tuple(
        fc.constantFrom('condition' as const, 'parallel' as const, 'inclusive' as const),
        fc.array(fc.tuple(sequence(depth - 1), fc.integer({ min: 0, max: 9 })), { minLength: 2, maxLength: 3 }),
      )
      .map(([kind, branches]): Node => ({
        id: id(),
        kind,
        branches: branches.map(([nodes, ends]) => ({
          id: id(),
          nodes: ends === 0 ? [...nodes, { id: id(), kind: 'end', result: 'rejected' }] : nodes,
        })),
      }))
  return fc
    .tuple(
      sequence(2),
      fc.constantFrom('none' as const, 'adjacent' as const, 'all' as const),
      fc.constantFrom('never' as const, 'beforeFirst' as const, 'untilEnd' as const),
    )
    .map(
      ([nodes, dedupe, allowWithdraw]): ProcessDocument =>
        ({
          formatVersion: 3,
          name: 'random',
          label: text,
          group: 'ops',
          prefix: 'R',
          form: { fields: { reason: { type: 'string', 'x-label': text } } },
          dedupe,
          allowWithdraw,
          nodes: [{ id: 'start', kind: 'start' }, ...nodes, { id: 'end', kind: 'end' }],
        }) as ProcessDocument,
    )
})()

/** A random but repeatable source of decisions. */
class Dice {
  private at = 0
  constructor(private readonly faces: readonly number[]) {}
  roll(sides: number): number {
    this.at += 1
    return this.faces[this.at % this.faces.length]! % sides
  }
  pick<Item>(items: readonly Item[]): Item {
    return items[this.roll(items.length)]!
  }
  some<Item>(items: readonly Item[]): Item[] {
    return items.filter(() => this.roll(2) === 1)
  }
}

/** Plays an instance: answers what the reducer asks, as the gateway does within one transaction. */
class Play {
  state: FlowState = newFlow()
  ended = 0
  private tasks = 0
  constructor(
    readonly process: ProcessDocument,
    private readonly dice: Dice,
  ) {}

  do(action: FlowAction): void {
    const queue: FlowAction[] = [action]
    for (let next = queue.shift(); next; next = queue.shift()) {
      const before = JSON.stringify(this.state)
      const { state, effects } = reduce(this.process, this.state, next, () => `t${(this.tasks += 1)}`)
      expect(JSON.stringify(this.state)).toBe(before)
      this.state = JSON.parse(JSON.stringify(state)) as FlowState
      queue.push(...effects.flatMap((effect) => this.answer(effect)))
    }
  }

  private answer(effect: FlowEffect): FlowAction[] {
    const { dice } = this
    if (effect.kind === 'ended') {
      this.ended += 1
      return [dice.roll(5) === 0 ? { kind: 'effectFailed' } : { kind: 'effectDone' }]
    }
    if (!('nodeId' in effect)) return []
    const { nodeId } = effect
    if (effect.kind === 'service')
      return [
        dice.pick<FlowAction>([
          { kind: 'serviceDone', nodeId },
          { kind: 'serviceDone', nodeId },
          { kind: 'serviceRefused', nodeId },
          { kind: 'serviceFailed', nodeId, reason: text },
        ]),
      ]
    if (effect.kind !== 'ask') return []
    if (effect.about === 'delay') return [{ kind: 'delay', nodeId, waits: dice.roll(2) === 0 }]
    if (effect.about === 'people') {
      if (dice.roll(12) === 0)
        return [{ kind: 'people', nodeId, people: [], sequence: false, empty: dice.pick(['skip', 'alarm']) }]
      const people = [...dice.some(PEOPLE), dice.pick(PEOPLE)].map((id) => ({ id }))
      return [{ kind: 'people', nodeId, people, sequence: dice.roll(6) === 0 }]
    }
    const find = (nodes: readonly Node[]): Node | undefined =>
      nodes
        .flatMap((node) => [node, ...(node.branches ?? []).map(({ nodes }) => find(nodes))])
        .find((node) => node?.id === nodeId)
    const branches = (find(this.process.nodes)?.branches ?? []).map(({ id }) => id)
    const kind = find(this.process.nodes)?.kind
    return [{ kind: 'branches', nodeId, taken: kind === 'condition' ? [dice.pick(branches)] : dice.some(branches) }]
  }

  /** Anything that anybody may try. */
  any(): FlowAction {
    const { dice, state } = this
    const tasks = openTasks(state)
    const waiting = Object.entries(state.nodes)
      .filter(([, { phase }]) => phase === 'waiting')
      .map(([id]) => id)
    const choices: FlowAction[] = [{ kind: 'retry' }]
    if (state.status === 'returned') choices.push({ kind: 'resubmit' }, { kind: 'resubmit' })
    if (dice.roll(30) === 0) choices.push({ kind: 'withdraw' }, { kind: 'terminate' })
    if (dice.roll(10) === 0) choices.push({ kind: 'jump', nodeId: dice.pick(this.process.nodes).id })
    for (const nodeId of waiting)
      choices.push({ kind: 'delayOver', nodeId }, { kind: 'subEnded', nodeId, result: dice.pick(['agreed', 'agreed', 'other']) })
    for (const [nodeId, { phase }] of Object.entries(state.nodes))
      if (phase === 'alarm') choices.push({ kind: 'assign', nodeId, people: [{ id: dice.pick(PEOPLE) }] })
    for (const { nodeId, task } of tasks) {
      const by = dice.roll(20) === 0 ? dice.pick(PEOPLE) : task.assigneeId
      const taskId = task.id
      const targets = returnTargets(this.process, state, nodeId)
      const to = dice.pick<'start' | 'previous' | { nodeId: string }>([
        'start',
        'previous',
        ...targets.map((target) => ({ nodeId: target })),
      ])
      choices.push(
        { kind: 'agree', taskId, by },
        { kind: 'agree', taskId, by },
        {
          kind: 'agree',
          taskId,
          by,
          add: { where: dice.pick(['before', 'after', 'transmit']), people: [{ id: dice.pick(PEOPLE) }] },
        },
        { kind: 'transmit', taskId, by, to: { id: dice.pick(PEOPLE) } },
        { kind: 'return', taskId, by, to, backToMe: dice.roll(2) === 0 },
        { kind: 'timeout', taskId, outcome: dice.pick(['agree', 'reject']) },
      )
      if (dice.roll(4) === 0) choices.push({ kind: 'reject', taskId, by })
    }
    if (state.undo) choices.push({ kind: 'takeBack', taskId: state.undo.taskId, by: state.undo.personId })
    return dice.pick(choices)
  }
}

const dice = fc.array(fc.nat({ max: 10_000 }), { minLength: 40, maxLength: 120 })

function holds(play: Play): void {
  const { state } = play
  const tasks = openTasks(state)
  // nobody has two open tasks at one node
  const seats = tasks.map(({ nodeId, task }) => `${nodeId}/${task.assigneeId}`)
  expect(new Set(seats).size).toBe(seats.length)
  if (isOver(state)) {
    expect(state.nodes).toEqual({})
    return
  }
  if (state.status === 'returned') {
    expect(state.nodes).toEqual({})
    return
  }
  // whatever runs waits for somebody: a task, a timer, something that runs, an admin
  const leaves = Object.values(state.nodes).filter(({ phase }) => phase !== 'branches')
  expect(leaves.length).toBeGreaterThan(0)
  for (const run of leaves) {
    expect(['tasks', 'waiting', 'alarm']).toContain(run.phase)
    if (run.phase === 'tasks')
      expect((run.seats ?? []).some((seat) => seat.tasks.some(({ status }) => status === 'pending'))).toBe(true)
  }
  // a branch is open as long as something of it is, and no longer
  const inside = (nodes: readonly Node[]): boolean => nodes.some((node) => state.nodes[node.id] !== undefined)
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      const run = state.nodes[node.id]
      for (const branch of node.branches ?? []) {
        expect([node.id, branch.id, inside(branch.nodes)]).toEqual([node.id, branch.id, run?.open?.includes(branch.id) ?? false])
        visit(branch.nodes)
      }
    }
  }
  visit(play.process.nodes)
}

describe('an instance, whatever is done to it', () => {
  it('always waits for somebody or something, asks nobody twice at a step, and takes nothing but a retry once it is over', () => {
    fc.assert(
      fc.property(processes, dice, fc.integer({ min: 1, max: 40 }), (process, faces, steps) => {
        const random = new Dice(faces)
        const play = new Play(process, random)
        play.do({ kind: 'start' })
        holds(play)
        for (let step = 0; step < steps; step += 1) {
          const { status, effect } = play.state
          const over = isOver(play.state)
          const action = play.any()
          const endedBefore = play.ended
          try {
            play.do(action)
          } catch (error) {
            if (!(error instanceof FlowRefusal)) throw error
            continue
          }
          holds(play)
          if (over) {
            expect(action.kind).toBe('retry')
            expect(effect).toBe('failed')
            expect(play.state.status === status || status === 'effectFailed').toBe(true)
          }
          expect(play.ended - endedBefore).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: walksAll ? 3_000 : 500 },
    )
  })

  it('comes to its end when everybody agrees, however often it was returned', () => {
    fc.assert(
      fc.property(processes, dice, fc.nat({ max: 15 }), (process, faces, wild) => {
        const play = new Play(process, new Dice(faces))
        play.do({ kind: 'start' })
        for (let step = 0; step < wild && !isOver(play.state); step += 1)
          try {
            play.do(play.any())
          } catch (error) {
            if (!(error instanceof FlowRefusal)) throw error
          }
        for (let step = 0; step < 2_000 && !isOver(play.state); step += 1) {
          const { state } = play
          const [task] = openTasks(state)
          const stuck = Object.entries(state.nodes).find(([, { phase }]) => phase === 'alarm' || phase === 'waiting')
          if (state.status === 'returned') play.do({ kind: 'resubmit' })
          else if (task) play.do({ kind: 'agree', taskId: task.task.id, by: task.task.assigneeId })
          else if (stuck?.[1].phase === 'waiting') {
            play.do({ kind: 'delayOver', nodeId: stuck[0] })
          } else play.do({ kind: 'retry' })
        }
        // a service that always sends back to the applicant goes on for ever, by itself only
        if (!isOver(play.state)) expect(JSON.stringify(play.process)).toMatch(/"service"|"approve"|"handle"/)
      }),
      { numRuns: walksAll ? 500 : 100 },
    )
  })
})

describe('a vote', () => {
  it('is decided by the voice that decides it, and by no other', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        (voters, percent, voices) => {
          const process = {
            name: 'vote',
            nodes: [
              { id: 'start', kind: 'start' },
              { id: 'v', kind: 'approve', multiMode: 'vote', percent },
              { id: 'end', kind: 'end' },
            ],
          } as unknown as ProcessDocument
          let made = 0
          const step = (state: FlowState, action: FlowAction) => reduce(process, state, action, () => `t${(made += 1)}`)
          let { state } = step(newFlow(), { kind: 'start' })
          ;({ state } = step(state, {
            kind: 'people',
            nodeId: 'v',
            people: PEOPLE.slice(0, voters).map((id) => ({ id })),
            sequence: false,
          }))
          const needed = Math.ceil((percent * voters) / 100)
          let agreed = 0
          let asked = 0
          for (const voice of voices.slice(0, voters)) {
            const [open] = openTasks(state)
            if (!open) break
            asked += 1
            agreed += voice ? 1 : 0
            ;({ state } = step(state, { kind: voice ? 'agree' : 'reject', taskId: open.task.id, by: open.task.assigneeId }))
            if (agreed >= needed) expect(state.status).toBe('agreed')
            else if (voters - (asked - agreed) < needed) expect(state.status).toBe('rejected')
            else expect(state.status).toBe('running')
          }
          expect(isOver(state)).toBe(true)
        },
      ),
    )
  })
})
