import type { FastifyRequest } from 'fastify'
import type { ProcessDocument } from '../../../src/schema/generated/process'
import { fieldsOf, isForPeople, rightsOf, walkNodes } from '../../../src/schema/process'
import type { Executor, Transaction } from '../../platform/database'
import { can, contextOf, ok, ServiceError, type RequestContext, type Text } from '../../platform/http'
import { currentProcess, processOf, type StoredProcess } from '../definitions'
import { staffName } from '../names'
import { ID_FIELD, ID_PARAMS, likeText, PAGE_FIELDS, pageOf, type PageRequest } from '../paging'
import type { WorkflowParts } from '../parts'
import { registerStateCall } from '../stateUpdate'
import { ADMIN, administers, DESIGN, requireInsight } from './access'
import { checkerOf, refuseProblems } from './check'
import { describeProcess } from './describe'
import { figures, type Asked as FiguresAsked } from './figures'
import { formBundle, rightsFor } from './formBundle'
import { mayStart } from './mayStart'
import { publish } from './publish'

type WithId<Body = unknown> = FastifyRequest<{ Params: { id: string }; Body: Body; Querystring: { against?: string } }>

/** The document, or its words beside these (money 7.6: `{id?, code, …, nodes, formId, note}`). */
interface SaveBody extends Partial<Omit<ProcessDocument, 'name'>> {
  id?: string
  document?: ProcessDocument
  code?: string
  formId?: string
  note?: string
  basedOn?: number
  adminIds?: string[]
}

const tags = ['workflow']
const about = (summary: string, more: object = {}) => ({ tags, summary, ...more })
const DOCUMENT = { type: 'object', additionalProperties: true } as const
const INSIGHT = [DESIGN, ADMIN] as const

