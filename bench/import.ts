import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Output } from '../gateway/entities/transfer/output'
import { XlsxWriter } from '../gateway/entities/transfer/xlsxWriter'
import { caller, fillCustomers, openBench } from './gatewayWorld'

/**
 * Import of 100,000 staff: check of a csv and an xlsx file, and the commit, with the peak of the memory.
 * `npx tsx bench/import.ts [data folder] [rows]`; the method stands in bench/README.md.
 */
const [dataDir = 'data/bench-import', given = '100000'] = process.argv.slice(2)
const ROWS = Number(given)
const HEADER = ['Job number', 'Name', 'Main department', 'Position']

const { database, engine } = await openBench(dataDir)
await fillCustomers(database, 1_000)
const admin = caller('admin')
const context = { ...admin, permissions: new Set([...admin.permissions, 'setModule:authManage:user:edit']) }
const run = Date.now().toString(36)
const rowOf = (index: number): string[] => [`${run}${index}`, `Member ${index}`, `D${1 + (index % 40)}`, 'Sales']

await mkdir(dataDir, { recursive: true })
const csv = join(dataDir, 'import.csv')
const lines = Array.from({ length: ROWS }, (_, index) => rowOf(index).join())
await writeFile(csv, [HEADER.join(), ...lines].join('\n'))
const xlsx = join(dataDir, 'import.xlsx')
const output = new Output(createWriteStream(xlsx))
const writer = new XlsxWriter(output, { name: 'staff', widths: HEADER.map(() => 20) })
await writer.start(HEADER)
for (let start = 0; start < ROWS; start += 500) {
  const batch = Array.from({ length: Math.min(500, ROWS - start) }, (_, index) => rowOf(start + index))
  await writer.rows(batch.map((row) => row.map((value) => ({ type: 'text' as const, value }))))
}
await writer.finish()
await output.end()

async function measure<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  globalThis.gc?.()
  const resting = process.memoryUsage.rss()
  let peak = resting
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
  const started = performance.now()
  const result = await work()
  clearInterval(watch)
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${name}: ${ROWS.toLocaleString('en')} rows in ${seconds.toFixed(1)} s (${Math.round(ROWS / seconds)} a second), memory +${((peak - resting) / 1_048_576).toFixed(0)} MB`,
  )
  return result
}

await measure('check of xlsx', () => engine.importPreview('sys.staff', context, { name: 'import.xlsx', path: xlsx }))
const checked = await measure('check of csv', () => engine.importPreview('sys.staff', context, { name: 'import.csv', path: csv }))
const done = await measure('commit', () =>
  engine.importCommit('sys.staff', context, { importId: checked.importId, skipFaulty: true }),
)
console.log(`valid ${checked.valid}, created ${done.created}, refused ${done.refusedTotal}`)
await database.close()
