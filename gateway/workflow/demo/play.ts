import type { ProcessDocument } from '../../../src/schema/generated/process'
import { startOf, walkNodes } from '../../../src/schema/process'
import type { DemoWorld } from '../../demo'
import type { EntityRecord } from '../../entities'
import { dayOf } from '../../platform/calendar'
import { newId, type Executor, type Transaction } from '../../platform/database'
import { systemContext, type RequestContext } from '../../platform/http'
import type { Queue } from '../../platform/queue'
import { currentProcess, processOf, type StoredProcess } from '../definitions'
import { openTasks } from '../flow/state'
import { readInstance, type FlowParts } from '../flow/instance'
import { Turn } from '../flow/turn'
import { DemoRecords, demoValues } from './values'

/** What becomes of an application of the demo company. */
export type Fate = 'draft' | 'first' | 'last' | 'delegated' | 'returned' | 'rejected' | 'withdrawn' | 'terminated' | 'done'

export interface Scene {
  process: string
  fate: Fate
  applicantId: string
  amount: string
  startedAt: Date
  urgent?: boolean
  /** The first who is asked takes more than a day, past the limit of the step. */
  slow?: boolean
  /** Number of the version it was started with; default the current one. */
  version?: number
  /** What people did with it after its start, one after the other; they stand in for what its fate would do. */
  deeds?: readonly Deed[]
}

/** What somebody does with an application: whoever is asked first, or, of a comment, `by`. */
export type Deed =
  | { do: 'agree'; values?: EntityRecord; comment?: string }
  /** All who are asked agree, until nobody is asked any more. */
  | { do: 'agreeAll' }
  | { do: 'transmit' | 'opinion'; to: string; comment: string }
  | { do: 'comment'; by: string; to: string; comment: string }

/** What is done to an application, and what is said to it. */
const HOUR = 3_600_000
/** Hours that a slow first decision takes: three days at work. */
const SLOW = 70
/** Decisions that an application takes at most. */
const MOST_STEPS = 20

/**
 * Plays applications with the engine itself, at the moments at which they happened: what is kept of them is what real ones leave. What their end
 * would do to records is left out: the demo world has these as results of its own.
 */
export class Player {
  private readonly parts: FlowParts
  private readonly records: DemoRecords
  private readonly quiet = new Map<string, ProcessDocument>()
  private readonly numbers = new Map<string, number>()
  /** Decisions until the end, by process: what `last` stops before. */
  private readonly lengths = new Map<string, number>()

  constructor(
    parts: FlowParts,
    private readonly world: Pick<DemoWorld, 'now' | 'staff' | 'timeZone'>,
  ) {
    this.parts = { ...parts, queue: onlyAhead(parts.queue, world.now), now: () => world.now }
    this.records = new DemoRecords(parts.database, parts.engine)
  }

  /** Plays one; answers its id. Undefined: there is no such process. */
  async play(scene: Scene): Promise<string | undefined> {
    const process = await this.processOf(this.parts.database, scene)
    if (!process) return undefined
    const values = await demoValues(process.document, this.records, this.parts.engine, {
      amount: scene.amount,
      applicantId: scene.applicantId,
      today: dayOf(scene.startedAt, this.world.timeZone),
    })
    return this.parts.engine.transaction(systemContext({ now: scene.startedAt }), async (_entities, tx) => {
      if (scene.fate === 'draft') return this.keepDraft(tx, scene, values)
      const id = await this.start(tx, scene, {
        ...values,
        ...(scene.urgent ? { urgency: 'urgent', urgentReason: '客户今日必须恢复发送' } : {}),
      })
      await this.goOn(tx, id, scene)
      return id
    })
  }

  private async processOf(db: Executor, { process: code, version }: Scene): Promise<StoredProcess | null> {
    if (version === undefined) return currentProcess(db, { code })
    const { rows } = await db.query<{ id: string }>(
      `select v.id from wf_process_version v join wf_process p on p.id = v.process_id where p.code = $1 and v.no = $2`,
      [code, version],
    )
    return rows[0] ? processOf(db, rows[0].id) : null
  }

