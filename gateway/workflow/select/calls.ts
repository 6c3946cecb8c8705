import type { FastifyRequest } from 'fastify'
import type { ProcessDocument } from '../../../src/schema/generated/process'
import { walkNodes } from '../../../src/schema/process'
import { can, contextOf, ok, ServiceError, type Text } from '../../platform/http'
import { currentProcess } from '../definitions'
import { ID_FIELD } from '../paging'
import type { WorkflowParts } from '../parts'
import { ADMIN, DESIGN } from '../processes/access'
import { SUBMIT } from '../processes/closedStarts'
import { mayStart } from '../processes/mayStart'
import { BUSINESS_DOCUMENTS } from '../views/documents'

/** A line of a select list (money 7.4). */
interface Choice {
  value: string
  label: Text
  extra?: Record<string, unknown>
}

const tags = ['workflow']

/** The seven select lists (money 7.4): for whoever is signed in, as the pages of approvals need them. */
export function registerSelectCalls(parts: WorkflowParts): void {
  const { app, engine, database, schemas } = parts
  const choices = (dictionary: string): Choice[] =>
    engine.dictionaryChoices(dictionary).map(({ code, label }) => ({ value: code, label }))
  const serve = (name: string, summary: string, answer: (request: FastifyRequest) => Promise<Choice[]>, query: object = {}) =>
    app.get(
      `/v2/workflow/select/${name}`,
      { schema: { tags, summary, querystring: { type: 'object', properties: query } } },
      async (request) => ok(await answer(request)),
    )

  serve('agreeAction', 'Ways to agree', () => Promise.resolve(choices('agreeAction')))
  serve('rejectAction', 'Ways to reject or return', () => Promise.resolve(choices('rejectAction')))

  serve('form', 'Enabled forms', async () => {
    const { rows } = await database.query<Named & { version: number; serviceName: string | null }>(
      `select id, code, name_zh as "nameZh", name_en as "nameEn", version_no as version, service_name as "serviceName" from wf_form
       where state = 'enabled' and deleted_at is null order by sort, code`,
    )
    return rows.map(({ version, serviceName, ...row }) => choice(row, { code: row.code, version, serviceName }))
  })

  serve('role', 'Enabled approval roles', async () => {
    const { rows } = await database.query<Named & { memberCount: number; scopes: string[] | null }>(
      `select r.id, r.code, r.name_zh as "nameZh", r.name_en as "nameEn", count(distinct m.staff_id) as "memberCount",
         jsonb_agg(distinct m.scope_type) filter (where m.scope_type is not null) as scopes
       from wf_role r left join wf_role_member m on m.role_id = r.id and m.deleted_at is null
       where r.state = 'enabled' and r.deleted_at is null group by r.id order by r.sort, r.code`,
    )
    return rows.map(({ memberCount, scopes, ...row }) => choice(row, { code: row.code, memberCount, scopes: scopes ?? [] }))
  })

  serve(
    'process',
    'Enabled processes that the caller may start; with all=1 every one, for who designs or administers',
    async (request) => {
      const context = contextOf(request)
      const all = (request.query as { all?: string }).all === '1'
      if (all && !can(context, DESIGN) && !can(context, ADMIN))
        throw new ServiceError('noPermission', { data: { permission: DESIGN } })
      const { rows } = await database.query<Named & { group: string; icon: string | null; path: string | null; state: string }>(
        `select id, code, name_zh as "nameZh", name_en as "nameEn", group_code as "group", icon, path, state from wf_process
         where deleted_at is null and current_version_id is not null and ($1::boolean or state = 'enabled') order by sort, code`,
        [all],
      )
      const found: Choice[] = []
      for (const { group, icon, path, state, ...row } of rows) {
        const process = all ? undefined : await currentProcess(database, { id: row.id })
        if (process && !(await mayStart({ db: database, schemas }, context, process.document))) continue
        const groupName = engine.dictionaryLabel('processGroup', group)
        found.push(
          choice(row, { code: row.code, group, groupName, icon, applyPath: path ?? `${SUBMIT}?code=${row.code}`, state }),
        )
      }
      return found
    },
    { all: { type: 'string', enum: ['0', '1'] } },
  )

  serve(
    'processNode',
    'The steps of a process as it is now: for targets of a return, filters of logs, rules of notices',
    async (request) => {
      const { processId, code } = request.query as { processId?: string; code?: string }
      const process = await currentProcess(database, { ...(processId ? { id: processId } : {}), ...(code ? { code } : {}) })
      if (!process) throw new ServiceError('notFound')
      return [...walkNodes(process.document)].map(({ id, kind, label }) => ({
        value: id,
        label: label ?? engine.dictionaryLabel('nodeKind', kind),
        extra: { kind },
      }))
    },
    { processId: ID_FIELD, code: ID_FIELD },
  )

  serve('serviceName', 'What processes act upon', async () => {
    const { rows } = await database.query<{ id: string; serviceName: string | null }>(
      `select id, service_name as "serviceName" from wf_process where deleted_at is null and current_version_id is not null order by sort, code`,
    )
    const served = new Map<string, ProcessDocument>()
    for (const { id, serviceName } of rows) {
      const process = serviceName && !served.has(serviceName) ? await currentProcess(database, { id }) : null
      if (process) served.set(serviceName!, process.document)
    }
    return choices('serviceName').map((one) => {
      const document = served.get(one.value)
      const view = BUSINESS_DOCUMENTS.find(({ service }) => service === one.value)
      const entity = document?.object ? document.form.fields[document.object.field]?.['x-ref'] : undefined
      return {
        ...one,
        extra: {
          code: one.value,
          applyPath: document?.path ?? null,
          detailPath: typeof entity === 'string' ? (schemas.detailPage(entity) ?? null) : null,
          detailCalls: view ? [view.byId, view.byInstance] : [],
          fields: document?.form.required ?? [],
          effects: effectsOf(document),
        },
      }
    })
  })
}

interface Named {
  id: string
  code: string
  nameZh: string
  nameEn: string
}

const choice = ({ id, nameZh, nameEn }: Named, extra: Record<string, unknown>): Choice => ({
  value: id,
  label: { zh: nameZh, en: nameEn },
  extra: { id, ...extra },
})

/** The verbs that an application does when it is agreed. */
const effectsOf = (document: ProcessDocument | undefined): string[] => [
  ...new Set((document?.effects?.agreed ?? []).map(({ do: verb }) => verb)),
]
