import { findTransition } from '../../../src/schema/entity'
import { ExpressionError } from '../../../src/schema/expression'
import type { Effect } from '../../../src/schema/generated/entity'
import type { Assignee, Node } from '../../../src/schema/generated/process'
import type { DetachedCall, Entities, EntityRecord } from '../../entities'
import { followRecord } from '../../platform/files'
import { newId, type Transaction } from '../../platform/database'
import { startOfDay } from '../../platform/calendar'
import { ServiceError, systemContext, type RequestContext, type Text } from '../../platform/http'
import type { Message } from '../../platform/queue'
import { closeTodos, notify, send, type Notice } from '../../todos'
import { processOf, type StoredProcess } from '../definitions'
import { isNoticeEvent, type NoticeEvent, type NoticeFacts, type Notices } from '../notices'
import type { WorkflowParts } from '../parts'
import { adminsOf, assigneesOf, presentPeople, receiversOf, type AssignContext } from './assign'
import { exactCny, filesIn, processForm, tolerantly, type FieldDiff, type ProcessForm } from './form'
import { limitOf } from './hours'
import { leadersOf, staffById, type StaffFacts } from './people'
import { FlowRefusal, newFlow, reduce, type FlowAction, type FlowEffect } from './reduce'
import { isOver, type FlowState, type FlowTask } from './state'
import { placesOf } from './tree'
import { WORDS, type FlowEvent } from './words'

/** What the engine works with. */
export type FlowParts = Pick<WorkflowParts, 'engine' | 'database' | 'schemas' | 'queue' | 'timeZone' | 'now' | 'onError'> & {
  /** Tells chat groups. */
  notices?: Notices
}

/** Letters of a reason that a decided record takes along. */
const LONGEST_REASON = 200

/** Where timers of instances wait. */
export const TIMER_LINE = 'wf.timer'

/** What a timer does. */
export type Timer =
  | { kind: 'remind'; taskId: string; percent: number }
  | { kind: 'limit'; taskId: string }
  | { kind: 'leader'; taskId: string }
  | { kind: 'delay'; instanceId: string; nodeId: string }

/** What is kept of an instance besides its rows. */
export interface Kept {
  flow: FlowState
  /** People who were picked, by node. */
  picked: Record<string, string[]>
  /** Which branches were taken, and why; until when a delay waits; why people were asked. */
  trail: Record<string, { taken?: string[]; why?: Text; until?: string | null }>
  /** The version of the row at which the form was changed last. */
  formVersion: number
  /** Draft: what was given beside the form. */
  ccIds?: string[]
}

export interface InstanceRow {
  id: string
  version: number
  code: string | null
  titleZh: string | null
  titleEn: string | null
  processId: string
  versionId: string
  parentId: string | null
  parentNodeId: string | null
  bizType: string | null
  bizId: string | null
  bizCode: string | null
  applicantId: string
  deptId: string | null
  formData: EntityRecord | null
  summary: unknown
  currency: string | null
  amount: string | null
  amountCny: string | null
  urgency: string | null
  status: string
  state: Kept | null
  round: number
  startedAt: string | null
  endedAt: string | null
  effectStatus: string | null
  effectError: string | null
  ccIds: string[] | null
}

const COLUMNS = `id, version, code, title_zh as "titleZh", title_en as "titleEn", process_id as "processId", version_id as "versionId", parent_id as "parentId",
  parent_node_id as "parentNodeId", biz_type as "bizType", biz_id as "bizId", biz_code as "bizCode", applicant_id as "applicantId", dept_id as "deptId", form_data as "formData", summary, currency,
  amount::text as amount, amount_cny::text as "amountCny", urgency, status, state, round, started_at as "startedAt", ended_at as "endedAt",
  effect_status as "effectStatus", effect_error as "effectError", cc_ids as "ccIds"`

/** An instance as it is stored; with `lock` held until the transaction ends. */
export async function readInstance(
  tx: Transaction | FlowParts['database'],
  id: string,
  lock = false,
): Promise<InstanceRow | null> {
  const { rows } = await tx.query<InstanceRow>(
    `select ${COLUMNS} from wf_instance where id = $1 and deleted_at is null${lock ? ' for update' : ''}`,
    [id],
  )
  return rows[0] ?? null
}

/** How something stands in the timeline. */
export interface Logged {
  action: string
  variant?: string | undefined
  taskId?: string | undefined
  nodeId?: string | undefined
  byId: string | null
  forId?: string | null | undefined
  comment?: string | null | undefined
  files?: readonly EntityRecord[] | undefined
  diff?: readonly FieldDiff[] | undefined
  toIds?: readonly string[] | undefined
  admin?: boolean | undefined
}

interface TaskEnd {
  status: string
  logged: Logged | null
}

/** Everything that one action does to an instance, in one transaction: the row is held, what follows is worked out, then it is written at once. */
export class Turn {
  readonly call: DetachedCall
  readonly form: ProcessForm
  readonly kept: Kept
  values: EntityRecord
  private readonly entities: Entities
  private readonly before: Kept['flow']
  private readonly fresh = new Map<string, EntityRecord>()
  private readonly ended = new Map<string, TaskEnd>()
  private readonly reopened = new Set<string>()
  private readonly logs: EntityRecord[] = []
  private readonly copies = new Map<string, EntityRecord>()
  private readonly told: Notice[] = []
  private readonly chats: { event: NoticeEvent; facts: NoticeFacts }[] = []
  private readonly timers: Message[] = []
  private applicantFacts: StaffFacts | undefined
  /** The person's own action of this turn, in the log. */
  private acting: Logged | null = null
  private formChanged = false

