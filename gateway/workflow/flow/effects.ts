import type { Effect } from '../../../src/schema/generated/entity'
import type { EntityRecord } from '../../entities'
import type { Transaction } from '../../platform/database'
import { ServiceError, type Text } from '../../platform/http'
import { adminsOf } from './assign'
import { askAgain, deliveriesOf, effectRun, keepRun } from './effectRuns'
import { isOver } from './state'
import type { Copies } from './copies'
import { decidedBy } from './decided'
import { heldBack, tolerantly } from './form'
import { lastDecision, stateAfterFailure } from './mending'
import type { Messages } from './messages'
import type { FlowAction } from './reduce'
import { asAnswered, refusedAtEnd } from './rehearsal'
import type { Standing } from './standing'
import type { Timeline } from './timeline'

/** Letters of what went wrong. */
const LONGEST_ERROR = 2_000

/** What somebody else says: there is one wording of it. */
const alike = (said: unknown): Text => {
  const text = said instanceof Error ? said.message : String(said)
  return { zh: text, en: text }
}

const OFTEN = (times: number): Text => ({
  zh: `已退回 ${times} 次，本节点不能再退回`,
  en: `Returned ${times} times: this step cannot return it again`,
})

/** How effects ended; running while the outside has not answered. */
type Outcome = 'done' | 'running' | { failed: Text; refusal?: ServiceError }

/** What a process does to records and the world: at steps, when it is returned, at its end. */
export class Effects {
  constructor(
    private readonly standing: Standing,
    private readonly timeline: Timeline,
    private readonly messages: Messages,
    private readonly copies: Copies,
  ) {}

  /** What a step does by itself. Answers what the reducer learns now: nothing while the outside has not answered. */
  async service(nodeId: string): Promise<FlowAction[]> {
    const { form, call, values, flow } = this.standing
    const node = this.standing.nodeOf(nodeId)!
    if (node.phase === 'check') {
      const held = await form.records.refused(call, values, this.standing.named(), tolerantly(node.refuse ?? []))
      if (!held) return [{ kind: 'serviceDone', nodeId }]
      const logged = { action: 'return', nodeId, byId: null, said: held.message }
      this.timeline.note(logged)
      this.timeline.acting = logged
      return [{ kind: 'serviceRefused', nodeId }]
    }
    const step = node.again ? `${nodeId}.${flow.round}` : nodeId
    const outcome = await this.run(step, nodeId, node.effects)
    if (outcome === 'running') return []
    if (outcome === 'done') return [{ kind: 'serviceDone', nodeId }]
    return [{ kind: 'serviceFailed', nodeId, reason: outcome.failed }]
  }

  /**
   * Does effects behind a savepoint, once for each step of an instance (wf.effectRun): what is done is not done again, what failed is, and of
   * what the outside was asked for only what failed is asked again. After a failure nothing of them is done.
   */
  async run(
    step: string,
    nodeId: string | null,
    effects: readonly Effect[] | undefined,
    more?: (tx: Transaction) => Promise<void>,
  ): Promise<Outcome> {
    if ((effects ?? []).length === 0 && !more) return 'done'
    const { tx, row, form, values, context, parts } = this.standing
    const told = (variant: string, said?: Text): void =>
      this.timeline.note({ action: 'effect', variant, nodeId: nodeId ?? undefined, byId: null, said })
    const before = await effectRun(tx, row.id, step)
    if (before?.status === 'done') {
      told('skipped')
      return 'done'
    }
    if (before?.status === 'running') return 'running'
    if (before && (await askAgain(this.standing, step))) {
      await keepRun(this.standing, step, { status: 'running', tries: before.tries + 1 })
      told('running')
      return 'running'
    }
    let result: EntityRecord = {}
    let outcome: Outcome
    try {
      result = await tx.transaction(async (inner) => {
        const call = { tx: inner, context }
        const named =
          effects && effects.length > 0
            ? await form.records.run(call, { ...values, id: row.id }, this.standing.named(), tolerantly(effects), {
                id: row.id,
                step,
              })
            : {}
        await more?.(inner)
        return Object.fromEntries(
          Object.entries(named).map(([name, value]) => [
            name,
            typeof value === 'object' && value !== null && 'id' in value ? { id: value.id } : null,
          ]),
        )
      })
      outcome = (await deliveriesOf(tx, row.id, step)).open > 0 ? 'running' : 'done'
    } catch (failure) {
      if (!(failure instanceof ServiceError)) parts.onError(failure, `the effect "${step}" of an application failed`)
      outcome = failure instanceof ServiceError ? { failed: failure.text, refusal: failure } : { failed: alike(failure) }
    }
    const [status, error] = typeof outcome === 'string' ? [outcome, undefined] : (['failed', outcome.failed] as const)
    await keepRun(this.standing, step, { status, tries: (before?.tries ?? 0) + 1, error, result })
    told(status, error)
    return outcome
  }

