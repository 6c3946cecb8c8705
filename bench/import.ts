import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Output } from '../gateway/entities/transfer/output'
import { XlsxWriter } from '../gateway/entities/transfer/xlsxWriter'
import { caller, fillCustomers, openBench } from './gatewayWorld'

/**
 * Import of 100,000 customers of one person, with all rules of customers: check of a csv and an xlsx file, and the commit, with the
 * peak of the memory and the longest hold of the event loop.
 * `npx tsx bench/import.ts [data folder] [rows]`; the method stands in bench/README.md.
 */
const [dataDir = 'data/bench-import', given = '100000'] = process.argv.slice(2)
const ROWS = Number(given)
const HEADER = [
  'Company name',
  'English name',
  'Customer type',
  'Industry',
  'Country',
  'City',
  'Website',
  'Source',
  'Level',
  'Products',
  'Remark',
]

const { database, engine } = await openBench(dataDir)
await fillCustomers(database, 1_000)
await database.query(`delete from crm_customer where source = 'import'`)
await database.query(
  `insert into sys_rule_override (id, created_at, updated_at, version, rule_key, target_type, target_id, params) values ('bench-import', now(), now(), 1, 'crm.retention', 'staff', 's7', '{"default": 10000000}') on conflict do nothing`,
)
const admin = caller('admin')
const context = {
  ...admin,
  permissions: new Set([...admin.permissions, 'crm:customer:import', 'crm:customer:add']),
}
const run = Date.now() % 1_000_000_007
/** Names as different as those of real companies. */
const han = (index: number, position: number): string => {
  let mixed = Math.imul((index * 4 + position + run) ^ ((index * 4 + position + run) >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return String.fromCodePoint(0x4e00 + (((mixed ^ (mixed >>> 16)) >>> 0) % 4_000))
}
const rowOf = (index: number): string[] => [
  `${['深圳市', '上海', '杭州'][index % 3]}${[0, 1, 2, 3].map((position) => han(index, position)).join('')}${['科技', '网络', '贸易'][index % 3]}有限公司`,
  `Customer ${run}-${index} Ltd`,
  'Enterprise',
  'Fintech',
  'CN',
  'Shenzhen',
  `https://www.c${run}-${index}.com`,
  'Website',
  'D',
  'SMS',
  'From the fair',
]

await mkdir(dataDir, { recursive: true })
const csv = join(dataDir, 'import.csv')
const lines = Array.from({ length: ROWS }, (_, index) => rowOf(index).join())
await writeFile(csv, [HEADER.join(), ...lines].join('\n'))
const xlsx = join(dataDir, 'import.xlsx')
const output = new Output(createWriteStream(xlsx))
const writer = new XlsxWriter(output, { name: 'customers', widths: HEADER.map(() => 20) })
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
  const held = monitorEventLoopDelay({ resolution: 5 })
  held.enable()
  const started = performance.now()
  const result = await work()
  clearInterval(watch)
  held.disable()
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${name}: ${ROWS.toLocaleString('en')} rows in ${seconds.toFixed(1)} s (${Math.round(ROWS / seconds)} a second), memory +${((peak - resting) / 1_048_576).toFixed(0)} MB, event loop held ${(held.max / 1e6).toFixed(0)} ms at most`,
  )
  return result
}

await measure('check of xlsx', () => engine.importPreview('crm.customer', context, { name: 'import.xlsx', path: xlsx }))
const checked = await measure('check of csv', () =>
  engine.importPreview('crm.customer', context, { name: 'import.csv', path: csv }),
)
const done = await measure('commit', () =>
  engine.importCommit('crm.customer', context, { importId: checked.importId, skipFaulty: true }),
)
console.log(`valid ${checked.valid}, created ${done.created}, refused ${done.refusedTotal}`)
await database.close()
