import type { FastifyRequest } from 'fastify'
import { ExpressionError } from '../../../src/schema/expression'
import { refusal, type EntityRecord } from '../../entities'
import type { Executor, Transaction } from '../../platform/database'
import { contextOf, ok, ServiceError, type RequestContext } from '../../platform/http'
import type { WorkflowParts } from '../parts'
import { nodeById } from '../../../src/schema/process'
import { processOf } from '../definitions'
import { allowsBatch } from '../my/lists'
import { rightsFor } from '../processes/formBundle'
import { agree, comment, reject, resubmit, transmit } from './act'
import type { Act, ActRequest } from './acting'
import { administer } from './administer'
import { askedInstance, instanceDetail, maySee } from './detail'
import { readableOf } from './form'
import { readInstance, type FlowParts, type InstanceRow } from './instance'
import { read } from './read'
import { startIn, type StartRequest } from './start'
import { tryStart } from './tryStart'
import { openTasks } from './state'
import { Turn } from './turn'
import { urge } from './urge'
import { withdraw } from './withdraw'

const ID = { type: 'string', maxLength: 60 } as const
const IDS = { type: 'array', items: ID, maxItems: 50 } as const
const PICKED = { type: 'object', additionalProperties: IDS, maxProperties: 200 } as const
const VALUES = { type: 'object', maxProperties: 500 } as const
/** A file as its upload answered it. */
const FILE = {
  type: 'object',
  properties: { id: ID, name: { type: 'string', maxLength: 300 }, size: { type: 'number' } },
  required: ['id', 'name', 'size'],
} as const
const FILES = { type: 'array', items: FILE, maxItems: 20 } as const
const COMMENT = { type: 'string', maxLength: 4_000 } as const

const START = {
  type: 'object',
  properties: {
    processId: ID,
    code: ID,
    instanceId: ID,
    formData: VALUES,
    bizId: ID,
    pickedAssignees: PICKED,
    ccIds: IDS,
    draft: { type: 'boolean' },
    dryRun: { type: 'boolean' },
  },
} as const

const ACT = {
  type: 'object',
  properties: {
    instanceId: ID,
    taskId: ID,
    action: { type: 'string', maxLength: 30 },
    op: { type: 'string', maxLength: 30 },
    nodeId: ID,
    comment: COMMENT,
    files: FILES,
    signature: FILE,
    formData: VALUES,
    targetNodeId: ID,
    toStaffIds: IDS,
    atStaffIds: IDS,
    pickedAssignees: PICKED,
    backToMe: { type: 'boolean' },
    opinion: { type: 'boolean' },
    rowVersion: { type: 'integer' },
  },
} as const

/** Tasks that are agreed to at once (money 9.1). */
const MOST_AT_ONCE = 50

const MANY = {
  type: 'object',
  properties: { taskIds: { type: 'array', items: ID, maxItems: 2_000 }, comment: COMMENT },
  required: ['taskIds'],
} as const

const tags = ['workflow']

/** What an action leads to. */
const answerOf = (row: InstanceRow) => ({
  instanceId: row.id,
  code: row.code,
  status: row.status,
  nextNodes: Object.entries(row.state?.flow.nodes ?? {}).flatMap(([id, { phase }]) => (phase === 'branches' ? [] : [id])),
  rowVersion: row.version,
})

