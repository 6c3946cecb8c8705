/**
 * JavaScript of a first visit, compressed, and its files, from the build's manifest. A visit loads the entries that it names and everything
 * they import statically; what a person does later (dialogs, other controls) loads then. Exit code 1 when a budget is broken.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const KILOBYTE = 1000
/** Files without an entry of their own are found by their name. */
const PORTAL = ['index.html', 'portal', 'around']
/** The editor of letters and formatted texts: it loads when somebody writes. */
const EDITOR = /\/RichEditor-/
const control = (name) => `src/runtime/form/controls/${name}.tsx`

/**
 * The customer list and the customer form: the largest of their kinds, in a window of 1440 by 900. Controls further than
 * 400 px below the first screen (next follow-up, files) load when they are approached.
 */
const VISITS = [
  { name: 'sign-in', budget: 120, entries: ['index.html'] },
  {
    name: 'list page',
    budget: 425,
    files: 12,
    entries: [
      ...PORTAL,
      'src/runtime/list/ListPage.tsx',
      'src/schema/formats/country-names.ts',
      ...['crm-quota', 'icons-crm', 'icons-actions'],
    ],
  },
  { name: 'mail page', budget: 475, entries: [...PORTAL, 'src/widgets/mail-client/MailClient.tsx'], without: EDITOR },
  {
    name: 'form page',
    budget: 495,
    entries: [
      ...PORTAL,
      'src/runtime/form/index.ts',
      'src/schema/formats/country-names.ts',
      ...['text', 'textarea', 'select', 'selectMany', 'country', 'countries', 'currency', 'ref'].map(control),
    ],
  },
]

const portal = resolve(import.meta.dirname, '../dist/portal')
const manifest = JSON.parse(readFileSync(join(portal, '.vite/manifest.json'), 'utf8'))
const sizes = new Map()

/** Compressed bytes of one file of the build. */
function sizeOf(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(portal, file)), { level: 9 }).length)
  return sizes.get(file)
}

/** A file that holds what several entries need. */
const named = (name) =>
  Object.entries(manifest).find(([key, chunk]) => key.startsWith('_') && key.endsWith('.js') && chunk.name === name)?.[1]

/** Files that the entries load with everything they import statically. */
function closure(entries) {
  const seen = new Set()
  const follow = (key) => {
    const chunk = manifest[key] ?? named(key)
    if (!chunk) throw new Error(`The manifest has no "${key}": name the entry anew in scripts/check-budgets.mjs.`)
    if (seen.has(chunk.file)) return
    seen.add(chunk.file)
    for (const next of chunk.imports ?? []) follow(next)
  }
  for (const entry of entries) follow(entry)
  return [...seen].filter((file) => file.endsWith('.js'))
}

if (!Object.values(manifest).some(({ file }) => EDITOR.test(file)))
  throw new Error('The build has no file of the editor: name it anew in scripts/check-budgets.mjs.')
let broken = false
for (const { name, budget, entries, files: most = Infinity, without } of VISITS) {
  const files = closure(entries)
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0) / KILOBYTE
  broken ||= total > budget || files.length > most
  if (files.length > most) console.log(`OVER ${name}: ${files.length} files of ${most}`)
  const early = files.filter((file) => without?.test(file))
  broken ||= early.length > 0
  if (early.length > 0) console.log(`OVER ${name}: loads ${early.join(', ')} before somebody writes`)
  console.log(`${total <= budget ? 'ok  ' : 'OVER'} ${name}: ${total.toFixed(1)} kB of ${budget} kB`)
}
process.exit(broken ? 1 : 0)
