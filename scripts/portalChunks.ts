import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Rolldown } from 'vite'

type Graph = Rolldown.ChunkingContext

const root = resolve(import.meta.dirname, '..')
const at = (...files: string[]) => files.map((file) => resolve(root, file))

/** What a visit loads, in the order in which it does: each names the modules that it begins with. */
const VISITS: readonly { readonly name: string; readonly entries: readonly string[] }[] = [
  { name: 'early', entries: at('src/early.ts') },
  { name: 'start', entries: at('src/main.tsx') },
  // antd takes a form's context by the way of all that stands beside it
  {
    name: 'portal',
    entries: at('src/portalView.tsx', 'src/shell/portal/beside.ts', 'node_modules/rc-field-form/es/FormContext.js'),
  },
  { name: 'list', entries: at('src/runtime/list/ListPage.tsx') },
  { name: 'form', entries: at('src/runtime/form/index.ts') },
  { name: 'mail', entries: at('src/widgets/mail-client/MailClient.tsx') },
  {
    name: 'control',
    entries: at(...['text', 'select', 'ref', 'currency'].map((control) => `src/runtime/form/controls/${control}.tsx`)),
  },
]

/** What every visit loads once the shell stands: one file, which nothing waits for. */
const AROUND = at(
  'src/shell/layout/PrintHead.tsx',
  'src/shell/messages/MessageBell.tsx',
  'src/shell/approvals/ApprovalShortcut.tsx',
  'src/shell/feedback/FeedbackShortcut.tsx',
  'src/shell/stream/stream.ts',
)

/** Widgets whose parts are so small that they come together. */
const SMALL_WIDGETS = at('src/widgets/crm-quota/')

const BEGINNINGS = new Set(VISITS.filter(({ name }) => name !== 'early' && name !== 'portal').flatMap(({ entries }) => entries))

/** Modules that imports reach and the portal never calls: what stands in them goes with those who do. */
const LEFT_OUT =
  /\/node_modules\/(?:rc-field-form\/es\/(?!FormContext|FieldContext)|@rc-component\/async-validator|rc-collapse|antd\/es\/collapse)/

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
    if (seen.has(id) || LEFT_OUT.test(id)) return
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

const ICON = /\/@ant-design\/icons(?:-svg)?\/es\/(?:icons|asn)\/(\w+)Outlined\.js$/
const ICON_SET = at('src/runtime/icon/iconSet.ts')[0]!

/** Files of all schemas below a folder. */
const schemasIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => join(folder, file))

/**
 * Icons that documents may name, by the file that each comes in: that of the first module whose menu names it, of the actions of
 * several modules, of the one module that names it, or of those that none names yet.
 */
function iconFiles(): ReadonlyMap<string, string> {
  const schemas = resolve(root, 'schemas')
  const uses = new Map<string, { menus: string[]; modules: Set<string> }>()
  for (const [, name = ''] of readFileSync(ICON_SET, 'utf8').matchAll(/es\/icons\/(\w+)Outlined'/g))
    uses.set(name, { menus: [], modules: new Set() })
  for (const { name: module } of readdirSync(schemas, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    for (const file of schemasIn(join(schemas, module)))
      for (const [, first = '', rest = ''] of readFileSync(file, 'utf8').matchAll(/"icon":\s*"([a-z])(\w*)"/g)) {
        const use = uses.get(first.toUpperCase() + rest)
        use?.modules.add(module)
        if (file.endsWith('module.json')) use?.menus.push(module)
      }
  const fileOf = ({ menus, modules }: { menus: string[]; modules: Set<string> }): string => {
    const [first] = menus.length > 0 ? menus.sort() : modules
    return first === undefined ? 'others' : menus.length > 0 || modules.size === 1 ? first : 'actions'
  }
  return new Map([...uses].map(([name, use]) => [name, `icons-${fileOf(use)}`]))
}

/**
 * One file for what every visit of a kind loads anyhow, in place of a hundred small ones: nothing is loaded that was not, but
 * for the few icons of a module and what is smaller than the request for it. What a visit begins with keeps a file of its own,
 * by which it is found.
 */
export function portalChunks(): (id: string, graph: Graph) => string | null {
  let visits: { name: string; modules: Set<string> }[] | null = null
  let around = new Set<string>()
  const icons = iconFiles()
  return (id, graph) => {
    if (visits === null) {
      visits = VISITS.map(({ name, entries }) => ({ name, modules: reached(entries, graph) }))
      around = reached(AROUND, graph)
    }
    const module = graph.getModuleInfo(id)
    if (!module || module.isEntry || BEGINNINGS.has(id)) return null
    const inside = visits.filter(({ modules }) => modules.has(id)).map(({ name }) => name)
    const [first, second] = inside
    if (first === 'early' || first === 'start' || first === 'portal') return first
    const icon = icons.get(ICON.exec(id)?.[1] ?? '')
    if (icon !== undefined) {
      if (around.has(id)) return 'around'
      // what a list draws stays apart from the dozens that mail draws at once
      return inside.includes('mail') && !/-(?:actions|crm)$/.test(icon) ? 'icons-mail' : icon
    }
    // what a list shares with another kind is a few lines
    if (first === 'list' && second !== undefined) return 'portal'
    if (around.has(id)) return 'around'
    if (SMALL_WIDGETS.some((folder) => id.startsWith(folder)))
      return id.slice(resolve(root, 'src/widgets').length + 1).split('/')[0] ?? null
    // what is mail's alone is divided as any page's, for others load parts of it
    return inside.length > 0 && first !== 'mail' ? inside.join('-') : null
  }
}
