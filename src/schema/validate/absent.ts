import { isExpression, parseExpression, rootsOf } from '../expression'
import type { Effect, EntityDocument, EntityField, Lookup } from '../generated/entity'
import type { Card, MenuEntry } from '../generated/module'
import type { ListBody, PageDocument } from '../generated/page'
import { segmentOfPath } from '../routes'
import { ownerOf, type AcceptedDocument } from './accepted'

/** Which modules are not there, of those that others work with (`uses` of a module). */
export interface Absence {
  modules: ReadonlySet<string>
  /** Whether a module works with one that is not there. What is of no module, the platform, may work with any. */
  touches(module: string): boolean
}

/** What is not there of what the documents name. */
export function absenceIn(documents: readonly AcceptedDocument[]): Absence {
  const modules = new Map(
    documents.flatMap(({ type, value }) => (type === 'module' ? [[value.name, value.uses ?? []] as const] : [])),
  )
  const present = new Set([
    ...modules.keys(),
    ...documents.flatMap((document) => (document.type === 'entity' ? [moduleOf(document.value.name)] : [])),
  ])
  const absent = new Set([...modules.values()].flat().filter((name) => !present.has(name)))
  return { modules: absent, touches: (module) => modules.get(module)?.some((name) => absent.has(name)) ?? absent.size > 0 }
}

/**
 * The documents as they stand without modules that others only use and that are not there: what would show their records or listen to
 * them is left out with the pages below it and the keys of its menu entries, a field that names one is a text, and what reads, writes
 * or opens rows through one falls away (docs/architecture.md).
 */
export function withoutAbsent(documents: readonly AcceptedDocument[], known: readonly AcceptedDocument[]): AcceptedDocument[] {
  const all = [...known, ...documents]
  const absence = absenceIn(all)
  if (absence.modules.size === 0) return [...documents]
  const gone: Gone = (name) => typeof name === 'string' && absence.modules.has(moduleOf(name))
  const paths = pathsGone(documents, gone)
  const modules = all.flatMap((document) => (document.type === 'module' ? [document.value] : []))
  const declared = new Set(modules.flatMap(({ routes }) => routes.map(({ path }) => path)))
  const ofPages = new Set(all.flatMap(({ type, value }) => (type === 'page' && value.path !== undefined ? [value.path] : [])))
  // an address of a module that is not there begins as no other module's do, whoever has a page among them
  const segments = new Set([...[...declared].map(segmentOfPath), ...modules.map(({ name, segment = name }) => segment)])
  const opens = (path: string): boolean =>
    declared.has(path) || (!paths.has(path) && (ofPages.has(path) || segments.has(segmentOfPath(path))))
  const keys = new Set(modules.flatMap(({ menu }) => keysOf(menu, (path) => !opens(path))))
  const named = new Set(
    all.flatMap(({ type, value }) => (type === 'roles' ? value.roles.flatMap(({ code, label }) => (label ? [code] : [])) : [])),
  )
  const entities = new Map(all.flatMap(({ type, value }) => (type === 'entity' ? [[value.name, value] as const] : [])))
  const left = documents.filter(
    ({ type, value }) =>
      !(type === 'page' && (shows(value, gone) || isBelow(value, paths))) &&
      !(type === 'listener' && gone(value.on)) &&
      !(type === 'paper' && (gone(value.entity) || value.tables?.some(({ entity }) => gone(entity)))) &&
      !(type === 'process' && asksFor(value.form, gone)),
  )
  const pages = new Set([...known, ...left].flatMap(({ type, name, where }) => (type === 'page' ? [name ?? where] : [])))
  return left.map((document): AcceptedDocument => {
    if (document.type === 'entity') return { ...document, value: entityWithout(document.value, gone, opens) }
    if (document.type === 'page') return { ...document, value: pruned(document.value, { gone, opens, entities }) as PageDocument }
    if (document.type === 'roles') {
      // a role that only an absent module names is nobody's
      const kept = document.value.roles.filter(({ code }) => named.has(code) || !absence.touches(ownerOf(document)))
      const roles = kept.map(({ menus, scopes, fieldRules, ...role }) => ({
        ...role,
        ...(menus ? { menus: menus.filter((key) => !keys.has(key)) } : {}),
        ...(scopes ? { scopes: without(scopes, gone) } : {}),
        ...(fieldRules ? { fieldRules: without(fieldRules, gone) } : {}),
      }))
      return { ...document, value: { ...document.value, roles } }
    }
    if (document.type !== 'module') return document
    const { menu, routes, cards } = document.value
    const left = routes.filter(({ activeMenu }) => activeMenu === undefined || opens(activeMenu))
    const shown = cards ? { cards: cards.filter(({ page }) => pages.has(page)).map((card) => cardOf(card, named)) } : {}
    return { ...document, value: { ...document.value, menu: opened(menu, opens), routes: left, ...shown } }
  })
}

