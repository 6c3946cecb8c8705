import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
 * Where the code of gateway/modules names the tables of another module: it gets them from the entity (`tableOf`), of modules that it
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
    return text.split('\n').flatMap((line, index) => {
      const where = `${path}:${index + 1}`
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
      return [...tables, ...named]
    })
  })
}

/** The code of the modules, by path from the root. */
export function moduleFiles(root: string): { path: string; text: string }[] {
  const found = readdirSync(join(root, 'gateway/modules'), { recursive: true, encoding: 'utf8' })
  return found
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `gateway/modules/${name}`)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
