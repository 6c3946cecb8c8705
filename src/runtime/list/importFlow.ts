import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListBodyModel } from '../../schema/model'
import { sendCall } from '../../headless/call'
import { CODES, isAborted, toFailure } from '../../headless/failure'
import { RequestError, type Host } from '../../headless/host'
import { useHost } from '../hostContext'
import type { ImportPreview, RowNote } from './ImportPreview'

export interface CommitAnswer {
  created: number
  /** The first of them; the error file holds all. */
  refused: readonly RowNote[]
  refusedTotal: number
  /** The first rows that were saved and should be looked at. */
  warned?: readonly RowNote[]
  warnedTotal?: number
}
/** A large file is checked and saved in the background: the call answers the task that does it. */
interface TaskAnswer {
  taskId: string
}
/** `GET base/import/{importId}` */
interface ImportState extends ImportPreview {
  result: (CommitAnswer & { finished: boolean }) | null
}
interface Task {
  status: 'waiting' | 'running' | 'checked' | 'done' | 'failed' | 'cancelled' | 'expired'
  progress: number
  step: 'check' | 'commit' | null
  message: string | null
}

/** Where an import stands; what a later step needs is part of it. */
export type ImportStep =
  | { at: 'upload'; fraction: number | null }
  | { at: 'task'; taskId: string; doing: 'check' | 'commit'; progress: number }
  | { at: 'check'; preview: ImportPreview; busy: boolean; created: number }
  | { at: 'done'; preview: ImportPreview; answer: CommitAnswer; notSaved: number }

const TASKS = '/v2/download/downloadCenter/api/task'
/** Between two looks at a running task, ms. */
const INTERVAL = 1_000

/** A refused file says everything that is wrong with it at once, e.g. each unknown column. */
const reasonsOf = (error: unknown, message: string): string => {
  const data = error instanceof RequestError && error.code === CODES.importRefused ? error.data : null
  const errors: unknown = data !== null && typeof data === 'object' && 'errors' in data ? data.errors : []
  const messages = Array.isArray(errors) ? errors.map((entry: { message?: unknown }) => String(entry.message ?? '')) : []
  return [...new Set([message, ...messages])].filter((text) => text !== '').join('\n')
}

const isTask = (answer: object): answer is TaskAnswer => 'taskId' in answer

interface ImportFlowOptions {
  body: ListBodyModel
  /** Route of the list: the download centre leads back to it. */
  page?: string
  /** A task of the download centre to go on with. */
  task?: string
  /** Rows were saved. */
  onSaved(): void
}

