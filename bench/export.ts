import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { caller, fillCustomers, openBench } from './gatewayWorld'

/**
 * Export of 100,000 customers as xlsx and csv: time, size of the file, peak memory above the resting process, and how
 * long the event loop was held up meanwhile. `npx tsx bench/export.ts [data folder]`; the method stands in bench/README.md.
 */
const [dataDir = 'data/bench-export'] = process.argv.slice(2)
const ROWS = 100_000
const FIELDS = ['code', 'name', 'nameEn', 'level', 'stage', 'countryCode', 'ownerId', 'products', 'revenue30', 'nextFollowAt']

const { database, engine } = await openBench(dataDir)
const { rows } = await database.query<{ total: number }>('select count(*) as total from crm_customer')
if (Number(rows[0]!.total) < ROWS) await fillCustomers(database, ROWS)
const context = caller('admin')
const at = await database.query<{ at: string }>(
  'select created_at as at from crm_customer order by created_at limit 1 offset $1',
  [ROWS - 1],
)

async function measure(format: 'xlsx' | 'csv', where: { field: string; operator: 'lte'; value: unknown }[]): Promise<void> {
  globalThis.gc?.()
  const resting = process.memoryUsage.rss()
  let peak = resting
  let longest = 0
  let tick = performance.now()
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
    longest = Math.max(longest, performance.now() - tick - 5)
    tick = performance.now()
  }, 5)
  const path = join(dataDir, `export.${format}`)
  const started = performance.now()
  const columns = FIELDS.map((field) => ({ field, title: field }))
  const done = await engine.exportTo(createWriteStream(path), 'crm.customer', context, { columns, format, where })
  clearInterval(watch)
  const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(0)
  console.log(
    `${format}: ${done.rows.toLocaleString('en')} rows x ${FIELDS.length} in ${((performance.now() - started) / 1000).toFixed(1)} s, file ${megabytes((await stat(path)).size)} MB, ` +
      `memory +${megabytes(peak - resting)} MB (resting ${megabytes(resting)} MB), longest hold of the event loop ${longest.toFixed(0)} ms`,
  )
}

const where = [{ field: 'createdAt', operator: 'lte' as const, value: at.rows[0]!.at }]
await measure('csv', where)
await measure('xlsx', where)
await database.close()
