import type { BilingualText } from '../problem'
import type { Json, MigratedType, Migration } from './migration'

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `{{ a }}` -> `{{ !(a) }}`. */
const opposite = (when: string): string =>
  when.replace(/^\s*\{\{([\s\S]*)\}\}\s*$/, (_, inner: string) => `{{ !(${inner.trim()}) }}`)

const NOT_MET: BilingualText = { zh: '不满足此操作的条件。', en: 'The condition of this step is not met.' }

function refuseOfTransition(transition: unknown): unknown {
  if (!isObject(transition) || typeof transition.when !== 'string') return transition
  const { when, otherwise, ...rest } = transition
  return { ...rest, refuse: [{ id: 'condition', when: opposite(when), message: otherwise ?? NOT_MET }] }
}

const refuseOfMachine = (machine: unknown): unknown =>
  isObject(machine) && Array.isArray(machine.transitions)
    ? { ...machine, transitions: machine.transitions.map(refuseOfTransition) }
    : machine

function derivedOfField(field: unknown): unknown {
  if (!isObject(field) || typeof field['x-computed'] !== 'string') return field
  const { 'x-computed': value, ...rest } = field
  return { ...rest, 'x-derived': { value } }
}

const mapValues = (value: unknown, change: (item: unknown) => unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)])) : value

/** Names as one id: customerId, email -> customerIdAndEmail. */
const idOf = (names: readonly unknown[]): string =>
  names
    .map((name, index) => (index === 0 ? String(name) : `And${String(name).charAt(0).toUpperCase()}${String(name).slice(1)}`))
    .join('')

function entity(document: Json): Json {
  const { 'x-states': states, 'x-unique': unique, properties, ...rest } = document
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: mapValues(properties, derivedOfField) }),
    ...(states === undefined ? {} : { 'x-states': Array.isArray(states) ? states.map(refuseOfMachine) : states }),
    ...(unique === undefined
      ? {}
      : {
          'x-unique': Array.isArray(unique)
            ? unique.map((fields: unknown) => (Array.isArray(fields) ? { id: idOf(fields), fields } : fields))
            : unique,
        }),
  }
}

/** Version 1 is the format before rules were data. What is written in the present words already stays as it is. */
export const fromVersion1: Migration = {
  from: 1,
  summary: {
    zh: '流转的 when 与 otherwise 改为 refuse；x-computed 改为 x-derived；实体的 x-unique 由字段列表改为带 id 的对象。',
    en: 'when and otherwise of a transition are refuse; x-computed is x-derived; x-unique of an entity holds objects with ids instead of lists of fields.',
  },
  migrate: (type: MigratedType, document: Json): Json => (type === 'entity' ? entity(document) : document),
}