/** A card for the roles that there are. */
const cardOf = ({ for: roles, ...card }: Card, named: ReadonlySet<string>): Card =>
  roles ? { ...card, for: Object.fromEntries(Object.entries(roles).filter(([code]) => code === '*' || named.has(code))) } : card

/** Whether an address leads to a page. */
type Opens = (path: string) => boolean

/** Whether a name, `crm.customer` or `crm.customer.name`, is of a module that is not there. */
type Gone = (name: unknown) => boolean

const without = <Of>(named: Readonly<Record<string, Of>>, gone: Gone): Record<string, Of> =>
  Object.fromEntries(Object.entries(named).filter(([name]) => !gone(name)))

/** An entity that names what is gone nowhere. */
function entityWithout(entity: EntityDocument, gone: Gone, opens: Opens): EntityDocument {
  const { properties, 'x-participants': participants, 'x-scope': scope, 'x-lookups': lookups, 'x-tests': tests, ...rest } = entity
  const refersGone = (name: string | undefined): boolean => name !== undefined && gone(properties[name]?.['x-ref'])
  const isLost = (lookup: Lookup): boolean => Object.values(lookup).some(gone)
  const lost = new Set(Object.entries(lookups ?? {}).flatMap(([name, lookup]) => (isLost(lookup) ? [name] : [])))
  const idle = idleTransitions(entity, gone)
  const kept = Object.entries(properties).map(([name, field]) => [name, namesGone(field, gone) ? asText(field, gone) : field])
  // nobody takes part through a record that is gone
  const takePart = participants?.filter(({ through }) =>
    typeof through === 'object' ? !gone(through.rows) : !refersGone(through),
  )
  // an example that begins with records of what is gone, or takes a transition that is, cannot be tried
  const tried = tests?.filter(
    ({ given = {}, do: steps = [] }) =>
      !Object.values(given).some((one) => gone(one.entity)) && !steps.some(({ transition = '' }) => idle.has(transition)),
  )
  return {
    ...(withoutRules(rest, { gone, opens, lost, idle, refersGone }) as typeof rest),
    properties: Object.fromEntries(kept) as typeof properties,
    ...(takePart ? { 'x-participants': takePart } : {}),
    // whose rows the parent would open, nobody sees by it: participants and the key of the entity are left
    ...(scope
      ? { 'x-scope': typeof scope === 'object' && 'parent' in scope && refersGone(scope.parent) ? 'restricted' : scope }
      : {}),
    ...(lookups ? { 'x-lookups': Object.fromEntries(Object.entries(lookups).filter(([name]) => !lost.has(name))) } : {}),
    ...(tried ? { 'x-tests': tried } : {}),
  }
}

/** Transitions that did nothing but what is done to records that are gone, or that begin what only an outside of what is gone would end. */
const idleTransitions = (entity: EntityDocument, gone: Gone): ReadonlySet<string> =>
  new Set(
    (entity['x-states'] ?? []).flatMap(({ transitions }) =>
      transitions.flatMap(({ id, effects = [] }) => {
        const waits = effects.filter(({ later }) => later !== undefined)
        const isIdle = [effects, waits].some((some) => some.length > 0 && some.every((effect) => touchesGone(effect, gone)))
        return isIdle ? [id] : []
      }),
    ),
  )

/** Done to, or for each of, records of what is gone, or by a verb of it. */
const touchesGone = ({ do: verb, with: words, on, each }: Effect, gone: Gone): boolean =>
  gone(verb) || gone(words?.entity) || [on, each].some((target) => typeof target === 'object' && gone(target.entity))

