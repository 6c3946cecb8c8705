import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { EntityEngine, ExportRequest, ImportTasks } from '../entities'
import type { Database } from '../platform/database'
import { Spool, sendFile } from '../platform/files'
import type { FileStore } from '../platform/files'
import { ServiceError, contextOf, ok } from '../platform/http'
import type { RequestContext } from '../platform/http'
import type { Queue } from '../platform/queue'
import type { SessionService } from '../platform/session'
import { DownloadCentre, TASK_COLUMNS } from './downloads'
import type { ReportFiles, ReportTasks } from '../reports'
import { TaskIntake } from './intake'
import { requireStill } from './rightsThen'
import { rightsOver, type TaskRow } from './work'
import type { DownloadTask } from './downloads'

export type { DownloadTask } from './downloads'

export interface DownloadOptions {
  database: Database
  queue: Queue
  engine: EntityEngine
  reports: ReportFiles
  sessions: SessionService
  store: FileStore
  folder: string
  logger: Logger
  now: () => Date
}

export interface DownloadService extends ReportTasks {
  /** Starts an export in the background. */
  startExport(context: RequestContext, entity: string, request: ExportRequest): Promise<{ taskId: string }>
  /** Large imports in the background. */
  imports: ImportTasks
  /** Begins to take tasks. */
  start(): Promise<void>
  sweep(): Promise<void>
}

const BASE = '/v2/download/downloadCenter/api/task'
const MIME = { xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', csv: 'text/csv' } as const
const STATUSES = ['waiting', 'running', 'checked', 'done', 'failed', 'cancelled', 'expired'] as const
const idParameter = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' } },
} as const

/** The download centre: every person's own background exports and imports, with progress, file and cancelling. */
export function registerDownloads(app: FastifyInstance, options: DownloadOptions): DownloadService {
  const { database, queue, engine, reports, sessions, store, logger, now } = options
  const parts = { database, queue, engine, reports, sessions, store, spool: new Spool(options.folder), logger, now }
  const centre = new DownloadCentre(parts)
  const intake = new TaskIntake(parts)

  const pageBody = {
    type: ['object', 'null'],
    properties: {
      pageNo: { type: 'integer', minimum: 1, default: 1 },
      pageSize: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
      status: { type: 'array', items: { enum: STATUSES } },
      keyword: { type: 'string', maxLength: 100 },
    },
  } as const
  app.post(`${BASE}/queryPage`, { schema: { summary: 'The own tasks, newest first', body: pageBody } }, async (request) => {
    const { user } = contextOf(request)
    const {
      pageNo = 1,
      pageSize = 20,
      status = [],
      keyword = '',
    } = (request.body ?? {}) as { pageNo?: number; pageSize?: number; status?: string[]; keyword?: string }
    const where = `staff_id = $1 and deleted_at is null and (cardinality($2::text[]) = 0 or status = any($2::text[])) and position(lower($3) in lower(name)) > 0`
    const values = [user.staffId, status, keyword]
    const [page, count] = await Promise.all([
      database.query<DownloadTask>(
        `select ${TASK_COLUMNS} from sys_download_task where ${where} order by created_at desc, id desc limit $4 offset $5`,
        [...values, pageSize, (pageNo - 1) * pageSize],
      ),
      database.query<{ total: number }>(`select count(*) as total from sys_download_task where ${where}`, values),
    ])
    return ok({ records: page.rows, total: Number(count.rows[0]?.total ?? 0), pageNo, pageSize, refs: {} })
  })

  type Found = DownloadTask & { storageKey: string | null; request: TaskRow['request'] }
  const requireTask = async (id: string, staffId: string): Promise<Found> => {
    const { rows } = await database.query<Found>(
      `select ${TASK_COLUMNS}, storage_key as "storageKey", request from sys_download_task where id = $1 and staff_id = $2 and deleted_at is null`,
      [id, staffId],
    )
    const task = rows[0]
    if (!task) throw new ServiceError('notFound')
    return task
  }

  app.get(`${BASE}/:id`, { schema: { summary: 'One task with its progress', params: idParameter } }, async (request) => {
    const {
      storageKey: _key,
      request: _request,
      ...task
    } = await requireTask((request.params as { id: string }).id, contextOf(request).user.staffId)
    return ok(task)
  })

  app.get(
    `${BASE}/:id/file`,
    { schema: { summary: 'The file of a finished task', params: idParameter } },
    async (request, reply) => {
      const context = contextOf(request)
      const task = await requireTask((request.params as { id: string }).id, context.user.staffId)
      if (task.status !== 'done' || task.storageKey === null) {
        throw new ServiceError('transitionRefused', {
          message:
            task.status === 'expired'
              ? { zh: '文件已过期删除，请重新导出。', en: 'The file has expired and was deleted. Please export again.' }
              : { zh: '任务尚未完成，没有可下载的文件。', en: 'The task is not finished; there is no file yet.' },
          data: { transition: 'download', reason: task.status },
        })
      }
      // the rights of this moment: those of the moment at which it was made may be gone
      const rights = await rightsOver({ engine, reports, context }, task)
      if (task.request.rights) requireStill(task.request.rights, rights)
      const stream = await store.read(task.storageKey)
      return sendFile(
        reply,
        stream,
        { name: task.fileName, size: task.size, mimeType: task.format === 'csv' ? MIME.csv : MIME.xlsx },
        false,
      )
    },
  )

  app.post(
    `${BASE}/:id/cancel`,
    { schema: { summary: 'Stops a task that is not over', params: idParameter } },
    async (request) => {
      const { id } = request.params as { id: string }
      const { user } = contextOf(request)
      await requireTask(id, user.staffId)
      if (!(await centre.cancel(id, user.staffId))) {
        throw new ServiceError('transitionRefused', {
          message: { zh: '任务已经结束，无法取消。', en: 'The task is over already.' },
          data: { transition: 'cancel', reason: 'over' },
        })
      }
      return ok({ id })
    },
  )

  return {
    startExport: (context, entity, request) => intake.addExport(context, entity, request),
    startReport: (context, request, name) => intake.addReport(context, request, name),
    imports: {
      check: (context, entity, file) => intake.addCheck(context, entity, file),
      commit: (context, entity, request) => intake.addCommit(context, entity, request),
    },
    start: () => centre.start(),
    sweep: () => centre.sweep(),
  }
}