  /** What the numbers of further applications go on behind. */
  async keepNumbers(): Promise<void> {
    for (const [key, value] of this.numbers)
      await this.parts.database.query(
        `insert into entity_sequence as s ("key", "value") values ($1, $2) on conflict ("key") do update set "value" = greatest(s."value", excluded."value")`,
        [`wf.instance.code:${key}`, value],
      )
  }

  private async keepDraft(tx: Transaction, scene: Scene, formData: EntityRecord): Promise<string> {
    const { applicantId, startedAt } = scene
    const process = (await this.processOf(tx, scene))!
    const id = newId()
    const { label } = process.document
    const draft = {
      ...this.rowOf(process, scene, id),
      status: 'draft',
      startedAt: null,
      formData,
      urgency: 'normal',
      titleZh: label.zh,
      titleEn: label.en,
    }
    await this.parts.engine.entities(tx, this.contextOf(applicantId, startedAt)).insertMany('wf.instance', [draft])
    return id
  }

  private rowOf(
    { processId, versionId, formHash, document }: StoredProcess,
    { applicantId, startedAt }: Scene,
    id: string,
  ): EntityRecord {
    return {
      id,
      createdAt: startedAt.toISOString(),
      createdBy: applicantId,
      code: this.codeOf(document.prefix, startedAt),
      processId,
      versionId,
      serviceName: document.service ?? 'none',
      applicantId,
      deptId: this.world.staff.find((one) => one.id === applicantId)?.mainDeptId ?? null,
      formHash,
      status: 'running',
      round: 1,
      startedAt: startedAt.toISOString(),
      effectStatus: 'none',
    }
  }

  private contextOf(staffId: string, now: Date): RequestContext {
    const system = systemContext({ now })
    const name = this.world.staff.find(({ id }) => id === staffId)?.name ?? ''
    return { ...system, user: { ...system.user, userId: staffId, staffId, name } }
  }

  private async start(tx: Transaction, scene: Scene, given: EntityRecord): Promise<string> {
    const { applicantId, startedAt, fate } = scene
    const process = (await this.processOf(tx, scene))!
    const context = this.contextOf(applicantId, startedAt)
    const id = newId()
    await this.parts.engine.entities(tx, context).insertMany('wf.instance', [this.rowOf(process, scene, id)])
    const turn = await this.open(tx, context, id)
    const node = startOf(process.document)!
    const { values } = await turn.form.take(turn.call, given, { node, before: null, id, named: turn.named(), complete: false })
    await turn.fill(values)
    await this.hold(tx, turn, fate)
    await turn.copyTo(node.id, node.cc)
    await turn.take({ kind: 'start' }, { action: 'start', nodeId: node.id, byId: applicantId })
    await turn.finish()
    return id
  }

  /** What is running keeps another application off its record. */
  private async hold(tx: Transaction, { process, row }: Turn, fate: Fate): Promise<void> {
    const { object } = process.document
    if (!object || object.exclusive === false || row.bizId === null) return
    const record = await this.parts.engine.entities(tx, systemContext({ now: this.world.now })).find(row.bizType ?? '', row.bizId)
    const running = fate === 'first' || fate === 'last' || fate === 'returned'
    await tx.query('update wf_instance set biz_type = $2, biz_id = $3, biz_code = $4, hold_key = $5 where id = $1', [
      row.id,
      row.bizType,
      row.bizId,
      typeof record?.['code'] === 'string' ? record['code'].slice(0, 60) : null,
      running ? `${process.processId}/${row.bizId}` : null,
    ])
  }

  private codeOf(prefix: string, at: Date): string {
    const key = `${prefix}${dayOf(at, this.world.timeZone).replaceAll('-', '')}`
    const number = (this.numbers.get(key) ?? 0) + 1
    this.numbers.set(key, number)
    return `${key}${String(number).padStart(4, '0')}`
  }

