import { resolve } from 'node:path'
import { openSchemaRegistry } from '../gateway/pages'
import { placeholders } from './routeCoverage'

/**
 * Which routes of each module have a page and which are placeholders, as the documents say it.
 *
 *   npm run coverage:routes                 counts by module
 *   npm run coverage:routes -- <module>     one module, with its placeholders
 *   npm run coverage:routes -- --check      ends with 1 while there is a placeholder (with <module>: one of its own)
 */
const given = process.argv.slice(2)
const mustBeNone = given.includes('--check')
const [onlyModule] = given.filter((one) => one !== '--check')

const found = placeholders((await openSchemaRegistry(resolve(import.meta.dirname, '../schemas'))).routes)
const shown = found.filter(({ module }) => onlyModule === undefined || module === onlyModule)
if (shown.length === 0) {
  console.error(`There is no module "${onlyModule}" with routes; there are ${found.map(({ module }) => module).join(', ')}.`)
  process.exit(64)
}
const width = Math.max(...shown.map(({ module }) => module.length))
const pad = (text: string | number, places: number): string => String(text).padStart(places)
console.log(`${'module'.padEnd(width)}  pages  routes  placeholders`)
for (const { module, routes, missing } of shown) {
  const counts = `${pad(routes - missing.length, 5)}  ${pad(routes, 6)}  ${pad(missing.length, 12)}`
  console.log(`${module.padEnd(width)}  ${counts}`)
  if (onlyModule !== undefined) for (const { path, title } of missing) console.log(`  not yet ${path} ${title.zh} (${title.en})`)
}
const routes = shown.reduce((sum, one) => sum + one.routes, 0)
const missing = shown.reduce((sum, one) => sum + one.missing.length, 0)
console.log(`All: ${routes - missing} of ${routes} routes have a page.`)
process.exit(mustBeNone && missing > 0 ? 1 : 0)
