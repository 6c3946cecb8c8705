import { findTransition } from '../../../src/schema/entity'
import type { Effect } from '../../../src/schema/generated/entity'
import type { EntityRecord } from '../../entities'
import { newId, type Transaction } from '../../platform/database'
import { ServiceError } from '../../platform/http'
import { adminsOf } from './assign'
import type { Copies } from './copies'
import { heldBack, tolerantly } from './form'
import type { Messages } from './messages'
import type { FlowAction } from './reduce'
import type { Standing } from './standing'
import type { Timeline } from './timeline'

/** Letters of a reason that a decided record takes along. */
const LONGEST_REASON = 200

/** What a process does to records and the world: at steps, when it is returned, at its end. */
export class Effects {
  constructor(
    private readonly standing: Standing,
    private readonly timeline: Timeline,
    private readonly messages: Messages,
    private readonly copies: Copies,
  ) {}

  async service(nodeId: string): Promise<FlowAction> {
    const node = this.standing.nodeOf(nodeId)!
    if (node.phase === 'check') {
      const held = await this.standing.form.records.refused(
        this.standing.call,
        this.standing.values,
        this.standing.named(),
        tolerantly(node.refuse ?? []),
      )
      if (!held) return { kind: 'serviceDone', nodeId }
      this.timeline.note({ action: 'return', nodeId, byId: null, comment: held.message[this.standing.context.locale] })
      this.timeline.acting = { action: 'return', nodeId, byId: null, comment: held.message[this.standing.context.locale] }
      return { kind: 'serviceRefused', nodeId }
    }
    const failed = await this.run(nodeId, nodeId, node.effects)
    return failed === null ? { kind: 'serviceDone', nodeId } : { kind: 'serviceFailed', nodeId, reason: failed }
  }

  /**
   * Does effects behind a savepoint, once for each step of an instance (wf.effectRun). Answers why they failed; then nothing of them is done, and
   * doing them again is safe.
   */
  async run(
    step: string,
    nodeId: string | null,
    effects: readonly Effect[] | undefined,
    more?: (tx: Transaction) => Promise<void>,
  ): Promise<string | null> {
    if ((effects ?? []).length === 0 && !more) return null
    const key = `wf:${this.standing.row.id}:${step}`
    const { rows } = await this.standing.tx.query<{ status: string; tries: number }>(
      'select status, tries from wf_effect_run where idem_key = $1',
      [key],
    )
    if (rows[0]?.status === 'done') return null
    const tries = Number(rows[0]?.tries ?? 0) + 1
    let error: string | null = null
    let result: EntityRecord = {}
    try {
      result = await this.standing.tx.transaction(async (inner) => {
        const call = { tx: inner, context: this.standing.context }
        const named =
          effects && effects.length > 0
            ? await this.standing.form.records.run(
                call,
                { ...this.standing.values, id: this.standing.row.id },
                this.standing.named(),
                tolerantly(effects),
                {
                  id: this.standing.row.id,
                  step,
                },
              )
            : {}
        await more?.(inner)
        return Object.fromEntries(
          Object.entries(named).map(([name, value]) => [
            name,
            typeof value === 'object' && value !== null && 'id' in value ? { id: value.id } : null,
          ]),
        )
      })
    } catch (failure) {
      if (!(failure instanceof ServiceError))
        this.standing.parts.onError(failure, `the effect "${step}" of an application failed`)
      error =
        failure instanceof ServiceError ? failure.messageIn('zh') : failure instanceof Error ? failure.message : String(failure)
    }
    const at = this.standing.context.now.toISOString()
    const status = error === null ? 'done' : 'failed'
    await this.standing.tx.query(
      `insert into wf_effect_run (id, instance_id, step, idem_key, status, tries, error, result, at, created_at, updated_at, version)
       values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $9, $9, 1)
       on conflict (idem_key) where deleted_at is null do update set status = excluded.status, tries = excluded.tries, error = excluded.error, result = excluded.result, at = excluded.at, updated_at = excluded.at, version = wf_effect_run.version + 1`,
      [
        newId(),
        this.standing.row.id,
        step.slice(0, 80),
        key,
        status,
        tries,
        error?.slice(0, 2_000) ?? null,
        JSON.stringify(result),
        at,
      ],
    )
    this.timeline.note({ action: 'effect', variant: status, nodeId: nodeId ?? undefined, byId: null, comment: error })
    return error
  }

  async alarm(nodeId: string, reason: string): Promise<void> {
    this.timeline.note({ action: 'effect', variant: 'stuck', nodeId, byId: null, comment: reason })
    this.standing.row.effectError = reason.slice(0, 2_000)
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
        await this.failed(held.message.zh)
        return [{ kind: 'effectFailed' }]
      }
    }
    const { decides } = document
    const recordId = decides && this.standing.values[decides.field]
    const step =
      decides && typeof recordId === 'string' ? { entity: decides.entity, id: recordId, transition: decides[result] } : null
    const error = await this.run(
      result,
      null,
      document.effects?.[result],
      step
        ? async (inner) =>
            void (await this.standing.parts.engine
              .entities(inner, this.standing.system())
              .transition(step.entity, step.id, step.transition, this.reasonOf(step)))
        : undefined,
    )
    if (error === null) this.standing.row.effectError = null
    else await this.failed(error)
    if (this.standing.before.status === 'running' || this.standing.before.status === 'returned') {
      const event = result === 'agreed' ? 'wfAgreed' : 'wfRejected'
      this.messages.toApplicant(event, 'end')
      if (result === 'agreed') {
        await this.copies.give(null, undefined, this.standing.ccIds())
      }
    }
    return [error === null ? { kind: 'effectDone' } : { kind: 'effectFailed' }]
  }

  /** A decision says why in the words of whoever decided last, where its transition has a field for that. */
  private reasonOf({ entity, transition }: { entity: string; transition: string }): EntityRecord {
    const found = findTransition(this.standing.parts.engine.model(entity), transition)?.transition
    const { reason } = found ?? {}
    if (reason === undefined || found?.fields?.includes(reason) !== true) return {}
    const said = this.timeline.acting?.comment?.trim()
    return { [reason]: (said ? said : (this.standing.row.code ?? this.standing.row.id)).slice(0, LONGEST_REASON) }
  }

  private async failed(error: string): Promise<void> {
    this.standing.row.effectError = error.slice(0, 2_000)
    const admins = await adminsOf(this.standing.call, this.standing.process)
    const run = this.standing.context.now.getTime()
    this.messages.tell('wfEffectFail', [...admins, this.standing.row.applicantId], { error }, `${run}`)
  }

  /** What the process does when an instance is begun or taken back; a failure undoes the action. */
  async event(event: 'started' | 'withdrawn'): Promise<void> {
    const { document } = this.standing.process
    const effects = document.effects?.[event]
    if (effects && effects.length > 0) {
      await this.standing.form.records.run(
        this.standing.call,
        { ...this.standing.values, id: this.standing.row.id },
        this.standing.named(),
        tolerantly(effects),
        {
          id: this.standing.row.id,
          step: event,
        },
      )
    }
    const { decides } = document
    const recordId = decides && this.standing.values[decides.field]
    if (event === 'withdrawn' && decides?.withdrawn !== undefined && typeof recordId === 'string')
      await this.standing.parts.engine
        .entities(this.standing.tx, this.standing.system())
        .transition(decides.entity, recordId, decides.withdrawn)
  }
}
