import { sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { CheckedRow } from './importCheck'
import { columnKey, type ImportColumn } from './importColumns'
import type { ImportProblem, RowNote } from './importTypes'
import { columnLetter } from './xlsxWriter'

export interface StoredColumn {
  field: string
  title: string
  /** Letter of the sheet's column. */
  column: string
}
/** How far a commit came; the refused rows themselves stand among the rows. */
export interface CommitProgress {
  created: number
  refusedTotal: number
  /** The first rows that were saved and should be looked at. */
  warned: RowNote[]
  warnedTotal: number
  finished: boolean
}
export interface StoredImport {
  id: string
  fileName: string
  total: number
  /** Null until the whole file was checked. */
  valid: number | null
  columns: StoredColumn[]
  errors: ImportProblem[]
  sample: EntityRecord[]
  warnings: RowNote[]
  result: CommitProgress | null
}
export interface StoredRow {
  row: number
  values: EntityRecord
  raw: string[]
  messages: string[]
}

/** Commits that one process runs side by side. */
const MOST_AT_ONCE = 3

/** Prepared imports between preview and commit; they stand in the database, so that any instance of the gateway can go on. */
export class ImportStore {
  constructor(
    private readonly database: Database,
    private readonly expiry: number,
  ) {}

  /** Forgets prepared imports that are too old. */
  async sweep(): Promise<void> {
    const limit = new Date(Date.now() - this.expiry).toISOString()
    const { rows } = await this.database.query<{ id: string }>(
      sql`delete from "entity_import" where coalesce("touched_at", "created_at") < ${limit}::timestamptz returning "id"`,
    )
    for (const { id } of rows) await this.database.query(sql`delete from "entity_import_row" where "import_id" = ${id}`)
  }

  async begin(
    id: string,
    entity: string,
    context: RequestContext,
    fileName: string,
    columns: readonly ImportColumn[],
  ): Promise<void> {
    const stored: StoredColumn[] = columns.map((column) => ({
      field: columnKey(column),
      title: column.title,
      column: columnLetter(column.index),
    }))
    await this.database.query(
      sql`insert into "entity_import" ("id", "entity", "staff_id", "created_at", "file_name", "total", "columns", "errors") values (${id}, ${entity}, ${context.user.staffId}, ${new Date().toISOString()}, ${fileName.slice(0, 250)}, 0, ${JSON.stringify(stored)}::jsonb, '[]'::jsonb)`,
    )
  }

  async addRows(importId: string, checked: readonly CheckedRow[]): Promise<void> {
    // further rows of a document go with its first one; faulty ones are kept for the error file
    const rows = checked.filter(({ follows, problems }) => !follows || problems.length > 0)
    if (rows.length === 0) return
    const cells = rows.map(({ values, raw, problems }) => JSON.stringify({ values, raw, messages: problems.map(told) }))
    await this.database.query(
      sql`insert into "entity_import_row" ("import_id", "row", "cells", "faulty") select ${importId}, r, c::jsonb, f from unnest(${sql.param(rows.map((row) => row.row))}::bigint[], ${sql.param(cells)}::text[], ${sql.param(rows.map((row) => row.problems.length > 0))}::boolean[]) as given(r, c, f)`,
    )
  }

  async finish(
    id: string,
    found: Pick<StoredImport, 'total' | 'errors' | 'sample' | 'warnings'> & { valid: number },
  ): Promise<void> {
    await this.database.query(
      sql`update "entity_import" set "total" = ${found.total}, "valid" = ${found.valid}, "errors" = ${JSON.stringify(found.errors)}::jsonb, "sample" = ${JSON.stringify(found.sample)}::jsonb, "warnings" = ${JSON.stringify(found.warnings)}::jsonb, "touched_at" = ${new Date().toISOString()}::timestamptz where "id" = ${id}`,
    )
  }

  async drop(id: string): Promise<void> {
    await this.database.query(sql`delete from "entity_import" where "id" = ${id}`)
    await this.database.query(sql`delete from "entity_import_row" where "import_id" = ${id}`)
  }

  /** A prepared import of this person for this entity. @throws 10010004 when there is none or it is too old */
  async read(db: Executor, id: string, entity: string, context: RequestContext): Promise<StoredImport> {
    const limit = new Date(Date.now() - this.expiry).toISOString()
    const { rows } = await db.query<StoredImport>(
      sql`select "id", "file_name" as "fileName", "total", "valid", "columns", "errors", "sample", coalesce("warnings", '[]'::jsonb) as "warnings", "result" from "entity_import" where "id" = ${id} and "entity" = ${entity} and "staff_id" = ${context.user.staffId} and coalesce("touched_at", "created_at") >= ${limit}::timestamptz`,
    )
    const [stored] = rows
    if (stored) return { ...stored, total: Number(stored.total), valid: stored.valid === null ? null : Number(stored.valid) }
    throw new ServiceError('notFound', {
      message: {
        zh: '导入不存在或已过期（24 小时），请重新上传文件。',
        en: 'This import does not exist or has expired (24 hours). Please upload the file again.',
      },
    })
  }

  async faultyRows(importId: string): Promise<StoredRow[]> {
    return this.rows(
      sql`select "row", "cells" from "entity_import_row" where "import_id" = ${importId} and "faulty" order by "row"`,
    )
  }

  /** Valid rows that were not saved yet, in the order of the file, behind one that is done with: what is done with is not walked over again. */
  async nextRows(importId: string, limit: number, after: number): Promise<StoredRow[]> {
    return this.rows(
      sql`select "row", "cells" from "entity_import_row" where "import_id" = ${importId} and not "faulty" and "row" > ${after} order by "row" limit ${limit}`,
    )
  }

  /** The first rows that the commit refused, with their reasons. */
  async refusedRows(importId: string, limit: number): Promise<RowNote[]> {
    const rows = await this.rows(
      sql`select "row", "cells" from "entity_import_row" where "import_id" = ${importId} and "refused" order by "row" limit ${limit}`,
    )
    return rows.map(({ row, messages }) => ({ row, message: messages.join('; ') }))
  }

  /** Notes what was done: refused rows stay for the error file, the others up to `until` are done with. */
  async advance(
    tx: Transaction,
    id: string,
    batch: { until: number; refused: readonly RowNote[]; result: CommitProgress },
  ): Promise<void> {
    if (batch.refused.length > 0)
      await tx.query(
        sql`update "entity_import_row" as t set "faulty" = true, "refused" = true, "cells" = jsonb_set(t."cells", '{messages}', jsonb_build_array(given.m)) from unnest(${sql.param(batch.refused.map(({ row }) => row))}::bigint[], ${sql.param(batch.refused.map(({ message }) => message))}::text[]) as given(r, m) where t."import_id" = ${id} and t."row" = given.r`,
      )
    await tx.query(sql`delete from "entity_import_row" where "import_id" = ${id} and not "faulty" and "row" <= ${batch.until}`)
    await this.note(tx, id, batch.result)
  }

  async note(db: Executor, id: string, result: CommitProgress): Promise<void> {
    await db.query(
      sql`update "entity_import" set "result" = ${JSON.stringify(result)}::jsonb, "touched_at" = ${new Date().toISOString()}::timestamptz where "id" = ${id}`,
    )
  }

  private readonly running = new Set<string>()

  /**
   * Only one commit of an import runs at a time, over all instances, and few at all in one: each holds a connection.
   * @throws 10010010 while the same import is being committed, 10010011 when too many are
   */
  async exclusively<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    if (this.running.has(id)) throw new ServiceError('idempotenceRunning')
    if (this.running.size >= MOST_AT_ONCE) throw new ServiceError('tooManyRequests', { data: { retryAfter: 10 } })
    this.running.add(id)
    try {
      // on a single connection a long transaction would hold everybody up; there is only one process then
      return this.database.kind === 'pglite' ? await work() : await this.locked(id, work)
    } finally {
      this.running.delete(id)
    }
  }

  /** The lock lives in a transaction of its own and ends with it, also when this process dies. */
  private locked<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (tx) => {
      // it says nothing until the commit is over, which may take longer than a transaction may be silent
      await tx.query('set local idle_in_transaction_session_timeout = 0')
      const { rows } = await tx.query<{ held: boolean }>(
        sql`select pg_try_advisory_xact_lock(hashtextextended(${`entity_import:${id}`}, 0)) as "held"`,
      )
      if (!rows[0]?.held) throw new ServiceError('idempotenceRunning')
      return work()
    })
  }

  private async rows(statement: ReturnType<typeof sql>): Promise<StoredRow[]> {
    const { rows } = await this.database.query<{ row: number; cells: Omit<StoredRow, 'row'> }>(statement)
    return rows.map(({ row, cells }) => ({ ...cells, row: Number(row) }))
  }
}

function told({ title, column, message }: ImportProblem): string {
  const cell = title !== undefined && column !== null ? `${title} (${column})` : (title ?? column)
  return cell === null ? message : `${cell}: ${message}`
}
