import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The modules of gateway/modules as code with their jobs and effects, those that others need or come after (`needs`, `after` of schemas/<module>/module.json) first. */
export function generateModules(root: string, banner: string): string {
  const folder = join(root, 'gateway/modules')
  const found = readdirSync(folder)
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
    for (const earlier of [...needed, ...after]) if (found.includes(earlier)) add(earlier, [...by, name])
    ordered.push(name)
  }
  for (const name of found) add(name, [])
  const jobs = ordered.flatMap((name) =>
    jobsOf(folder, name).map((job) => ({ from: `./${name}/jobs/${job}/job`, as: asName(name, job) })),
  )
  const effects = ordered.flatMap((name) =>
    effectsOf(folder, name).map((file) => ({
      from: `./${name}/effects/${file}`,
      as: `${asName(name, file)}Effect`,
      verb: `${name}.${asName(file)}`,
    })),
  )
  const imports = [
    ...ordered.map((name) => `import { ${name} } from './${name}'\n`),
    ...jobs.map(({ from, as }) => `import { job as ${as} } from '${from}'\n`),
    ...effects.map(({ from, as }) => `import { effect as ${as} } from '${from}'\n`),
  ]
  return [
    `${banner}\n${imports.join('')}import type { GatewayModule, ModuleEffect, ModuleJob } from './module'\n`,
    `/** The modules of the folders beside this file, those that others need first. */`,
    `export const MODULES: readonly GatewayModule[] = [${ordered.join(', ')}]\n`,
    `/** Their jobs. */`,
    `export const JOBS: readonly ModuleJob[] = [${jobs.map(({ as }) => as).join(', ')}]\n`,
    `/** What effects of their documents do, by the name of the verb. */`,
    `export const EFFECTS: Readonly<Record<string, ModuleEffect>> = {${effects.map(({ as, verb }) => ` '${verb}': ${as},`).join('')} }\n`,
  ].join('\n')
}

function jobsOf(folder: string, module: string): readonly string[] {
  const jobs = join(folder, module, 'jobs')
  if (!existsSync(jobs)) return []
  return readdirSync(jobs)
    .filter((name) => existsSync(join(jobs, name, 'job.ts')))
    .sort()
}

/** Files of the folder `effects`, without their ending. */
function effectsOf(folder: string, module: string): readonly string[] {
  const effects = join(folder, module, 'effects')
  if (!existsSync(effects)) return []
  return readdirSync(effects)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort()
}

/** `crm`, `account-track` as `crmAccountTrack`. */
const asName = (...names: string[]): string => names.join('-').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

function documentOf(root: string, name: string): { needs?: readonly string[]; after?: readonly string[] } {
  const file = join(root, 'schemas', name, 'module.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof documentOf>) : {}
}
