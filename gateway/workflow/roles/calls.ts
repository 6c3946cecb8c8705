import type { FastifyRequest } from 'fastify'
import { nodeById } from '../../../src/schema/process'
import type { Database } from '../../platform/database'
import { contextOf, ok, ServiceError } from '../../platform/http'
import { processOf } from '../definitions'
import { ID_FIELD, ID_PARAMS, likeText, PAGE_FIELDS, pageOf, type PageRequest } from '../paging'
import type { WorkflowParts } from '../parts'
import { registerStateCall } from '../stateUpdate'
import { ROLE } from '../processes/access'
import { usesOfRole } from './service'

type WithId = FastifyRequest<{ Params: { id: string } }>

interface Member {
  id?: string
  staffId: string
  scopeType?: 'all' | 'dept' | 'product' | 'entity' | 'country'
  scopeIds?: string[]
}

interface SaveBody {
  id?: string
  version?: number
  code?: string
  name?: { zh: string; en: string }
  remark?: string | null
  sort?: number
  members?: Member[]
}

const tags = ['workflow']
const config = { permission: ROLE }
const about = (summary: string, more: object = {}) => ({ tags, summary, ...more })
const TEXT = { type: 'string', minLength: 1, maxLength: 60 } as const

/** Calls of the approval roles (money 7.6): their members with the scope that each covers. */
export function registerRoleCalls(parts: WorkflowParts): void {
  const { app, engine, database } = parts
  app.post<{ Body: (PageRequest & { keyword?: string; state?: string }) | null }>(
    '/v2/workflow/role/page',
    {
      schema: about('Approval roles with their members and the processes that ask them', {
        body: {
          type: ['object', 'null'],
          properties: { ...PAGE_FIELDS, keyword: { type: 'string', maxLength: 100 }, state: { enum: ['enabled', 'disabled'] } },
        },
      }),
      config,
    },
    async (request) => {
      const body = request.body ?? {}
      const { pageNum, pageSize, offset } = pageOf(body)
      const { rows } = await database.query<RoleRow>(
        `${ROLES} where r.deleted_at is null and ($1::text is null or r.code ilike $1 or r.name_zh ilike $1 or r.name_en ilike $1)
           and ($2::text is null or r.state = $2) order by r.sort, r.code limit $3 offset $4`,
        [body.keyword ? likeText(body.keyword) : null, body.state ?? null, pageSize, offset],
      )
      const list = await Promise.all(rows.map(async (row) => ({ ...told(row), processes: await usesOfRole(database, row.code) })))
      return ok({ total: Number(rows[0]?.total ?? 0), list, pageNum, pageSize })
    },
  )

  app.post(
    '/v2/workflow/role/update/:id',
    {
      schema: about('An approval role with its members, the processes that ask it and what waits on it', { params: ID_PARAMS }),
      config,
    },
    async (request: WithId) => {
      const { rows } = await database.query<RoleRow>(`${ROLES} where r.deleted_at is null and r.id = $1`, [request.params.id])
      const [role] = rows
      if (!role) throw new ServiceError('notFound')
      const [processes, waiting] = [await usesOfRole(database, role.code), await waitingOn(database, role.code)]
      return ok({ ...told(role), processes, waiting })
    },
  )

  app.post<{ Body: SaveBody }>(
    '/v2/workflow/role/save',
    {
      schema: about('Saves an approval role with all its members', {
        body: {
          type: 'object',
          properties: {
            id: ID_FIELD,
            version: { type: 'integer' },
            code: { type: 'string', maxLength: 40 },
            name: { type: 'object', properties: { zh: TEXT, en: TEXT }, required: ['zh', 'en'], additionalProperties: false },
            remark: { type: ['string', 'null'], maxLength: 500 },
            sort: { type: 'integer' },
            members: {
              type: 'array',
              maxItems: 500,
              items: {
                type: 'object',
                properties: {
                  id: ID_FIELD,
                  staffId: ID_FIELD,
                  scopeType: { enum: ['all', 'dept', 'product', 'entity', 'country'] },
                  scopeIds: { type: 'array', items: ID_FIELD, maxItems: 200 },
                },
                required: ['staffId'],
                additionalProperties: false,
              },
            },
          },
          additionalProperties: false,
        },
      }),
      config,
    },
    async (request) => {
      const { name, members, ...rest } = request.body
      const saved = await engine.save('wf.role', contextOf(request), {
        ...rest,
        ...(name ? { nameZh: name.zh, nameEn: name.en } : {}),
        ...(members
          ? { members: members.map(({ scopeType = 'all', scopeIds = [], ...one }) => ({ ...one, scopeType, scopeIds })) }
          : {}),
      })
      return ok({ id: saved.id, version: saved.version })
    },
  )

  registerStateCall(parts, {
    path: '/v2/workflow/role/stateUpdate',
    entity: 'wf.role',
    permission: ROLE,
    summary: 'Enables or disables approval roles; answers the processes that ask them',
    // who disables a role that is asked is told which processes find nobody then
    more: async (tx, state, roles) => ({
      warnings: state === 'disabled' ? (await Promise.all(roles.map(({ code }) => usesOfRole(tx, String(code))))).flat() : [],
    }),
  })

  app.get(
    '/v2/workflow/role/deleted/:id',
    { schema: about('Deletes an approval role that no process asks; again it changes nothing', { params: ID_PARAMS }), config },
    async (request: WithId) => {
      const context = contextOf(request)
      const { id } = request.params
      await engine.transaction(context, async (entities) => {
        if (await entities.find('wf.role', id, { lock: true })) await entities.remove('wf.role', id)
      })
      return ok({ id })
    },
  )

  app.get(
    '/v2/workflow/role/waiting/:id',
    { schema: about('Applications whose present step asks an approval role', { params: ID_PARAMS }), config },
    async (request: WithId) => {
      const { rows } = await database.query<{ code: string }>('select code from wf_role where id = $1 and deleted_at is null', [
        request.params.id,
      ])
      if (!rows[0]) throw new ServiceError('notFound')
      return ok(await waitingOn(database, rows[0].code))
    },
  )
}

