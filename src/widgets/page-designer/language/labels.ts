import { allFields } from '../../../schema/entity/fields'
import type { EntityDocument, EntityField, Transition } from '../../../schema/generated/entity'
import { isObject, isOrderedMap, joinAddress, splitAddress, type JsonObject } from '../../../schema/overlay'
import type { BilingualText, Locale } from '../../../schema/problem'
import { isFormEntity } from '../../../schema/process'
import { parentOf, valueAt } from '../document/address'
import { wordName } from '../../../schema/overlay/words'
import { verbOf } from '../../../schema/effect/verbs'
import { entryOf } from '../form/components'

export type Entities = Readonly<Record<string, EntityDocument>>

export interface FieldChoice {
  name: string
  label: BilingualText
  field: EntityField
}

const isText = (value: unknown): value is BilingualText =>
  isObject(value) && typeof value.zh === 'string' && typeof value.en === 'string'

const known = new WeakMap<Entities, Map<EntityDocument, ReadonlyMap<string, FieldChoice>>>()

/** Fields of an entity by their names; an outline asks for them many times. */
const fieldsOf = (entity: EntityDocument, entities: Entities): ReadonlyMap<string, FieldChoice> => {
  const found = known.get(entities)?.get(entity)
  if (found) return found
  const bare = isFormEntity(entity)
  const own = allFields(entity).filter(
    ({ field, origin }) => !field['x-internal'] && !field['x-retired'] && (origin === 'own' || !bare),
  )
  const label = (field: EntityField, name: string): BilingualText => field['x-label'] ?? { zh: name, en: name }
  const further = own.flatMap(({ name, field }) => {
    const target = field['x-ref']
    const properties = target !== undefined && Object.hasOwn(entities, target) ? entities[target]?.properties : undefined
    return Object.entries(properties ?? {}).map(([inner, other]): FieldChoice => {
      const [outside, inside] = [label(field, name), label(other, inner)]
      const text = { zh: `${outside.zh} · ${inside.zh}`, en: `${outside.en} · ${inside.en}` }
      return { name: `${name}.${inner}`, field: other, label: text }
    })
  })
  const choices = [...own.map(({ name, field }) => ({ name, field, label: label(field, name) })), ...further]
  const made = new Map(choices.map((choice) => [choice.name, choice]))
  known.set(entities, (known.get(entities) ?? new Map<EntityDocument, ReadonlyMap<string, FieldChoice>>()).set(entity, made))
  return made
}

const NONE: readonly FieldChoice[] = []
const lists = new WeakMap<ReadonlyMap<string, FieldChoice>, readonly FieldChoice[]>()
/** The same list each time, so that what offers it need not be drawn anew. */
const choicesOf = (fields: ReadonlyMap<string, FieldChoice>): readonly FieldChoice[] => {
  const found = lists.get(fields) ?? [...fields.values()]
  lists.set(fields, found)
  return found
}

/** Words whose value is the name of an entity, or of a field of it (crm.customer.name). */
const ENTITY_WORDS = ['first', 'count', 'of', 'sum'] as const
/** Words whose value is a reference, and the words beside them that speak of its records. */
const REFERENCES: readonly (readonly [string, (below: string | undefined) => boolean])[] = [
  ['reference', (below) => below !== 'reference'],
  ['on', (below) => below === 'transitions'],
]

/** What fields, transitions and parts of documents are called; it reads the document and the entities that came with it. */
export class Labels {
  constructor(
    private readonly document: unknown,
    /** Entities that came with the document, by their names. */
    readonly entities: Entities,
    private readonly locale: Locale,
  ) {}

  /** What names follow from besides the document. */
  get known(): readonly unknown[] {
    return [this.entities, this.locale]
  }

  /** The entity that the fields at an address belong to: that of the nearest part which names one. */
  entityAt(at: string): EntityDocument | undefined {
    const name = this.entityNameAt(at)
    return name === undefined ? undefined : this.entity(name)
  }

  /** Its name, whether it came with the document or not; `itself`: the part may name it, not only those around it. */
  entityNameAt(at: string, itself = true): string | undefined {
    const steps = splitAddress(at)
    for (let length = steps.length - (itself ? 0 : 1); length >= 0; length--) {
      const here = joinAddress('', ...steps.slice(0, length))
      const part = valueAt(this.document, here)
      const named = isObject(part) ? this.namedBy(part, here, steps[length]) : undefined
      if (named !== undefined) return named
    }
    // The fields of an entity that is designed itself are its own.
    const { document } = this
    return isObject(document) && typeof document.name === 'string' ? document.name : undefined
  }

