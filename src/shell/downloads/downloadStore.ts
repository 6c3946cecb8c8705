import { makeAutoObservable, observableRef } from 'mobx'
import { RequestError } from '../../headless/host'
import type { Http } from '../http/client'

export const TASKS = '/v2/download/downloadCenter/api/task'
const KEY = 'switchboard.downloads'
const SHOWN = 50
/** Between two looks at unfinished tasks, ms; longer after each failure. */
const INTERVAL = 1_500
const LONGEST_INTERVAL = 30_000

/** A task of the download centre, as its owner reads it. */
export interface DownloadTask {
  id: string
  name: string
  fileName: string
  kind: 'export' | 'import'
  /** checked: an import that waits for the decision of its owner. */
  status: 'waiting' | 'running' | 'checked' | 'done' | 'failed' | 'cancelled' | 'expired'
  /** 0..1 */
  progress: number
  rows: number | null
  /** Rows of an import that were not saved; they are the task's file. */
  refusedRows: number | null
  /** Route of the list where an import was begun. */
  page: string | null
  /** Bytes. */
  size: number | null
  /** Why it failed. */
  message: string | null
  createdAt: string
  expiresAt: string | null
}

interface TaskPage {
  records: readonly DownloadTask[]
  total: number
}

/** The address where an import is gone on with; null for everything else. */
export const continueAt = ({ kind, page, id }: Pick<DownloadTask, 'kind' | 'page' | 'id'>): string | null =>
  kind === 'import' && page !== null ? `${page}?import=${encodeURIComponent(id)}` : null

export const isActive = ({ status }: Pick<DownloadTask, 'status'>): boolean => status === 'waiting' || status === 'running'

/** Ids of tasks that were started in this browser tab; anything else in the storage is dropped. */
const restore = (text: string | null): string[] => {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/**
 * The person's background exports and imports. It looks at them while one is unfinished and rests otherwise; tasks that were started in
 * this tab are remembered over a reload, and their end is told once.
 */
export class DownloadStore {
  /** Newest first; null until the first answer. */
  tasks: readonly DownloadTask[] | null = null
  total = 0
  failure: string | null = null
  loading = false
  open = false
  /** Tasks started here that ended and were not told of yet. */
  ended: readonly DownloadTask[] = []
  private started: readonly string[]
  private failures = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly http: Pick<Http, 'request'>
  private readonly storage: Storage

  constructor(http: Pick<Http, 'request'>, storage: Storage) {
    this.http = http
    this.storage = storage
    this.started = restore(storage.getItem(KEY))
    makeAutoObservable<this, 'http' | 'storage' | 'timer' | 'failures'>(
      this,
      { tasks: observableRef, ended: observableRef, http: false, storage: false, timer: false, failures: false },
      { autoBind: true },
    )
  }

  /** Number of unfinished tasks. */
  get active(): number {
    return (this.tasks ?? []).filter(isActive).length
  }

  /** Follows a task that was just started. */
  watch(taskId: string): void {
    this.keep([...this.started, taskId])
    void this.refresh()
  }

  setOpen(open: boolean): void {
    this.open = open
    if (open) void this.refresh()
  }

  /** Takes an ended task off the list of what is to be told. */
  told(taskId: string): void {
    this.ended = this.ended.filter(({ id }) => id !== taskId)
  }

  /** Reads the tasks; again by itself while one is unfinished. */
  async refresh(): Promise<void> {
    clearTimeout(this.timer)
    this.loading = true
    try {
      const page = await this.http.request<TaskPage>({
        method: 'POST',
        path: `${TASKS}/queryPage`,
        body: { pageNo: 1, pageSize: SHOWN },
      })
      this.take(page)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Stops an unfinished task; rejects with RequestError. */
  async cancel(taskId: string): Promise<void> {
    this.keep(this.started.filter((id) => id !== taskId))
    await this.http.request({ method: 'POST', path: `${TASKS}/${encodeURIComponent(taskId)}/cancel` })
    await this.refresh()
  }

  /** No more calls: the session ended. */
  stop(): void {
    clearTimeout(this.timer)
  }

  private take({ records, total }: TaskPage): void {
    this.loading = false
    this.failures = 0
    this.failure = null
    this.tasks = records
    this.total = total
    const over = records.filter((task) => this.started.includes(task.id) && !isActive(task))
    if (over.length > 0) this.ended = [...this.ended, ...over.filter(({ status }) => status !== 'cancelled')]
    // What the newest tasks do not hold any more is of no interest either.
    const unfinished = this.started.filter((id) => records.some((task) => task.id === id && isActive(task)))
    if (unfinished.length !== this.started.length) this.keep(unfinished)
    if (this.active > 0) this.timer = setTimeout(() => void this.refresh(), INTERVAL)
  }

  private fail(error: unknown): void {
    this.loading = false
    if (error instanceof RequestError && error.kind === 'signedOut') return
    this.failure = error instanceof Error ? error.message : String(error)
    this.failures += 1
    if (this.active === 0 && this.started.length === 0) return
    const wait = Math.min(INTERVAL * 2 ** this.failures, LONGEST_INTERVAL)
    this.timer = setTimeout(() => void this.refresh(), wait)
  }

  private keep(ids: readonly string[]): void {
    this.started = ids
    try {
      if (ids.length === 0) this.storage.removeItem(KEY)
      else this.storage.setItem(KEY, JSON.stringify(ids))
    } catch {
      // A full storage costs only the notice after a reload.
    }
  }
}
