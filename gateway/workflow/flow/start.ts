import type { Node, ProcessDocument } from '../../../src/schema/generated/process'
import { refusal, type EntityRecord, type InputProblem } from '../../entities'
import { dayOf } from '../../platform/calendar'
import { followRecord } from '../../platform/files'
import { newId, sqlState, type Executor, type Transaction } from '../../platform/database'
import { ServiceError, systemContext, type RequestContext } from '../../platform/http'
import { currentProcess, type StoredProcess } from '../definitions'
import { rightsFor } from '../processes/formBundle'
import { mayStart } from '../processes/mayStart'
import { assigneesOf, pickMissing, picksAt } from './assign'
import { filesIn, heldBack, tolerantly } from './form'
import { namesOf, staffById } from './people'
import { placesOf } from './tree'
import { readInstance, type FlowParts, type InstanceRow } from './instance'
import type { SubStarter } from './sub'
import { Turn } from './turn'

export interface StartRequest {
  processId?: string | undefined
  code?: string | undefined
  /** An own draft that is submitted. */
  instanceId?: string | undefined
  formData: EntityRecord
  /** The record that it is about, where the form names none. */
  bizId?: string | undefined
  pickedAssignees?: Record<string, string[]> | undefined
  ccIds?: readonly string[] | undefined
  draft?: boolean | undefined
}

const UNIQUE = '23505'
/** What the database says of a second application about a record. */
const HELD = 10060053

/** The number of a new application: prefix, day, four digits (money 8.0). Taken beside the transaction: nobody waits for it. */
async function nextCode(db: Executor, prefix: string, day: string): Promise<string> {
  const date = day.replaceAll('-', '')
  const { rows } = await db.query<{ value: number }>(
    `insert into "entity_sequence" as s ("key", "value") values ($1, 1) on conflict ("key") do update set "value" = s."value" + 1 returning s."value"`,
    [`wf.instance.code:${prefix}${date}`],
  )
  return `${prefix}${date}${String(rows[0]!.value).padStart(4, '0')}`
}

/** The process that is started, in the version of now. @throws ServiceError 10010004, or 10010007 for one that is disabled */
async function startable(tx: Executor, request: Pick<StartRequest, 'processId' | 'code'>): Promise<StoredProcess> {
  const named = {
    ...(request.processId === undefined ? {} : { id: request.processId }),
    ...(request.code === undefined ? {} : { code: request.code }),
  }
  const process =
    (await currentProcess(tx, named)) ??
    (request.processId === undefined ? null : await currentProcess(tx, { code: request.processId }))
  if (!process) throw new ServiceError('notFound')
  if (process.enabled) return process
  const { label } = process.document
  throw new ServiceError('transitionRefused', {
    message: {
      zh: `流程“${label.zh}”已停用，不能发起。需要时请联系流程管理员启用。`,
      en: `The process "${label.en}" is disabled, so nothing can be started. Ask an administrator of the process to enable it.`,
    },
  })
}

const notAllowed = (process: StoredProcess): ServiceError =>
  new ServiceError('noPermission', {
    message: {
      zh: `您不在流程“${process.document.label.zh}”的发起范围内，请联系流程管理员。`,
      en: `You are not among those who may start "${process.document.label.en}". Ask an administrator of the process.`,
    },
  })

export function emptyRow(process: StoredProcess, applicant: { id: string; deptId: string | null }): InstanceRow {
  return {
    id: newId(),
    version: 1,
    code: null,
    titleZh: null,
    titleEn: null,
    customerAlias: null,
    processId: process.processId,
    versionId: process.versionId,
    parentId: null,
    parentNodeId: null,
    bizType: null,
    bizId: null,
    bizCode: null,
    applicantId: applicant.id,
    deptId: applicant.deptId,
    formData: null,
    summary: null,
    currency: null,
    amount: null,
    amountCny: null,
    wantedOn: null,
    urgency: 'normal',
    status: 'draft',
    state: null,
    round: 1,
    startedAt: null,
    endedAt: null,
    effectStatus: 'none',
    effectError: null,
    effectErrorEn: null,
    ccIds: null,
  }
}

const startNode = (document: ProcessDocument): Node => document.nodes[0]!

