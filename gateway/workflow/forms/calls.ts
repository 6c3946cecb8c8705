import type { FastifyRequest } from 'fastify'
import type { Form } from '../../../src/schema/generated/process'
import { contextOf, ok, ServiceError, type RequestContext, type Text } from '../../platform/http'
import type { Transaction } from '../../platform/database'
import { currentProcess } from '../definitions'
import { staffName } from '../names'
import { ID_FIELD, ID_PARAMS, likeText, PAGE_FIELDS, pageOf, type PageRequest } from '../paging'
import type { WorkflowParts } from '../parts'
import { registerStateCall } from '../stateUpdate'
import { ADMIN, DESIGN } from '../processes/access'
import { checkerOf } from '../processes/check'
import { ofForm } from '../processes/describe'
import { formBundle, rightsFor } from '../processes/formBundle'
import { listFields, withField, withoutField, type FieldSpec } from './fields'
import { saveForm, simplest, usersOf } from './save'
import type { Writing } from './store'
import { findForm, requireForm } from './stored'
import { registerImportCalls } from './importCalls'

type WithId<Query = unknown> = FastifyRequest<{ Params: { id: string }; Querystring: Query }>

const tags = ['workflow']
const about = (summary: string, more: object = {}) => ({ tags, summary, ...more })
const config = { permission: DESIGN }
const NAME = { type: 'string', minLength: 1, maxLength: 100 } as const
const JSON_OBJECT = { type: 'object', additionalProperties: true } as const
/** `<formId>.<key>`, of a cell `<formId>.<rows>.<cell>` */
const FIELD_ID = { type: 'string', minLength: 3, maxLength: 160 } as const
const TEXT = { type: ['string', 'null'], maxLength: 2000 } as const
const WORD = { type: ['string', 'null'], maxLength: 120 } as const
const COUNT = { type: ['integer', 'null'] } as const
const NUMBER = { type: ['number', 'null'] } as const

const FIELD_BODY = {
  key: { type: 'string', pattern: '^[a-z][A-Za-z0-9]*(\\.[a-z][A-Za-z0-9]*)?$', maxLength: 101 },
  zh: NAME,
  en: NAME,
  type: { type: 'string', maxLength: 20 },
  dict: WORD,
  refEntity: WORD,
  currency: WORD,
  required: { type: 'boolean' },
  default: {},
  helpZh: TEXT,
  helpEn: TEXT,
  visibleIf: TEXT,
  requiredIf: TEXT,
  computed: TEXT,
  suggest: TEXT,
  maxLength: COUNT,
  minimum: NUMBER,
  maximum: NUMBER,
  scale: COUNT,
  branchable: { type: ['boolean', 'null'] },
  sensitive: WORD,
  group: WORD,
  sort: { type: 'integer', minimum: 0 },
} as const

interface FormBody {
  id?: string
  code?: string
  name?: Text
  definition?: Form
  serviceName?: string
  remark?: string | null
  note?: string | null
  basedOn?: number
}

