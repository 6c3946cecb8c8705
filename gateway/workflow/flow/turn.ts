import { ExpressionError } from '../../../src/schema/expression'
import type { Assignee, Node } from '../../../src/schema/generated/process'
import { refusal } from '../../entities'
import { newId, type Transaction } from '../../platform/database'
import { ServiceError, type RequestContext, type Text } from '../../platform/http'
import { processOf } from '../definitions'
import { adminsOf, assigneesOf, pickMissing, picksAt, presentPeople } from './assign'
import { branchesOf } from './branches'
import { Copies } from './copies'
import { Effects } from './effects'
import { readInstance, saveInstance, type FlowParts, type InstanceRow } from './instance'
import { Messages } from './messages'
import { leadersOf, namesOf, staffById } from './people'
import { FlowRefusal, reduce, returnsOf, type FlowAction, type FlowEffect } from './reduce'
import { Standing } from './standing'
import { askedAt, isOver } from './state'
import { beginSub, subResult, type SubStarter } from './sub'
import { Tasks } from './tasks'
import { stale, Timeline, type Logged } from './timeline'
import { Waits } from './waits'

/** Actions of people after which it goes on towards its end. */
const LEADS_ON: ReadonlySet<FlowAction['kind']> = new Set(['start', 'resubmit', 'agree'])

/**
 * One action on an instance, in one transaction: the row is held, the reducer says what follows, each part does its share of it
 * (tasks, copies, effects, messages, timeline, waits), and all is written at once.
 */
export class Turn extends Standing {
  private readonly timeline = new Timeline(this)
  private readonly messages = new Messages(this, this.timeline)
  private readonly waits = new Waits(this)
  private readonly tasks = new Tasks(this, this.timeline, this.messages, this.waits)
  private readonly copies = new Copies(this, this.messages)
  private readonly effects = new Effects(this, this.timeline, this.messages, this.copies)

  /** Starts another process; set by whoever makes turns. */
  starter: SubStarter = () => Promise.reject(new Error('No process can be started here.'))

  /** @throws ServiceError 10010004 when there is no such instance */
  static async open(parts: FlowParts, tx: Transaction, context: RequestContext, instanceId: string, lock = true): Promise<Turn> {
    const row = await readInstance(tx, instanceId, lock)
    if (!row) throw new ServiceError('notFound')
    return Turn.of(parts, tx, context, row)
  }

  static async of(parts: FlowParts, tx: Transaction, context: RequestContext, row: InstanceRow): Promise<Turn> {
    const turn = new Turn(parts, tx, context, row, await processOf(tx, row.versionId))
    await turn.prepare()
    return turn
  }

  /** @throws ServiceError for what the state does not allow */
  async take(action: FlowAction, logged: Logged | null): Promise<void> {
    this.timeline.acting = logged
    if (logged) this.note(logged)
    await this.goOn([action])
    if (logged?.byId && LEADS_ON.has(action.kind)) await this.effects.requireEnd()
  }

  /** The outside has answered for effects of a step. */
  async settle(step: string): Promise<void> {
    await this.goOn(await this.effects.settle(step))
  }

