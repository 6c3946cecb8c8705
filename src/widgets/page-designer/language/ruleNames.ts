import { isObject, splitAddress } from '../../../schema/overlay'
import type { BilingualText, Locale } from '../../../schema/problem'
import { parentOf, valueAt } from '../document/address'
import type { FieldChoice, Labels } from './labels'
import type { Word } from './meta'

/** What is known around a rule. */
interface Around {
  document: unknown
  labels: Labels
  roles: readonly { code: string; name: BilingualText }[]
  entities: readonly { name: string; label: BilingualText }[]
  locale: Locale
}
interface Names {
  /** Nothing else can stand there. */
  only: boolean
  choices: readonly { value: string; label: string }[]
}
type Fits = (field: FieldChoice, around: Around, at: string) => boolean

const PEOPLE: ReadonlySet<unknown> = new Set(['sys.staff', 'sys.department'])
const all: Fits = () => true
const isDate: Fits = ({ field }) => field.format === 'date' || field.format === 'date-time'
const isReference: Fits = ({ field }) => field['x-ref'] !== undefined
const isOwnReference: Fits = ({ name, field }) => !name.includes('.') && field['x-ref'] !== undefined
const isPerson: Fits = ({ field }) => PEOPLE.has(field['x-ref'])
const isState: Fits = ({ name, field }) => !name.includes('.') && field['x-dictionary'] !== undefined
const isOwn: Fits = ({ name }) => !name.includes('.')
const isParent: Fits = ({ name, field }, { document }) =>
  !name.includes('.') && field['x-ref'] === (isObject(document) ? document.name : undefined)

/** Words of rules that name a field, and which fields can stand there. */
const FIELDS: Readonly<Record<string, Fits>> = {
  at: isDate,
  from: isDate,
  until: isDate,
  state: isState,
  sum: isOwn,
  min: isOwn,
  max: isOwn,
  last: isOwn,
  by: isOwn,
  parent: isParent,
  reference: isReference,
  on: isOwnReference,
  through: isOwnReference,
  field: all,
  path: isPerson,
  for: isPerson,
  leaderOf: isPerson,
  per: isOwn,
  key: isOwn,
  set: isOwn,
  fields: isOwn,
}
export const LIST_OF_PEOPLE = /\/(?:by|not|people|to)\/\d+\/field$/
const OF_TRANSITION = /(?:^|\/)transitions\/[^/]+$/
const SOMEBODY: Readonly<Record<string, readonly (readonly [string, BilingualText])[]>> = {
  for: [
    ['creator', { zh: '创建人', en: 'Who made it' }],
    ['owner', { zh: '负责人', en: 'Owner' }],
  ],
  leaderOf: [
    ['creator', { zh: '创建人', en: 'Who made it' }],
    ['owner', { zh: '负责人', en: 'Owner' }],
    ['user', { zh: '当前用户', en: 'Signed-in user' }],
  ],
}

/** The names that can stand at a word of a rule; undefined: anything can. */
export const namesOfRule = (around: Around, at: string, name: string, word: Word): Names | undefined => {
  const { labels, roles, entities, locale } = around
  if (word.def === 'FieldOf') return { only: true, choices: fieldsOfAll(around, name) }
  if (name === 'first' || name === 'count')
    return { only: true, choices: entities.map((one) => ({ value: one.name, label: `${one.label[locale]} · ${one.name}` })) }
  if (name === 'role') return { only: false, choices: roles.map((role) => ({ value: role.code, label: role.name[locale] })) }
  if (name === 'transition' || name === 'transitions') {
    const choices = labels.transitionsAt(at).map(({ id, label }) => ({ value: id, label: `${label[locale]} · ${id}` }))
    return choices.length > 0 ? { only: true, choices } : undefined
  }
  const asked = (name === 'required' || name === 'reason') && askedFor(around, at)
  if (asked) return { only: true, choices: asked }
  const fits = LIST_OF_PEOPLE.test(at) ? isPerson : FIELDS[name]
  if (!fits) return undefined
  const fields = labels.fieldsAt(at).filter((field) => fits(field, around, at))
  const somebody = (SOMEBODY[name] ?? []).map(([value, label]) => ({ value, label: label[locale] }))
  const choices = [
    ...somebody,
    ...fields.map((field) => ({ value: field.name, label: `${field.label[locale]} · ${field.name}` })),
  ]
  return { only: name !== 'path' && name !== 'reference', choices }
}

/** What a transition asks for: fields of the entity and its own inputs. */
const askedFor = ({ document, labels, locale }: Around, at: string): Names['choices'] | undefined => {
  const { parent } = parentOf(at)
  const transition = OF_TRANSITION.test(parent) ? valueAt(document, parent) : undefined
  if (!isObject(transition)) return undefined
  const fields = (Array.isArray(transition.fields) ? (transition.fields as unknown[]) : []).map(String)
  const inputs = isObject(transition.inputs) ? transition.inputs : {}
  return [
    ...fields.map((name) => ({ value: name, label: `${labels.field(at, name)?.label[locale] ?? name} · ${name}` })),
    ...Object.entries(inputs).map(([name, field]) => ({
      value: name,
      label: `${(isObject(field) ? labels.text(field['x-label']) : undefined) ?? name} · ${name}`,
    })),
  ]
}

/** Fields of all entities as module.thing.field; a rollup stands over those that refer to the entity itself. */
const fieldsOfAll = ({ document, labels, locale }: Around, name: string): Names['choices'] => {
  const own = isObject(document) ? document.name : undefined
  return Object.values(labels.entities).flatMap((entity) =>
    Object.entries(entity.properties)
      .filter(([, field]) => name !== 'of' || field['x-ref'] === own)
      .map(([field, { 'x-label': label }]) => ({
        value: `${entity.name}.${field}`,
        label: `${entity.label[locale]} · ${label[locale]} · ${entity.name}.${field}`,
      })),
  )
}

/** The states that can stand at a word of a rule: values of the dictionary of its machine's field. */
export const stateFieldOf = (document: unknown, at: string, name: string): string | undefined => {
  const steps = splitAddress(at)
  if (steps[0] === 'x-states') return steps.length > 1 && STATE_WORDS.has(name) ? steps[1] : undefined
  if (name !== 'in') return undefined
  const part = valueAt(document, parentOf(at).parent)
  if (isObject(part) && typeof part.state === 'string') return part.state
  const machines = isObject(document) ? document['x-states'] : undefined
  const first: unknown = Array.isArray(machines) ? machines[0] : undefined
  return isObject(first) && typeof first.field === 'string' ? first.field : undefined
}
const STATE_WORDS: ReadonlySet<string> = new Set(['from', 'to', 'initial', 'enter'])
