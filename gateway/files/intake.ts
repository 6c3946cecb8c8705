import { copyFile } from 'node:fs/promises'
import type { ExportRequest } from '../entities'
import { dayOf } from '../platform/calendar'
import { newId } from '../platform/database'
import { newKey } from '../platform/files'
import { ServiceError, requirePermission } from '../platform/http'
import type { RequestContext } from '../platform/http'
import { LINE, type DownloadParts } from './downloads'
import type { ReportRequest } from '../reports'
import type { StoredExport, StoredImport, StoredReport, TaskRow } from './work'

/** Tasks of one person that are not over yet. */
const MOST_WAITING = 20
const ACTIVE: readonly string[] = ['waiting', 'running']

interface NewTask {
  id: string
  entity: string
  name: string
  format: 'xlsx' | 'csv'
  page?: string
  request: StoredExport | StoredImport | StoredReport
}

/** Takes orders for the download centre and refuses what cannot be done while somebody is there to hear it. */
export class TaskIntake {
  constructor(private readonly parts: DownloadParts) {}

  /** A new export; refused for somebody who has too many tasks waiting. */
  async addExport(context: RequestContext, entity: string, request: ExportRequest): Promise<{ taskId: string }> {
    const { engine, database, now } = this.parts
    this.require(context, entity, 'export')
    // Said now, while somebody is there to correct it: unknown fields and values of the wrong kind.
    await engine.count(entity, context, request)
    const name = `${engine.model(entity).label[context.locale]} ${dayOf(now(), database.companyTimeZone)}`
    const stored: StoredExport = { ...request, locale: context.locale, traceId: context.traceId }
    return this.add(context, 'export', { id: newId(), entity, name, format: request.format, request: stored })
  }

  /** A report as a file; refused when there is none at the path, or it is closed to the caller. */
  async addReport(context: RequestContext, report: ReportRequest, name?: string): Promise<{ taskId: string }> {
    const { database, now, reports } = this.parts
    const { title, entity } = await reports.about(context, report)
    const stored: StoredReport = { report, locale: context.locale, traceId: context.traceId }
    const called = `${name ?? title} ${dayOf(now(), database.companyTimeZone)}`
    return this.add(context, 'export', { id: newId(), entity, name: called, format: 'xlsx', request: stored })
  }

  /** The check of an import file; the task is the import's from then on, under the same id. */
  async addCheck(
    context: RequestContext,
    entity: string,
    file: { name: string; path: string; page?: string },
  ): Promise<{ taskId: string }> {
    const { store, spool } = this.parts
    this.require(context, entity, 'import')
    const path = await spool.newPath()
    const upload = newKey('import')
    try {
      await copyFile(file.path, path)
      await store.put(upload, path)
      return await this.add(context, 'import', this.importTask(context, newId(), entity, { step: 'check', upload, ...file }))
    } catch (error) {
      await store.remove(upload)
      throw error
    } finally {
      await spool.discard({ path })
    }
  }

  /** The commit of a checked import. Asked for twice, it is one task. */
  async addCommit(
    context: RequestContext,
    entity: string,
    request: { importId: string; fileName: string; skipFaulty: boolean },
  ): Promise<{ taskId: string }> {
    const { database, queue, now } = this.parts
    this.require(context, entity, 'import')
    const { importId, fileName, skipFaulty } = request
    const answer = { taskId: importId }
    const known = await database.transaction(async (tx) => {
      const { rows } = await tx.query<{ status: string }>(
        'select status from sys_download_task where id = $1 and staff_id = $2 for update',
        [importId, context.user.staffId],
      )
      if (rows[0] && !ACTIVE.includes(rows[0].status)) {
        await tx.query(
          `update sys_download_task set status = 'waiting', progress = 0, error = null, expires_at = null, finished_at = null, updated_at = $3,
             request = (request - 'upload') || jsonb_build_object('step', 'commit', 'skipFaulty', $2::boolean) where id = $1`,
          [importId, skipFaulty, now().toISOString()],
        )
        await queue.send(tx, LINE, [{ key: importId }])
      }
      if (rows[0]) await context.idempotence?.settle(tx, { code: 0, msg: 'OK', data: answer })
      return rows.length > 0
    })
    if (!known)
      return this.add(
        context,
        'import',
        this.importTask(context, importId, entity, { step: 'commit', name: fileName, skipFaulty }),
      )
    return answer
  }

  private importTask(
    context: RequestContext,
    id: string,
    entity: string,
    file: { step: 'check' | 'commit'; name: string; page?: string; upload?: string; skipFaulty?: boolean },
  ): NewTask {
    const label = this.parts.engine.model(entity).label
    const plain = file.name.replace(/\.[A-Za-z]{3,4}$/, '').slice(0, 120)
    const { step, upload, skipFaulty, name: fileName, page } = file
    return {
      id,
      entity,
      name: context.locale === 'zh' ? `${label.zh}导入 ${plain}` : `${label.en} import ${plain}`,
      format: 'xlsx',
      page,
      request: { step, upload, skipFaulty, fileName, locale: context.locale, traceId: context.traceId },
    }
  }

  private require(context: RequestContext, entity: string, operation: 'export' | 'import'): void {
    const key = this.parts.engine.model(entity).permissions[operation]
    if (key === undefined) throw new ServiceError('noPermission', { data: { permission: null } })
    requirePermission(context, key)
  }

  private async add(context: RequestContext, kind: TaskRow['kind'], task: NewTask): Promise<{ taskId: string }> {
    const { database, queue, now } = this.parts
    const at = now().toISOString()
    await database.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('switchboard download ' || $1))`, [context.user.staffId])
      const { rows } = await tx.query<{ count: number }>(
        `select count(*) as count from sys_download_task where staff_id = $1 and status in ('waiting', 'running') and deleted_at is null`,
        [context.user.staffId],
      )
      const before = Number(rows[0]?.count ?? 0)
      if (before >= MOST_WAITING) throw tooMany
      await tx.query(
        `insert into sys_download_task (id, created_at, created_by, updated_at, updated_by, version, staff_id, entity, name, kind, status, progress, format, page, request)
         values ($1, $2, $3, $2, $3, 1, $3, $4, $5, $6, 'waiting', 0, $7, $8, $9::jsonb)`,
        [
          task.id,
          at,
          context.user.staffId,
          task.entity,
          task.name,
          kind,
          task.format,
          task.page ?? null,
          JSON.stringify(task.request),
        ],
      )
      // in turns: everybody's first task goes before the second one of anybody
      await queue.send(tx, LINE, [{ key: task.id, behind: before }])
      await context.idempotence?.settle(tx, { code: 0, msg: 'OK', data: { taskId: task.id } })
    })
    return { taskId: task.id }
  }
}

const tooMany = new ServiceError('tooManyRequests', {
  message: {
    zh: `您已有 ${MOST_WAITING} 个未完成的任务，请等待或取消后再试。`,
    en: `You have ${MOST_WAITING} unfinished tasks. Wait for them or cancel some.`,
  },
  data: { reason: 'tooMany', retryAfter: 60 },
})