  private async goOn(tx: Transaction, id: string, scene: Scene): Promise<void> {
    const { fate, process, applicantId } = scene
    let at = scene.startedAt
    const later = (hours: number): Date => (at = new Date(Math.min(at.getTime() + hours * HOUR, this.world.now.getTime())))
    if (scene.deeds) {
      for (const deed of scene.deeds) await this.doDeed(tx, id, deed, () => later(2))
      return
    }
    if (fate === 'first') return
    if (fate === 'withdrawn') {
      await this.act(tx, id, this.contextOf(applicantId, later(1)), (turn) =>
        turn.take({ kind: 'withdraw' }, { action: 'withdraw', byId: applicantId, comment: '资料有误，重新提交' }),
      )
      return
    }
    const length = this.lengths.get(process) ?? 2
    const most = fate === 'last' || fate === 'delegated' ? length - 1 : fate === 'done' ? MOST_STEPS : Math.min(1, length - 1)
    let steps = 0
    for (; steps < most; steps += 1) {
      if (fate === 'delegated' && (await this.isDelegated(tx, id))) return
      if (await this.decide(tx, id, later(scene.slow && steps === 0 ? SLOW : 3 + (steps % 3)), 'agree')) continue
      if (fate !== 'done' || !(await this.overDelay(tx, id, later(24 * 8)))) break
    }
    if (fate === 'done') this.lengths.set(process, steps)
    if (fate === 'returned') await this.decide(tx, id, later(2), 'return')
    if (fate === 'rejected') await this.decide(tx, id, later(2), 'reject')
    if (fate === 'terminated')
      await this.act(tx, id, this.contextOf(this.administrator(), later(5)), (turn) =>
        turn.take({ kind: 'terminate' }, { action: 'terminate', byId: this.administrator(), admin: true, comment: '业务已取消' }),
      )
  }

  private async doDeed(tx: Transaction, id: string, deed: Deed, later: () => Date): Promise<void> {
    if (deed.do === 'agreeAll') {
      for (let steps = 0; steps < MOST_STEPS && (await this.decide(tx, id, later(), 'agree')); steps += 1);
      return
    }
    if (deed.do === 'comment') {
      const { by, to, comment } = deed
      await this.act(tx, id, this.contextOf(by, later()), async (turn) => {
        turn.note({ action: 'comment', byId: by, comment, toIds: [to] })
        await turn.copyTo(null, undefined, to === turn.row.applicantId ? [] : [to])
      })
      return
    }
    if (deed.do === 'agree' && !deed.values && deed.comment === undefined)
      return void (await this.decide(tx, id, later(), 'agree'))
    const row = await readInstance(tx, id)
    const [open] = row?.state ? openTasks(row.state.flow) : []
    if (!open) return
    const { nodeId, task } = open
    const by = task.assigneeId
    const logged = { taskId: task.id, nodeId, byId: by, forId: task.forId, comment: deed.comment ?? '同意' }
    await this.act(tx, id, this.contextOf(by, later()), async (turn) => {
      if (deed.do === 'transmit')
        return turn.take(
          { kind: 'transmit', taskId: task.id, by, to: { id: deed.to } },
          { ...logged, action: 'transmit', toIds: [deed.to] },
        )
      if (deed.do === 'opinion')
        return turn.take(
          { kind: 'addSign', taskId: task.id, by, people: [{ id: deed.to }] },
          { ...logged, action: 'addSign', toIds: [deed.to] },
        )
      const node = turn.nodeOf(nodeId)
      const before = turn.values
      const taken = node
        ? await turn.form.take(turn.call, (deed.do === 'agree' ? deed.values : undefined) ?? {}, {
            node,
            before,
            id,
            named: turn.named(),
            complete: false,
          })
        : { values: before, changes: [] }
      if (taken.changes.length > 0) await turn.fill(taken.values)
      return turn.take(
        { kind: 'agree', taskId: task.id, by },
        { ...logged, action: 'agree', variant: 'agree', diff: taken.changes },
      )
    })
  }