  private constructor(
    readonly parts: FlowParts,
    readonly tx: Transaction,
    readonly context: RequestContext,
    readonly row: InstanceRow,
    readonly process: StoredProcess,
  ) {
    this.call = { tx, context }
    this.form = processForm(parts.engine, process.document)
    this.entities = parts.engine.entities(tx, context)
    this.kept = row.state?.flow ? row.state : { ...row.state, flow: newFlow(), picked: {}, trail: {}, formVersion: row.version }
    this.before = structuredClone(this.kept.flow)
    this.values = row.formData ?? {}
  }

  /** @throws ServiceError 10010004 when there is no such instance */
  static async open(parts: FlowParts, tx: Transaction, context: RequestContext, instanceId: string, lock = true): Promise<Turn> {
    const row = await readInstance(tx, instanceId, lock)
    if (!row) throw new ServiceError('notFound')
    return Turn.of(parts, tx, context, row)
  }

  static async of(parts: FlowParts, tx: Transaction, context: RequestContext, row: InstanceRow): Promise<Turn> {
    const turn = new Turn(parts, tx, context, row, await processOf(tx, row.versionId))
    turn.applicantFacts = (await staffById(tx, [row.applicantId])).get(row.applicantId)
    return turn
  }

  get flow(): FlowState {
    return this.kept.flow
  }

  get applicant(): StaffFacts | undefined {
    return this.applicantFacts
  }

  nodeOf(id: string): Node | undefined {
    return placesOf(this.process.document).get(id)?.node
  }

  labelOf(id: string): Text {
    const node = this.nodeOf(id)
    return node?.label ?? { zh: id, en: id }
  }

  /** The names that expressions of the process read besides fields and look-ups. */
  named(): EntityRecord {
    const { row } = this
    const amountCny = exactCny(row.amountCny)
    const urgency = (this.values.urgency as string | null) ?? 'normal'
    const departmentName = this.departmentName
    return {
      instance: {
        id: row.id,
        code: row.code,
        round: this.kept.flow.round,
        startedAt: row.startedAt,
        applicantId: row.applicantId,
        urgency,
        amountCny,
      },
      applicant: { id: row.applicantId, name: this.applicantFacts?.name ?? '', deptId: row.deptId, departmentName },
      amountCny,
    }
  }

  private departmentName: string | null = null

  /** Reads what the names need; before anything is evaluated. */
  async prepare(): Promise<this> {
    if (this.row.deptId) {
      const { rows } = await this.tx.query<{ name: string }>('select name from sys_department where id = $1', [this.row.deptId])
      this.departmentName = rows[0]?.name ?? null
    }
    return this
  }

  about(): AssignContext {
    return {
      process: this.process,
      form: this.form,
      values: this.values,
      named: this.named(),
      applicantId: this.row.applicantId,
      state: this.kept.flow,
      picked: this.kept.picked,
    }
  }

  /** Lays changed values over the form; what the instance is called and amounts to follows. */
  async fill(values: EntityRecord): Promise<void> {
    const before = filesIn(this.row.formData)
    this.values = values
    const { row, form, call } = this
    const worth = await form.worth(call, values, this.named())
    Object.assign(row, worth)
    row.urgency = (values.urgency as string | null) ?? 'normal'
    const applicant = this.applicantFacts?.name ?? ''
    const { document } = this.process
    const title = document.title
      ? await form.records.text(call, values, this.named(), tolerantly(document.title))
      : { zh: `${applicant} · ${document.label.zh}`, en: `${applicant} · ${document.label.en}` }
    row.titleZh = title.zh.slice(0, 300)
    row.titleEn = title.en.slice(0, 300)
    row.formData = values
    row.summary = await this.summaryOf()
    const object = document.object && form.records.model.fields.get(document.object.field)
    if (object && row.bizId === null && typeof values[object.name] === 'string') {
      row.bizId = String(values[object.name])
      row.bizType = String(object.field['x-ref'] ?? '') || null
    }
    await followRecord(this.tx, this.context, {
      entity: 'wf.instance',
      recordId: row.id,
      before,
      after: [...new Set([...filesIn(values), ...before])],
    })
    this.formChanged = true
  }

  /** What lists show: labels and values in words, of the fields that the process names. */
  private async summaryOf(): Promise<{ field: string; label: Text; value: unknown; text?: string }[]> {
    const { document } = this.process
    const names = document.summary ?? []
    const wanted: Record<string, string[]> = {}
    for (const name of names) {
      const entity = this.form.records.model.fields.get(name)?.field['x-ref']
      const id = this.values[name]
      if (entity && typeof id === 'string') wanted[entity] = [...(wanted[entity] ?? []), id]
    }
    const titles: Readonly<Record<string, Readonly<Record<string, { title: string }>>>> =
      Object.keys(wanted).length === 0 ? {} : await this.parts.engine.titles(systemContext({ now: this.context.now }), wanted)
    return names.map((name) => {
      const field = this.form.records.model.fields.get(name)
      const value = this.values[name] ?? null
      const entity = field?.field['x-ref']
      const text = entity && typeof value === 'string' ? titles[entity]?.[value]?.title : undefined
      return { field: name, label: field?.label ?? { zh: name, en: name }, value, ...(text === undefined ? {} : { text }) }
    })
  }