  private async goOn(queue: FlowAction[]): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      let step
      try {
        step = reduce(this.process.document, this.kept.flow, next, newId)
      } catch (error) {
        if (error instanceof FlowRefusal) throw await this.refusalOf(error)
        throw error
      }
      this.kept.flow = step.state
      for (const effect of step.effects) queue.push(...(await this.follow(effect)))
    }
  }

  /** Adds a line to the timeline. */
  note(logged: Logged): void {
    this.timeline.note(logged)
  }

  /** A message of this instance to some people; a to-do too where it says so. */
  tell(...message: Parameters<Messages['tell']>): void {
    this.messages.tell(...message)
  }

  /** Gives copies to people; who has one already gets no second. */
  copyTo(nodeId: string | null, rules: readonly Assignee[] | undefined, ids: readonly string[] = []): Promise<void> {
    return this.copies.give(nodeId, rules, ids)
  }

  /** What the process does when an instance is begun or taken back; a failure undoes the action. */
  doEvent(event: 'started' | 'withdrawn'): Promise<void> {
    return this.effects.event(event)
  }

  /** The answer to whoever comes second: who did what, and when. */
  stale(): Promise<ServiceError> {
    return stale(this)
  }

  private async refusalOf({ reason, subject }: FlowRefusal): Promise<ServiceError> {
    if (reason === 'notYours') return new ServiceError('notFound')
    if (reason === 'notOpen' || reason === 'over') return this.stale()
    const person = subject === undefined ? undefined : (await staffById(this.tx, [subject])).get(subject)
    const name = person ? namesOf(person) : { zh: subject ?? '', en: subject ?? '' }
    const said: Record<Exclude<typeof reason, 'notYours' | 'notOpen' | 'over'>, Text> = {
      notPossible: { zh: '当前节点不允许此操作。', en: 'This step does not allow that.' },
      involved: {
        zh: `${name.zh} 已在本节点处理人之中，请另选。`,
        en: `${name.en} is asked at this step already. Choose somebody else.`,
      },
      unknownNode: { zh: `流程没有节点“${subject ?? ''}”。`, en: `The process has no step "${subject ?? ''}".` },
      tooLate: { zh: '已有后续处理，不能撤回。', en: 'Somebody has gone on with it; it cannot be taken back any more.' },
      returnedOften: this.returnedOften(subject ?? ''),
    }
    return new ServiceError('transitionRefused', { message: said[reason], data: { reason } })
  }

  private returnedOften(nodeId: string): Text {
    const label = this.labelOf(nodeId)
    const { times } = returnsOf(this.process.document, this.flow, nodeId)
    return {
      zh: `节点“${label.zh}”已退回 ${times} 次，不能再退回。请同意或拒绝，或请流程管理员（已收到提醒）跳转、改派或终止。`,
      en: `The step "${label.en}" has returned it ${times} times and cannot return it again. Agree or reject, or ask an administrator of the process, who has been told, to move, reassign or terminate it.`,
    }
  }

  private async follow(effect: FlowEffect): Promise<FlowAction[]> {
    switch (effect.kind) {
      case 'ask':
        return [await this.ask(effect.about, effect.nodeId)]
      case 'task':
        await this.tasks.open(effect.nodeId, effect.task)
        return []
      case 'taskEnded':
        this.tasks.end(effect.nodeId, effect.taskId, effect.status)
        return []
      case 'reopened':
        this.tasks.reopen(effect.taskId)
        return []
      case 'skipped':
        this.note({
          action: 'autoAgree',
          variant: 'skip',
          nodeId: effect.nodeId,
          byId: null,
          said: this.kept.trail[effect.nodeId]?.why,
        })
        return []
      case 'passed':
        await this.copies.give(effect.nodeId, this.nodeOf(effect.nodeId)?.cc)
        return []
      case 'cc':
        await this.copies.give(effect.nodeId, this.nodeOf(effect.nodeId)?.assignees)
        return []
      case 'notify':
        await this.effects.run(`${effect.nodeId}.${this.kept.flow.round}`, effect.nodeId, this.nodeOf(effect.nodeId)?.effects)
        return []
      case 'service':
        return this.effects.service(effect.nodeId)
      case 'subProcess':
        return beginSub(this, this.starter, effect.nodeId)
      case 'alarm':
        await this.effects.alarm(effect.nodeId, effect.reason)
        return []
      case 'returnedOften':
        await this.effects.returnedOften(effect.nodeId, effect.times)
        return []
      case 'gaveBack':
        await this.effects.gaveBack(effect.nodeId)
        return []
      case 'returned':
        await this.effects.returned()
        return []
      case 'ended':
        return this.effects.ended(effect.result)
    }
  }

  /** What the reducer needs of the world: people, conditions, moments. A formula that cannot be worked out stops the step. */
  private async ask(about: Extract<FlowEffect, { kind: 'ask' }>['about'], nodeId: string): Promise<FlowAction> {
    const node = this.nodeOf(nodeId)!
    try {
      switch (about) {
        case 'people': {
          const { people, sequence, empty, why } = await assigneesOf(this.call, node, this.about())
          if (empty === 'alarm') this.requirePick(node)
          this.kept.trail[nodeId] = { ...this.kept.trail[nodeId], why }
          if (empty === 'alarm' && people.length > 0)
            this.note({ action: 'alarm', variant: 'nobody', nodeId, byId: null, said: why, toIds: people.map(({ id }) => id) })
          return { kind: 'people', nodeId, people, sequence, ...(empty ? { empty } : {}), reason: why }
        }
        case 'branches': {
          const found = await branchesOf(this, node)
          this.kept.trail[nodeId] = found
          return { kind: 'branches', nodeId, taken: found.taken }
        }
        case 'delay':
          return { kind: 'delay', nodeId, waits: await this.waits.forDelay(node) }
      }
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      return { kind: 'stuck', nodeId, reason: error.problem.message }
    }
  }

  /**
   * Whoever should pick the people of a step is asked while he acts; a step that says what happens when nobody is found goes by that.
   * @throws ServiceError for a person whose action leads to a step that he has to pick people for
   */
  private requirePick(node: Node): void {
    const { acting } = this.timeline
    if (!acting?.byId || acting.admin || node.emptyRule !== undefined) return
    const starts = acting.action === 'start' || acting.action === 'resubmit'
    const decides = acting.action === 'agree' || acting.action === 'done'
    const picks = picksAt(node, 'pickByPrevious') ?? (starts ? picksAt(node, 'pickByStarter') : null)
    if (picks === null || !(starts || decides)) return
    throw refusal('validationFailed', this.context.locale, [pickMissing(node.id, this.labelOf(node.id))])
  }

  /** Writes everything that came of the turn. Answers the instance as it stands then. */
  async finish(): Promise<InstanceRow> {
    const { row, tx, kept, context, flow } = this
    const over = isOver(flow) && !isOver(this.before)
    Object.assign(row, { status: flow.status, round: flow.round, effectStatus: flow.effect, ccIds: this.ccIds() })
    if (over) row.endedAt = context.now.toISOString()
    if (this.formChanged) kept.formVersion = row.version + 1
    const { acting } = this.timeline
    if (acting?.nodeId !== undefined) kept.decidedVersion = { ...kept.decidedVersion, [acting.nodeId]: row.version + 1 }
    await this.tasks.write()
    await this.timeline.write()
    await this.copies.write()
    await saveInstance(tx, row, kept, context)
    await this.waits.write()
    await this.messages.send()
    if (over && row.parentId && row.parentNodeId) await this.goOnAbove(row.parentId, row.parentNodeId)
    return row
  }

  private async goOnAbove(parentId: string, nodeId: string): Promise<void> {
    const parent = await Turn.open(this.parts, this.tx, this.context, parentId)
    if (parent.flow.nodes[nodeId]?.phase !== 'waiting') return
    parent.starter = this.starter
    await parent.take({ kind: 'subEnded', nodeId, result: subResult(this.row.status) ?? 'other' }, null)
    await parent.finish()
  }

  /** Somebody's task goes to whoever is there for him. */
  async presentFor(ids: readonly string[]): Promise<string[]> {
    return (await presentPeople(this.call, ids, this.about())).map(({ id }) => id)
  }

  /** Whoever leads somebody, or an administrator of the process; never the applicant, nor whom a step (`nodeId`) asks already. */
  async leaderFor(staffId: string, nodeId?: string): Promise<string | undefined> {
    const run = nodeId === undefined ? undefined : this.flow.nodes[nodeId]
    const not = new Set([this.row.applicantId, staffId, ...(run ? askedAt(run) : [])])
    const free = (ids: readonly string[]): string | undefined => ids.find((id) => !not.has(id))
    return free(await leadersOf(this.tx, staffId)) ?? free(await adminsOf(this.call, this.process))
  }
}
