import { stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { EntityEngine } from '../entities'
import type { Database } from '../platform/database'
import { newKey } from '../platform/files'
import type { FileStore, Spool } from '../platform/files'
import { ServiceError } from '../platform/http'
import type { Locale } from '../platform/http'
import type { Outcome, Queue, Work } from '../platform/queue'
import type { ReportFiles } from '../reports'
import type { SessionService } from '../platform/session'
import { rightsOver, runExport, runImport } from './work'
import type { TaskRow } from './work'

export interface DownloadParts {
  database: Database
  queue: Queue
  engine: EntityEngine
  reports: ReportFiles
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

/** The line of the queue on which tasks wait, by their ids. */
export const LINE = 'downloads'
/** Tasks that one gateway runs at the same time: they share the machine with everybody's calls. */
const AT_ONCE = 2
const TELL_EVERY = 5000
const MOST_ATTEMPTS = 3
/** A commit that another gateway seems to be at is looked at again after this. */
const BESIDE_AFTER = 10_000

export const TASK_COLUMNS = `id, name, name || '.' || format as "fileName", coalesce(kind, 'export') as kind, status, coalesce(progress, 0)::float8 as progress, rows,
  refused_rows as "refusedRows", size, format, entity, page, request->>'step' as step, error as message,
  created_at as "createdAt", finished_at as "finishedAt", expires_at as "expiresAt"`

/** Exports and large imports in the background, by whichever gateway takes them from the queue. */
export class DownloadCentre {
  private readonly running = new Map<string, AbortController>()

  constructor(private readonly parts: DownloadParts) {
    parts.queue.define({ name: LINE, concurrency: AT_ONCE, handle: (work) => this.run(work) })
  }

  /** Begins to take tasks; those that a gateway left, whose release had another queue, too. */
  async start(): Promise<void> {
    const { database, queue } = this.parts
    const { rows } = await database.query<{ id: string }>(
      `select id from sys_download_task where status in ('waiting', 'running') and deleted_at is null order by created_at`,
    )
    const known = await queue.keys(LINE)
    await queue.send(
      database,
      LINE,
      rows.filter(({ id }) => !known.has(id)).map(({ id }) => ({ key: id })),
    )
    await queue.work(LINE)
  }

  async cancel(id: string, staffId: string): Promise<boolean> {
    const { rowCount } = await this.parts.database.query(
      `update sys_download_task set status = 'cancelled', finished_at = $3, updated_at = $3 where id = $1 and staff_id = $2 and status in ('waiting', 'running')`,
      [id, staffId, this.parts.now().toISOString()],
    )
    this.running.get(id)?.abort()
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

  private async run({ key: id, attempt, signal }: Work<object>): Promise<Outcome | void> {
    const { logger, now } = this.parts
    const task = await this.begin(id)
    if (!task) return
    const cancel = new AbortController()
    this.running.set(id, cancel)
    let progress = 0
    const telling = setInterval(() => {
      this.tell(id, progress).then(
        (ours) => {
          if (!ours) cancel.abort()
        },
        (error: unknown) => logger.warn({ err: error, task: id }, 'the progress of a download could not be written'),
      )
    }, TELL_EVERY)
    try {
      if (attempt > MOST_ATTEMPTS) throw interruptedTooOften
      await this.make(task, AbortSignal.any([signal, cancel.signal]), (fraction) => {
        progress = Math.min(1, fraction)
      })
    } catch (error) {
      // the queue hands it to the next gateway
      if (signal.aborted) throw error
      if (cancel.signal.aborted) return
      // the one that was thought dead is still at it: it ends the task, or dies after all
      if (error instanceof ServiceError && error.reason === 'idempotenceRunning')
        return { again: new Date(now().getTime() + BESIDE_AFTER) }
      await this.failed(task, error)
    } finally {
      clearInterval(telling)
      this.running.delete(id)
    }
  }

  private async begin(id: string): Promise<TaskRow | undefined> {
    const { rows } = await this.parts.database.query<TaskRow>(
      `update sys_download_task set status = 'running', started_at = now(), progress = 0
       where id = $1 and status in ('waiting', 'running') and deleted_at is null
       returning id, staff_id as "staffId", entity, coalesce(kind, 'export') as kind, format, request`,
      [id],
    )
    return rows[0]
  }

  private async make(task: TaskRow, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<void> {
    const { database, engine, reports, sessions, store, spool, now } = this.parts
    const { locale, traceId } = task.request
    const context = await sessions.contextOf(task.staffId, { locale, traceId })
    if (!context) throw new ServiceError('noPermission')
    const path = await spool.newPath()
    const key = newKey('export')
    try {
      const work = { engine, reports, store, spool, context, signal, onProgress, path }
      const rights = await rightsOver(work, task)
      const outcome = task.kind === 'export' ? await runExport(work, task) : await runImport(work, task)
      signal.throwIfAborted()
      const size = outcome.file ? (await stat(path)).size : null
      if (outcome.file) await store.put(key, path)
      const at = now()
      const { rowCount } = await database.query(
        `update sys_download_task set status = $2, progress = 1, rows = $3, refused_rows = $4, size = $5, storage_key = $6, finished_at = $7, updated_at = $7, expires_at = $8,
           request = request || jsonb_build_object('rights', $9::jsonb)
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
          JSON.stringify(rights),
        ],
      )
      if (rowCount === 0 && outcome.file) await store.remove(key)
      await this.forgetUpload(task.id)
    } finally {
      await spool.discard({ path })
    }
  }

  private async failed(task: TaskRow, error: unknown): Promise<void> {
    const { database, logger, now } = this.parts
    const { id, request, kind } = task
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

  /** False when the task is not to be run any more: cancelled. */
  private async tell(id: string, progress: number): Promise<boolean> {
    const { rowCount } = await this.parts.database.query(
      `update sys_download_task set progress = $2 where id = $1 and status = 'running'`,
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
