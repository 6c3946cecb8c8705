import type { FastifyInstance } from 'fastify'
import {
  queryPageBody,
  type EntityEngine,
  type EntityRecord,
  type EntityService,
  type QueryPageRequest,
  type Verb,
} from '../entities'
import { newId, type Database, type Executor } from '../platform/database'
import { contextOf, ok, ServiceError, type RequestContext } from '../platform/http'
import { namingNobody, send } from '../todos'

const BASE = '/v2/sys/staff/version'
const NOTICE = 'sys.releaseNotice'
const PUBLISHED = { field: 'status', operator: 'eq', value: 'published' } as const
const SHOWN = 10

/** Says which notices whoever asks has read. */
export const releaseNoticeService: EntityService = {
  computeFields: async (records, { db, context }) => {
    const read = await readBy(
      db,
      context,
      records.map(({ id }) => String(id)),
    )
    for (const record of records) record['mine'] = read.has(String(record['id']))
  },
}

async function readBy(db: Executor, { user }: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(
    'select notice_id as id from sys_release_read where staff_id = $1 and notice_id = any($2::text[]) and deleted_at is null',
    [user.staffId, [...ids]],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Tells everybody who has to read a notice: a message each. */
const announce: Verb = async ({ tx, context, now }, runs) => {
  for (const { subject } of runs) {
    const { id, releaseNo, titleZh, titleEn, audience, departmentIds, publishedAt } = subject.record
    const { rows } = await tx.query<{ id: string }>(
      `select s.id from sys_staff s where s.status <> 'left' and s.deleted_at is null and ($1 = 'all' or exists (
         select from sys_department own join sys_department named on own.path like named.path || '%'
         where own.id = s.main_dept_id and named.id = any($2::text[]))) order by s.id`,
      [audience, departmentIds ?? []],
    )
    const named = { zh: `${String(releaseNo)} ${String(titleZh)}`, en: `${String(releaseNo)} ${String(titleEn || titleZh)}` }
    await send(
      tx,
      rows.map(({ id: staffId }) =>
        namingNobody({
          ...{ staffId, todo: false, type: '6', kind: 'release', senderId: context.user.staffId },
          ...{ title: { zh: `【公告】${named.zh}`, en: `Notice: ${named.en}` } },
          ...{ subject: { entity: NOTICE, id: String(id) }, link: `/message/publicnotice/detail?id=${String(id)}` },
          key: `release/${String(id)}/${staffId}/${String(publishedAt)}`,
        }),
      ),
      now,
    )
  }
}

/** Serves the calls of version notices (R361), and says when the dialog of a new one opens. */
export function registerReleases(app: FastifyInstance, engine: EntityEngine, database: Database): void {
  engine.registerVerb('sys.announce', announce)
  const about = (summary: string) => ({ tags: ['version'], summary })
  const body = { type: 'object', additionalProperties: true } as const
  const withId = { type: 'object', properties: { id: { type: 'string', maxLength: 40 } }, required: ['id'] } as const

  app.post<{ Body: QueryPageRequest }>(
    `${BASE}/versionPage`,
    { schema: { ...about('Version notices that the caller may see, as the queryPage of their entity'), body: queryPageBody } },
    async (request) => ok(await engine.queryPage(NOTICE, contextOf(request), request.body)),
  )
  app.get(`${BASE}/getVersionSelectOption`, { schema: about('Version notices to choose from') }, async (request) =>
    ok(await engine.select(NOTICE, contextOf(request), {})),
  )
  app.get(
    `${BASE}/checkUserNeedPopupVersion`,
    { schema: about('The newest notice that the caller has to read; popupState 1 opens it') },
    async (request) => {
      const found = await unreadOf(database, contextOf(request))
      return ok({ popupState: found ? 1 : 0, versionDetail: found ?? null })
    },
  )
  app.post<{ Body: EntityRecord }>(
    `${BASE}/saveOrUpdateVersion`,
    { schema: { ...about('Saves a notice: a new one, or with id one that is there'), body } },
    async (request) => ok(await engine.save(NOTICE, contextOf(request), request.body)),
  )
  app.post<{ Body: { id: string; contentZh?: string; contentEn?: string; attachments?: string[] } }>(
    `${BASE}/updateDoc`,
    {
      schema: {
        ...about('Changes the text and the attachments of a notice'),
        body: {
          type: 'object',
          properties: {
            id: { type: 'string', maxLength: 40 },
            contentZh: { type: 'string' },
            contentEn: { type: 'string' },
            attachments: { type: 'array', items: { type: 'string' } },
          },
          required: ['id'],
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const { record } = await engine.view(NOTICE, context, request.body.id)
      return ok(await engine.save(NOTICE, context, { ...request.body, version: record['version'] }))
    },
  )
  app.post<{ Querystring: { id: string } }>(
    `${BASE}/deleteDoc`,
    { schema: { ...about('Deletes a draft, or a notice that was withdrawn'), querystring: withId } },
    async (request) => ok(await engine.remove(NOTICE, contextOf(request), request.query.id)),
  )
  app.get<{ Querystring: { id: string } }>(
    `${BASE}/getVersionDetail`,
    { schema: { ...about('A notice that the caller may see'), querystring: withId } },
    async (request) => ok(await engine.view(NOTICE, contextOf(request), request.query.id)),
  )
  app.get<{ Querystring: { version: string; id?: string } }>(
    `${BASE}/checkInnerVersionExist`,
    {
      schema: {
        ...about('Whether another notice has this version number'),
        querystring: {
          type: 'object',
          properties: { version: { type: 'string', maxLength: 30 }, id: { type: 'string', maxLength: 40 } },
          required: ['version'],
        },
      },
    },
    async (request) => {
      const { version, id = '' } = request.query
      const where = [{ field: 'releaseNo', operator: 'eq', value: version } as const]
      const { records } = await engine.queryPage(NOTICE, contextOf(request), { where })
      return ok(records.some((record) => record['id'] !== id))
    },
  )
  app.post<{ Body: { cursor?: string; kind?: string } }>(
    `${BASE}/versionTimeAxisPage`,
    {
      schema: {
        ...about('Published notices, the newest first; `next` is the cursor of those before them'),
        body: {
          type: 'object',
          properties: { cursor: { type: 'string', maxLength: 2000 }, kind: { type: 'string', maxLength: 40 } },
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const { cursor = '', kind } = request.body
      const where = [PUBLISHED, ...(kind ? [{ field: 'kind', operator: 'eq', value: kind } as const] : [])]
      const sort = [{ field: 'publishedAt', order: 'desc' } as const]
      const context = contextOf(request)
      const { records, total, next } = await engine.queryPage(NOTICE, context, { where, sort, cursor, pageSize: SHOWN })
      return ok({ records: records.map((record) => told(engine, context, record)), total, next: next ?? null })
    },
  )
  app.post<{ Body: { id: string } }>(
    `${BASE}/markRead`,
    { schema: { ...about('The caller has read a published notice'), body: withId } },
    async (request) => ok(await markRead(engine, contextOf(request), request.body.id)),
  )
}

/** A notice as the time axis and the dialog show it. */
function told(engine: EntityEngine, { locale }: RequestContext, record: EntityRecord) {
  const { id, releaseNo, kind, title, content, publishedAt, mine } = record
  return {
    id,
    version: releaseNo,
    kind,
    kindLabel: engine.dictionaryLabel('releaseKind', String(kind))[locale],
    title,
    content,
    publishedAt,
    read: mine,
  }
}

/** The newest notice with a dialog that is meant for a person and that he has not read. */
async function unreadOf(db: Executor, { user, locale }: RequestContext): Promise<EntityRecord | undefined> {
  const { rows } = await db.query<EntityRecord>(
    `select n.id, n.release_no as version, n.kind, case when $3 = 'en' then coalesce(nullif(n.title_en, ''), n.title_zh) else n.title_zh end as title,
       case when $3 = 'en' then coalesce(nullif(n.content_en, ''), n.content_zh) else n.content_zh end as content, n.published_at as "publishedAt"
     from sys_release_notice n where n.status = 'published' and n.popup and n.deleted_at is null
       and not exists (select from sys_release_read r where r.notice_id = n.id and r.staff_id = $1 and r.deleted_at is null)
       and (n.audience = 'all' or exists (select from sys_department own join sys_department named on own.path like named.path || '%'
         where own.id = any($2::text[]) and jsonb_exists(n.department_ids, named.id)))
     order by n.published_at desc limit 1`,
    [user.staffId, user.deptIds, locale],
  )
  return rows[0]
}

/** Once a person and notice, however often it is said. */
async function markRead(engine: EntityEngine, context: RequestContext, id: string): Promise<{ id: string }> {
  const { user, now } = context
  return engine.transaction(
    context,
    async (entities, tx) => {
      const notice = await entities.find(NOTICE, id, { lock: true })
      if (notice?.['status'] !== 'published') throw new ServiceError('notFound')
      if ((await readBy(tx, context, [id])).size === 0)
        await entities.createMany('sys.releaseRead', [
          {
            id: newId(now.getTime()),
            noticeId: id,
            staffId: user.staffId,
            departmentId: user.mainDeptId,
            readAt: now.toISOString(),
          },
        ])
      return { id }
    },
    { retries: 3 },
  )
}