interface RoleRow extends Record<string, unknown> {
  code: string
  nameZh: string
  nameEn: string
  total: number
}

const ROLES = `select count(*) over () as total, r.id, r.code, r.name_zh as "nameZh", r.name_en as "nameEn", r.state, r.remark, r.sort, r.version,
    coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'staffId', m.staff_id, 'name', s.name, 'jobNumber', s.job_number, 'status', s.status,
      'scopeType', m.scope_type, 'scopeIds', coalesce(m.scope_ids, '[]'::jsonb)) order by m.position)
      from wf_role_member m left join sys_staff s on s.id = m.staff_id where m.role_id = r.id and m.deleted_at is null), '[]'::jsonb) as members
  from wf_role r`

const told = ({ total: _total, nameZh, nameEn, ...row }: RoleRow) => ({
  ...row,
  code: row.code,
  name: { zh: nameZh, en: nameEn },
})

/** Open tasks whose step names the role, the oldest first. */
async function waitingOn(db: Database, role: string) {
  const { rows } = await db.query<{ versionId: string; nodeId: string } & Record<string, unknown>>(
    `select t.id as "taskId", t.instance_id as "instanceId", i.version_id as "versionId", t.node_id as "nodeId", t.node_name_zh as "nodeZh",
       t.node_name_en as "nodeEn", i.code, i.title_zh as "titleZh", i.title_en as "titleEn", s.name as handler, t.arrived_at as "arrivedAt", t.due_at as "dueAt"
     from wf_task t join wf_instance i on i.id = t.instance_id join wf_process_version v on v.id = i.version_id left join sys_staff s on s.id = t.assignee_id
     where t.status = 'pending' and t.deleted_at is null and position($1 in v.document) > 0 order by t.arrived_at limit 500`,
    [`"role":${JSON.stringify(role)}`],
  )
  const found = await Promise.all(
    rows.map(async (row) => {
      const { document } = await processOf(db, row.versionId)
      const asks = nodeById(document, row.nodeId)?.assignees?.some((assignee) => assignee.role === role)
      if (asks !== true) return []
      const { nodeZh, nodeEn, titleZh, titleEn, ...rest } = row
      return [{ ...rest, node: { zh: nodeZh, en: nodeEn }, title: { zh: titleZh, en: titleEn } }]
    }),
  )
  return found.flat()
}