  /** @throws ServiceError for what the state does not allow */
  async take(action: FlowAction, logged: Logged | null): Promise<void> {
    this.acting = logged
    if (logged) this.note(logged)
    const queue: FlowAction[] = [action]
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
    const label = logged.nodeId === undefined ? undefined : this.labelOf(logged.nodeId)
    this.logs.push({
      id: newId(),
      instanceId: this.row.id,
      taskId: logged.taskId ?? null,
      nodeId: logged.nodeId ?? null,
      nodeNameZh: label?.zh.slice(0, 100) ?? null,
      nodeNameEn: label?.en.slice(0, 100) ?? null,
      at: this.context.now.toISOString(),
      byId: logged.byId || null,
      forId: logged.forId ?? null,
      action: logged.action,
      variant: logged.variant ?? null,
      comment: logged.comment ?? null,
      files: logged.files && logged.files.length > 0 ? logged.files : null,
      fieldDiff: logged.diff && logged.diff.length > 0 ? logged.diff : null,
      ip: this.context.ip || null,
      toIds: logged.toIds && logged.toIds.length > 0 ? logged.toIds : null,
      admin: logged.admin ?? false,
    })
  }

  private async refusalOf({ reason, subject }: FlowRefusal): Promise<ServiceError> {
    if (reason === 'notYours') return new ServiceError('notFound')
    if (reason === 'notOpen' || reason === 'over') return this.stale()
    const name = subject === undefined ? '' : ((await staffById(this.tx, [subject])).get(subject)?.name ?? subject)
    const said: Record<Exclude<typeof reason, 'notYours' | 'notOpen' | 'over'>, Text> = {
      notPossible: { zh: '当前节点不允许此操作。', en: 'This step does not allow that.' },
      involved: {
        zh: `${name} 已在本节点处理人之中，请另选。`,
        en: `${name} is asked at this step already. Choose somebody else.`,
      },
      unknownNode: { zh: `流程没有节点“${subject ?? ''}”。`, en: `The process has no step "${subject ?? ''}".` },
      tooLate: { zh: '已有后续处理，不能撤回。', en: 'Somebody has gone on with it; it cannot be taken back any more.' },
    }
    return new ServiceError('transitionRefused', { message: said[reason], data: { reason } })
  }

  /** The answer to whoever comes second: who did what, and when. */
  async stale(): Promise<ServiceError> {
    const { rows } = await this.tx.query<{ name: string | null; nameEn: string | null; action: string; at: string }>(
      `select s.name, s.name_en as "nameEn", l.action, l.at from wf_action_log l left join sys_staff s on s.id = l.by_id
       where l.instance_id = $1 and l.action not in ('read', 'comment', 'urge') order by l.at desc, l.id desc limit 1`,
      [this.row.id],
    )
    const [last] = rows
    const action = this.parts.engine.dictionaryLabel('wfAction', last?.action ?? '')
    const [zh, en] = [last?.name ?? '系统', last?.nameEn ?? last?.name ?? 'The system']
    return new ServiceError('stale', {
      message: {
        zh: `${zh} 已先处理（${action.zh}），请刷新后查看。`,
        en: `${en} was first (${action.en.toLowerCase()}). Please reload to see it.`,
      },
      data: {
        version: this.row.version,
        by: last?.name ?? null,
        at: last?.at ?? null,
        action: last?.action ?? null,
        status: this.row.status,
        changes: [],
      },
    })
  }

  // what follows

  private async follow(effect: FlowEffect): Promise<FlowAction[]> {
    switch (effect.kind) {
      case 'ask':
        if (effect.about === 'people') return [await this.askPeople(effect.nodeId)]
        return [effect.about === 'branches' ? await this.askBranches(effect.nodeId) : await this.askDelay(effect.nodeId)]
      case 'task':
        await this.openTask(effect.nodeId, effect.task)
        return []
      case 'taskEnded':
        this.ended.set(effect.taskId, {
          status: effect.status,
          logged: this.acting?.taskId === effect.taskId ? this.acting : null,
        })
        this.reopened.delete(effect.taskId)
        if (effect.status === 'autoAgreed') {
          const task = this.fresh.get(effect.taskId)
          this.note({ action: 'autoAgree', taskId: effect.taskId, nodeId: effect.nodeId, byId: String(task?.assigneeId ?? '') })
        }
        return []
      case 'reopened':
        this.reopened.add(effect.taskId)
        this.ended.delete(effect.taskId)
        return []
      case 'skipped':
        this.note({
          action: 'autoAgree',
          variant: 'skip',
          nodeId: effect.nodeId,
          byId: null,
          comment: this.kept.trail[effect.nodeId]?.why?.zh,
        })
        return []
      case 'passed':
        await this.copyTo(effect.nodeId, this.nodeOf(effect.nodeId)?.cc)
        return []
      case 'cc':
        await this.copyTo(effect.nodeId, this.nodeOf(effect.nodeId)?.assignees)
        return []
      case 'notify':
        await this.inSavepoint(`${effect.nodeId}.${this.kept.flow.round}`, effect.nodeId, this.nodeOf(effect.nodeId)?.effects)
        return []
      case 'service':
        return [await this.doService(effect.nodeId)]
      case 'subProcess':
        return this.startSub(effect.nodeId)
      case 'alarm':
        await this.alarm(effect.nodeId, effect.reason)
        return []
      case 'returned':
        await this.afterReturn()
        return []
      case 'ended':
        return this.afterEnd(effect.result)
    }
  }