/** Calls of people who act on applications (money 7.6). */
export function registerOperateCalls(parts: FlowParts & Pick<WorkflowParts, 'app'>): void {
  const { app, engine } = parts
  const within = <Answer>(context: RequestContext, work: (tx: Transaction) => Promise<Answer>): Promise<Answer> =>
    engine.transaction(
      context,
      async (_entities, tx) => {
        const answer = await told(work(tx))
        await context.idempotence?.settle(tx, ok(answer))
        return answer
      },
      { retries: 5 },
    )
  const reading = <Answer>(context: RequestContext, work: (tx: Transaction) => Promise<Answer>): Promise<Answer> =>
    engine.transaction(context, (_entities, tx) => told(work(tx)))

  app.post(
    '/v2/workflow/operate/start',
    {
      schema: { tags, summary: 'Starts an application; with `dryRun` the way that it would take and what is wrong', body: START },
    },
    async (request: FastifyRequest<{ Body: StartRequest & { dryRun?: boolean } }>) => {
      const context = contextOf(request)
      const { dryRun, ...given } = request.body
      const asked = { ...given, formData: given.formData ?? {} }
      if (dryRun) return ok(await reading(context, (tx) => tryStart(parts, tx, context, asked)))
      return ok(await within(context, async (tx) => answerOf(await startIn(parts, tx, context, asked))))
    },
  )

  app.post(
    '/v2/workflow/operate/saveDraft',
    { schema: { tags, summary: 'Keeps an application that is not submitted yet', body: START } },
    async (request: FastifyRequest<{ Body: StartRequest }>) => {
      const context = contextOf(request)
      const asked = { ...request.body, formData: request.body.formData ?? {}, draft: true }
      return ok(await within(context, async (tx) => answerOf(await startIn(parts, tx, context, asked))))
    },
  )

  const act = (name: string, summary: string, work: Act): void => {
    app.post(
      `/v2/workflow/operate/${name}`,
      { schema: { tags, summary, body: ACT } },
      async (request: FastifyRequest<{ Body: ActRequest }>) => {
        const context = contextOf(request)
        return ok(await within(context, async (tx) => answerOf(await work(parts, tx, context, request.body))))
      },
    )
  }
  act('agree', 'Agrees to a task, or says that it is done', agree)
  act('reject', 'Rejects, or returns', reject)
  act('transmit', 'Gives a task to somebody else, or asks others first', transmit)
  act('addSign', 'Asks others before the own decision', (p, tx, context, request) =>
    transmit(p, tx, context, { ...request, opinion: true }),
  )
  act('withdraw', 'Takes an application back, or with taskId the own last decision', withdraw)
  act('takeBack', 'Takes the own last decision back', (p, tx, context, request) => {
    if (!request.taskId) throw new ServiceError('notFound')
    return withdraw(p, tx, context, request)
  })
  act('resubmit', 'Submits again what was returned', resubmit)
  act('urge', 'Asks those who have it to hurry', urge)
  act('admin', 'An administrator jumps, reassigns, terminates or retries; with a reason', administer)
  act('comment', 'Says something to an application', async (p, tx, context, request) => {
    await requireSight(p, tx, context, request)
    return comment(p, tx, context, request)
  })

  app.post(
    '/v2/workflow/operate/agreeMany',
    {
      schema: {
        tags,
        summary: 'Agrees to at most 50 tasks of one process, each for itself; one that asks for more than a yes is refused',
        body: MANY,
      },
    },
    async (request: FastifyRequest<{ Body: { taskIds: string[]; comment?: string } }>) => {
      const context = contextOf(request)
      const { taskIds, comment: said } = request.body
      const outcome = { done: [] as string[], refused: [] as { id: string; title: string; reason: string }[] }
      const codes = await requireTogether(parts.database, context, taskIds)
      for (const taskId of new Set(taskIds)) {
        try {
          await engine.transaction(context, (_entities, tx) => agreeAmongMany(parts, tx, context, taskId, said), { retries: 5 })
          outcome.done.push(taskId)
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          outcome.refused.push({ id: taskId, title: codes.get(taskId) ?? '', reason: error.messageIn(context.locale) })
        }
      }
      return ok(await within(context, () => Promise.resolve(outcome)))
    },
  )

  app.post(
    '/v2/workflow/operate/read',
    { schema: { tags, summary: 'Marks a task or a copy as seen', body: ACT } },
    async (request: FastifyRequest<{ Body: ActRequest }>) => {
      const context = contextOf(request)
      await reading(context, (tx) => read(tx, context, request.body))
      return ok(null)
    },
  )

  app.post(
    '/v2/workflow/operate/instanceDetail',
    { schema: { tags, summary: 'An application with its form, way, timeline and what the caller may do', body: ACT } },
    async (request: FastifyRequest<{ Body: ActRequest }>) => {
      const context = contextOf(request)
      return ok(await reading(context, (tx) => instanceDetail(parts, tx, context, request.body)))
    },
  )

  app.post(
    '/v2/workflow/operate/form/data',
    { schema: { tags, summary: 'The values of an application, as the caller may see them', body: ACT } },
    async (request: FastifyRequest<{ Body: ActRequest }>) => {
      const context = contextOf(request)
      return ok(
        await reading(context, async (tx): Promise<EntityRecord> => {
          const turn = await requireSight(parts, tx, context, request.body)
          const mine = openTasks(turn.flow).find(({ task }) => task.assigneeId === context.user.staffId)
          const fills = turn.row.applicantId === context.user.staffId && ['draft', 'returned'].includes(turn.row.status)
          const nodeId = mine?.nodeId ?? (fills ? turn.process.document.nodes[0]!.id : null)
          return readableOf(turn.values, rightsFor(context, turn.process.document, nodeId))
        }),
      )
    },
  )

  app.post(
    '/v2/workflow/operate/select/currentTaskId',
    { schema: { tags, summary: "The caller's open task of an application, or null", body: ACT } },
    async (request: FastifyRequest<{ Body: ActRequest }>) => {
      const context = contextOf(request)
      const { rows } = await parts.database.query<{ id: string }>(
        `select id from wf_task where instance_id = $1 and assignee_id = $2 and status = 'pending' and deleted_at is null order by arrived_at limit 1`,
        [request.body.instanceId ?? '', context.user.staffId],
      )
      return ok(rows[0]?.id ?? null)
    },
  )
}