  private async isDelegated(tx: Transaction, id: string): Promise<boolean> {
    const row = await readInstance(tx, id)
    return row?.state ? openTasks(row.state.flow).some(({ task }) => task.source === 'delegated') : false
  }

  /** A day that it waited for has come. False: it waits for none. */
  private async overDelay(tx: Transaction, id: string, at: Date): Promise<boolean> {
    const row = await readInstance(tx, id)
    const nodes = row?.status === 'running' ? (row.state?.flow.nodes ?? {}) : {}
    const [nodeId] = Object.entries(nodes).find(([, { phase }]) => phase === 'waiting') ?? []
    if (nodeId === undefined) return false
    await this.act(tx, id, systemContext({ now: at }), (turn) => turn.take({ kind: 'delayOver', nodeId }, null))
    return true
  }

  private administrator(): string {
    return this.world.staff.find(({ position }) => position === 'dev')?.id ?? ''
  }

  /** Whoever is asked first decides. False: nobody is asked. */
  private async decide(tx: Transaction, id: string, at: Date, what: 'agree' | 'return' | 'reject'): Promise<boolean> {
    const row = await readInstance(tx, id)
    const [open] = row?.state ? openTasks(row.state.flow) : []
    if (!open || row?.status !== 'running') return false
    const { nodeId, task } = open
    const by = task.assigneeId
    await this.act(tx, id, this.contextOf(by, at), (turn) => {
      const handles = turn.nodeOf(nodeId)?.kind === 'handle'
      const logged = { taskId: task.id, nodeId, byId: by, forId: task.forId }
      if (what === 'agree')
        return turn.take(
          { kind: 'agree', taskId: task.id, by },
          {
            ...logged,
            action: handles ? 'done' : 'agree',
            variant: handles ? 'done' : 'agree',
            comment: handles ? '已办理' : '同意',
          },
        )
      if (what === 'reject' && !handles)
        return turn.take(
          { kind: 'reject', taskId: task.id, by },
          { ...logged, action: 'reject', variant: 'rejectEnd', comment: '条件不符合，不予批准' },
        )
      return turn.take(
        { kind: 'return', taskId: task.id, by, to: 'start', backToMe: true },
        { ...logged, action: 'return', variant: 'returnBackToMe', comment: '请补充近三个月的流水' },
      )
    })
    return true
  }

  private async act(tx: Transaction, id: string, context: RequestContext, work: (turn: Turn) => Promise<void>): Promise<void> {
    const turn = await this.open(tx, context, id)
    await work(turn)
    await turn.finish()
  }

  private async open(tx: Transaction, context: RequestContext, id: string): Promise<Turn> {
    const turn = await Turn.open(this.parts, tx, context, id)
    const { process } = turn
    const quiet = this.quiet.get(process.versionId) ?? withoutEffects(process.document)
    this.quiet.set(process.versionId, quiet)
    // the turn's own copy: versions that are kept stay as they are
    return Object.assign(turn, { process: { ...process, document: quiet } })
  }
}

/** The steps as they are, without what they and the end do to records. */
function withoutEffects(document: ProcessDocument): ProcessDocument {
  const { effects: _effects, checks: _checks, ...rest } = structuredClone(document)
  for (const node of walkNodes(rest)) {
    delete node.effects
    delete node.refuse
  }
  return rest
}

/** What lay before today has been told long ago. */
function onlyAhead(queue: Queue, now: Date): Queue {
  const ahead = Object.create(queue) as Queue
  ahead.send = (tx, line, messages) =>
    queue.send(
      tx,
      line,
      messages.filter(({ at }) => at === undefined || at > now),
    )
  return ahead
}
