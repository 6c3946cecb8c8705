import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The modules of gateway/modules as code with what their folders hold (`jobs`, `calls`, `verbs`, `outside`), those that others need or come after (`needs`, `after` of schemas/<module>/module.json) first. */
export function generateModules(root: string, banner: string): string {
  const folder = join(root, 'gateway/modules')
  const modules = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'index.ts')))
    .sort()
  const ordered: string[] = []
  const add = (name: string, by: readonly string[]): void => {
    if (by.includes(name)) throw new Error(`Modules need each other: ${[...by, name].join(', ')}.`)
    if (ordered.includes(name)) return
    const { needs = [], after = [] } = documentOf(root, name)
    const missing = needs.find((needed) => !existsSync(join(root, 'schemas', needed)))
    if (missing !== undefined) throw new Error(`The module "${name}" needs the module "${missing}", which is not there.`)
    const needed = needs.filter((other) => !documentOf(root, other).after?.includes(name))
    for (const earlier of [...needed, ...after]) if (modules.includes(earlier)) add(earlier, [...by, name])
    ordered.push(name)
  }
  for (const name of modules) add(name, [])
  const found = (kind: Kind): Found[] => ordered.flatMap((name) => foundIn(folder, name, kind))
  const [jobs, calls, verbs, outside] = [found('jobs'), found('calls'), found('verbs'), found('outside')]
  const imports = [
    ...ordered.map((name) => `import { ${name} } from './${name}'\n`),
    ...[jobs, calls, verbs, outside].flat().map(({ imported }) => imported),
  ]
  return [
    `${banner}\n${imports.join('')}import type { GatewayModule, ModuleCall, ModuleJob, ModuleOutsideVerb, ModuleVerb } from './module'\n`,
    `/** The modules of the folders beside this file, those that others need first. */`,
    `export const MODULES: readonly GatewayModule[] = [${ordered.join(', ')}]\n`,
    `/** Their jobs. */`,
    `export const JOBS: readonly ModuleJob[] = ${listOf(jobs)}\n`,
    `/** Their calls that are no entity's. */`,
    `export const CALLS: readonly ModuleCall[] = ${listOf(calls)}\n`,
    `/** Their verbs, by the names that documents use. */`,
    `export const VERBS: Readonly<Record<string, ModuleVerb>> = ${tableOf(verbs)}\n`,
    `/** Their verbs that reach another system, by the names that documents use. */`,
    `export const OUTSIDE: Readonly<Record<string, ModuleOutsideVerb>> = ${tableOf(outside)}\n`,
  ].join('\n')
}

/** What is found by the folder of a module that it stands in: the file of one, and what that exports. */
const KINDS = {
  jobs: { file: (name: string) => `${name}/job`, exported: 'job' },
  calls: { file: (name: string) => name, exported: 'call' },
  verbs: { file: (name: string) => name, exported: 'verb' },
  outside: { file: (name: string) => name, exported: 'outside' },
} as const
type Kind = keyof typeof KINDS

/** One of them: how it is imported, and its name in documents. */
interface Found {
  imported: string
  as: string
  name: string
}

function foundIn(folder: string, module: string, kind: Kind): Found[] {
  const { file, exported } = KINDS[kind]
  const place = join(folder, module, kind)
  if (!existsSync(place)) return []
  return readdirSync(place)
    .map((name) => name.replace(/\.ts$/, ''))
    .filter((name) => existsSync(join(place, `${file(name)}.ts`)))
    .sort()
    .map((name) => {
      const as = asName(module, name, exported)
      return {
        imported: `import { ${exported} as ${as} } from './${module}/${kind}/${file(name)}'\n`,
        as,
        name: `${module}.${asName(name)}`,
      }
    })
}

const listOf = (found: readonly Found[]): string => `[${found.map(({ as }) => as).join(', ')}]`
const tableOf = (found: readonly Found[]): string => `{${found.map(({ as, name }) => ` '${name}': ${as},`).join('')} }`

/** `crm`, `account-track` as `crmAccountTrack`. */
const asName = (...names: string[]): string => names.join('-').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

function documentOf(root: string, name: string): { needs?: readonly string[]; after?: readonly string[] } {
  const file = join(root, 'schemas', name, 'module.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof documentOf>) : {}
}
