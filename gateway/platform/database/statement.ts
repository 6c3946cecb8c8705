import { is, SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import type { QueryBuilder, Statement } from './types'

export interface BoundStatement {
  text: string
  values: unknown[]
}

const dialect = new PgDialect()

/** Text and bound parameters of either kind of statement. */
export function bind(statement: Statement, params: readonly unknown[] = []): BoundStatement {
  if (!is(statement, SQL)) return { text: statement, values: [...params] }
  const { sql, params: values } = dialect.sqlToQuery(statement)
  return { text: sql, values }
}

export interface RawResult {
  rows: unknown[]
  rowCount: number | null
  command: string
}

/** Runs one statement; rows are objects, or arrays in column order when `asArrays`. */
export type Run = (statement: BoundStatement, asArrays: boolean) => Promise<RawResult>

/**
 * The part of a node-postgres client that drizzle calls. Statements take our own way (pool, transaction or PGlite) with
 * our own value types: drizzle's per-query type parsers are left out on purpose.
 */
class StatementPort {
  constructor(private readonly run: Run) {}

  query(config: { text: string; rowMode?: 'array' }, params: unknown[] = []): Promise<RawResult> {
    const values = [...params]
    // When the statement fails, drizzle writes the parameters into the message of its error; they may be personal data.
    Object.defineProperty(params, 'toString', { value: () => '(hidden)' })
    return this.run({ text: config.text, values }, config.rowMode === 'array')
  }
}

/** drizzle's query builder over `run`. */
export function queryBuilder(run: Run): QueryBuilder {
  // drizzle asks for a whole client but calls only `query`; transactions, which need more, are not part of QueryBuilder.
  return drizzle(new StatementPort(run) as unknown as pg.Client)
}

/** Runs a statement on one connection. Several statements in one text give the result of the last. */
export async function runOn(client: pg.ClientBase, { text, values }: BoundStatement, asArrays: boolean): Promise<RawResult> {
  const config = { text, values: values.length > 0 ? values : undefined }
  const result: pg.QueryResult | pg.QueryResult[] = asArrays
    ? await client.query({ ...config, rowMode: 'array' })
    : await client.query(config)
  return Array.isArray(result) ? (result.at(-1) as pg.QueryResult) : result
}
