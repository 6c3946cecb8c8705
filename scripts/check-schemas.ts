import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { register } from 'node:module'
import { join, resolve } from 'node:path'
import { check, resolveConfig } from 'prettier'
import { readSchemas } from '../gateway/pages'
import { serviceNames } from '../gateway/services'
import { checkProps, type AnyWidget } from '../src/runtime/widget/widget'
import { formatProblem, type Problem } from '../src/schema'
import { readDocuments, type SourceDocument, type ValidationContext } from '../src/schema/validate'
import { bordersCrossed, moduleFiles } from './moduleBorders'

/**
 * Checks all of schemas/: the language, the names across files and those of domain services, a dry compile of every page in both languages, the props of
 * widgets, the formatting, and that the code of a module names no other one's tables. Prints problems like a compiler and ends with 1 when there are errors.
 *
 *   npm run check:schemas [-- <folder>]
 *   npm run check:schemas -- crm                        what one module wrote, against everything else
 *   npm run check:schemas -- --expand crm.classApply    shows an entity (a page: crm/share) with its features, as everything else sees it
 */
const root = resolve(import.meta.dirname, '..')
const given = process.argv.slice(2)
const expand = given.indexOf('--expand')
const shown = expand < 0 ? undefined : given.splice(expand, 2)[1]
const named = given[0]
/** The module that is looked at alone. */
const only = named !== undefined && existsSync(join(root, 'schemas', named, 'module.json')) ? named : undefined
const directory = resolve(only === undefined ? (named ?? join(root, 'schemas')) : join(root, 'schemas'))
const isAsked = (where: string): boolean => only === undefined || where.includes(`schemas/${only}/`)

/** Widgets bring styles along; outside of a browser a stylesheet is an empty module. */
const STYLES = `export const load = (url, context, next) =>
  url.split('?')[0].endsWith('.css') ? { format: 'module', source: '', shortCircuit: true } : next(url, context)`
register(`data:text/javascript,${encodeURIComponent(STYLES)}`)

const isWidget = (value: unknown): value is AnyWidget =>
  typeof value === 'object' && value !== null && 'name' in value && 'load' in value && 'props' in value

/** Every widget that a folder of src/widgets defines. */
async function readWidgets(): Promise<ReadonlyMap<string, AnyWidget>> {
  const folder = join(root, 'src/widgets')
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = new Map<string, AnyWidget>()
  for (const entry of entries) {
    const index = join(folder, entry.name, 'index.ts')
    if (!existsSync(index)) continue
    const exported = (await import(index)) as Readonly<Record<string, unknown>>
    for (const widget of Object.values(exported).flat().filter(isWidget)) found.set(widget.name, widget)
  }
  return found
}

function contextOf(widgets: ReadonlyMap<string, AnyWidget>): ValidationContext {
  return {
    widgets: new Set(widgets.keys()),
    services: serviceNames(),
    checkWidgetProps: (name, props) => {
      const widget = widgets.get(name)
      return widget ? checkProps(widget.props, props).map(({ at, message }) => ({ at: at === '/' ? '' : at, message })) : []
    },
  }
}

async function unformatted(documents: readonly SourceDocument[]): Promise<string[]> {
  const options = await resolveConfig(join(root, 'package.json'))
  const checked = await Promise.all(
    documents.map(async ({ where, text = '' }) => {
      const right = await check(text, { ...options, parser: 'json' }).catch(() => true)
      return right ? undefined : where
    }),
  )
  return checked.filter((where) => where !== undefined)
}

const started = performance.now()
const documents = await readSchemas(directory)
const context = { ...contextOf(await readWidgets()), ...(only === undefined ? {} : { only: isAsked }) }
const { problems, accepted } = readDocuments(documents, context)
const nameOf = ({ type, name, value }: (typeof accepted)[number]): string | undefined =>
  type === 'page' ? name : type === 'rules' ? value.key : type === 'entity' ? value.name : undefined
const whole = shown === undefined ? [] : accepted.filter((document) => nameOf(document) === shown)
if (whole.length > 0) {
  for (const { value } of whole) console.log(JSON.stringify(value, null, 2))
  process.exit(0)
}
if (shown !== undefined) console.log(`There is no document "${shown}" whose shape is right.`)
const asked = documents.filter(({ where }) => isAsked(where))
const formatting = await unformatted(asked)
const crossed = bordersCrossed(
  named === undefined ? moduleFiles(root) : [],
  accepted.flatMap(({ type, value }) => (type === 'entity' ? [value.name] : [])),
  accepted.flatMap(({ type, value }) => (type === 'module' ? [value] : [])),
)
const errors = problems.filter(({ severity }: Problem) => severity === 'error')

for (const problem of problems) console.log(formatProblem(problem))
for (const where of formatting)
  console.log(`${where}: error format: This file is not formatted. Run "npx prettier --write ${where}".`)
for (const sentence of crossed) console.log(`error border: ${sentence}`)

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
const failed = errors.length + formatting.length + crossed.length
console.log(
  `${count(asked.length, 'document')}, ${count(failed, 'error')}, ${count(problems.length - errors.length, 'warning')} in ${Math.round(performance.now() - started)} ms`,
)
process.exit(failed === 0 ? 0 : 1)