  private async askPeople(nodeId: string): Promise<FlowAction> {
    try {
      const found = await assigneesOf(this.call, this.nodeOf(nodeId)!, this.about())
      this.kept.trail[nodeId] = { ...this.kept.trail[nodeId], why: found.why }
      return {
        kind: 'people',
        nodeId,
        people: found.people,
        sequence: found.sequence,
        ...(found.empty ? { empty: found.empty } : {}),
        reason: found.why.zh,
      }
    } catch (error) {
      return this.stuck(nodeId, error)
    }
  }

  private stuck(nodeId: string, error: unknown): FlowAction {
    if (!(error instanceof ExpressionError)) throw error
    return { kind: 'stuck', nodeId, reason: error.problem.message.zh }
  }

  /** Which branches of a node hold for the values of now, and why. */
  async branchesOf(node: Node): Promise<{ taken: string[]; why?: Text }> {
    const branches = node.branches ?? []
    if (node.kind === 'parallel') return { taken: branches.map(({ id }) => id) }
    const holds = await this.form.records.evaluate(
      this.call,
      this.values,
      this.named(),
      branches.map(({ when }) => (when === undefined ? undefined : tolerantly(when))),
    )
    const true_ = branches.filter(({ when }, index) => when !== undefined && Boolean(holds[index]))
    const usual = branches.filter(({ when }) => when === undefined)
    const taken = node.kind === 'condition' ? [...true_, ...usual].slice(0, 1) : true_.length > 0 ? true_ : usual
    const why = this.whyTaken(taken[0]?.when ?? branches.find(({ when }) => when !== undefined)?.when)
    return { taken: taken.map(({ id }) => id), ...(why ? { why } : {}) }
  }

