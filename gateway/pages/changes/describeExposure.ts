import { compilePage } from '../../../src/schema/compile'
import type { EntityField } from '../../../src/schema/generated/entity'
import { allFields } from '../../../src/schema/entity'
import type { Difference } from '../../../src/schema/overlay'
import type { BilingualText } from '../../../src/schema/problem'
import { exposureOf, newlyExposed, type Exposure } from '../../../src/schema/proof'
import type { RoleView } from './dryRun'
import type { Overlay } from './compose'
import type { Snapshot } from './live'
import { parseTarget } from './target'

const NOTHING: Exposure = new Map()
type Kind = 'becomesVisible' | 'becomesEditable'

/**
 * Who sees or may edit which further fields on a changed page: for every role what the page did and will do, compiled and
 * compared. It asks for a second look when another role may not see the field plainly, or the field is sensitive.
 */
export function describeExposure(
  now: Snapshot,
  then: Snapshot,
  { target, role: only }: Pick<Overlay, 'target' | 'role'>,
  { roles, companyTimeZone }: { roles: readonly RoleView[]; companyTimeZone: string },
): Difference[] {
  const parsed = parseTarget(target)
  if (parsed?.kind !== 'page') return []
  const exposure = (snapshot: Snapshot, role: RoleView): Exposure => {
    const page = snapshot.page(parsed.name)
    const { permission } = page?.document ?? {}
    if (!page || (permission !== undefined && !role.permissions.has(permission))) return NOTHING
    const bundle = { ...snapshot.bundle(page, new Set([role.code])), fieldRules: role.fieldRules }
    const result = compilePage(bundle, { locale: 'zh', permissions: role.permissions, companyTimeZone })
    return result.ok ? exposureOf(result.model) : NOTHING
  }
  const found: Record<Kind, Map<string, RoleView[]>> = { becomesVisible: new Map(), becomesEditable: new Map() }
  for (const role of roles.filter(({ code }) => only === '' || code === only)) {
    const { visible, editable } = newlyExposed(exposure(now, role), exposure(then, role))
    for (const field of visible) found.becomesVisible.set(field, [...(found.becomesVisible.get(field) ?? []), role])
    for (const field of editable) found.becomesEditable.set(field, [...(found.becomesEditable.get(field) ?? []), role])
  }
  return (Object.keys(found) as Kind[]).flatMap((kind) =>
    [...found[kind]].map(([name, seenBy]): Difference => {
      const field = fieldNamed(then, name)
      const guarded = field?.['x-sensitive'] !== undefined || roles.some(({ fieldRules }) => isBlind(fieldRules[name]))
      return {
        id: `${kind} ${name}`,
        at: '',
        kind,
        risk: guarded,
        text: tell(kind, field?.['x-label'] ?? { zh: name, en: name }, seenBy),
      }
    }),
  )
}

const isBlind = (rule: string | undefined): boolean => rule === 'hide' || rule === 'mask'

function fieldNamed(snapshot: Snapshot, name: string): EntityField | undefined {
  const dot = name.lastIndexOf('.')
  const entity = snapshot.entity(name.slice(0, dot))
  return entity && allFields(entity).find((one) => one.name === name.slice(dot + 1))?.field
}

function tell(kind: Kind, label: BilingualText, roles: readonly RoleView[]): BilingualText {
  const [zh, en] = [roles.map(({ name }) => name.zh).join('、'), roles.map(({ name }) => name.en).join(', ')]
  return kind === 'becomesVisible'
    ? { zh: `字段“${label.zh}”将对以下角色可见：${zh}`, en: `Field "${label.en}" becomes visible to ${en}` }
    : { zh: `字段“${label.zh}”将可由以下角色编辑：${zh}`, en: `Field "${label.en}" becomes editable for ${en}` }
}