  /**
   * The outside has answered for a step, is asked once more, or was given up. Answers what the reducer learns of it.
   * @param step as it was given to `run`
   */
  async settle(step: string): Promise<FlowAction[]> {
    const { tx, row, flow } = this.standing
    const before = await effectRun(tx, row.id, step)
    if (!before) return []
    const { open, failed, error } = await deliveriesOf(tx, row.id, step)
    const said = alike(error ?? '')
    const status = failed > 0 ? 'failed' : open > 0 ? 'running' : 'done'
    if (status === before.status) return []
    await keepRun(this.standing, step, { status, tries: before.tries, ...(status === 'failed' ? { error: said } : {}) })
    const nodeId = step.replace(/\.\d+$/, '')
    const node = this.standing.nodeOf(nodeId)
    const variant = status === 'done' ? 'delivered' : status
    this.timeline.note({
      action: 'effect',
      variant,
      nodeId: node && nodeId,
      byId: null,
      ...(status === 'failed' ? { said } : {}),
    })
    if (node?.kind === 'service' && flow.nodes[nodeId]) {
      if (status === 'failed') return [{ kind: 'serviceFailed', nodeId, reason: said }]
      return [status === 'done' ? { kind: 'serviceDone', nodeId } : { kind: 'serviceRunning', nodeId }]
    }
    if (status === 'failed') await this.failed(said)
    if (!isOver(flow) || !['agreed', 'rejected'].includes(step)) return []
    if (status !== 'failed') this.errorIs(null)
    return [{ kind: status === 'failed' ? 'effectFailed' : status === 'done' ? 'effectDone' : 'effectRunning' }]
  }

  async alarm(nodeId: string, reason: Text): Promise<void> {
    this.timeline.note({ action: 'effect', variant: 'stuck', nodeId, byId: null, said: reason })
    this.errorIs(reason)
    const admins = await adminsOf(this.standing.call, this.standing.process)
    this.messages.tell(
      'wfStuck',
      admins,
      { error: reason, node: this.standing.labelOf(nodeId) },
      `${nodeId}/${this.standing.kept.flow.round}`,
      {
        todo: this.standing.nodeOf(nodeId)?.onError !== 'pause',
      },
    )
  }

  /** A step has returned it as often as it may: whoever looks after the process hears of it. */
  async returnedOften(nodeId: string, times: number): Promise<void> {
    const admins = await adminsOf(this.standing.call, this.standing.process)
    this.timeline.note({ action: 'alarm', variant: 'returnedOften', nodeId, byId: null, toIds: admins, said: OFTEN(times) })
    this.messages.tell(
      'wfReturnedOften',
      admins,
      { times, node: this.standing.labelOf(nodeId) },
      `${nodeId}/${this.standing.flow.round}`,
    )
  }

  async returned(): Promise<void> {
    this.messages.toApplicant('wfReturned', `${this.standing.kept.flow.round}`)
    await this.run(`returned.${this.standing.kept.flow.round}`, null, this.standing.process.document.effects?.returned)
  }

