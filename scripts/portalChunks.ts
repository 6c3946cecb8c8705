import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

type Graph = Rolldown.ChunkingContext

const root = resolve(import.meta.dirname, '..')
const at = (...files: string[]) => files.map((file) => resolve(root, file))

/** What a visit loads, in the order in which it does: each names the modules that it begins with. */
const VISITS: readonly { readonly name: string; readonly entries: readonly string[] }[] = [
  { name: 'start', entries: at('src/main.tsx') },
  { name: 'portal', entries: at('src/shell/portal/startPortal.tsx', 'src/portalView.tsx', 'src/shell/portal/beside.ts') },
  { name: 'list', entries: at('src/runtime/list/ListPage.tsx') },
  { name: 'form', entries: at('src/runtime/form/index.ts') },
  { name: 'mail', entries: at('src/widgets/mail-client/MailClient.tsx') },
  {
    name: 'control',
    entries: at(...['text', 'select', 'ref', 'currency'].map((control) => `src/runtime/form/controls/${control}.tsx`)),
  },
]

const BEGINNINGS = new Set(VISITS.flatMap(({ entries }) => entries))

/** Files of libraries that only hand on what stands in others: who imports a name from one needs that file alone. */
const HANDS_ON: readonly { readonly file: RegExp; readonly names: RegExp; readonly fileOf: (name: string) => string }[] = [
  {
    file: /node_modules\/antd\/es\/index\.js$/,
    names: /import\s*\{([^}]*)\}\s*from\s*["']antd["']/g,
    fileOf: (name) => `${name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}/index.js`,
  },
  {
    file: /node_modules\/@ant-design\/icons\/es\/(index|icons\/index)\.js$/,
    names: /import\s*\{([^}]*)\}\s*from\s*["']@ant-design\/icons["']/g,
    fileOf: (name) => `icons/${name}.js`,
  },
]

/** Modules that the entries reach without a later import. */
function reached(entries: readonly string[], graph: Graph): Set<string> {
  const seen = new Set<string>()
  const follow = (id: string): void => {
    if (seen.has(id)) return
    const module = graph.getModuleInfo(id)
    if (!module) return
    seen.add(id)
    for (const next of module.importedIds) {
      const barrel = HANDS_ON.find(({ file }) => file.test(next))
      if (!barrel) follow(next)
      else
        for (const [, names = ''] of (module.code ?? '').matchAll(barrel.names))
          for (const name of names.split(','))
            if (name.trim())
              follow(resolve(next.replace(/(icons\/)?index\.js$/, ''), barrel.fileOf(name.trim().split(/\s+as\s+/)[0] ?? '')))
    }
  }
  entries.forEach(follow)
  return seen
}

/**
 * One file for what every visit of a kind loads anyhow, in place of a hundred small ones: nothing is loaded that was not.
 * What a visit begins with keeps a file of its own, by which it is found.
 */
export function portalChunks(): (id: string, graph: Graph) => string | null {
  let visits: { name: string; modules: Set<string> }[] | null = null
  return (id, graph) => {
    visits ??= VISITS.map(({ name, entries }) => ({ name, modules: reached(entries, graph) }))
    const module = graph.getModuleInfo(id)
    if (!module || module.isEntry || BEGINNINGS.has(id)) return null
    const inside = visits.filter(({ modules }) => modules.has(id)).map(({ name }) => name)
    const [first] = inside
    if (first === 'start' || first === 'portal') return first
    // what is mail's alone is divided as any page's, for others load parts of it
    return inside.length > 0 && first !== 'mail' ? inside.join('-') : null
  }
}
