import { sql } from 'drizzle-orm'
import type { Executor } from './types'

/** A table this many times as large as the database knows it is looked at anew. */
const TIMES = 4
/** Fewer rows are not worth a look. */
const FEW = 200

/**
 * What the database knows of a table that is filled in bulk. It learns it in the background, at most once a minute; before, it takes the
 * table for a small one and searches it from end to end for every row, so that the first import or the first night of a new portal would
 * take longer than any other. Each of the few looks takes less than a second.
 */
export class Growth {
  /** Rows that the database knows of. */
  private known: number | undefined
  private added = 0

  constructor(
    private readonly db: Executor,
    private readonly table: string,
  ) {}

  /** Rows were stored. */
  async add(rows: number): Promise<void> {
    this.known ??= await this.rowsKnown()
    this.added += rows
    if (this.added < Math.max(FEW, (TIMES - 1) * this.known)) return
    this.known += this.added
    this.added = 0
    await this.db.query(sql`analyze ${sql.identifier(this.table)}`)
  }

  private async rowsKnown(): Promise<number> {
    const { rows } = await this.db.query<{ known: number }>(
      'select greatest(reltuples, 0)::float8 as known from pg_class where oid = quote_ident($1)::regclass',
      [this.table],
    )
    return rows[0]?.known ?? 0
  }
}