/** A turn over a row that is not stored yet, or over an own draft. */
export async function newTurn(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: StartRequest,
  applicantId?: string,
): Promise<Turn> {
  if (request.instanceId !== undefined && request.instanceId !== '') {
    const draft = await readInstance(tx, request.instanceId, true)
    if (draft?.applicantId !== context.user.staffId) throw new ServiceError('notFound')
    if (draft.status !== 'draft') throw await (await Turn.of(parts, tx, context, draft)).stale()
    const process = await startable(tx, { processId: draft.processId })
    if (!(await mayStart({ db: tx, schemas: parts.schemas }, context, process.document))) throw notAllowed(process)
    // a draft is of the version in which it is submitted
    draft.versionId = process.versionId
    return Turn.of(parts, tx, context, draft)
  }
  const process = await startable(tx, request)
  if (!(await mayStart({ db: tx, schemas: parts.schemas }, context, process.document))) throw notAllowed(process)
  const id = applicantId ?? context.user.staffId
  const staff = (await staffById(tx, [id])).get(id)
  if (!staff) throw new ServiceError('noPermission')
  return Turn.of(parts, tx, context, emptyRow(process, staff))
}

/** Reads what the applicant gave. Answers what is wrong with it. */
export async function takeForm(turn: Turn, request: StartRequest, complete: boolean): Promise<InputProblem[]> {
  const node = startNode(turn.process.document)
  const at = {
    node,
    before: null,
    id: turn.row.id,
    named: turn.named(),
    rights: rightsFor(turn.context, turn.process.document, node.id),
    complete,
  }
  const given = request.ccIds ? { ...request.formData, ccIds: request.ccIds } : request.formData
  const taken = await turn.form.take(turn.call, given, at)
  turn.values = taken.values
  turn.kept.picked = Object.fromEntries(
    Object.entries(request.pickedAssignees ?? {}).map(([id, people]) => [id, people.map(String)]),
  )
  return taken.problems
}

/** What keeps an application from being submitted besides its form: its checks, steps for which nobody is found, people who were not picked. */
export async function obstacles(turn: Turn): Promise<{ refused?: ServiceError; problems: InputProblem[] }> {
  const { document } = turn.process
  const problems: InputProblem[] = []
  for (const { node } of placesOf(document).values()) {
    const among = picksAt(node, 'pickByStarter')
    if (among === null || node.emptyRule !== undefined) continue
    const picked = (turn.kept.picked[node.id] ?? []).filter((id) => among.length === 0 || among.includes(id))
    if (picked.length === 0) problems.push(pickMissing(node.id, turn.labelOf(node.id)))
  }
  const held = await turn.form.records.refused(turn.call, turn.values, turn.named(), tolerantly(document.checks ?? []))
  if (held) return { problems, refused: heldBack(held) }
  for (const { node } of placesOf(document).values()) {
    if (node.emptyRule !== 'block') continue
    const found = await assigneesOf(turn.call, node, turn.about())
    const label = turn.labelOf(node.id)
    if (found.people.length === 0)
      problems.push({
        rule: 'nobody',
        message: {
          zh: `节点“${label.zh}”没有可用的审批人，不能提交。请联系流程管理员。`,
          en: `Nobody is found for the step "${label.en}", so it cannot be submitted. Ask an administrator of the process.`,
        },
      })
  }
  return { problems }
}

export async function insert(turn: Turn, context: RequestContext): Promise<void> {
  const { row, tx, process, kept } = turn
  const { rows } = await tx.query<{ id: string }>('select id from wf_instance where id = $1', [row.id])
  const hold = holdKeyOf(process, row)
  const stored = {
    id: row.id,
    code: row.code,
    titleZh: row.titleZh,
    titleEn: row.titleEn,
    processId: row.processId,
    versionId: row.versionId,
    parentId: row.parentId,
    parentNodeId: row.parentNodeId,
    serviceName: process.document.service ?? 'none',
    bizType: row.bizType,
    bizId: row.bizId,
    bizCode: row.bizCode,
    holdKey: hold,
    applicantId: row.applicantId,
    deptId: row.deptId,
    formData: turn.values,
    formHash: process.formHash,
    urgency: row.urgency,
    status: row.status,
    state: kept,
    round: 1,
    startedAt: row.startedAt,
    effectStatus: 'none',
    ccIds: turn.ccIds(),
    createdBy: context.user.staffId || null,
  }
  try {
    if (rows.length === 0)
      await tx.transaction((inner) => turn.parts.engine.entities(inner, context).insertMany('wf.instance', [stored]))
    else
      await tx.transaction((inner) =>
        inner.query(
          'update wf_instance set version_id = $2, form_hash = $3, biz_type = $4, biz_id = $5, biz_code = $6, hold_key = $7, status = $8, started_at = $9, code = $10 where id = $1',
          [
            row.id,
            row.versionId,
            process.formHash,
            row.bizType,
            row.bizId,
            row.bizCode,
            hold,
            row.status,
            row.startedAt,
            row.code,
          ],
        ),
      )
  } catch (error) {
    const held = error instanceof ServiceError ? error.code === HELD : sqlState(error) === UNIQUE
    if (!held || hold === null) throw error
    throw await runningAlready(tx, hold)
  }
}

