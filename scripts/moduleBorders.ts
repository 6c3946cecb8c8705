import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { tableName } from '../src/schema/entity'

/** A module as its `module.json` says it. */
interface Borders {
  name: string
  needs?: readonly string[] | undefined
  uses?: readonly string[] | undefined
}

/** What every module may read: staff, departments, the log; applications and approval roles. */
const PLATFORM = ['sys', 'wf']
const moduleOf = (entity: string): string => entity.split('.', 1)[0]!

/**
 * Where the code of gateway/modules imports a module that it does not need, or names the tables of another module: it gets them from the entity (`tableOf`), of modules that it
 * needs or uses; what a module that is not there would have cannot be told. Answers a sentence for each place.
 */
export function bordersCrossed(
  files: readonly { path: string; text: string }[],
  entities: readonly string[],
  modules: readonly Borders[],
): string[] {
  const present = new Set([...modules.map(({ name }) => name), ...entities.map(moduleOf)])
  const isAbsent = (module: string): boolean => !present.has(module)
  const byTable = new Map(entities.map((entity) => [tableName(entity), entity]))
  return files.flatMap(({ path, text }) => {
    const own = /^gateway\/modules\/([^/]+)\//.exec(path)?.[1]
    if (own === undefined) return []
    const declared = modules.find(({ name }) => name === own)
    const open = new Set([own, ...PLATFORM, ...(declared?.needs ?? []), ...(declared?.uses ?? [])])
    const needed = neededBy(own, modules)
    return text.split('\n').flatMap((line, index) => {
      const where = `${path}:${index + 1}`
      const imported = [...line.matchAll(/from '((?:\.\.\/)+[^']*)'/g)].flatMap(([, from = '']) => {
        const other = /^gateway\/modules\/([^/]+)/.exec(normalize(join(dirname(path), from)))?.[1]
        if (other === undefined || other === own || !modules.some(({ name }) => name === other) || needed.has(other)) return []
        return [`${where} imports code of "${other}": name it in "needs" of schemas/${own}/module.json.`]
      })
      const tables = [...line.matchAll(/\b[a-z]+_[a-z0-9_]+\b/g)].flatMap(([table]) => {
        const entity = byTable.get(table)
        return entity === undefined || moduleOf(entity) === own
          ? []
          : [`${where} names the table "${table}" of another module: take it from the entity, tableOf('${entity}').`]
      })
      const named = [...line.matchAll(/\btableOf\('([^']*)'\)/g)].flatMap(([, entity = '']) => {
        if (isAbsent(moduleOf(entity)) && open.has(moduleOf(entity))) return []
        if (!entities.includes(entity)) return [`${where} asks for the table of "${entity}": there is no such entity.`]
        if (open.has(moduleOf(entity))) return []
        return [`${where} reads "${entity}": name "${moduleOf(entity)}" in "needs" or "uses" of schemas/${own}/module.json.`]
      })
      return [...imported, ...tables, ...named]
    })
  })
}

/** The modules without which one cannot be, by others, too. */
function neededBy(module: string, modules: readonly Borders[]): ReadonlySet<string> {
  const needed = new Set<string>()
  const add = (name: string): void => {
    for (const other of modules.find((one) => one.name === name)?.needs ?? []) {
      if (needed.has(other)) continue
      needed.add(other)
      add(other)
    }
  }
  add(module)
  return needed
}

/** The code of the modules, by path from the root. */
export function moduleFiles(root: string): { path: string; text: string }[] {
  const found = readdirSync(join(root, 'gateway/modules'), { recursive: true, encoding: 'utf8' })
  return found
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `gateway/modules/${name}`)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
