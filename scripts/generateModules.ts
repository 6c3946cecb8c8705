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
  const found = <Kind extends keyof typeof KINDS>(kind: Kind): Found[] =>
    ordered.flatMap((module) => filesOf(folder, module, kind).map((name) => ({
      from: `./${module}/${kind}/${KINDS[kind].file(name)}`,
      as: asName(module, name, KINDS[kind].exported),
      name: `${module}.${asName(name)}`,
    }))) // prettier-ignore
  const [jobs, calls, verbs, outside] = [found('jobs'), found('calls'), found('verbs'), found('outside')]
  const imports = [
    ...ordered.map((name) => `import { ${name} } from './${name}'\n`),
    ...importsOf(jobs, 'jobs'),
    ...importsOf(calls, 'calls'),
    ...importsOf(verbs, 'verbs'),
    ...importsOf(outside, 'outside'),
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

/** What is found by the folder of a module that it stands in: the file, and what that exports. */
const KINDS = {
  jobs: { exported: 'job', file: (name: string) => `${name}/job` },
  calls: { exported: 'call', file: (name: string) => name },
  verbs: { exported: 'verb', file: (name: string) => name },
  outside: { exported: 'outside', file: (name: string) => name },
} as const

interface Found {
  from: string
  as: string
  name: string
}

const importsOf = (files: readonly Found[], kind: keyof typeof KINDS): string[] =>
  files.map(({ from, as }) => `import { ${KINDS[kind].exported} as ${as} } from '${from}'\n`)
const listOf = (files: readonly Found[]): string => `[${files.map(({ as }) => as).join(', ')}]`
const tableOf = (files: readonly Found[]): string => `{${files.map(({ as, name }) => ` '${name}': ${as},`).join('')} }`

/** Names of the things of a kind that a module has, in their order. */
function filesOf(folder: string, module: string, kind: keyof typeof KINDS): readonly string[] {
  const place = join(folder, module, kind)
  if (!existsSync(place)) return []
  return readdirSync(place)
    .map((name) => name.replace(/\.ts$/, ''))
    .filter((name) => existsSync(join(place, `${KINDS[kind].file(name)}.ts`)))
    .sort()
}

/** `crm`, `account-track` as `crmAccountTrack`. */
const asName = (...names: string[]): string => names.join('-').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

function documentOf(root: string, name: string): { needs?: readonly string[]; after?: readonly string[] } {
  const file = join(root, 'schemas', name, 'module.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof documentOf>) : {}
}
