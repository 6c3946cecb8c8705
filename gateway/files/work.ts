import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { EntityEngine, ExportRequest } from '../entities'
import type { ReportFiles, ReportRequest } from '../reports'
import type { FileStore, Spool } from '../platform/files'
import { ServiceError, requirePermission, type Locale, type RequestContext } from '../platform/http'
import { rightsNow, type RightsThen } from './rightsThen'

/** What every task needs to be run, also after a restart. */
interface Stored {
  locale: Locale
  traceId: string
  /** What its owner could see when the file was made. */
  rights?: RightsThen
}
export type StoredExport = Stored & ExportRequest
/** A report with its filters instead of the rows of an entity. */
export type StoredReport = Stored & { report: ReportRequest }
/** An import is one task through both its steps: the check of the file, and the commit that a person asks for afterwards. */
export type StoredImport = Stored & {
  step: 'check' | 'commit'
  fileName: string
  /** Where the uploaded file lies until it was checked. */
  upload?: string
  skipFaulty?: boolean
}

export type TaskRow = { id: string; staffId: string; entity: string; format: 'xlsx' | 'csv' } & (
  { kind: 'export'; request: StoredExport | StoredReport } | { kind: 'import'; request: StoredImport }
)

export interface TaskContext {
  engine: EntityEngine
  reports: ReportFiles
  store: FileStore
  spool: Spool
  /** With the rights of now, not with those of the moment at which it was asked for. */
  context: RequestContext
  signal: AbortSignal
  /** 0 to 1. */
  onProgress: (fraction: number) => void
  /** Where the file of the task is written. */
  path: string
}

export interface Outcome {
  /** checked: a person has to decide how it goes on. */
  status: 'done' | 'checked'
  /** Rows exported, valid, or created. */
  rows: number
  /** Rows of an import that were not saved. */
  refusedRows: number | null
  /** A file was written. */
  file: boolean
  keptSeconds: number
}

const DAY = 86_400
const KEPT_SECONDS = 7 * DAY
/** As long as the engine keeps a checked import. */
const REVIEW_SECONDS = DAY

/** The rights of now over what a task tells of. @throws ServiceError noPermission or notFound when the entity or the report is closed to its owner */
export async function rightsOver(
  { engine, reports, context }: Pick<TaskContext, 'engine' | 'reports' | 'context'>,
  { entity, kind, request }: Pick<TaskRow, 'entity' | 'kind' | 'request'>,
): Promise<RightsThen> {
  if ('report' in request) return rightsNow(engine, context, (await reports.about(context, request.report)).entities)
  const key = engine.names().includes(entity) ? engine.model(entity).permissions[kind] : undefined
  if (key === undefined) throw new ServiceError('noPermission', { data: { permission: null } })
  requirePermission(context, key)
  return rightsNow(engine, context, [entity])
}

export async function runExport(work: TaskContext, { entity, format, request }: TaskRow & { kind: 'export' }): Promise<Outcome> {
  if ('report' in request) {
    const { rows } = await work.reports.write(createWriteStream(work.path), work.context, request.report, work.signal)
    return { status: 'done', rows, refusedRows: null, file: true, keptSeconds: KEPT_SECONDS }
  }
  const { locale: _locale, traceId: _traceId, rights: _rights, ...selection } = request
  const { rows } = await work.engine.exportTo(
    createWriteStream(work.path),
    entity,
    work.context,
    { ...selection, format },
    {
      onProgress: (done, total) => work.onProgress(total === 0 ? 0 : done / total),
      signal: work.signal,
    },
  )
  return { status: 'done', rows, refusedRows: null, file: true, keptSeconds: KEPT_SECONDS }
}

export function runImport(work: TaskContext, task: TaskRow & { kind: 'import' }): Promise<Outcome> {
  return task.request.step === 'check' ? check(work, task) : commit(work, task)
}

async function check(work: TaskContext, { id, entity, request }: TaskRow & { kind: 'import' }): Promise<Outcome> {
  const { engine, store, context, signal, path } = work
  await pipeline(await store.read(request.upload ?? ''), createWriteStream(path))
  const file = { name: request.fileName, path }
  const { total, valid } = await engine.importPreview(entity, context, file, {
    importId: id,
    signal,
    onProgress: (fraction) => work.onProgress(fraction ?? 0),
  })
  return { status: 'checked', rows: valid, refusedRows: total - valid, file: false, keptSeconds: REVIEW_SECONDS }
}

async function commit(work: TaskContext, { id, entity, request }: TaskRow & { kind: 'import' }): Promise<Outcome> {
  const { engine, context, signal, path } = work
  const options = { signal, onProgress: (fraction: number | null) => work.onProgress(fraction ?? 0) }
  const { created } = await engine.importCommit(
    entity,
    context,
    { importId: id, skipFaulty: request.skipFaulty === true },
    options,
  )
  const { total } = await engine.importState(entity, context, id)
  const refusedRows = total - created
  if (refusedRows > 0) await writeFile(path, await engine.importErrors(entity, context, id))
  return { status: 'done', rows: created, refusedRows, file: refusedRows > 0, keptSeconds: KEPT_SECONDS }
}
