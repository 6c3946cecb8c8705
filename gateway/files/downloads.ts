import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { EntityEngine, ExportRequest } from '../entities'
import { newId } from '../platform/database'
import type { Database } from '../platform/database'
import { newKey } from '../platform/files'
import type { FileStore, Spool } from '../platform/files'
import { ServiceError, requirePermission } from '../platform/http'
import type { Locale, RequestContext } from '../platform/http'
import type { SessionService } from '../platform/session'

export interface DownloadParts {
  database: Database
  engine: EntityEngine
  sessions: SessionService
  store: FileStore
  spool: Spool
  logger: Logger
  now: () => Date
}

/** A task of the download centre (sys.downloadTask) as its owner sees it. */
export interface DownloadTask {
  id: string
  name: string
  fileName: string
  /** waiting, running, done, failed, cancelled or expired. */
  status: string
  /** 0..1 */
  progress: number
  rows: number | null
  size: number | null
  format: string
  entity: string
  /** Why it failed. */
  message: string | null
  createdAt: string
  finishedAt: string | null
  expiresAt: string | null
}

/** What a task needs to be run, also after a restart. */
interface StoredRequest extends ExportRequest {
  locale: Locale
  traceId: string
  /** How often it was begun. */
  attempts?: number
}

interface TaskRow {
  id: string
  staffId: string
  entity: string
  format: 'xlsx' | 'csv'
  request: StoredRequest
}

const KEPT_SECONDS = 7 * 86_400
/** Exports that one gateway makes at the same time: they share the machine with everybody's calls. */
const AT_ONCE = 2
/** Tasks of one person that are not over yet. */
const MOST_WAITING = 10
const LOOK_EVERY = 2000
const HEARTBEAT = 5000
const SILENCE_SECONDS = 30
const MOST_ATTEMPTS = 3

export const TASK_COLUMNS = `id, name, name || '.' || format as "fileName", status, coalesce(progress, 0)::float8 as progress, rows, size, format, entity, error as message,
  created_at as "createdAt", finished_at as "finishedAt", expires_at as "expiresAt"`

/** Makes exports in the background: any gateway on the database takes the next waiting one; what a dead one left is taken up again. */
export class DownloadCentre {
  private readonly running = new Map<string, { cancel: AbortController; done: Promise<void> }>()
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(private readonly parts: DownloadParts) {}

