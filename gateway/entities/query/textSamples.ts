import { sql } from 'drizzle-orm'
import type { Executor } from '../../platform/database'
import { piecesOf, type PieceShares } from './rareParts'

/** Tables with fewer rows are searched quickly by any phrase. */
const MANY_ROWS = 20_000
/** Milliseconds for which what was read holds: what is common in a million names changes slowly. */
const HOLDS = 600_000

/** Bytes up to which a table is read whole sooner than the use of its indexes is planned; how long what was seen holds, in milliseconds. */
const SMALL = 512 * 1024
const SIZE_HOLDS = 60_000

interface SampledColumn {
  table: string
  column: string
  often: string[] | null
  oftenShares: number[] | null
  others: string[] | null
  empty: number
}

const NOTHING: PieceShares = new Map()

/** What the database knows of the texts in its large tables, from the samples that it takes for its own plans. */
export class TextSamples {
  private known: ReadonlyMap<string, PieceShares> = new Map()
  private readAt = -Infinity
  private small: ReadonlySet<string> = new Set()
  private sizedAt = -Infinity

  /** What the texts of a column have in common; nothing while its table is small or no sample was taken. */
  of(table: string, column: string): PieceShares {
    return this.known.get(`${table}.${column}`) ?? NOTHING
  }

  /** Whether a table has so few rows that reading all of them takes no time; false while nobody has looked. */
  isSmall(table: string): boolean {
    return this.small.has(table)
  }

  /** Looks how large tables are, when the last look is old. */
  async keepSizes(db: Executor, tables: () => readonly string[]): Promise<void> {
    const now = performance.now()
    if (now - this.sizedAt < SIZE_HOLDS) return
    const { rows } = await db.query<{ table: string }>(
      sql`select w.name as "table" from unnest(${sql.param(tables())}::text[]) as w(name) where pg_relation_size(to_regclass(quote_ident(w.name))) <= ${SMALL}`,
    )
    this.small = new Set(rows.map(({ table }) => table))
    this.sizedAt = now
  }

  /** Reads the samples when those at hand are old. */
  async keepFresh(db: Executor, columns: () => readonly { table: string; column: string }[]): Promise<void> {
    const now = performance.now()
    if (now - this.readAt < HOLDS) return
    this.readAt = now
    const wanted = columns()
    const { rows } = await db.query<SampledColumn>(
      sql`select s.tablename as "table", s.attname as "column", s.most_common_vals::text::text[] as often, s.most_common_freqs as "oftenShares",
        s.histogram_bounds::text::text[] as others, s.null_frac as empty
      from unnest(${sql.param(wanted.map(({ table }) => table))}::text[], ${sql.param(wanted.map(({ column }) => column))}::text[]) as w(tablename, attname)
        join pg_stats s using (tablename, attname)
      where s.schemaname = current_schema() and (select reltuples from pg_class where oid = to_regclass(quote_ident(s.tablename))) >= ${MANY_ROWS}`,
    )
    this.known = new Map(rows.map((row) => [`${row.table}.${row.column}`, sharesOf(row)]))
  }
}

/** Frequent values weigh what they were counted; the others share what is left. */
function sharesOf({ often, oftenShares, others, empty }: SampledColumn): PieceShares {
  const shares = new Map<string, number>()
  const add = (text: string, share: number): void => {
    for (const piece of new Set(piecesOf(text))) shares.set(piece, (shares.get(piece) ?? 0) + share)
  }
  let rest = 1 - Number(empty)
  often?.forEach((text, index) => {
    const share = Number(oftenShares?.[index] ?? 0)
    add(text, share)
    rest -= share
  })
  others?.forEach((text) => add(text, Math.max(0, rest) / others.length))
  return shares
}
