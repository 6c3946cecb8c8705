import type pg from 'pg'
import { runOn } from './statement'
import type { BoundStatement } from './statement'
import type { StreamOptions } from './types'

const BATCH = 1000
let counter = 0

export function cursorName(): string {
  counter += 1
  return `reader_${counter}`
}

/** Reads a statement's rows in batches through a cursor of the transaction that runs on `client`. */
export async function* readCursor<Row>(
  client: pg.ClientBase,
  statement: BoundStatement,
  options: StreamOptions = {},
): AsyncIterable<Row[]> {
  const name = cursorName()
  await runOn(client, { ...statement, text: `declare ${name} no scroll cursor for ${statement.text}` }, false)
  let failed = false
  try {
    yield* fetchAll<Row>((text) => runOn(client, { text, values: [] }, false), name, options)
  } catch (error) {
    failed = true
    throw error
  } finally {
    if (!failed) await client.query(`close ${name}`)
  }
}

/** Fetches batch after batch of an open cursor until it is empty. */
export async function* fetchAll<Row>(
  run: (text: string) => Promise<{ rows: unknown[] }>,
  name: string,
  { batchSize = BATCH }: StreamOptions,
): AsyncIterable<Row[]> {
  for (;;) {
    const { rows } = await run(`fetch forward ${Math.max(1, Math.floor(batchSize))} from ${name}`)
    if (rows.length > 0) yield rows as Row[]
    if (rows.length < batchSize) return
  }
}