  /** The entity that a part speaks of below one of its words, where it names one. */
  private namedBy(part: JsonObject, at: string, below: string | undefined): string | undefined {
    if (typeof part.entity === 'string' && below !== 'entity') return part.entity
    const naming = ENTITY_WORDS.find((word) => typeof part[word] === 'string' && part[word].includes('.'))
    if (naming !== undefined && naming !== below) return String(part[naming]).split('.').slice(0, 2).join('.')
    const reference = REFERENCES.find(([word, inside]) => typeof part[word] === 'string' && inside(below))?.[0]
    if (reference !== undefined) return this.referredTo(at, part[reference] as string)
    if (below === 'x-refFilter' && typeof part['x-ref'] === 'string') return part['x-ref']
    // What an effect does on other records speaks of those.
    return (below === 'with' || below === 'whenRefused') && isObject(part.on)
      ? this.namedBy(part.on, joinAddress(at, 'on'), 'where')
      : undefined
  }

  /** The entity at the end of a path of references. */
  private referredTo(at: string, path: string): string | undefined {
    const around = splitAddress(at).length > 0 ? this.entityNameAt(parentOf(at).parent) : undefined
    return path.split('.').reduce<string | undefined>((name, step) => {
      const entity = name === undefined ? undefined : this.entity(name)
      return entity && fieldsOf(entity, this.entities).get(step)?.field['x-ref']
    }, around)
  }

  entity(name: string): EntityDocument | undefined {
    return Object.hasOwn(this.entities, name) ? this.entities[name] : undefined
  }

  /** Fields that a part at this address can show: own ones, and those one reference away. */
  fieldsAt(at: string): readonly FieldChoice[] {
    return this.fieldsOf(this.entityNameAt(at))
  }

  /** The same for names that an object at this address holds: what it says itself is none of the language. */
  fieldsAround(at: string): readonly FieldChoice[] {
    return this.fieldsOf(this.entityNameAt(at, false))
  }

  /** The same for an entity. */
  fieldsOf(name: string | undefined): readonly FieldChoice[] {
    const entity = name === undefined ? undefined : this.entity(name)
    return entity ? choicesOf(fieldsOf(entity, this.entities)) : NONE
  }

  /** A field by its name at an address, or by entity.field. */
  field(at: string, name: string): FieldChoice | undefined {
    const around = this.entityAt(at)
    const known = around && fieldsOf(around, this.entities).get(name)
    if (known) return known
    const dot = name.lastIndexOf('.')
    const entity = dot < 0 ? undefined : this.entity(name.slice(0, dot))
    return entity && fieldsOf(entity, this.entities).get(name.slice(dot + 1))
  }

  text(value: unknown): string | undefined {
    if (isText(value)) return value[this.locale] || value.zh
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** What an item is called: its own title, that of its field or transition, at last its id. */
  item(at: string, id: string, value: unknown): string {
    if (!isObject(value)) return id
    const own = this.text(value.title) ?? this.text(value.label) ?? this.text(value['x-label']) ?? this.titleOfSettings(value)
    if (own !== undefined) return own
    const name = typeof value.$field === 'string' ? value.$field : value.field
    const field = typeof name === 'string' ? this.field(at, name) : undefined
    if (field) return field.label[this.locale]
    const verb = typeof value.do === 'string' ? verbOf(value.do) : undefined
    if (verb) return verb.label[this.locale]
    const component = typeof value['x-component'] === 'string' ? entryOf(value) : undefined
    if (component) return component.label[this.locale]
    return this.transition(at, typeof value.transition === 'string' ? value.transition : id) ?? id
  }

  /** Tabs, folds and columns are called what their settings say. */
  private titleOfSettings(value: JsonObject): string | undefined {
    const settings = value['x-component-props']
    if (!isObject(settings)) return undefined
    return this.text(settings.tab) ?? this.text(settings.title) ?? this.text(settings.header)
  }

  /** An address in words: Columns / Status / Title. A part that is gone keeps its id. */
  address(at: string): string {
    const steps = splitAddress(at)
    const names = steps.map((step, index) => {
      const here = joinAddress('', ...steps.slice(0, index + 1))
      const held = valueAt(this.document, joinAddress('', ...steps.slice(0, index)))
      const inList = Array.isArray(held) || isOrderedMap(steps[index - 1] ?? '')
      return inList ? this.item(here, step, valueAt(this.document, here)) : wordName(step, this.locale, here)
    })
    return names.join(' / ')
  }

  /** The transitions of the entity that a part is about. */
  transitionsAt(at: string): readonly Transition[] {
    const machines: unknown = this.entityAt(at)?.['x-states']
    return (Array.isArray(machines) ? (machines as unknown[]) : []).flatMap((machine) =>
      isObject(machine) && Array.isArray(machine.transitions) ? (machine.transitions as unknown as Transition[]) : [],
    )
  }

  private transition(at: string, id: string): string | undefined {
    const found = this.transitionsAt(at).find((transition) => transition.id === id)
    return found && this.text(found.label)
  }
}
