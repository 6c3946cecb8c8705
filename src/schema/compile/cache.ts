import type { CompileBundle, CompileContext } from './context'

/** How many models are kept; the one unused for longest goes first. */
const CACHE_SIZE = 64

const models = new Map<string, object>()

/** The model of that key, made when it is not there; kept when it is worth it. */
export const remember = <T extends object>(key: string, make: () => T, worth: (made: T) => boolean): T => {
  const known = models.get(key)
  if (known) {
    models.delete(key)
    models.set(key, known)
    return known as T
  }
  const made = make()
  if (!worth(made)) return made
  models.set(key, made)
  if (models.size > CACHE_SIZE) {
    const oldest = models.keys().next()
    if (!oldest.done) models.delete(oldest.value)
  }
  return made
}

/** Everything that a model depends on. The revision is a hash of page, entities and dictionaries. */
export const cacheKey = (bundle: CompileBundle, context: CompileContext): string => {
  const { keys, dynamic } = namedPermissions(bundle)
  const held = keys.map((key) => (context.permissions.has(key) ? '1' : '0')).join('')
  const viewer = dynamic ? identity(context.permissions) : ''
  const widgets = context.knownWidgets ? identity(context.knownWidgets) : ''
  const rules = bundle.fieldRules ? JSON.stringify(bundle.fieldRules) : ''
  const closed = bundle.closedStarts?.join(' ') ?? ''
  return [bundle.where, bundle.revision, context.locale, context.companyTimeZone, held, viewer, widgets, rules, closed].join('|')
}

interface NamedPermissions {
  keys: readonly string[]
  /** An expression computes a key, so that the viewer's whole set decides. */
  dynamic: boolean
}

const named = new WeakMap<CompileBundle, NamedPermissions>()
const MOST_DEPTH = 100

function namedPermissions(bundle: CompileBundle): NamedPermissions {
  const known = named.get(bundle)
  if (known) return known
  const keys = new Set<string>()
  let dynamic = false
  const visit = (value: unknown, word: string, depth: number): void => {
    if (depth > MOST_DEPTH) return
    if (typeof value === 'string') {
      if (word === 'permission' || word === 'x-permission' || word === 'x-permissions' || word === 'x-sensitive') keys.add(value)
      for (const [, quoted] of value.matchAll(/\bcan\s*\(\s*(?:'([^']*)'|"([^"]*)"|)/g)) {
        if (quoted === undefined) dynamic = true
        else keys.add(quoted)
      }
    } else if (value !== null && typeof value === 'object') {
      for (const [key, item] of Object.entries(value))
        visit(item, word === 'x-permissions' || Array.isArray(value) ? word : key, depth + 1)
    }
  }
  visit(bundle.page, '', 0)
  visit(bundle.entities, '', 0)
  const found = { keys: [...keys].sort(), dynamic }
  named.set(bundle, found)
  return found
}

const identities = new WeakMap<object, number>()
let lastIdentity = 0

function identity(object: object): string {
  const known = identities.get(object)
  if (known !== undefined) return String(known)
  lastIdentity += 1
  identities.set(object, lastIdentity)
  return String(lastIdentity)
}