/** Calls of the definitions: list, detail, save as a new version, versions, state, check, forms of processes (money 7.6). */
export function registerProcessCalls(parts: WorkflowParts): void {
  const { app, engine, database } = parts
  const check = checkerOf(parts)
  const labelOf = (dictionary: string, code: string): Text => engine.dictionaryLabel(dictionary, code)

  app.post<{ Body: ListBody | null }>(
    '/v2/workflow/process/queryPage',
    {
      schema: about('Processes with what runs on them; those that the caller designs or administers', {
        body: {
          type: ['object', 'null'],
          properties: {
            ...PAGE_FIELDS,
            keyword: { type: 'string', maxLength: 100 },
            group: { type: 'string', maxLength: 20 },
            state: { enum: ['enabled', 'disabled'] },
            source: { enum: ['file', 'admin'] },
            formId: ID_FIELD,
          },
        },
      }),
    },
    async (request) => ok(await listProcesses(database, contextOf(request), request.body ?? {})),
  )

  app.get(
    '/v2/workflow/process/update/:id',
    { schema: about('A process with its current document, to be changed', { params: ID_PARAMS }) },
    async (request: WithId) => {
      const context = contextOf(request)
      const process = await named(database, request.params.id)
      await requireInsight(database, context, process.processId)
      return ok(await detailOf(parts, process))
    },
  )

  app.post<{ Body: SaveBody }>(
    '/v2/workflow/process/save',
    {
      schema: about('Saves a process as its next version, once it is right', {
        body: {
          type: 'object',
          properties: {
            id: ID_FIELD,
            document: DOCUMENT,
            formId: ID_FIELD,
            note: { type: 'string', maxLength: 500 },
            basedOn: { type: 'integer', minimum: 0, description: 'Number of the version that was changed' },
            adminIds: { type: 'array', items: ID_FIELD, maxItems: 50 },
          },
          additionalProperties: true,
        },
      }),
      config: { permission: DESIGN },
    },
    async (request) => {
      const context = contextOf(request)
      const { id, formId, note, basedOn, adminIds } = request.body
      const document = await documentOf(database, request.body)
      refuseProblems(await check(document), context.locale)
      return engine.transaction(context, async (entities, tx) => {
        const writing = { entities, context }
        const published = await publish(writing, { id, document, formId, source: 'admin', note: note ?? null, basedOn })
        await entities.save('wf.process', {
          id: published.id,
          newerShipped: false,
          ...(adminIds ? { adminIds } : {}),
        })
        if (formId !== undefined) await others(tx, writing, formId, published.id, document.form, check)
        const answer = ok({ id: published.id, versionNo: published.versionNo, changed: published.changed })
        await context.idempotence?.settle(tx, answer)
        return answer
      })
    },
  )

  registerStateCall(parts, {
    path: '/v2/workflow/process/stateUpdate',
    entity: 'wf.process',
    permission: DESIGN,
    summary: 'Enables or disables processes: a disabled one is started no more, what runs goes on',
  })

  app.post(
    '/v2/workflow/process/delete/:id',
    {
      schema: about('Deletes a process that an administrator made and nobody has used', { params: ID_PARAMS }),
      config: { permission: DESIGN },
    },
    async (request: WithId) => {
      const context = contextOf(request)
      return engine.transaction(context, async (entities, tx) => {
        const process = await entities.find('wf.process', request.params.id, { lock: true })
        if (process?.['shippedHash']) throw refused(SHIPPED, 'shipped')
        if (process) await entities.remove('wf.process', request.params.id)
        const answer = ok({ id: request.params.id })
        await context.idempotence?.settle(tx, answer)
        return answer
      })
    },
  )

  app.get(
    '/v2/workflow/process/historyVersion/:id',
    { schema: about('The versions of a process with what each changed and what runs on it', { params: ID_PARAMS }) },
    async (request: WithId) => {
      const process = await named(database, request.params.id)
      await requireInsight(database, contextOf(request), process.processId)
      return ok(await versionsOf(database, contextOf(request), process, labelOf))
    },
  )

  app.get(
    '/v2/workflow/process/historyVersion/view/:id',
    {
      schema: about('A version as it was, and how it differs from another one (default the one before)', {
        params: ID_PARAMS,
        querystring: { type: 'object', properties: { against: ID_FIELD }, additionalProperties: false },
      }),
    },
    async (request: WithId) => {
      const context = contextOf(request)
      const process = await version(database, request.params.id)
      await requireInsight(database, context, process.processId)
      const against =
        request.query.against === undefined ? await before(database, process) : await version(database, request.query.against)
      if (against && against.processId !== process.processId) throw new ServiceError('notFound')
      return ok({
        id: process.versionId,
        processId: process.processId,
        no: process.no,
        hash: process.hash,
        document: process.document,
        against: against ? { id: against.versionId, no: against.no, document: against.document } : null,
        changes: against ? describeProcess(against.document, process.document, labelOf) : [],
        bundle: formBundle(parts, context, process.document, rightsOf(process.document, null)),
      })
    },
  )

  app.post<{ Body: { document: ProcessDocument; id?: string } }>(
    '/v2/workflow/process/check',
    {
      schema: about('What is wrong with a process, and what it changes of the version in force; nothing is saved', {
        body: {
          type: 'object',
          properties: { document: DOCUMENT, id: ID_FIELD },
          required: ['document'],
          additionalProperties: false,
        },
      }),
      config: { permission: DESIGN },
    },
    async (request) => {
      const { locale } = contextOf(request)
      const { document, id } = request.body
      const problems = await check(document)
      const current = id === undefined ? null : await currentProcess(database, { id })
      const right = problems.every(({ severity }) => severity !== 'error')
      return ok({
        problems: problems.map(({ text, ...problem }) => ({ ...problem, text: text[locale] })),
        changes: current && right ? describeProcess(current.document, document, labelOf) : [],
      })
    },
  )

  app.get(
    '/v2/workflow/process/export/:id',
    { schema: about('A process as a file', { params: ID_PARAMS }), config: { permission: INSIGHT } },
    async (request: WithId, reply) => {
      const { document, code } = await named(database, request.params.id)
      void reply.header('content-disposition', `attachment; filename="${code}.json"`)
      return ok(document)
    },
  )

  app.get(
    '/v2/workflow/process/formField/:id',
    {
      schema: about('What a new application of a process (id or code) asks: its form, the rights of the start, who is picked', {
        params: ID_PARAMS,
      }),
    },
    async (request: WithId) => {
      const context = contextOf(request)
      const process = await named(database, request.params.id)
      const designs = can(context, DESIGN) || (await administers(database, context, process.processId))
      if (!designs && !process.enabled) throw disabled(process)
      if (!designs && !(await mayStart({ db: database, schemas: parts.schemas }, context, process.document)))
        throw new ServiceError('noPermission')
      return ok(await newApplication(parts, context, process))
    },
  )

  app.get<{ Params: { formId: string }; Querystring: { processId?: string } }>(
    '/v2/workflow/process/formAuditField/:formId',
    {
      schema: about('The fields of a form with the right that each step of its processes gives', {
        params: { type: 'object', required: ['formId'], properties: { formId: ID_FIELD } },
        querystring: { type: 'object', properties: { processId: ID_FIELD } },
      }),
      config: { permission: INSIGHT },
    },
    async (request) => ok(await auditFields(database, request.params.formId, request.query.processId)),
  )

  app.post<{ Body: FiguresAsked | null }>(
    '/v2/workflow/process/figures',
    {
      schema: about('How long the steps of a process take, where it waits, why it is rejected', {
        body: {
          type: ['object', 'null'],
          properties: {
            processId: ID_FIELD,
            dateFrom: { type: 'string', format: 'date' },
            dateTo: { type: 'string', format: 'date' },
            where: {
              type: 'array',
              maxItems: 4,
              items: {
                type: 'object',
                properties: { field: { enum: ['processId', 'endedAt'] }, operator: { type: 'string', maxLength: 20 }, value: {} },
                required: ['field'],
              },
            },
          },
          additionalProperties: false,
        },
      }),
    },
    async (request) => ok(await figures(parts, contextOf(request), request.body ?? {})),
  )
}