  /** The fields that a condition reads, with their values. */
  private whyTaken(when: string | undefined): Text | undefined {
    if (when === undefined) return undefined
    const read = Object.keys(this.form.fields).filter((name) => new RegExp(`\\b${name}\\b`).test(when))
    const parts = read.map((name): Text => {
      const label = this.form.records.model.fields.get(name)?.label ?? { zh: name, en: name }
      const value = this.values[name]
      const shown =
        value === null || value === undefined ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value as string)
      return { zh: `${label.zh} = ${shown}`, en: `${label.en} = ${shown}` }
    })
    if (/\bamountCny\b/.test(when))
      parts.push({ zh: `折人民币 = ${this.row.amountCny ?? '-'}`, en: `In CNY = ${this.row.amountCny ?? '-'}` })
    return parts.length === 0 ? undefined : { zh: parts.map(({ zh }) => zh).join('，'), en: parts.map(({ en }) => en).join(', ') }
  }

  private async askBranches(nodeId: string): Promise<FlowAction> {
    try {
      const { taken, why } = await this.branchesOf(this.nodeOf(nodeId)!)
      this.kept.trail[nodeId] = { taken, ...(why ? { why } : {}) }
      return { kind: 'branches', nodeId, taken }
    } catch (error) {
      return this.stuck(nodeId, error)
    }
  }

  private async askDelay(nodeId: string): Promise<FlowAction> {
    const node = this.nodeOf(nodeId)!
    const { now } = this.context
    try {
      let until: Date | null = node.hours === undefined ? null : new Date(now.getTime() + node.hours * 3_600_000)
      if (node.until !== undefined) {
        const [value] = await this.form.records.evaluate(this.call, this.values, this.named(), [tolerantly(node.until)])
        const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
        const moment = isDay
          ? new Date(startOfDay(value, this.tx.companyTimeZone))
          : typeof value === 'string' && value !== ''
            ? new Date(value)
            : null
        until = moment && !Number.isNaN(moment.getTime()) ? moment : null
      }
      const waits = until !== null && until > now
      this.kept.trail[nodeId] = { until: until?.toISOString() ?? null }
      if (waits) this.time(`delay/${this.row.id}/${nodeId}`, { kind: 'delay', instanceId: this.row.id, nodeId }, until!)
      return { kind: 'delay', nodeId, waits }
    } catch (error) {
      return this.stuck(nodeId, error)
    }
  }

  private time(key: string, data: Timer, at: Date): void {
    this.timers.push({ key: `${key}/${at.getTime()}`, data, at })
  }

  private async openTask(nodeId: string, task: FlowTask): Promise<void> {
    const node = this.nodeOf(nodeId)!
    const { now } = this.context
    const label = this.labelOf(nodeId)
    const limit = await this.limitOf(node)
    const dueAt = limit?.(100) ?? null
    this.fresh.set(task.id, {
      id: task.id,
      instanceId: this.row.id,
      processId: this.row.processId,
      nodeId,
      nodeNameZh: label.zh.slice(0, 100),
      nodeNameEn: label.en.slice(0, 100),
      kind: node.kind,
      assigneeId: task.assigneeId,
      originalAssigneeId: task.forId,
      source: task.source,
      status: 'pending',
      round: this.kept.flow.round,
      arrivedAt: now.toISOString(),
      dueAt: dueAt?.toISOString() ?? null,
      backToMe: false,
    })
    if (!limit) return
    for (const percent of node.remindBefore ?? [50, 100])
      this.time(`remind/${task.id}/${percent}`, { kind: 'remind', taskId: task.id, percent }, limit(percent))
    if ((node.onTimeout ?? 'remind') !== 'remind') this.time(`limit/${task.id}`, { kind: 'limit', taskId: task.id }, limit(100))
    this.time(`leader/${task.id}`, { kind: 'leader', taskId: task.id }, limit(200))
  }

  /** When so many per cent of the time of a step are over; urgent ones have half of it (money 8.0). */
  async limitOf(node: Node): Promise<((percent: number) => Date) | null> {
    const { limitHours } = node
    if (limitHours === undefined) return null
    const [value] =
      typeof limitHours === 'number'
        ? [limitHours]
        : await this.form.records.evaluate(this.call, this.values, this.named(), [tolerantly(limitHours)]).catch(() => [null])
    const hours = Number(value)
    if (!(hours > 0)) return null
    return limitOf(this.context.now, this.values.urgency === 'urgent' ? hours / 2 : hours, {
      working: node.workCalendar !== false,
      timeZone: this.parts.timeZone,
    })
  }

  /** Gives copies to people; who has one already gets no second. */
  async copyTo(nodeId: string | null, rules: readonly Assignee[] | undefined, ids: readonly string[] = []): Promise<void> {
    const named = rules
      ? await receiversOf(
          this.call,
          (nodeId === null ? undefined : this.nodeOf(nodeId)) ?? this.process.document.nodes[0]!,
          rules,
          this.about(),
        )
      : []
    const staff = await staffById(this.tx, ids)
    const label = nodeId === null ? undefined : this.labelOf(nodeId)
    for (const staffId of [...named, ...ids.filter((id) => staff.has(id))]) {
      if (this.copies.has(staffId)) continue
      this.copies.set(staffId, {
        id: newId(),
        instanceId: this.row.id,
        nodeId,
        nodeNameZh: label?.zh.slice(0, 100) ?? null,
        nodeNameEn: label?.en.slice(0, 100) ?? null,
        staffId,
        byId: this.context.user.staffId || null,
        at: this.context.now.toISOString(),
      })
    }
  }

  private async doService(nodeId: string): Promise<FlowAction> {
    const node = this.nodeOf(nodeId)!
    if (node.phase === 'check') {
      const held = await this.form.records.refused(this.call, this.values, this.named(), tolerantly(node.refuse ?? []))
      if (!held) return { kind: 'serviceDone', nodeId }
      this.note({ action: 'return', nodeId, byId: null, comment: held.message[this.context.locale] })
      this.acting = { action: 'return', nodeId, byId: null, comment: held.message[this.context.locale] }
      return { kind: 'serviceRefused', nodeId }
    }
    const failed = await this.inSavepoint(nodeId, nodeId, node.effects)
    return failed === null ? { kind: 'serviceDone', nodeId } : { kind: 'serviceFailed', nodeId, reason: failed }
  }

  /**
   * Does effects behind a savepoint, once for each step of an instance (wf.effectRun). Answers why they failed; then nothing of them is done, and
   * doing them again is safe.
   */
  private async inSavepoint(
    step: string,
    nodeId: string | null,
    effects: readonly Effect[] | undefined,
    more?: (tx: Transaction) => Promise<void>,
  ): Promise<string | null> {
    if ((effects ?? []).length === 0 && !more) return null
    const key = `wf:${this.row.id}:${step}`
    const { rows } = await this.tx.query<{ status: string; tries: number }>(
      'select status, tries from wf_effect_run where idem_key = $1',
      [key],
    )
    if (rows[0]?.status === 'done') return null
    const tries = Number(rows[0]?.tries ?? 0) + 1
    let error: string | null = null
    let result: EntityRecord = {}
    try {
      result = await this.tx.transaction(async (inner) => {
        const call = { tx: inner, context: this.context }
        const named =
          effects && effects.length > 0
            ? await this.form.records.run(call, { ...this.values, id: this.row.id }, this.named(), tolerantly(effects), {
                id: this.row.id,
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
    } catch (failure) {
      if (!(failure instanceof ServiceError)) this.parts.onError(failure, `the effect "${step}" of an application failed`)
      error =
        failure instanceof ServiceError ? failure.messageIn('zh') : failure instanceof Error ? failure.message : String(failure)
    }
    const at = this.context.now.toISOString()
    const status = error === null ? 'done' : 'failed'
    await this.tx.query(
      `insert into wf_effect_run (id, instance_id, step, idem_key, status, tries, error, result, at, created_at, updated_at, version)
       values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $9, $9, 1)
       on conflict (idem_key) where deleted_at is null do update set status = excluded.status, tries = excluded.tries, error = excluded.error, result = excluded.result, at = excluded.at, updated_at = excluded.at, version = wf_effect_run.version + 1`,
      [newId(), this.row.id, step.slice(0, 80), key, status, tries, error?.slice(0, 2_000) ?? null, JSON.stringify(result), at],
    )
    this.note({ action: 'effect', variant: status, nodeId: nodeId ?? undefined, byId: null, comment: error })
    return error
  }

  private async alarm(nodeId: string, reason: string): Promise<void> {
    this.note({ action: 'effect', variant: 'stuck', nodeId, byId: null, comment: reason })
    this.row.effectError = reason.slice(0, 2_000)
    const admins = await adminsOf(this.call, this.process)
    this.tell('wfStuck', admins, { error: reason, node: this.labelOf(nodeId) }, `${nodeId}/${this.kept.flow.round}`, {
      todo: this.nodeOf(nodeId)?.onError !== 'pause',
    })
  }

  /** A message of this instance to some people; a to-do too where it says so. */
  tell(
    event: FlowEvent,
    staffIds: readonly string[],
    facts: Partial<Parameters<(typeof WORDS)[FlowEvent]>[0]>,
    key: string,
    more: { todo?: boolean; link?: string; dueAt?: string | null; subject?: Notice['subject']; text?: string | null } = {},
  ): void {
    const { row, process } = this
    const said = WORDS[event]({
      code: row.code ?? '',
      process: process.document.label,
      applicant: this.applicantFacts?.name ?? '',
      amount: row.amount === null ? null : `${row.amount} ${row.currency ?? ''}`.trim(),
      ...facts,
    })
    if (isNoticeEvent(event))
      this.chats.push({
        event,
        facts: {
          receiverIds: [...new Set(staffIds)],
          ...plainFacts(facts),
          ...(more.subject?.entity === 'wf.task' ? { taskId: more.subject.id } : {}),
          ...(more.dueAt ? { due: more.dueAt } : {}),
        },
      })
    const link = more.link ?? `/general/process/my-handle/profile?instanceId=${row.id}`
    for (const staffId of new Set(staffIds))
      this.told.push({
        staffId,
        todo: more.todo ?? false,
        type: '1',
        kind: event === 'wfTodo' || event === 'wfTransmit' ? 'decide' : 'notice',
        title: said,
        ...(row.titleZh ? { text: { zh: row.titleZh, en: row.titleEn ?? row.titleZh } } : {}),
        subject: more.subject ?? { entity: 'wf.instance', id: row.id },
        link,
        ...(more.dueAt ? { dueAt: more.dueAt } : {}),
        key: `${event}/${row.id}/${key}/${staffId}`.slice(0, 160),
      })
  }

  private toApplicant(event: FlowEvent, key: string): void {
    const by = this.acting?.byId ? this.names.get(this.acting.byId) : undefined
    this.tell(event, [this.row.applicantId], { by: by ?? '系统', comment: this.acting?.comment ?? null }, key, {
      link: `/general/process/my-initiate/profile?instanceId=${this.row.id}`,
    })
  }

  /** Names of people whom messages name, read before. */
  readonly names = new Map<string, string>()

  private async afterReturn(): Promise<void> {
    this.toApplicant('wfReturned', `${this.kept.flow.round}`)
    await this.inSavepoint(`returned.${this.kept.flow.round}`, null, this.process.document.effects?.returned)
  }

  private async afterEnd(result: 'agreed' | 'rejected'): Promise<FlowAction[]> {
    const { document } = this.process
    if (result === 'agreed' && this.before.effect !== 'failed') {
      const held = await this.form.records.refused(this.call, this.values, this.named(), tolerantly(document.checks ?? []))
      if (held && this.acting?.byId)
        throw new ServiceError(held.code, {
          message: held.message,
          ...(held.number === undefined ? {} : { code: held.number }),
          data: { reason: held.id },
          rule: held.id,
        })
      if (held) {
        await this.effectFailed(held.message.zh)
        return [{ kind: 'effectFailed' }]
      }
    }
    const { decides } = document
    const recordId = decides && this.values[decides.field]
    const step =
      decides && typeof recordId === 'string' ? { entity: decides.entity, id: recordId, transition: decides[result] } : null
    const error = await this.inSavepoint(
      result,
      null,
      document.effects?.[result],
      step
        ? async (inner) =>
            void (await this.parts.engine
              .entities(inner, this.system())
              .transition(step.entity, step.id, step.transition, this.reasonOf(step)))
        : undefined,
    )
    if (error === null) this.row.effectError = null
    else await this.effectFailed(error)
    if (this.before.status === 'running' || this.before.status === 'returned') {
      const event = result === 'agreed' ? 'wfAgreed' : 'wfRejected'
      this.toApplicant(event, 'end')
      if (result === 'agreed') {
        await this.copyTo(null, undefined, this.ccIds())
      }
    }
    return [error === null ? { kind: 'effectDone' } : { kind: 'effectFailed' }]
  }

  ccIds(): string[] {
    return [...new Set([...(this.row.ccIds ?? []), ...(Array.isArray(this.values.ccIds) ? (this.values.ccIds as string[]) : [])])]
  }

  private system(): RequestContext {
    return systemContext({ now: this.context.now, locale: this.context.locale, traceId: this.context.traceId })
  }

  /** A decision says why in the words of whoever decided last, where its transition has a field for that. */
  private reasonOf({ entity, transition }: { entity: string; transition: string }): EntityRecord {
    const found = findTransition(this.parts.engine.model(entity), transition)?.transition
    const { reason } = found ?? {}
    if (reason === undefined || found?.fields?.includes(reason) !== true) return {}
    const said = this.acting?.comment?.trim()
    return { [reason]: (said ? said : (this.row.code ?? this.row.id)).slice(0, LONGEST_REASON) }
  }

  private async effectFailed(error: string): Promise<void> {
    this.row.effectError = error.slice(0, 2_000)
    const admins = await adminsOf(this.call, this.process)
    const run = this.context.now.getTime()
    this.tell('wfEffectFail', [...admins, this.row.applicantId], { error }, `${run}`)
  }

  /** What the process does when an instance is begun or taken back; a failure undoes the action. */
  async doEvent(event: 'started' | 'withdrawn'): Promise<void> {
    const { document } = this.process
    const effects = document.effects?.[event]
    if (effects && effects.length > 0) {
      await this.form.records.run(this.call, { ...this.values, id: this.row.id }, this.named(), tolerantly(effects), {
        id: this.row.id,
        step: event,
      })
    }
    const { decides } = document
    const recordId = decides && this.values[decides.field]
    if (event === 'withdrawn' && decides?.withdrawn !== undefined && typeof recordId === 'string')
      await this.parts.engine.entities(this.tx, this.system()).transition(decides.entity, recordId, decides.withdrawn)
  }

  // other processes

  private async startSub(nodeId: string): Promise<FlowAction[]> {
    const node = this.nodeOf(nodeId)!
    const { rows } = await this.tx.query<{ id: string; status: string }>(
      'select id, status from wf_instance where parent_id = $1 and parent_node_id = $2 and deleted_at is null order by created_at desc limit 1',
      [this.row.id, nodeId],
    )
    const [known] = rows
    if (known && !['withdrawn', 'terminated'].includes(known.status)) {
      const ended = subResult(known.status)
      return ended === null || node.wait === false ? [] : [{ kind: 'subEnded', nodeId, result: ended }]
    }
    try {
      const given = Object.entries((node.values ?? {}) as EntityRecord)
      const texts = given.map(([, value]) => (typeof value === 'string' ? tolerantly(value) : undefined))
      const values = await this.form.records.evaluate(this.call, this.values, this.named(), texts)
      const sub = await this.starter(this.parts, this.tx, this.context, {
        code: node.process ?? '',
        formData: Object.fromEntries(
          given.map(([name, value], index) => [name, typeof value === 'string' ? (values[index] ?? null) : value]),
        ),
        applicantId: this.row.applicantId,
        parent: { id: this.row.id, nodeId },
      })
      if (node.wait === false || !isOver({ status: sub.status as FlowState['status'] })) return []
      const ended = subResult(sub.status)
      return ended === null ? [] : [{ kind: 'subEnded', nodeId, result: ended }]
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof ExpressionError)) throw error
      const reason = error instanceof ServiceError ? error.messageIn('zh') : error.problem.message.zh
      return [{ kind: 'stuck', nodeId, reason }]
    }
  }

  /** Starts another process; set by whoever makes turns. */
  starter: SubStarter = () => Promise.reject(new Error('No process can be started here.'))

  // writing

  /** Writes everything that came of the turn. Answers the instance as it stands then. */
  async finish(): Promise<InstanceRow> {
    const { row, tx, kept, context } = this
    const { flow } = kept
    const now = context.now.toISOString()
    const over = isOver(flow) && !isOver(this.before)
    row.status = flow.status
    row.round = flow.round
    row.effectStatus = flow.effect
    if (over) row.endedAt = now
    if (this.formChanged) kept.formVersion = row.version + 1
    const version = row.version + 1
    await this.writeTasks(now)
    if (this.logs.length > 0) await this.entities.insertMany('wf.actionLog', this.logs)
    await this.writeCopies()
    const files = [...new Set(this.logs.flatMap(({ files: some }) => filesIn(some)))]
    if (files.length > 0) await followRecord(tx, context, { entity: 'wf.instance', recordId: row.id, before: [], after: files })
    await tx.query(
      `update wf_instance set version = $2, updated_at = $3, updated_by = $4, code = $5, title_zh = $6, title_en = $7, form_data = $8::jsonb, summary = $9::jsonb, currency = $10, amount = $11::numeric,
         amount_cny = $12::numeric, urgency = $13, status = $14, state = $15::jsonb, current_nodes = $16::jsonb, round = $17, started_at = $18, ended_at = $19, effect_status = $20, effect_error = $21, cc_ids = $22::jsonb
       where id = $1`,
      [
        row.id,
        version,
        now,
        context.user.staffId || null,
        row.code,
        row.titleZh,
        row.titleEn,
        JSON.stringify(row.formData),
        JSON.stringify(row.summary ?? null),
        row.currency,
        row.amount,
        row.amountCny,
        row.urgency ?? 'normal',
        row.status,
        JSON.stringify(kept),
        JSON.stringify(Object.entries(flow.nodes).flatMap(([id, { phase }]) => (phase === 'branches' ? [] : [id]))),
        row.round,
        row.startedAt,
        row.endedAt,
        row.effectStatus,
        row.effectError,
        JSON.stringify(this.ccIds()),
      ],
    )
    row.version = version
    row.state = kept
    await this.queueTimers()
    await this.tellAll()
    if (over && row.parentId && row.parentNodeId) await this.goOnAbove(row.parentId, row.parentNodeId)
    return row
  }

  private async writeTasks(now: string): Promise<void> {
    const { tx } = this
    for (const [id, end] of this.ended) {
      const made = this.fresh.get(id)
      const { logged } = end
      const given = {
        action: logged?.action ?? (end.status === 'autoAgreed' ? 'autoAgree' : null),
        variant: logged?.variant ?? null,
        comment: logged?.comment ?? null,
      }
      if (made) Object.assign(made, { status: end.status, endedAt: now, ...given })
      else
        await tx.query(
          `update wf_task set status = $2, ended_at = $3, action = coalesce($4, action), variant = $5, comment = $6, files = $7::jsonb, updated_at = $3, version = version + 1 where id = $1`,
          [
            id,
            end.status,
            now,
            given.action,
            given.variant,
            given.comment,
            logged?.files && logged.files.length > 0 ? JSON.stringify(logged.files) : null,
          ],
        )
    }
    if (this.reopened.size > 0)
      await tx.query(
        `update wf_task set status = 'pending', ended_at = null, action = null, variant = null, comment = null, updated_at = $2, version = version + 1 where id = any($1::text[])`,
        [[...this.reopened], now],
      )
    const rows = [...this.fresh.values()]
    if (rows.length > 0) await this.entities.insertMany('wf.task', rows)
    const stopped = [...this.ended].filter(([id]) => !this.fresh.has(id))
    for (const as of ['done', 'dropped'] as const) {
      const ids = stopped.flatMap(([id, { status }]) => ((status === 'cancelled') === (as === 'dropped') ? [id] : []))
      if (ids.length > 0) await closeTodos(tx, { entity: 'wf.task', ids }, { as, now: this.context.now })
    }
    const again =
      this.reopened.size === 0
        ? []
        : (
            await tx.query<{ id: string; assigneeId: string; dueAt: string | null }>(
              'select id, assignee_id as "assigneeId", due_at as "dueAt" from wf_task where id = any($1::text[])',
              [[...this.reopened]],
            )
          ).rows
    for (const task of again) this.tell('wfTodo', [task.assigneeId], {}, `${task.id}/${now}`, this.ofTask(task))
    for (const task of rows) {
      if (task.status !== 'pending') continue
      const on = task.source === 'transmitted' || task.source === 'addBefore' || task.source === 'addAfter'
      const by = this.acting?.byId ? this.names.get(this.acting.byId) : undefined
      this.tell(
        on ? 'wfTransmit' : 'wfTodo',
        [String(task.assigneeId)],
        { ...(by === undefined ? {} : { by }) },
        String(task.id),
        this.ofTask(task),
      )
    }
  }

  private ofTask(task: EntityRecord) {
    return {
      todo: true,
      link: `/general/process/my-agent/profile?taskId=${String(task.id)}`,
      dueAt: task.dueAt as string | null,
      subject: { entity: 'wf.task', id: String(task.id) },
    }
  }

  private async writeCopies(): Promise<void> {
    if (this.copies.size === 0) return
    const { rows } = await this.tx.query<{ staffId: string }>(
      'select staff_id as "staffId" from wf_cc where instance_id = $1 and staff_id = any($2::text[]) and deleted_at is null',
      [this.row.id, [...this.copies.keys()]],
    )
    const known = new Set(rows.map(({ staffId }) => staffId))
    const fresh = [...this.copies.values()].filter(({ staffId }) => !known.has(String(staffId)))
    if (fresh.length === 0) return
    await this.entities.insertMany('wf.cc', fresh)
    this.tell(
      'wfCc',
      fresh.map(({ staffId }) => String(staffId)),
      {},
      'cc',
      { link: `/general/process/my-deliver/profile?instanceId=${this.row.id}` },
    )
  }

  private async queueTimers(): Promise<void> {
    await this.parts.queue.send(this.tx, TIMER_LINE, this.timers)
  }

  private async tellAll(): Promise<void> {
    const notices = this.told.map((notice) => ({
      ...notice,
      ...(notice.todo ? {} : this.context.user.staffId ? { senderId: this.context.user.staffId } : {}),
    }))
    await notify(
      this.tx,
      notices.filter(({ todo }) => todo),
      this.context.now,
    )
    await send(
      this.tx,
      notices.filter(({ todo }) => !todo),
      this.context.now,
    )
    for (const { event, facts } of this.chats) await this.parts.notices?.tell(this.tx, event, { ...this.row }, facts)
  }

  private async goOnAbove(parentId: string, nodeId: string): Promise<void> {
    const parent = await Turn.open(this.parts, this.tx, this.context, parentId)
    if (parent.flow.nodes[nodeId]?.phase !== 'waiting') return
    parent.starter = this.starter
    await parent.prepare()
    await parent.take({ kind: 'subEnded', nodeId, result: subResult(this.row.status) ?? 'other' }, null)
    await parent.finish()
  }

  /** Somebody's task goes to whoever is there for him. */
  async presentFor(ids: readonly string[]): Promise<string[]> {
    return (await presentPeople(this.call, ids, this.about())).map(({ id }) => id)
  }

  async leaderFor(staffId: string): Promise<string | undefined> {
    const leaders = (await leadersOf(this.tx, staffId)).filter((id) => id !== this.row.applicantId)
    return leaders[0] ?? (await adminsOf(this.call, this.process)).find((id) => id !== this.row.applicantId && id !== staffId)
  }
}

/** What chat groups are told: words and numbers only. */
const plainFacts = ({ by, comment, text, error, hours }: Partial<Parameters<(typeof WORDS)[FlowEvent]>[0]>): NoticeFacts => ({
  ...(by === undefined ? {} : { by }),
  ...(comment ? { comment } : {}),
  ...(text === undefined ? {} : { text }),
  ...(error === undefined ? {} : { error }),
  ...(hours === undefined ? {} : { hours }),
})

/** How a sub-process ended; null while it runs. */
const subResult = (status: string): 'agreed' | 'rejected' | 'other' | null => {
  if (status === 'running' || status === 'returned' || status === 'draft') return null
  if (status === 'agreed' || status === 'done' || status === 'effectFailed') return 'agreed'
  return status === 'rejected' ? 'rejected' : 'other'
}

export type SubStarter = (
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: { code: string; formData: EntityRecord; applicantId: string; parent: { id: string; nodeId: string } },
) => Promise<InstanceRow>
