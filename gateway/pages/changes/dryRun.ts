import { compilePage } from '../../../src/schema/compile'
import type { PageModel } from '../../../src/schema/model'
import type { Problem } from '../../../src/schema/problem'
import type { PageBundle } from '../bundle'
import { concerned } from './concerned'
import type { LiveSchemas, Snapshot } from './live'
import { tryForm, tryTransitions } from './tryForm'

/** A role as far as pages care: what somebody who holds only it may do. */
export interface RoleView {
  code: string
  name: { zh: string; en: string }
  permissions: ReadonlySet<string>
  /** By `entity.field`: everything that the role may not simply write, sensitive and computed fields included. */
  fieldRules: Readonly<Record<string, string>>
}

const tried = (model: PageModel, snapshot: Snapshot, companyTimeZone: string): Problem[] =>
  model.kind === 'form'
    ? tryForm(model, model.entity === undefined ? undefined : snapshot.entity(model.entity), companyTimeZone)
    : tryTransitions(model, companyTimeZone)

const keysIn = new WeakMap<PageBundle, ReadonlySet<string>>()

/** Everything of a bundle that may be a permission key. */
function keysOf(bundle: PageBundle): ReadonlySet<string> {
  const known = keysIn.get(bundle)
  if (known) return known
  const keys = new Set(JSON.stringify(bundle).match(/[\w-]+(?::[\w-]+)+/g))
  keysIn.set(bundle, keys)
  return keys
}

/** How a role sees a bundle: roles that differ in nothing that stands in it see the same. */
function viewOf(bundle: PageBundle, { permissions, fieldRules }: RoleView): string {
  const held = [...keysOf(bundle)].filter((key) => permissions.has(key))
  const rules = Object.entries(fieldRules).filter(([field]) => bundle.entities[field.slice(0, field.lastIndexOf('.'))])
  return JSON.stringify([bundle.revision, held, rules.sort()])
}

/**
 * A dry run for every role that may open them, over the pages that are not as they are now. What whoever may most sees of a page
 * is tried in both languages, what others see in one: texts stand in both, so that a language alone breaks nothing more.
 */
export function compileForAll(
  snapshot: Snapshot,
  live: LiveSchemas,
  roles: readonly RoleView[],
  companyTimeZone: string,
): Problem[] {
  const now = live.snapshot(false)
  const byRights = [...roles].sort((a, b) => b.permissions.size - a.permissions.size)
  const found = new Map<string, Problem>()
  const wanted = concerned(snapshot.composed.documents, now.composed.documents)
  const names = wanted && new Set([...wanted].map(({ name }) => name))
  for (const page of snapshot.pages) {
    const variants = [...(snapshot.composed.variants.get(page.name) ?? []), ...(now.composed.variants.get(page.name) ?? [])]
    if (names && !names.has(page.name) && variants.length === 0) continue
    const seen = new Set<string>()
    for (const role of byRights) {
      // who lacks the key of a page is not given it; detail pages are for everybody (R050)
      const { permission, kind } = page.document
      if (permission !== undefined && kind !== 'detail' && !role.permissions.has(permission)) continue
      const held = new Set([role.code])
      const bundle = { ...snapshot.bundle(page, held), fieldRules: role.fieldRules }
      const known = now.page(page.name)
      if (known && now.bundle(known, held).revision === bundle.revision) continue
      const view = viewOf(snapshot.bundle(page, held), role)
      if (seen.has(view)) continue
      seen.add(view)
      for (const locale of seen.size === 1 ? (['zh', 'en'] as const) : (['zh'] as const)) {
        const result = compilePage(bundle, { locale, permissions: role.permissions, companyTimeZone })
        const problems = result.ok
          ? [...result.model.problems, ...tried(result.model, snapshot, companyTimeZone)]
          : result.problems
        for (const problem of problems)
          if (problem.severity === 'error')
            found.set(`${problem.where} ${problem.at} ${problem.code} ${problem.message.en}`, problem)
      }
    }
  }
  return [...found.values()]
}
