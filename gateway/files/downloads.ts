import { stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { EntityEngine } from '../entities'
import type { Database } from '../platform/database'
import { newKey } from '../platform/files'
import type { FileStore, Spool } from '../platform/files'
import { ServiceError } from '../platform/http'
import type { Locale } from '../platform/http'
import type { SessionService } from '../platform/session'
import { runExport, runImport } from './work'
import type { TaskRow } from './work'

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
  kind: 'export' | 'import'
  /** waiting, running, checked (an import that waits for a decision), done, failed, cancelled or expired. */
  status: string
  /** 0..1 */
  progress: number
  rows: number | null
  /** Rows of an import that are not saved. */
  refusedRows: number | null
  size: number | null
  format: string
  entity: string
  /** What an import is at: the check of its file, or the commit. */
  step: 'check' | 'commit' | null
  /** Route of the list where an import was begun, so that it can be gone on with. */
  page: string | null
  /** Why it failed. */
  message: string | null
  createdAt: string
  finishedAt: string | null
  expiresAt: string | null
}

/** Tasks that one gateway runs at the same time: they share the machine with everybody's calls. */
const AT_ONCE = 2
const LOOK_EVERY = 2000
const HEARTBEAT = 5000
const SILENCE_SECONDS = 30
const MOST_ATTEMPTS = 3

export const TASK_COLUMNS = `id, name, name || '.' || format as "fileName", coalesce(kind, 'export') as kind, status, coalesce(progress, 0)::float8 as progress, rows,
  refused_rows as "refusedRows", size, format, entity, page, request->>'step' as step, error as message,
  created_at as "createdAt", finished_at as "finishedAt", expires_at as "expiresAt"`

/**
 * Exports and large imports in the background: any gateway on the database takes the next waiting task; what a dead one left
 * is taken up again.
 */
export class DownloadCentre {
  private readonly running = new Map<string, { cancel: AbortController; done: Promise<void> }>()
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(private readonly parts: DownloadParts) {}

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
    if (rowCount === 1) await this.forgetUpload(id)
    return rowCount === 1
  }

  /** Files are kept for a week; the entry stays a while longer to say what was there. */
  async sweep(): Promise<void> {
    const { database, store, now } = this.parts
    const at = now()
    const { rows } = await database.query<{ storageKey: string }>(
      `with over as (select id, storage_key from sys_download_task where status in ('done', 'checked') and expires_at < $1 for update)
       update sys_download_task t set status = 'expired', storage_key = null, updated_at = $1 from over where t.id = over.id returning over.storage_key as "storageKey"`,
      [at.toISOString()],
    )
    for (const { storageKey } of rows) if (storageKey) await store.remove(storageKey)
    await database.query(`delete from sys_download_task where status in ('expired', 'failed', 'cancelled') and updated_at < $1`, [
      new Date(at.getTime() - 30 * 86_400_000).toISOString(),
    ])
  }

  /** Takes waiting tasks while there is room. */
  async look(): Promise<void> {
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
       returning t.id, t.staff_id as "staffId", t.entity, coalesce(t.kind, 'export') as kind, t.format, t.request`,
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
      await this.make(task, cancel.signal, (fraction) => {
        progress = Math.min(1, fraction)
      })
    } catch (error) {
      await this.failed(task, error, cancel.signal).catch((failure: unknown) =>
        logger.error({ err: failure, task: task.id }, 'a failed download could not be noted'),
      )
    } finally {
      clearInterval(heart)
    }
  }

  private async make(task: TaskRow, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<void> {
    const { database, engine, sessions, store, spool, now } = this.parts
    const { locale, traceId } = task.request
    const context = await sessions.contextOf(task.staffId, { locale, traceId })
    if (!context) throw new ServiceError('noPermission')
    const path = await spool.newPath()
    const key = newKey('export')
    try {
      const place = { engine, store, spool, context, signal, onProgress, path }
      const outcome = task.kind === 'export' ? await runExport(place, task) : await runImport(place, task)
      signal.throwIfAborted()
      const size = outcome.file ? (await stat(path)).size : null
      if (outcome.file) await store.put(key, path)
      const at = now()
      const { rowCount } = await database.query(
        `update sys_download_task set status = $2, progress = 1, rows = $3, refused_rows = $4, size = $5, storage_key = $6, finished_at = $7, updated_at = $7, expires_at = $8
         where id = $1 and status = 'running'`,
        [
          task.id,
          outcome.status,
          outcome.rows,
          outcome.refusedRows,
          size,
          outcome.file ? key : null,
          at.toISOString(),
          new Date(at.getTime() + outcome.keptSeconds * 1000).toISOString(),
        ],
      )
      if (rowCount === 0 && outcome.file) await store.remove(key)
      await this.forgetUpload(task.id)
    } finally {
      await spool.discard({ path })
    }
  }

  private async failed(task: TaskRow, error: unknown, signal: AbortSignal): Promise<void> {
    const { database, logger, now } = this.parts
    const { id, request, kind } = task
    if (signal.aborted) {
      // Cancelled tasks have their state already; those interrupted by a stop wait for the next start.
      if (this.stopped)
        await database.query(
          `update sys_download_task set status = 'waiting', progress = 0 where id = $1 and status = 'running'`,
          [id],
        )
      return
    }
    // The one that was thought dead is still at it: it ends the task, or falls silent and the task is taken again.
    if (error instanceof ServiceError && error.reason === 'idempotenceRunning') return
    if (!(error instanceof ServiceError)) logger.error({ err: error, task: id }, `an ${kind} failed`)
    const message = error instanceof ServiceError ? reasonOf(error, request.locale) : unknownFailure(task)
    await database.query(
      `update sys_download_task set status = 'failed', error = $2, finished_at = $3, updated_at = $3 where id = $1 and status = 'running'`,
      [id, message.slice(0, 500), now().toISOString()],
    )
    await this.forgetUpload(id)
  }

  /** The uploaded file of an import is not needed once it was checked, refused or given up. */
  private async forgetUpload(id: string): Promise<void> {
    const { rows } = await this.parts.database.query<{ upload: string | null }>(
      `with task as (select id, request->>'upload' as upload from sys_download_task where id = $1 and request ? 'upload')
       update sys_download_task t set request = t.request - 'upload' from task where t.id = task.id returning task.upload`,
      [id],
    )
    if (rows[0]?.upload) await this.parts.store.remove(rows[0].upload)
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
    zh: '任务多次被中断，已停止。请缩小范围后重试。',
    en: 'The task was interrupted several times and was given up. Try again with fewer rows.',
  },
})

function unknownFailure({ kind, request: { locale, traceId } }: TaskRow): string {
  const what = { export: { zh: '导出', en: 'export' }, import: { zh: '导入', en: 'import' } }[kind]
  return locale === 'zh'
    ? `${what.zh}失败，请重试；若仍失败，请联系管理员（追踪号 ${traceId}）。`
    : `The ${what.en} failed. Try again, or tell an administrator (trace id ${traceId}).`
}

/** The sentence of a refusal; of a refused file everything that is wrong with it. */
function reasonOf(error: ServiceError, locale: Locale): string {
  const data = error.data as { errors?: readonly { message?: unknown }[] } | null
  const more = error.reason === 'importRefused' ? (data?.errors ?? []).map(({ message }) => String(message ?? '')) : []
  return [...new Set([error.messageIn(locale), ...more])].filter((text) => text !== '').join('\n')
}
