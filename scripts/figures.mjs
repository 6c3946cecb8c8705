/** `npm run figures`: how large the project is, by folder; docs/architecture.md repeats the totals. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** What is made from something else. */
const MADE = /(^|\/)generated(\/|\.ts$)/

const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
const textOf = (file) => readFileSync(join(root, file), 'utf8')
const linesOf = (file) => textOf(file).split('\n').length - 1
/** Values of a JSON document: objects, arrays and what they hold. */
const nodesOf = (value) =>
  value !== null && typeof value === 'object' ? Object.values(value).reduce((sum, one) => sum + nodesOf(one), 1) : 1
const sumOf = (files, measure) => files.reduce((sum, file) => sum + measure(file), 0)
const folderOf = (file, depth) => file.split('/').slice(0, depth).join('/')
const grouped = (files, depth) => {
  const groups = new Map()
  for (const file of files) groups.set(folderOf(file, depth), [...(groups.get(folderOf(file, depth)) ?? []), file])
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}
const number = (value) => value.toLocaleString('en')
function table(head, rows) {
  const cells = [head, ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? number(cell) : cell)))]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)))
  for (const row of cells)
    console.log(
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '),
    )
  console.log('')
}

const schemas = filesBelow('schemas').filter((file) => file.endsWith('.json') && !file.startsWith('schemas/meta/'))
const nodes = (file) => nodesOf(JSON.parse(textOf(file)))
const ofSchemas = (name, files) => [
  name,
  files.length,
  files.filter((file) => /\/entities\//.test(file)).length,
  files.filter((file) => /\/pages\//.test(file)).length,
  sumOf(files, nodes),
  sumOf(files, linesOf),
]
table(
  ['schemas', 'documents', 'entities', 'pages', 'nodes', 'lines'],
  [...grouped(schemas, 2).map(([name, files]) => ofSchemas(name.slice('schemas/'.length), files)), ofSchemas('all', schemas)],
)

const code = ['src', 'gateway', 'scripts'].flatMap(filesBelow).filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !MADE.test(file))
const tests = ['tests', 'bench'].flatMap(filesBelow).filter((file) => /\.(ts|tsx|mts|mjs)$/.test(file))
const ofCode = (name, files) => [name, files.length, sumOf(files, linesOf)]
table(
  ['TypeScript', 'files', 'lines'],
  [
    ...grouped(code, 2).flatMap(([name, files]) => (files.length > 1 ? [ofCode(name, files)] : [])),
    ofCode('all, without tests and what is generated', code),
    ofCode(
      'of it demo data',
      code.filter((file) => /\/demo\//.test(file)),
    ),
    ofCode('tests and bench', tests),
  ],
)
