import { compileFresh, compilePage, deepFreeze, type CompileResult } from '../../schema/compile'
import { cellNames } from '../cell'
import type { Host, PageBundle } from '../../headless/host'
import { allWidgets } from '../widget'

const permissionsOf = new WeakMap<Host, { has(key: string): boolean }>()
const permissions = (host: Host): { has(key: string): boolean } => {
  const known = permissionsOf.get(host)
  if (known) return known
  const made = { has: (key: string): boolean => host.can(key) }
  permissionsOf.set(host, made)
  return made
}

let known: { size: number; names: ReadonlySet<string> } | null = null
/** Names of widgets and cells; one set as long as nothing is registered, because models are remembered by it. */
const knownWidgets = (): ReadonlySet<string> => {
  const names = [...allWidgets().map((widget) => widget.name), ...cellNames()]
  if (known?.size !== names.length) known = { size: names.length, names: new Set(names) }
  return known.names
}

/** Frozen as the pages that are remembered: what a page that is being written may do, the released one may too. */
const compileFrozen: typeof compilePage = (bundle, context) => deepFreeze(compileFresh(bundle, context))

/**
 * Compiles a loaded page for the viewer; one that is being written (`follows`) is not remembered, since it is another one at the next
 * key. A gateway that answers something that is no page is a problem of that page.
 */
export const compileLoaded = (bundle: PageBundle, host: Host, follows = false): CompileResult =>
  (follows ? compileFrozen : compilePage)(bundle, {
    locale: host.locale,
    permissions: permissions(host),
    companyTimeZone: host.companyTimeZone ?? host.timeZone,
    knownWidgets: knownWidgets(),
  })