/** A formula of a process that cannot be worked out is the fault of the process, which its administrators mend, or lacks what it reads: a rate of that day. */
async function told<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { zh, en } = error.problem.message
    throw new ServiceError('validationFailed', {
      message: {
        zh: `流程中的一个公式无法计算：${zh}如果填写无误，请把这句话告诉流程管理员。`,
        en: `A formula of the process cannot be worked out: ${en} If what you filled in is right, please tell an administrator of the process.`,
      },
      data: { errors: [] },
      cause: error,
    })
  }
}

/** A plain yes, where the step takes one (`batch`). @throws ServiceError */
async function agreeAmongMany(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  taskId: string,
  said?: string,
): Promise<InstanceRow> {
  const { rows } = await tx.query<{ nodeId: string; versionId: string }>(
    'select t.node_id as "nodeId", i.version_id as "versionId" from wf_task t join wf_instance i on i.id = t.instance_id where t.id = $1 and t.assignee_id = $2 and t.deleted_at is null',
    [taskId, context.user.staffId],
  )
  const [task] = rows
  if (!task) throw new ServiceError('notFound')
  const node = nodeById((await processOf(tx, task.versionId)).document, task.nodeId)
  if (node && !allowsBatch(node)) throw new ServiceError('transitionRefused', { message: ONE_BY_ONE })
  return agree(parts, tx, context, { taskId, action: 'agree', comment: said })
}

/**
 * Tasks that may be agreed to at once: not too many, and of one process, so that whoever agrees knows to what.
 * @returns the numbers of their applications, by task
 * @throws ServiceError saying what to do instead
 */
async function requireTogether(
  db: Executor,
  { user, locale }: RequestContext,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(taskIds)]
  const refuse = (zh: string, en: string): ServiceError =>
    refusal('validationFailed', locale, [{ field: 'taskIds', rule: 'together', message: { zh, en } }])
  if (ids.length > MOST_AT_ONCE)
    throw refuse(
      `一次最多批量同意 ${MOST_AT_ONCE} 项，您选了 ${ids.length} 项。请分几次同意。`,
      `At most ${MOST_AT_ONCE} are agreed to at once, and you chose ${ids.length}. Agree to them in several parts.`,
    )
  const { rows } = await db.query<{ id: string; code: string; zh: string; en: string }>(
    `select t.id, i.code, p.name_zh as zh, p.name_en as en from wf_task t join wf_instance i on i.id = t.instance_id join wf_process p on p.id = t.process_id
     where t.id = any($1::text[]) and t.assignee_id = $2 and t.deleted_at is null order by p.sort, p.code`,
    [ids, user.staffId],
  )
  const [first, other] = [...new Map(rows.map((row) => [row.zh, row])).values()]
  if (first && other)
    throw refuse(
      `所选待办属于多个流程（${first.zh}、${other.zh}…）。请先按流程筛选，再批量同意。`,
      `They are of several processes (${first.en}, ${other.en} …). Filter by process first, then agree to all of one.`,
    )
  return new Map(rows.map(({ id, code }) => [id, code]))
}

const ONE_BY_ONE = {
  zh: '这一步需要填写字段、意见、附件或签名，请打开后单独处理。',
  en: 'This step asks for fields, a comment, files or a signature. Open it and decide it by itself.',
}

/** @throws ServiceError 10010004 for who may not see the application */
async function requireSight(parts: FlowParts, tx: Transaction, context: RequestContext, request: ActRequest): Promise<Turn> {
  const row = await readInstance(tx, await askedInstance(tx, request))
  if (!row || !(await maySee(parts, tx, context, row))) throw new ServiceError('notFound')
  if (row.status === 'draft' && row.applicantId !== context.user.staffId) throw new ServiceError('notFound')
  return Turn.of(parts, tx, context, row)
}