async function documentOf(db: Executor, body: SaveBody): Promise<ProcessDocument> {
  const { document, id: _id, code, formId, note: _note, basedOn: _based, adminIds: _admins, ...words } = body
  const { $schema: _editors, ...given } = document ?? ({ formatVersion: 3, name: code ?? '', ...words } as ProcessDocument)
  if (formId === undefined || (given.form as unknown) !== undefined) return given
  const { rows } = await db.query<{ definition: string }>('select definition from wf_form where id = $1 and deleted_at is null', [
    formId,
  ])
  if (!rows[0]) throw new ServiceError('notFound')
  return { ...given, form: JSON.parse(rows[0].definition) as ProcessDocument['form'] }
}

const SHIPPED: Text = {
  zh: '该流程随产品提供，不能删除。请改为停用。',
  en: 'This process is shipped with the product and cannot be deleted. Disable it instead.',
}

const refused = (message: Text, reason: string): ServiceError =>
  new ServiceError('transitionRefused', { message, data: { transition: 'delete', reason } })

const disabled = ({ document: { label } }: StoredProcess): ServiceError =>
  new ServiceError('transitionRefused', {
    message: {
      zh: `流程「${label.zh}」已停用，不能发起。请联系流程管理员。`,
      en: `The process "${label.en}" is disabled and cannot be started. Ask its administrator.`,
    },
    data: { transition: 'start', reason: 'disabled' },
  })

/** By id or code. @throws ServiceError 10010004 */
async function named(db: Executor, idOrCode: string): Promise<StoredProcess> {
  const process = await currentProcess(db, { id: idOrCode, code: idOrCode })
  if (!process) throw new ServiceError('notFound')
  return process
}

async function version(db: Executor, id: string): Promise<StoredProcess> {
  const { rowCount } = await db.query('select 1 from wf_process_version where id = $1', [id])
  if (rowCount === 0) throw new ServiceError('notFound')
  return processOf(db, id)
}

async function before(db: Executor, { processId, no }: StoredProcess): Promise<StoredProcess | null> {
  const { rows } = await db.query<{ id: string }>(
    'select id from wf_process_version where process_id = $1 and no < $2 order by no desc limit 1',
    [processId, no],
  )
  return rows[0] ? processOf(db, rows[0].id) : null
}

interface ListBody extends PageRequest {
  keyword?: string
  group?: string
  state?: string
  source?: string
  formId?: string
}

