import { fieldKind } from '../../../schema/formats'
import { isObject, joinAddress, splitAddress, type JsonObject } from '../../../schema/overlay'
import { idsAt, parentOf, valueAt, withItem } from '../document/address'
import { freeId } from '../document/items'
import type { FieldChoice, Labels } from '../language/labels'
import type { Language } from '../language/meta'
import { forField, offeredIn, type FormComponent, type Supply } from './components'

/** A place in a form that takes components: the `properties` of a node. */
export interface Room {
  list: string
  /** Behind the item of that name; undefined: last. */
  after?: string
  offered: readonly FormComponent[]
}

interface Around {
  document: JsonObject
  language: Language
  labels: Labels
}

/** The component of the list whose rows the node at an address describes, itself or around it. */
const listAround = (document: unknown, at: string): string | undefined => {
  const steps = splitAddress(at)
  for (let length = steps.length; length > 0; length--) {
    const list = joinAddress('', ...steps.slice(0, length - 1))
    const node = steps[length - 1] === 'items' ? valueAt(document, list) : undefined
    if (isObject(node) && node.type === 'array') return String(node['x-component'] ?? '')
  }
  return undefined
}

const roomOf = ({ document }: Around, node: string, after?: string): Room => ({
  list: joinAddress(node, 'properties'),
  ...(after === undefined ? {} : { after }),
  offered: offeredIn(valueAt(document, node), listAround(document, node)),
})

/** The room inside a part of the outline: in a group, a step, the rows of a list; undefined where components cannot stand. */
export const roomIn = (around: Around, at: string): Room | undefined => {
  const { document, language } = around
  const word = language.at(at)
  if (word?.def !== 'FormNode') {
    const { parent, last } = parentOf(at)
    return last === 'properties' && language.at(parent)?.def === 'FormNode' ? roomOf(around, parent) : undefined
  }
  const node = valueAt(document, at)
  if (!isObject(node)) return undefined
  if (node.type === 'array' && node.properties === undefined && !isObject(node.items)) return undefined
  return node.type === 'array' || node.properties !== undefined || node.type === 'void' || node.type === 'object'
    ? roomOf(around, at)
    : undefined
}

/** Where a component lands that is dropped onto a part: inside it, else behind it. */
export const roomFor = (around: Around, at: string, component: FormComponent): Room | undefined => {
  const node = valueAt(around.document, at)
  const rows = isObject(node) && node.type === 'array' && node.items !== undefined
  const inside = [...(rows ? [joinAddress(at, 'items')] : []), at]
    .map((part) => roomIn(around, part))
    .find((room) => room?.offered.includes(component))
  if (inside) return inside
  const { parent: list, last } = parentOf(at)
  const { parent, last: word } = parentOf(list)
  if (word !== 'properties' || around.language.at(parent)?.def !== 'FormNode') return undefined
  const behind = roomOf(around, parent, last)
  return behind.offered.includes(component) ? behind : undefined
}

/** Names and entity fields of all nodes of a form. */
const knownIn = (schema: unknown, names: Set<string>, fields: Set<string>): void => {
  if (!isObject(schema)) return
  if (typeof schema.$field === 'string') fields.add(schema.$field)
  for (const [name, child] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    names.add(name)
    knownIn(child, names, fields)
  }
  knownIn(schema.items, names, fields)
}

/** The form sends its values to the entity as they are: a value that the entity has no field for would be refused. */
export const savesFields = (document: JsonObject): boolean => {
  const submit = isObject(document.submit) ? document.submit : {}
  return typeof document.entity === 'string' && submit.call === undefined && submit.params === undefined
}

const SHOWN_ONLY = ['readOnly', 'x-rollup', 'x-derived', 'x-virtual', 'x-copyOf', 'x-sequence'] as const

/** Fields of the entity that stand nowhere in the form yet and can be typed. */
export const freeFields = ({ document, labels }: Pick<Around, 'document' | 'labels'>): readonly FieldChoice[] => {
  const fields = new Set<string>()
  knownIn(document.schema, new Set(), fields)
  const entity = labels.entityNameAt('schema')
  return labels
    .fieldsAt('schema')
    .filter(
      ({ name, field }) =>
        !name.includes('.') && !fields.has(`${entity ?? ''}.${name}`) && !SHOWN_ONLY.some((word) => Boolean(field[word])),
    )
}

/** A component can edit a field of the entity. */
export const edits = (component: FormComponent, { field }: FieldChoice): boolean => component.kinds.includes(fieldKind(field))

/** The document with a component in a room, and where it stands; with `field` it edits that field of the entity. */
export const withComponent = (
  around: Around,
  room: Room,
  component: FormComponent,
  field?: FieldChoice,
): { document: JsonObject; at: string } => {
  const { document, labels } = around
  const names = new Set<string>()
  knownIn(document.schema, names, new Set())
  const name = (wanted: string): string => {
    const free = freeId(wanted, [...names])
    names.add(free)
    return free
  }
  const entity = labels.entityNameAt('schema') ?? ''
  const inRows = listAround(document, room.list) !== undefined
  const left = savesFields(document) && !inRows ? [...freeFields(around)] : null
  const supply: Supply = {
    name,
    field: () => {
      if (left === null) {
        const free = name('text')
        return [free, { type: 'string', title: { zh: '文本', en: 'Text' }, 'x-decorator': 'FormItem', 'x-component': 'Input' }]
      }
      const next = left.shift()
      return next ? [name(next.name), { $field: `${entity}.${next.name}` }] : null
    },
  }
  const id = field ? freeId(field.name, idsAt(document, room.list)) : name(component.wanted)
  const node = field ? forField(component, supply, `${entity}.${field.name}`) : component.make(supply)
  return { document: withItem(document, room.list, id, node, room.after), at: joinAddress(room.list, id) }
}