interface Lost {
  gone: Gone
  opens: Opens
  /** Look-ups that find nothing, and results of effects that are left out. */
  lost: ReadonlySet<string>
  /** Transitions that are left out. */
  idle: ReadonlySet<string>
  /** Whether a field of the entity is a reference to what is gone. */
  refersGone(name: string | undefined): boolean
}

/** What has a place in a list of an entity and may have to go: an effect, a transition, a deadline, a refusal, a rule. */
type Rule = (Partial<Effect> & { id?: string; transition?: unknown; from?: unknown; when?: unknown; open?: unknown }) | null

/** Without effects on what is gone, what hangs on a look-up that is gone, and transitions that have nothing to do. */
function withoutRules(value: unknown, missing: Lost): unknown {
  const { gone, opens, lost, idle, refersGone } = missing
  // nobody is told through a record that is gone
  const isUntold = (to: unknown): boolean =>
    typeof to === 'object' && to !== null && 'path' in to && refersGone(String(to.path).split('.', 1)[0])
  const tellsNobody = (to: unknown): boolean => Array.isArray(to) && to.length > 0 && to.every(isUntold)
  const goes = (rule: Rule): boolean =>
    (typeof rule?.do === 'string' && (touchesGone(rule as Effect, gone) || tellsNobody(rule.with?.to))) ||
    isUntold(rule) ||
    (typeof rule?.open === 'string' && !opens(rule.open.split(/[?#]/, 1)[0]!)) ||
    (lost.size > 0 && isExpression(rule?.when) && reads(rule.when, lost)) ||
    (rule?.from !== undefined && idle.has(rule.id ?? '')) ||
    (typeof rule?.transition === 'string' && idle.has(rule.transition))
  if (Array.isArray(value)) {
    const rules = value as Rule[]
    const results = rules.flatMap((rule) => (typeof rule?.as === 'string' && goes(rule) ? [rule.as] : []))
    const left = results.length === 0 ? missing : { ...missing, lost: new Set([...lost, ...results]) }
    const follows = (rule: Rule): boolean => isExpression(rule?.when) && reads(rule.when, left.lost)
    return rules.flatMap((rule) => (goes(rule) || follows(rule) ? [] : [withoutRules(rule, left)]))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutRules(inner, missing)]))
}

function reads(text: string, names: ReadonlySet<string>): boolean {
  const parsed = parseExpression(text)
  return parsed.ok && rootsOf(parsed.expression).some((name) => names.has(name))
}

/** Paths of the pages that go: those that show what is gone, and those below them. */
function pathsGone(documents: readonly AcceptedDocument[], gone: Gone): ReadonlySet<string> {
  const pages = documents.flatMap(({ type, value }) => (type === 'page' ? [value] : []))
  const paths = new Set(pages.flatMap((page) => (page.path !== undefined && shows(page, gone) ? [page.path] : [])))
  for (const page of pages) if (page.path !== undefined && isBelow(page, paths)) paths.add(page.path)
  return paths
}

const isBelow = (page: PageDocument, paths: ReadonlySet<string>): boolean =>
  'activeMenu' in page && page.activeMenu !== undefined && paths.has(page.activeMenu)

/** Keys of the menu entries that open nothing any more. */
const keysOf = (menu: readonly MenuEntry[], closed: (path: string) => boolean): string[] =>
  menu.flatMap(({ international, path, children = [] }) => [
    ...(path !== undefined && closed(path) ? [international] : []),
    ...keysOf(children, closed),
  ])

const moduleOf = (entity: string): string => entity.split('.', 1)[0]!

/** `crm.customer.name` names a field of `crm.customer`. */
const copies = ({ 'x-copyOf': from = [] }: EntityField): readonly string[] => (typeof from === 'string' ? [from] : from)

const namesGone = (field: EntityField, gone: Gone): boolean => gone(field['x-ref']) || copies(field).some(gone)

function asText(field: EntityField, gone: Gone): EntityField {
  const { 'x-ref': reference, 'x-onDelete': policy, 'x-onMerge': merged, 'x-copyOf': _from, ...rest } = field
  const from = copies(field).filter((name) => !gone(name))
  return {
    ...rest,
    ...(gone(reference) || reference === undefined ? {} : { 'x-ref': reference }),
    ...(gone(reference) || policy === undefined ? {} : { 'x-onDelete': policy }),
    ...(gone(reference) || merged === undefined ? {} : { 'x-onMerge': merged }),
    ...(from.length > 0 ? { 'x-copyOf': from } : {}),
  } as EntityField
}

/** Names what is gone, in whatever place: nobody could fill such a form. */
function asksFor(value: unknown, gone: Gone): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner) => gone(inner) || asksFor(inner, gone))
}