/** Calls of the forms and their fields (money 7.6): every save checks the processes that use the form and gives them a version. */
export function registerFormCalls(parts: WorkflowParts): void {
  const { app, engine, database } = parts
  const check = checkerOf(parts)
  registerImportCalls(parts, check)

  /** Changes a form in one transaction, with the processes that use it. */
  const change = <Answer>(context: RequestContext, work: (tx: Transaction, writing: Writing) => Promise<Answer>) =>
    engine.transaction(context, async (entities, tx) => {
      const answer = ok(await work(tx, { entities, context }))
      await context.idempotence?.settle(tx, answer)
      return answer
    })
  const changeFields = async (
    tx: Transaction,
    writing: Writing,
    formId: string,
    given: { basedOn?: number | undefined; note?: string | null },
    work: (form: Form) => Form,
  ) => {
    const form = await requireForm(tx, formId)
    const definition = work(form.definition)
    return saveForm(tx, writing, { ...form, ...given, definition, source: 'admin', check })
  }

  app.post<{ Body: (PageRequest & { keyword?: string; state?: string; serviceName?: string }) | null }>(
    '/v2/workflow/form/queryPage',
    {
      schema: about('Forms with the processes that use them', {
        body: {
          type: ['object', 'null'],
          properties: {
            ...PAGE_FIELDS,
            keyword: { type: 'string', maxLength: 100 },
            state: { enum: ['enabled', 'disabled'] },
            serviceName: { type: 'string', maxLength: 60 },
          },
        },
      }),
      config,
    },
    async (request) => {
      const body = request.body ?? {}
      const { pageNum, pageSize, offset } = pageOf(body)
      const { rows } = await database.query<Record<string, unknown> & { total: number; nameZh: string; nameEn: string }>(
        `select count(*) over () as total, f.id, f.code, f.name_zh as "nameZh", f.name_en as "nameEn", f.service_name as "serviceName",
           f.version_no as "versionNo", f.field_count as "fieldCount", f.state, f.source, f.sort, f.remark, f.updated_at as "updatedAt", ${staffName(contextOf(request).locale)} as "updatedBy",
           coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'code', p.code, 'name', jsonb_build_object('zh', p.name_zh, 'en', p.name_en)) order by p.sort, p.code)
             from wf_process p where p.form_id = f.id and p.deleted_at is null), '[]'::jsonb) as processes
         from wf_form f left join sys_staff s on s.id = f.updated_by
         where f.deleted_at is null and ($1::text is null or f.code ilike $1 or f.name_zh ilike $1 or f.name_en ilike $1)
           and ($2::text is null or f.state = $2) and ($3::text is null or f.service_name = $3)
         order by f.sort, f.code limit $4 offset $5`,
        [body.keyword ? likeText(body.keyword) : null, body.state ?? null, body.serviceName ?? null, pageSize, offset],
      )
      const list = rows.map(({ total: _total, nameZh, nameEn, ...row }) => ({ ...row, name: { zh: nameZh, en: nameEn } }))
      return ok({ total: Number(rows[0]?.total ?? 0), list, pageNum, pageSize })
    },
  )

  app.get(
    '/v2/workflow/form/update/:id',
    {
      schema: about('A form with its definition, its fields, its versions and the processes that use it', { params: ID_PARAMS }),
      config,
    },
    async (request: WithId) => {
      const form = await requireForm(database, request.params.id)
      const { rows } = await database.query<{ no: number; definition: string }>(
        `select v.id, v.no, v.note, v.hash, v.saved_at as "savedAt", ${staffName(contextOf(request).locale)} as "savedBy", v.definition from wf_form_version v
           left join sys_staff s on s.id = v.saved_by where v.form_id = $1 order by v.no desc limit 50`,
        [request.params.id],
      )
      const parsed = rows.map(({ definition, ...row }) => ({ ...row, definition: JSON.parse(definition) as Form }))
      return ok({
        ...form,
        fields: listFields(request.params.id, form.definition),
        versions: parsed.map((one, index) => {
          const before = parsed[index + 1]
          return { ...one, changes: before ? ofForm(before.definition, one.definition) : [] }
        }),
        processes: await usersOf(database, request.params.id),
      })
    },
  )

  app.post<{ Body: FormBody }>(
    '/v2/workflow/form/save',
    {
      schema: about('Saves a form; processes that use it get a version with it, or refuse it with the reason', {
        body: {
          type: 'object',
          properties: {
            id: ID_FIELD,
            code: { type: 'string', pattern: '^[a-z][A-Za-z0-9]*$', maxLength: 40 },
            name: { type: 'object', properties: { zh: NAME, en: NAME }, required: ['zh', 'en'], additionalProperties: false },
            definition: JSON_OBJECT,
            serviceName: { type: 'string', maxLength: 60 },
            remark: TEXT,
            note: { type: ['string', 'null'], maxLength: 500 },
            basedOn: { type: 'integer', minimum: 0, description: 'Number of the version that was changed' },
          },
          additionalProperties: false,
        },
      }),
      config,
    },
    async (request) => {
      const context = contextOf(request)
      const { id, code, name, definition, ...rest } = request.body
      return change(context, async (tx, writing) => {
        const before = id === undefined ? undefined : await requireForm(tx, id)
        if (!before && (!code || !name || !definition)) throw missing(context)
        return saveForm(tx, writing, {
          ...rest,
          ...(id === undefined ? {} : { id }),
          code: before?.code ?? code!,
          name: name ?? before!.name,
          definition: definition ?? before!.definition,
          source: 'admin',
          check,
        })
      })
    },
  )

  registerStateCall(parts, {
    path: '/v2/workflow/form/stateUpdate',
    entity: 'wf.form',
    permission: DESIGN,
    summary: 'Enables or disables forms: a disabled one is offered to no new process',
  })

  app.get(
    '/v2/workflow/form/delete/:id',
    { schema: about('Deletes a form that no process uses; again it changes nothing', { params: ID_PARAMS }), config },
    async (request: WithId) => {
      const context = contextOf(request)
      const { id } = request.params
      await engine.transaction(context, async (entities, tx) => {
        if (!(await entities.find('wf.form', id, { lock: true }))) return
        const users = await usersOf(tx, id)
        if (users.length > 0) throw inUse(users)
        await entities.remove('wf.form', id)
      })
      return ok({ id })
    },
  )

  app.post<{ Body: { formId: string; keyword?: string } & PageRequest }>(
    '/v2/workflow/form/field/queryPage',
    {
      schema: about('The fields of a form in their order, cells after their rows', {
        body: {
          type: 'object',
          properties: { ...PAGE_FIELDS, formId: ID_FIELD, keyword: { type: 'string', maxLength: 100 } },
          required: ['formId'],
        },
      }),
      config,
    },
    async (request) => {
      const { formId, keyword = '' } = request.body
      const { pageNum, pageSize, offset } = pageOf({ pageSize: 200, ...request.body })
      const { definition } = await requireForm(database, formId)
      const word = keyword.toLowerCase()
      const found = listFields(formId, definition).filter(({ key, zh, en }) => `${key} ${zh} ${en}`.toLowerCase().includes(word))
      return ok({ total: found.length, list: found.slice(offset, offset + pageSize), pageNum, pageSize })
    },
  )

  app.post<{ Body: FieldSpec & { formId: string; id?: string; basedOn?: number } }>(
    '/v2/workflow/form/field/save',
    {
      schema: about('Adds or changes a field of a form; its key is never changed', {
        body: {
          type: 'object',
          properties: { ...FIELD_BODY, formId: ID_FIELD, id: FIELD_ID, basedOn: { type: 'integer', minimum: 0 } },
          required: ['formId', 'key', 'zh', 'en', 'type'],
          additionalProperties: false,
        },
      }),
      config,
    },
    async (request) => {
      const context = contextOf(request)
      const { formId, id, basedOn, ...spec } = request.body
      if (id !== undefined && id !== `${formId}.${spec.key}`) throw keyChanged(context)
      return change(context, async (tx, writing) => {
        const saved = await changeFields(tx, writing, formId, { basedOn }, (form) => {
          const next = withField(form, spec)
          if (!next) throw new ServiceError('notFound')
          return next
        })
        return { ...saved, formId, id: `${formId}.${spec.key}` }
      })
    },
  )

  app.get(
    '/v2/workflow/form/field/delete/:id',
    {
      schema: about('Takes a field out of a form, where no process needs it; again it changes nothing', {
        params: { type: 'object', required: ['id'], properties: { id: FIELD_ID } },
      }),
      config,
    },
    async (request: WithId) => {
      const context = contextOf(request)
      const { id } = request.params
      const dot = id.indexOf('.')
      const [formId, key] = [id.slice(0, Math.max(0, dot)), id.slice(dot + 1)]
      const form = await findForm(database, formId)
      if (form && listFields(formId, form.definition).some((field) => field.key === key))
        await engine.transaction(context, (entities, tx) =>
          changeFields(tx, { entities, context }, formId, {}, (definition) => withoutField(definition, key)),
        )
      return ok({ id })
    },
  )

  app.post<{ Body: { formId: string; fromFormId: string; keys: string[] } }>(
    '/v2/workflow/form/field/copy',
    {
      schema: about('Takes fields of another form over, after those that are there', {
        body: {
          type: 'object',
          properties: {
            formId: ID_FIELD,
            fromFormId: ID_FIELD,
            keys: { type: 'array', items: NAME, minItems: 1, maxItems: 400 },
          },
          required: ['formId', 'fromFormId', 'keys'],
          additionalProperties: false,
        },
      }),
      config,
    },
    async (request) => {
      const context = contextOf(request)
      const { formId, fromFormId, keys } = request.body
      return change(context, async (tx, writing) => {
        const { definition: from } = await requireForm(tx, fromFormId)
        return changeFields(tx, writing, formId, {}, (form) => {
          const taken = keys.filter((key) => Object.hasOwn(form.fields, key))
          if (taken.length > 0) throw alreadyThere(taken)
          const added = Object.entries(from.fields).filter(([key]) => keys.includes(key))
          const required = (from.required ?? []).filter((key) => keys.includes(key))
          return {
            ...form,
            fields: { ...form.fields, ...Object.fromEntries(added) },
            ...(required.length > 0 ? { required: [...(form.required ?? []), ...required] } : {}),
          }
        })
      })
    },
  )

  app.post<{ Body: { definition: Form; name?: Text; processId?: string; nodeId?: string | null } }>(
    '/v2/workflow/form/preview',
    {
      schema: about('A form that is being changed as somebody sees it at a step; nothing is saved', {
        body: {
          type: 'object',
          properties: {
            definition: JSON_OBJECT,
            name: { type: 'object', properties: { zh: NAME, en: NAME } },
            processId: ID_FIELD,
            nodeId: { type: ['string', 'null'], maxLength: 60 },
          },
          required: ['definition'],
          additionalProperties: false,
        },
      }),
      config: { permission: [DESIGN, ADMIN] },
    },
    async (request) => {
      const context = contextOf(request)
      const { definition, name = { zh: '表单', en: 'Form' }, processId, nodeId = 'start' } = request.body
      const process = processId === undefined ? null : await currentProcess(database, { id: processId })
      const document = process ? { ...process.document, form: definition } : simplest('preview', name, definition)
      const problems = (await check(document)).filter(
        ({ severity, pointer }) => severity === 'error' && pointer.startsWith('/form'),
      )
      if (problems.length > 0)
        return ok({
          problems: problems.map(({ text, ...one }) => ({ ...one, text: text[context.locale] })),
          bundle: null,
          rights: {},
        })
      const rights = rightsFor(context, document, nodeId === 'start' ? (document.nodes[0]?.id ?? null) : nodeId)
      return ok({ problems: [], bundle: formBundle(parts, context, document, rights), rights })
    },
  )
}