async function listProcesses(db: Executor, context: RequestContext, body: ListBody) {
  const { pageNum, pageSize, offset } = pageOf(body)
  const all = can(context, DESIGN) || can(context, ADMIN)
  const { rows } = await db.query<Record<string, unknown> & { total: number }>(
    `select count(*) over () as total, p.id, p.code, p.name_zh as "nameZh", p.name_en as "nameEn", p.group_code as "group", p.icon, p.path,
       p.service_name as "serviceName", p.version_no as "versionNo", p.current_version_id as "versionId", p.state, p.sort, p.source,
       coalesce(p.newer_shipped, false) as "newerShipped", p.form_id as "formId", p.admin_ids as "adminIds", p.version,
       f.name_zh as "formNameZh", f.name_en as "formNameEn", v.published_at as "publishedAt", ${staffName(context.locale)} as "publishedBy",
       (select jsonb_agg(jsonb_build_object('no', r.no, 'running', r.running) order by r.no desc) from (
          select iv.no, count(*) as running from wf_instance i join wf_process_version iv on iv.id = i.version_id
           where i.process_id = p.id and i.status in ('running', 'returned') and i.deleted_at is null group by iv.no) r) as "running",
       exists (select 1 from wf_instance i where i.process_id = p.id and i.deleted_at is null) as "used"
     from wf_process p left join wf_form f on f.id = p.form_id left join wf_process_version v on v.id = p.current_version_id
       left join sys_staff s on s.id = v.published_by
     where p.deleted_at is null and ($1::boolean or p.admin_ids ? $2)
       and ($3::text is null or p.code ilike $3 or p.name_zh ilike $3 or p.name_en ilike $3)
       and ($4::text is null or p.group_code = $4) and ($5::text is null or p.state = $5) and ($6::text is null or p.source = $6)
       and ($7::text is null or p.form_id = $7)
     order by p.sort, p.code limit $8 offset $9`,
    [
      all,
      context.user.staffId,
      body.keyword ? likeText(body.keyword) : null,
      body.group ?? null,
      body.state ?? null,
      body.source ?? null,
      body.formId ?? null,
      pageSize,
      offset,
    ],
  )
  return {
    total: Number(rows[0]?.total ?? 0),
    list: rows.map(({ total: _total, nameZh, nameEn, formNameZh, formNameEn, running, adminIds, ...row }) => ({
      ...row,
      name: { zh: nameZh, en: nameEn },
      formName: { zh: formNameZh, en: formNameEn },
      adminIds: adminIds ?? [],
      running: running ?? [],
    })),
    pageNum,
    pageSize,
  }
}

async function detailOf({ database, schemas }: WorkflowParts, process: StoredProcess) {
  const { rows } = await database.query<{ formId: string; source: string; newerShipped: boolean | null; state: string }>(
    'select form_id as "formId", source, newer_shipped as "newerShipped", state from wf_process where id = $1',
    [process.processId],
  )
  const admins = await database.query<{ id: string; name: string; nameEn: string | null }>(
    'select id, name, name_en as "nameEn" from sys_staff where id = any($1)',
    [process.adminIds],
  )
  const shipped = rows[0]?.newerShipped
    ? schemas.files.find(({ type, value }) => type === 'process' && (value as ProcessDocument).name === process.code)?.value
    : undefined
  return {
    id: process.processId,
    code: process.code,
    versionId: process.versionId,
    versionNo: process.no,
    document: process.document,
    fields: fieldsOf(process.document),
    ...rows[0],
    newerShipped: rows[0]?.newerShipped === true,
    /** The document that the product ships, where an administrator's is in force. */
    shipped: shipped ?? null,
    admins: admins.rows,
  }
}

/** Versions told with what each changed; of the many before only that they are there. */
const DESCRIBED = 50

