import { dequal } from 'dequal/lite'
import { machineOf, transitionsOf, type EntityModel, type FieldAccess, type FieldModel, type FieldViewer } from '../entity'
import type { EntityDocument, People, Transition } from '../generated/entity'
import type { BilingualText } from '../problem'

/** Whoever holds a role, or several: keys, rules and the codes of the roles. */
export interface RightsHolder extends FieldViewer {
  readonly roles: ReadonlySet<string>
}

/** Something that somebody may see or do with records of an entity, and could not before. */
export interface Widened {
  /** Stable within one comparison of an entity. */
  readonly id: string
  readonly kind: 'permissionWidened' | 'becomesVisible' | 'becomesEditable'
  readonly what: BilingualText
}

const OPERATIONS = {
  add: { zh: '新建', en: 'add' },
  edit: { zh: '修改', en: 'edit' },
  delete: { zh: '删除', en: 'delete' },
  restore: { zh: '恢复', en: 'restore' },
  import: { zh: '导入', en: 'import' },
  export: { zh: '导出', en: 'export' },
  manage: { zh: '管理', en: 'manage' },
} as const satisfies Partial<Record<keyof EntityModel['permissions'], BilingualText>>

/**
 * What a holder may do with an entity as it will be and may not as it is: operations, transitions, merging, naming records of others,
 * and what is granted (`x-editable`, `x-deletable`, the people and states of a transition) to more people, in more states or for more
 * fields. A condition that stands in its way (a refusal, what a running record forbids, which records a reference may name) and is not
 * there any more, or not as it was, lets him do more: what is not surely narrower counts. Pure; which rows it holds for is another matter.
 */
export function widenedActs(before: EntityModel, after: EntityModel, holder: RightsHolder): Widened[] {
  const known = actsOf(before, holder)
  const may = actsOf(after, holder)
  const acts = [...may].flatMap(([id, what]) => (known.has(id) || isPartOfNew(id, { known, may, before }) ? [] : [act(id, what)]))
  const grants = (['x-editable', 'x-deletable'] as const).flatMap((word) => {
    const key = word === 'x-editable' ? after.permissions.edit : after.permissions.delete
    if (key === undefined || !holder.has(key)) return []
    const of = ({ document }: EntityModel) => document[word]?.filter(({ by }) => mayBe(by, holder))
    const what = OPERATIONS[word === 'x-editable' ? 'edit' : 'delete']
    return grantsMore(of(before), of(after)) ? [act(word, inMoreCases(what))] : []
  })
  const transitions = transitionsOf(after).flatMap(({ machine, transition }) => {
    const id = `transition:${machine.field}/${transition.id}`
    const was = transitionsOf(before).find(
      (found) => found.machine.field === machine.field && found.transition.id === transition.id,
    )
    if (!was || !known.has(id) || !mayTake(after, transition, holder)) return []
    return isCovered(was.transition, transition) ? [] : [act(`${id} more`, inMoreCases(transition.label))]
  })
  const named = [...after.fields.values()].flatMap(({ name, label, field }) => {
    const was = before.fields.get(name)?.field['x-refFilter']
    const same = known.has(`name:${name}`) && may.has(`name:${name}`)
    if (!same || isNarrowed(was, field['x-refFilter'])) return []
    return [act(`filter:${name}`, { zh: `选用更多“${label.zh}”`, en: `choose more of "${label.en}"` })]
  })
  const [service, now] = [before.document['x-service'], after.document['x-service']]
  const checks = service !== undefined && service !== now && may.size > 0
  const unchecked = checks
    ? [act(`service:${service}`, { zh: `没有“${service}”的检查时操作`, en: `act without the checks of "${service}"` })]
    : []
  return [...acts, ...grants, ...transitions, ...named, ...freed(before, after), ...unchecked]
}

/** What a running record forbade to others and does not any more, whoever acts on them. */
const freed = (before: EntityModel, after: EntityModel): Widened[] => {
  const now = after.document['x-forbids'] ?? []
  return (before.document['x-forbids'] ?? []).flatMap(({ message: _message, code: _code, values: _values, ...was }) => {
    const kept = now.some(({ message: _said, code: _number, values: _given, ...one }) => dequal(one, was))
    return kept ? [] : [act(`forbids:${was.id}`, { zh: `做“${was.id}”原来禁止的事`, en: `do what "${was.id}" forbade` })]
  })
}