const missing = ({ locale }: RequestContext): ServiceError => {
  const message = { zh: '新表单须有编码、名称和内容。', en: 'A new form needs a code, a name and a definition.' }
  return new ServiceError('validationFailed', {
    message,
    data: { errors: [{ field: 'definition', message: message[locale], rule: 'required' }] },
  })
}

const keyChanged = ({ locale }: RequestContext): ServiceError => {
  const message = {
    zh: '字段编码建立后不能修改：请删除后新增。',
    en: 'The key of a field cannot be changed: add another field instead.',
  }
  return new ServiceError('validationFailed', {
    message,
    data: { errors: [{ field: 'key', message: message[locale], rule: 'immutable' }] },
  })
}

const alreadyThere = (keys: readonly string[]): ServiceError => {
  const list = keys.join(', ')
  return new ServiceError('validationFailed', {
    message: { zh: `表单已有字段 ${list}。`, en: `The form has these fields already: ${list}.` },
    data: { errors: keys.map((key) => ({ field: key, message: key, rule: 'unique' })) },
  })
}

const inUse = (users: readonly { nameZh: string; nameEn: string }[]): ServiceError =>
  new ServiceError('transitionRefused', {
    message: {
      zh: `表单正被流程使用：${users.map(({ nameZh }) => nameZh).join('、')}。请先在流程中改用其他表单。`,
      en: `Processes use this form: ${users.map(({ nameEn }) => nameEn).join(', ')}. Give them another form first.`,
    },
    data: { transition: 'delete', reason: 'inUse', processes: users },
  })