/** The headless part of the import: upload, check, save; what takes long is followed in the download centre. */
export const useImportFlow = ({ body, page, task, onSaved }: ImportFlowOptions) => {
  const host = useHost()
  const flight = useRef<AbortController | null>(null)
  const [step, setStep] = useState<ImportStep>(() =>
    task === undefined ? { at: 'upload', fraction: null } : { at: 'task', taskId: task, doing: 'check', progress: 0 },
  )
  const [failure, setFailure] = useState<string | null>(null)
  const { importPreview, importCommit } = body.calls
  const path = `${body.path}/import`

  const fail = useCallback(
    (error: unknown): void => {
      if (!isAborted(error)) setFailure(reasonsOf(error, toFailure(error, host.locale).message))
    },
    [host],
  )
  const follow = (taskId: string, doing: 'check' | 'commit'): void => setStep({ at: 'task', taskId, doing, progress: 0 })

  const taskId = step.at === 'task' ? step.taskId : null
  const saved = useRef(onSaved)
  useEffect(() => {
    saved.current = onSaved
  })
  useEffect(() => {
    if (taskId === null) return
    const own = new AbortController()
    let over = false
    void followTask(host, taskId, own.signal, ({ progress, step: doing }) =>
      setStep((now) => (now.at === 'task' ? { ...now, progress, doing: doing ?? now.doing } : now)),
    )
      .then(async (ended) => {
        over = true
        if (ended.status === 'failed' || ended.status === 'expired') setFailure(ended.message)
        const state = await stateOf(host, path, taskId, own.signal)
        if (own.signal.aborted) return
        if (!state) return setStep({ at: 'upload', fraction: null })
        const { result, ...preview } = state
        if (result && result.created > 0) saved.current()
        setStep(
          result?.finished ? doneWith(preview, result) : { at: 'check', preview, busy: false, created: result?.created ?? 0 },
        )
      })
      .catch((error: unknown) => {
        if (own.signal.aborted) return
        setStep({ at: 'upload', fraction: null })
        fail(error)
      })
    return () => {
      own.abort()
      // Who leaves before the end is told of it by the download centre.
      if (!over) host.watchDownload(taskId)
    }
  }, [host, path, taskId, fail])

  const upload = async (file: File): Promise<void> => {
    if (!importPreview) return
    const own = new AbortController()
    flight.current = own
    setFailure(null)
    setStep({ at: 'upload', fraction: 0 })
    const form = new FormData()
    form.append('file', file)
    try {
      const answer = await host.request<ImportPreview | TaskAnswer>({
        ...importPreview,
        ...(page === undefined ? {} : { query: { page } }),
        body: form,
        signal: own.signal,
        onProgress: (fraction) => setStep((now) => (now.at === 'upload' ? { at: 'upload', fraction } : now)),
      })
      if (isTask(answer)) follow(answer.taskId, 'check')
      else setStep({ at: 'check', preview: answer, busy: false, created: 0 })
    } catch (error) {
      setStep({ at: 'upload', fraction: null })
      fail(error)
    }
  }
  const commit = async (preview: ImportPreview): Promise<void> => {
    if (!importCommit) return
    setFailure(null)
    setStep({ at: 'check', preview, busy: true, created: 0 })
    try {
      const params = { importId: preview.importId, skipFaulty: preview.valid < preview.total }
      const answer = await sendCall<CommitAnswer | TaskAnswer>(host, importCommit, params, { idempotent: true })
      if (isTask(answer)) return follow(answer.taskId, 'commit')
      setStep(doneWith(preview, answer))
      onSaved()
    } catch (error) {
      setStep({ at: 'check', preview, busy: false, created: 0 })
      fail(error)
    }
  }
  /** Stops a running task; what was saved stays. */
  const stop = async (): Promise<void> => {
    if (taskId === null) return
    try {
      await host.request({ method: 'POST', path: `${TASKS}/${encodeURIComponent(taskId)}/cancel` })
    } catch (error) {
      fail(error)
    }
  }
  return {
    step,
    failure,
    fail,
    upload,
    commit,
    stop,
    again: (): void => {
      setFailure(null)
      setStep({ at: 'upload', fraction: null })
    },
    /** The dialog is closed: an upload ends, a task goes on. */
    leave: (): void => flight.current?.abort(),
  }
}

const doneWith = (preview: ImportPreview, answer: CommitAnswer): ImportStep => ({
  at: 'done',
  preview,
  answer,
  notSaved: preview.total - answer.created,
})

/** Looks at a task until it is over, or waits for a decision. */
async function followTask(host: Host, id: string, signal: AbortSignal, onLook: (task: Task) => void): Promise<Task> {
  for (;;) {
    const task = await host.request<Task>({ method: 'GET', path: `${TASKS}/${encodeURIComponent(id)}`, signal })
    if (task.status !== 'waiting' && task.status !== 'running') return task
    onLook(task)
    await new Promise((resolve) => setTimeout(resolve, INTERVAL))
    signal.throwIfAborted()
  }
}

/** The checked import of a task; null when its file was refused or it has expired. */
async function stateOf(host: Host, path: string, id: string, signal: AbortSignal): Promise<ImportState | null> {
  try {
    return await host.request<ImportState>({ method: 'GET', path: `${path}/${encodeURIComponent(id)}`, signal })
  } catch (error) {
    if (error instanceof RequestError && error.code === CODES.notFound) return null
    throw error
  }
}