/** Conditions all of which hold: with every one of those before, they let through no more. Any other change counts as wider. */
const isNarrowed = (before: readonly unknown[] | undefined, after: readonly unknown[] | undefined): boolean =>
  (before ?? []).every((one) => (after ?? []).some((other) => dequal(one, other)))

/** Whether everything that was refused still is: by the same condition, counted in the same way. */
const refusesAsMuch = (before: Transition, after: Transition): boolean => {
  const conditions = ({ refuse = [] }: Transition) => refuse.map(({ when, per }) => ({ when, per }))
  return isNarrowed(conditions(before), conditions(after))
}

/**
 * Fields that a holder sees (more of), or may set, as an entity will be and not as it is. A field that is new holds nothing yet: what its values
 * are made of is the matter of `flowsOf`. `access` says what each of the two allows him: for its rows, and for those of a pool view.
 */
export function widenedFields(
  before: EntityModel,
  after: EntityModel,
  holder: RightsHolder,
  access: (model: EntityModel, view?: string) => (field: string) => FieldAccess,
): Widened[] {
  const pools = [...after.views.values()].filter(({ id, scope }) => scope === 'pool' && before.views.has(id))
  const views = [undefined, ...pools]
  const seen = views.flatMap((view) => {
    const [was, is] = [access(before, view?.id), access(after, view?.id)]
    return [...after.fields.values()].flatMap(({ name, label }): Widened[] => {
      if (!before.fields.has(name)) return []
      const [from, to] = [was(name), is(name)]
      if (clarity(to) <= clarity(from)) return []
      const masked = to === 'mask'
      const of = fieldNamed(label)
      const place = view ? { zh: `（${view.label?.zh ?? view.id}）`, en: ` (${view.label?.en ?? view.id})` } : { zh: '', en: '' }
      const what = { zh: `${of.zh}${masked ? '（掩码）' : ''}${place.zh}`, en: `${of.en}${masked ? ' (masked)' : ''}${place.en}` }
      return [{ id: `see:${name}${view ? `@${view.id}` : ''}`, kind: 'becomesVisible', what }]
    })
  })
  const { add, edit } = after.permissions
  if (![add, edit].some((key) => key !== undefined && holder.has(key))) return seen
  const [could, can] = [before, after].map((model) => {
    const may = access(model)
    return (field: FieldModel | undefined) => (field && may(field.name) === 'write' ? settable(model, field) : 0)
  })
  const set = [...after.fields.values()].flatMap((field): Widened[] => {
    const was = before.fields.get(field.name)
    return was && can!(field) > could!(was)
      ? [{ id: `set:${field.name}`, kind: 'becomesEditable', what: fieldNamed(field.label) }]
      : []
  })
  return [...seen, ...set]
}

const act = (id: string, what: BilingualText): Widened => ({ id, kind: 'permissionWidened', what })
const fieldNamed = ({ zh, en }: BilingualText): BilingualText => ({ zh: `字段“${zh}”`, en: `field "${en}"` })
const inMoreCases = ({ zh, en }: BilingualText): BilingualText => ({ zh: `在更多情况下${zh}`, en: `${en} in more cases` })
const quoted = ({ zh, en }: BilingualText): BilingualText => ({ zh: `“${zh}”`, en: `"${en}"` })

/** What is told with something greater that is new, or concerns a field that is. */
function isPartOfNew(
  id: string,
  { known, may, before }: { known: ReadonlyMap<string, unknown>; may: ReadonlyMap<string, unknown>; before: EntityModel },
): boolean {
  const [whole = '', part] = id.split(' ')
  if (part !== undefined) return !known.has(whole)
  if (id.startsWith('export:')) return may.has('export') && !known.has('export')
  if (!id.startsWith('name:')) return false
  return !before.fields.has(id.slice('name:'.length)) || !(known.has('add') || known.has('edit'))
}