async function versionsOf(
  db: Executor,
  { locale }: RequestContext,
  process: StoredProcess,
  labelOf: (dictionary: string, code: string) => Text,
) {
  const { rows } = await db.query<{ id: string; no: number }>(
    `select v.id, v.no, v.note, v.source, v.hash, v.published_at as "publishedAt", v.published_by as "publishedById", ${staffName(locale)} as "publishedBy",
       count(i.id) filter (where i.status in ('running', 'returned')) as running, count(i.id) as total, v.id = $2 as current
     from wf_process_version v left join sys_staff s on s.id = v.published_by left join wf_instance i on i.version_id = v.id and i.deleted_at is null
     where v.process_id = $1 group by v.id, s.id order by v.no desc`,
    [process.processId, process.versionId],
  )
  const described = await Promise.all(
    rows.slice(0, DESCRIBED).map(async (row, index) => {
      const previous = rows[index + 1]
      if (!previous) return { ...row, changes: [] }
      const [older, newer] = [await processOf(db, previous.id), await processOf(db, row.id)]
      return { ...row, changes: describeProcess(older.document, newer.document, labelOf) }
    }),
  )
  return [...described, ...rows.slice(DESCRIBED).map((row) => ({ ...row, changes: [] }))]
}

async function newApplication(parts: WorkflowParts, context: RequestContext, process: StoredProcess) {
  const { document } = process
  const start = document.nodes[0]?.id ?? null
  const rights = rightsFor(context, document, start)
  const picked = [...walkNodes(document)].flatMap(({ id, label, assignees = [] }) =>
    assignees.flatMap(({ rule, staff = [] }) => (rule === 'pickByStarter' ? [{ id, label, staff }] : [])),
  )
  const people = await parts.database.query<{ id: string; name: string }>(
    `select id, ${staffName(context.locale, 'sys_staff')} as name from sys_staff
     where id = any($1) and deleted_at is null and status in ('active', 'probation') and sign_in_disabled is not true order by 2`,
    [picked.flatMap(({ staff }) => staff)],
  )
  return {
    process: {
      id: process.processId,
      code: process.code,
      name: document.label,
      group: document.group,
      icon: document.icon ?? null,
      path: document.path ?? null,
      versionNo: process.no,
      description: document.description ?? null,
      prefix: document.prefix,
    },
    fields: fieldsOf(document).filter(({ key, row }) => rights[row === undefined ? key : `${row}.${key}`] !== 'H'),
    bundle: formBundle(parts, context, document, rights),
    rights,
    pick: picked.map(({ id, label, staff }) => ({
      nodeId: id,
      name: label ?? parts.engine.dictionaryLabel('nodeKind', 'approve'),
      among: people.rows.filter((one) => staff.includes(one.id)),
    })),
  }
}

/** Fields with the right of each step at which somebody fills in or decides: the matrix of a process (default R, money 8.15). */
async function auditFields(db: Executor, formId: string, processId: string | undefined) {
  const { rows } = await db.query<{ id: string }>(
    `select id from wf_process where form_id = $1 and deleted_at is null and ($2::text is null or id = $2) order by sort, code`,
    [formId, processId ?? null],
  )
  const form = await db.query('select 1 from wf_form where id = $1 and deleted_at is null', [formId])
  if (form.rowCount === 0) throw new ServiceError('notFound')
  const processes = (await Promise.all(rows.map(({ id }) => currentProcess(db, { id })))).filter((one) => one !== null)
  return {
    formId,
    fields: processes[0] ? fieldsOf(processes[0].document) : [],
    processes: processes.map(({ processId: id, code, document }) => ({
      id,
      code,
      name: document.label,
      nodes: [...walkNodes(document)]
        .filter((node) => node.kind === 'start' || isForPeople(node))
        .map((node) => ({ id: node.id, kind: node.kind, name: node.label ?? null, rights: rightsOf(document, node.id) })),
    })),
  }
}

/** Other processes with the same form get it as well, each with a version of its own. */
async function others(
  tx: Transaction,
  writing: Parameters<typeof publish>[0],
  formId: string,
  except: string,
  form: ProcessDocument['form'],
  check: ReturnType<typeof checkerOf>,
): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from wf_process where form_id = $1 and id <> $2 and deleted_at is null',
    [formId, except],
  )
  for (const { id } of rows) {
    const process = await currentProcess(tx, { id })
    if (!process) continue
    const document = { ...process.document, form }
    refuseProblems(await check(document), writing.context.locale, process.document.label)
    await publish(writing, { id, document, formId, source: 'admin', note: null })
  }
}