  async ended(result: 'agreed' | 'rejected'): Promise<FlowAction[]> {
    const { document } = this.standing.process
    if (result === 'agreed' && this.standing.before.effect !== 'failed') {
      const held = await this.standing.form.records.refused(
        this.standing.call,
        this.standing.values,
        this.standing.named(),
        tolerantly(document.checks ?? []),
      )
      if (held && this.timeline.acting?.byId) throw heldBack(held)
      if (held) {
        await this.failed(held.message)
        return [{ kind: 'effectFailed' }]
      }
    }
    const { acting } = this.timeline
    const outcome = await this.run(result, null, document.effects?.[result], decidedBy(this.standing, result, acting?.comment))
    if (
      typeof outcome !== 'string' &&
      outcome.refusal &&
      result === 'agreed' &&
      acting?.byId &&
      (this.standing.before.effect !== 'failed' || this.standing.formChanged)
    )
      throw asAnswered(this.standing, outcome.refusal)
    if (typeof outcome === 'string') this.errorIs(null)
    else await this.failed(outcome.failed)
    if (this.standing.before.status === 'running' || this.standing.before.status === 'returned') {
      const event = result === 'agreed' ? 'wfAgreed' : 'wfRejected'
      this.messages.toApplicant(event, 'end')
      if (result === 'agreed') {
        await this.copies.give(null, undefined, this.standing.ccIds())
      }
    }
    if (outcome === 'running') return [{ kind: 'effectRunning' }]
    return [{ kind: outcome === 'done' ? 'effectDone' : 'effectFailed' }]
  }

  private errorIs(error: Text | null): void {
    this.standing.row.effectError = error?.zh.slice(0, LONGEST_ERROR) ?? null
    this.standing.row.effectErrorEn = error?.en.slice(0, LONGEST_ERROR) ?? null
  }

  private async failed(error: Text): Promise<void> {
    this.errorIs(error)
    const state = await stateAfterFailure(this.standing)
    const admins = await adminsOf(this.standing.call, this.standing.process)
    const last = await lastDecision(this.standing)
    const people = [...admins, this.standing.row.applicantId, ...(last ? [last.staffId] : [])]
    const said = { zh: `${state.zh}${error.zh}`, en: `${state.en} ${error.en}` }
    this.messages.tell('wfEffectFail', people, { error: said }, `${this.standing.context.now.getTime()}`)
  }

  /** What a step does when it returns an application; a failure undoes the return. */
  gaveBack(nodeId: string): Promise<void> {
    return this.atOnce(this.standing.nodeOf(nodeId)?.onReturn, `${nodeId}.back.${this.standing.flow.round}`)
  }

  private async atOnce(effects: readonly Effect[] | undefined, step: string): Promise<void> {
    const { form, call, values, row } = this.standing
    if (!effects || effects.length === 0) return
    const cause = { id: row.id, step }
    await form.records.run(call, { ...values, id: row.id }, this.standing.named(), tolerantly(effects), cause)
  }

  /** Who leads it on is told now what its end would refuse. @throws ServiceError naming the field of the form */
  async requireEnd(): Promise<void> {
    if (this.standing.flow.status !== 'running') return
    const refused = await refusedAtEnd(this.standing)
    if (refused) throw refused
  }

  /** What the process does when an instance is begun or taken back; a failure undoes the action. */
  async event(event: 'started' | 'withdrawn'): Promise<void> {
    const { document } = this.standing.process
    const effects = document.effects?.[event]
    await this.atOnce(effects, event)
    const { decides } = document
    const recordId = decides && this.standing.values[decides.field]
    if (event === 'withdrawn' && decides?.withdrawn !== undefined && typeof recordId === 'string')
      await this.standing.parts.engine
        .entities(this.standing.tx, this.standing.system())
        .transition(decides.entity, recordId, decides.withdrawn)
  }
}