/** Everything that a holder may do, each with what it is called. */
function actsOf(model: EntityModel, holder: RightsHolder): ReadonlyMap<string, BilingualText> {
  const { permissions, document } = model
  const holds = (key: string | undefined): boolean => key !== undefined && holder.has(key)
  const found = new Map<string, BilingualText>()
  for (const [operation, what] of Object.entries(OPERATIONS))
    if (holds(permissions[operation as keyof typeof OPERATIONS])) found.set(operation, what)
  for (const { id, label, export: own } of model.views.values())
    if (holds(own ?? permissions.export))
      found.set(`export:${id}`, { zh: `导出“${label?.zh ?? id}”`, en: `export "${label?.en ?? id}"` })
  if (holds(document['x-merge']?.permission)) found.set('merge', { zh: '合并', en: 'merge' })
  for (const { machine, transition } of transitionsOf(model)) {
    if (!mayTake(model, transition, holder)) continue
    const id = `transition:${machine.field}/${transition.id}`
    found.set(id, quoted(transition.label))
    // with a key of its own it may be taken on rows of a pool
    const pools = [...model.views.values()].filter(({ scope, permission }) => scope === 'pool' && holds(permission))
    if (transition.permission !== undefined && pools.length > 0)
      found.set(`${id} pool`, { zh: `对公共池“${transition.label.zh}”`, en: `"${transition.label.en}" in the pool` })
    for (const name of transition.fields ?? []) {
      const label = model.fields.get(name)?.label ?? { zh: name, en: name }
      found.set(`${id} ${name}`, {
        zh: `在“${transition.label.zh}”时填写“${label.zh}”`,
        en: `set "${label.en}" with "${transition.label.en}"`,
      })
    }
  }
  if (holds(permissions.add) || holds(permissions.edit))
    for (const { name, label, field } of model.fields.values())
      if (field['x-ref'] !== undefined && field['x-refAccess'] === undefined)
        found.set(`name:${name}`, { zh: `选用“${label.zh}”`, en: `choose "${label.en}"` })
  return found
}

function mayTake({ permissions, scope }: EntityModel, transition: Transition, holder: RightsHolder): boolean {
  const key = transition.permission ?? permissions.edit
  return (key === undefined ? scope.kind === 'staff' : holder.has(key)) && mayBe(transition.by, holder)
}

/** Whether the holder may be one of the people that are named, whoever he is. */
const mayBe = (people: People | undefined, { roles }: RightsHolder): boolean =>
  people === undefined ||
  people.some((one) => one !== 'system' && !(typeof one === 'object' && 'role' in one && !roles.has(one.role)))

type Grant = NonNullable<EntityDocument['x-editable']>[number]
type Given = Pick<Grant, 'by' | 'in' | 'fields' | 'while'> & Pick<Transition, 'not'>

const grantsMore = (before: readonly Grant[] | undefined, after: readonly Grant[] | undefined): boolean =>
  before !== undefined && (after === undefined || after.some((grant) => !before.some((known) => isGiven(known, grant))))

const isCovered = (was: Transition, now: Transition): boolean =>
  isGiven({ by: was.by, not: was.not, in: was.from }, { by: now.by, not: now.not, in: now.from }) && refusesAsMuch(was, now)

/** Whether everything that the one gives, the other gives too. */
const isGiven = (before: Given, after: Given): boolean =>
  (['by', 'in', 'fields'] as const).every((word) => isWithin(after[word], before[word])) &&
  isWithin(before.not ?? [], after.not ?? []) &&
  (before.while === undefined || before.while === after.while)

/** Every one of these stands among those; without those all do. */
const isWithin = (these: readonly unknown[] | undefined, those: readonly unknown[] | undefined): boolean =>
  those === undefined || (these !== undefined && these.every((one) => those.some((other) => dequal(one, other))))

const clarity = (access: FieldAccess): number => (access === 'hide' ? 0 : access === 'mask' ? 1 : 2)

/** 0: callers never set it, 1: only while it is empty, 2: they do. */
function settable(model: EntityModel, field: FieldModel): 0 | 1 | 2 {
  const fixed = field.field.readOnly === true || field.kept || field.sequence !== undefined || field.storage !== 'stored'
  if (fixed || field.origin !== 'own' || machineOf(model, field.name)) return 0
  return field.field['x-immutable'] ? 1 : 2
}