  /** A new task; refused for somebody who has too many waiting. */
  async add(context: RequestContext, entity: string, request: ExportRequest): Promise<{ taskId: string }> {
    const { database, engine, now } = this.parts
    const key = engine.model(entity).permissions.export
    if (key === undefined) throw new ServiceError('noPermission', { data: { permission: null } })
    requirePermission(context, key)
    // Said now, while somebody is there to correct it: unknown fields and values of the wrong kind.
    await engine.count(entity, context, request)
    const id = newId()
    const stored: StoredRequest = { ...request, locale: context.locale, traceId: context.traceId }
    const at = now().toISOString()
    const name = `${engine.model(entity).label[context.locale]} ${at.slice(0, 10)}`
    await database.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('switchboard download ' || $1))`, [context.user.staffId])
      const { rows } = await tx.query<{ count: number }>(
        `select count(*) as count from sys_download_task where staff_id = $1 and status in ('waiting', 'running') and deleted_at is null`,
        [context.user.staffId],
      )
      if (Number(rows[0]?.count ?? 0) >= MOST_WAITING) {
        throw new ServiceError('limitRefused', {
          message: {
            zh: `您已有 ${MOST_WAITING} 个未完成的下载任务，请等待或取消后再试。`,
            en: `You have ${MOST_WAITING} unfinished downloads. Wait for them or cancel some.`,
          },
          data: { reason: 'tooMany' },
        })
      }
      await tx.query(
        `insert into sys_download_task (id, created_at, created_by, updated_at, updated_by, version, staff_id, entity, name, status, progress, format, request)
         values ($1, $2, $3, $2, $3, 1, $3, $4, $5, 'waiting', 0, $6, $7::jsonb)`,
        [id, at, context.user.staffId, entity, name, request.format, JSON.stringify(stored)],
      )
      await context.idempotence?.settle(tx, { code: 0, msg: 'OK', data: { taskId: id } })
    })
    void this.look()
    return { taskId: id }
  }

  start(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY)
    this.timer.unref()
    void this.look()
  }

  /** Interrupts what runs and puts it back for the next start. */
  async stop(): Promise<void> {
    this.stopped = true
    clearInterval(this.timer)
    for (const { cancel } of this.running.values()) cancel.abort()
    await Promise.all([...this.running.values()].map(({ done }) => done))
  }

  async cancel(id: string, staffId: string): Promise<boolean> {
    const { rowCount } = await this.parts.database.query(
      `update sys_download_task set status = 'cancelled', finished_at = $3, updated_at = $3 where id = $1 and staff_id = $2 and status in ('waiting', 'running')`,
      [id, staffId, this.parts.now().toISOString()],
    )
    this.running.get(id)?.cancel.abort()
    return rowCount === 1
  }

  /** Files are kept for a week; the entry stays a while longer to say what was there. */
  async sweep(): Promise<void> {
    const { database, store, now } = this.parts
    const at = now()
    const { rows } = await database.query<{ storageKey: string }>(
      `with over as (select id, storage_key from sys_download_task where status = 'done' and expires_at < $1 for update)
       update sys_download_task t set status = 'expired', storage_key = null, updated_at = $1 from over where t.id = over.id returning over.storage_key as "storageKey"`,
      [at.toISOString()],
    )
    for (const { storageKey } of rows) if (storageKey) await store.remove(storageKey)
    await database.query(`delete from sys_download_task where status in ('expired', 'failed', 'cancelled') and updated_at < $1`, [
      new Date(at.getTime() - 30 * 86_400_000).toISOString(),
    ])
  }

  /** Takes waiting tasks while there is room. */
  private async look(): Promise<void> {
    try {
      while (!this.stopped && this.running.size < AT_ONCE) {
        const task = await this.take()
        if (!task) return
        const cancel = new AbortController()
        const done = this.run(task, cancel).finally(() => {
          this.running.delete(task.id)
          void this.look()
        })
        this.running.set(task.id, { cancel, done })
      }
    } catch (error) {
      if (!this.stopped) this.parts.logger.warn({ err: error }, 'the download centre could not look for work')
    }
  }

  private async take(): Promise<TaskRow | undefined> {
    const { rows } = await this.parts.database.query<TaskRow>(
      `update sys_download_task t set status = 'running', started_at = now(), heartbeat_at = now(), progress = 0,
         request = jsonb_set(t.request, '{attempts}', to_jsonb(coalesce((t.request->>'attempts')::int, 0) + 1))
       where t.id = (select id from sys_download_task
                     where deleted_at is null and (status = 'waiting' or (status = 'running' and heartbeat_at < now() - make_interval(secs => $1)))
                     order by created_at limit 1 for update skip locked)
       returning t.id, t.staff_id as "staffId", t.entity, t.format, t.request`,
      [SILENCE_SECONDS],
    )
    return rows[0]
  }

  private async run(task: TaskRow, cancel: AbortController): Promise<void> {
    const { logger } = this.parts
    let progress = 0
    const heart = setInterval(() => {
      this.beat(task.id, progress).then(
        (alive) => {
          if (!alive) cancel.abort()
        },
        (error: unknown) => logger.warn({ err: error, task: task.id }, 'the progress of a download could not be written'),
      )
    }, HEARTBEAT)
    try {
      if ((task.request.attempts ?? 1) > MOST_ATTEMPTS) throw interruptedTooOften
      await this.make(task, cancel.signal, (done, total) => {
        progress = total === 0 ? 0 : Math.min(1, done / total)
      })
    } catch (error) {
      await this.failed(task, error, cancel.signal).catch((failure: unknown) =>
        logger.error({ err: failure, task: task.id }, 'a failed download could not be noted'),
      )
    } finally {
      clearInterval(heart)
    }
  }

  private async make(
    { id, staffId, entity, format, request }: TaskRow,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<void> {
    const { database, engine, sessions, store, spool, now } = this.parts
    // With the rights of now, not with those of the moment at which it was asked for.
    const context = await sessions.contextOf(staffId, { locale: request.locale, traceId: request.traceId })
    if (!context) throw new ServiceError('noPermission')
    const path = await spool.newPath()
    const key = newKey('export')
    try {
      const { rows } = await engine.exportTo(createWriteStream(path), entity, context, exportRequest(request, format), {
        onProgress,
        signal,
      })
      signal.throwIfAborted()
      const { size } = await stat(path)
      await store.put(key, path)
      const at = now()
      const { rowCount } = await database.query(
        `update sys_download_task set status = 'done', progress = 1, rows = $2, size = $3, storage_key = $4, finished_at = $5, updated_at = $5, expires_at = $6
         where id = $1 and status = 'running'`,
        [id, rows, size, key, at.toISOString(), new Date(at.getTime() + KEPT_SECONDS * 1000).toISOString()],
      )
      if (rowCount === 0) await store.remove(key)
    } finally {
      await spool.discard({ path })
    }
  }

  private async failed({ id, request }: TaskRow, error: unknown, signal: AbortSignal): Promise<void> {
    const { database, logger, now } = this.parts
    if (signal.aborted) {
      // Cancelled tasks have their state already; those interrupted by a stop wait for the next start.
      if (this.stopped)
        await database.query(
          `update sys_download_task set status = 'waiting', progress = 0 where id = $1 and status = 'running'`,
          [id],
        )
      return
    }
    if (!(error instanceof ServiceError)) logger.error({ err: error, task: id }, 'an export failed')
    const unknown = {
      zh: `导出失败，请重试；若仍失败，请联系管理员（追踪号 ${request.traceId}）。`,
      en: `The export failed. Try again, or tell an administrator (trace id ${request.traceId}).`,
    }
    const message = error instanceof ServiceError ? error.messageIn(request.locale) : unknown[request.locale]
    await database.query(
      `update sys_download_task set status = 'failed', error = $2, finished_at = $3, updated_at = $3 where id = $1 and status = 'running'`,
      [id, message.slice(0, 500), now().toISOString()],
    )
  }

  /** False when the task is not ours to run any more: cancelled, or taken over. */
  private async beat(id: string, progress: number): Promise<boolean> {
    const { rowCount } = await this.parts.database.query(
      `update sys_download_task set heartbeat_at = now(), progress = $2 where id = $1 and status = 'running'`,
      [id, progress.toFixed(4)],
    )
    return rowCount === 1
  }
}

const interruptedTooOften = new ServiceError('limitRefused', {
  message: {
    zh: '导出多次被中断，已停止。请缩小范围后重试。',
    en: 'The export was interrupted several times and was given up. Try again with fewer rows.',
  },
})

function exportRequest(
  { locale: _locale, traceId: _traceId, attempts: _attempts, ...request }: StoredRequest,
  format: 'xlsx' | 'csv',
): ExportRequest {
  return { ...request, format }
}