const holdKeyOf = ({ processId, document }: StoredProcess, row: InstanceRow): string | null =>
  document.object && document.object.exclusive !== false && row.bizId ? `${processId}/${row.bizId}` : null

async function runningAlready(tx: Executor, holdKey: string): Promise<ServiceError> {
  const { rows } = await tx.query<{ id: string; code: string; name: string; nameEn: string | null }>(
    `select i.id, i.code, s.name, s.name_en as "nameEn" from wf_instance i join sys_staff s on s.id = i.applicant_id where i.hold_key = $1 and i.status in ('running', 'returned') and i.deleted_at is null limit 1`,
    [holdKey],
  )
  const [other] = rows
  return new ServiceError('applicationRunning', {
    message: {
      zh: `该对象已有进行中的申请 ${other?.code ?? ''}（${other?.name ?? ''} 发起），请等待其结束。`,
      en: `The application ${other?.code ?? ''} of ${other ? namesOf(other).en : ''} about it is still running. Wait until it has ended.`,
    },
    data: { instanceId: other?.id ?? null, code: other?.code ?? null },
  })
}

/**
 * Starts an application (or keeps a draft) in a running transaction.
 * @throws ServiceError with the fields that are wrong, the check that holds, 10060053 when one runs already
 */
export async function startIn(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: StartRequest,
  more: { applicantId?: string; parent?: { id: string; nodeId: string } } = {},
): Promise<InstanceRow> {
  const turn = await newTurn(parts, tx, context, request, more.applicantId)
  turn.starter = startSub
  const { row } = turn
  // before anything is worked out of them: values and refusals would tell of records that the caller may not see
  const outside = await turn.form.records.outside(turn.call, request.formData)
  if (outside.length > 0) throw refusal('validationFailed', context.locale, outside)
  const problems = await takeForm(turn, request, request.draft !== true)
  if (problems.length > 0) throw refusal('validationFailed', context.locale, problems)
  if (more.parent) Object.assign(row, { parentId: more.parent.id, parentNodeId: more.parent.nodeId })
  if (request.bizId && row.bizId === null) row.bizId = request.bizId
  if (request.draft) {
    const { values } = turn
    turn.kept.ccIds = [...(request.ccIds ?? [])]
    const before = filesIn(row.formData)
    await insert(turn, context)
    await followRecord(tx, context, { entity: 'wf.instance', recordId: row.id, before, after: filesIn(values) })
    await tx.query(
      'update wf_instance set form_data = $2::jsonb, state = $3::jsonb, urgency = $4, updated_at = $5, version = version + 1, title_zh = $6, title_en = $7 where id = $1',
      [
        row.id,
        JSON.stringify(values),
        JSON.stringify(turn.kept),
        (values.urgency as string | null) ?? 'normal',
        context.now.toISOString(),
        turn.process.document.label.zh,
        turn.process.document.label.en,
      ],
    )
    return { ...row, formData: values, version: row.version + 1 }
  }
  row.status = 'running'
  row.startedAt = context.now.toISOString()
  row.code = await nextCode(parts.database, turn.process.document.prefix, dayOf(context.now, tx.companyTimeZone))
  const { values } = turn
  const object = turn.process.document.object
  const field = object && turn.form.records.model.fields.get(object.field)
  if (field && typeof values[field.name] === 'string')
    Object.assign(row, { bizId: values[field.name], bizType: field.field['x-ref'] ?? null })
  if (row.bizType && row.bizId) {
    // its code, not its title: a name may be closed to whoever sees the application
    const record = await parts.engine.entities(tx, systemContext({ now: context.now })).find(row.bizType, row.bizId)
    row.bizCode = typeof record?.['code'] === 'string' ? record['code'].slice(0, 60) : null
  }
  await insert(turn, context)
  await turn.fill(values)
  const stand = await obstacles(turn)
  if (stand.problems.length > 0) throw refusal('validationFailed', context.locale, stand.problems)
  if (stand.refused) throw stand.refused
  await turn.doEvent('started')
  turn.names.set(context.user.staffId, namesOf(context.user))
  const start = startNode(turn.process.document)
  await turn.copyTo(start.id, start.cc)
  await turn.take({ kind: 'start' }, { action: 'start', nodeId: start.id, byId: row.applicantId })
  return turn.finish()
}

/** A process that another one starts: for the same applicant, whoever acts. */
export const startSub: SubStarter = (parts, tx, context, { code, formData, applicantId, parent }) => {
  const { now, locale, traceId } = context
  return startIn(parts, tx, systemContext({ now, locale, traceId }), { code, formData }, { applicantId, parent })
}