/** A page of records that are gone, or a report that counts them, or a widget that is given what they name, too. */
const shows = (page: PageDocument, gone: Gone): boolean =>
  ('entity' in page && gone(page.entity)) ||
  (page.kind === 'widget' && asksFor(page.props, gone)) ||
  (page.kind === 'report' &&
    [...(page.dimensions ?? []), ...(page.measures ?? [])].some((one) => 'entity' in one && gone(one.entity)))

/** What a list has that may have to go: a block of records or a widget of a module, an action that leads to a page or takes a transition, a field. */
type Item = {
  id?: unknown
  entity?: unknown
  list?: { entity?: unknown }
  widget?: unknown
  open?: unknown
  field?: unknown
  operator?: unknown
  value?: unknown
} | null

interface Left {
  gone: Gone
  opens: Opens
  /** All entities as they are written. */
  entities: ReadonlyMap<string, EntityDocument>
}

/**
 * Without items of lists that name an entity that is gone, show a list of one, lead to a page that is gone, take a transition that has
 * nothing to do, or show a field of a record that is gone.
 * @param around the entity whose records the place is about
 */
function pruned(value: unknown, left: Left, around?: EntityDocument, place = ''): unknown {
  const { gone, opens, entities } = left
  const idle = around && /actions$/i.test(place) ? idleTransitions(around, gone) : undefined
  const goes = (item: Item): boolean =>
    gone(item?.entity) ||
    gone(item?.list?.entity) ||
    gone(item?.widget) ||
    (typeof item?.open === 'string' && !opens(item.open.split(/[?#]/, 1)[0]!)) ||
    (typeof item?.id === 'string' && idle?.has(item.id) === true) ||
    (around !== undefined && isShown(item) && isCut(around, item.field, left))
  if (Array.isArray(value)) return (value as Item[]).flatMap((item) => (goes(item) ? [] : [pruned(item, left, around, place)]))
  if (typeof value !== 'object' || value === null) return value
  const named: unknown = (value as { entity?: unknown }).entity
  const about = typeof named === 'string' ? entities.get(named) : around
  const inner = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, pruned(inner, left, about, key)]))
  return place === 'cells' ? leftCells(inner as Cells, (key) => goes({ field: key, ...(value as Cells)[key] })) : inner
}

type Cells = NonNullable<ListBody['cells']>

/** A column that goes is left out, also where the entity has it; what stood behind it stands where it was. */
function leftCells(cells: Cells, goes: (key: string) => boolean): Cells {
  const behind = (name: string | undefined): string | undefined => {
    const cell = name === undefined ? undefined : cells[name]
    return name !== undefined && cell && cell.after !== undefined && goes(name) ? behind(cell.after) : name
  }
  const kept = Object.entries(cells).flatMap(([key, cell]): [string, Cells[string]][] => {
    if (goes(key)) return key.includes('.') ? [] : [[key, false]]
    return [[key, cell && cell.after !== undefined ? { ...cell, after: behind(cell.after)! } : cell]]
  })
  return Object.fromEntries(kept)
}

/** A column, a filter, a field of a detail: not a condition, without which a list would tell something else. */
const isShown = (item: Item): item is { field: string } =>
  typeof item?.field === 'string' && item.operator === undefined && item.value === undefined

/** Whether a path leads through a record that is gone. */
function isCut(entity: EntityDocument, path: string, left: Left): boolean {
  const [first = '', ...rest] = path.split('.')
  const reference = entity.properties[first]?.['x-ref']
  if (rest.length === 0 || reference === undefined) return false
  const next = left.entities.get(reference)
  return left.gone(reference) || (next !== undefined && isCut(next, rest.join('.'), left))
}

const opened = (menu: readonly MenuEntry[], opens: (path: string) => boolean): MenuEntry[] =>
  menu
    .filter(({ path }) => path === undefined || opens(path))
    .map((entry) => (entry.children ? { ...entry, children: opened(entry.children, opens) } : entry))
