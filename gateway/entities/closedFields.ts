import { restrictedFields, type EntityModel, type FieldAccess, type FieldViewer } from '../../src/schema/entity'
import type { Registry } from './registry'

/** What is asked about a viewer to tell which fields of an entity are closed to him; the same for everybody. */
interface Asked {
  keys: ReadonlySet<string>
  rules: ReadonlySet<string>
}
interface Known {
  asked: Asked
  /** By what was answered. */
  answers: Map<string, ReadonlyMap<string, FieldAccess>>
}

/** Viewers that differ in what an entity asks about them; beyond this many what is known of it is forgotten. */
const MOST_VIEWERS = 200

/** The closed fields of entities, worked out once for all viewers of whom the same holds. */
export class ClosedFields {
  private known = new WeakMap<EntityModel, Known>()
  private generation: object | undefined

  constructor(private readonly registry: Registry) {}

  /** By `entity.field`, without what is internal. */
  rulesOf(viewer: FieldViewer, entities: Iterable<string>): Record<string, FieldAccess> {
    // what is closed depends on other entities too: with other documents all is worked out anew
    if (this.generation !== this.registry.generation) this.known = new WeakMap()
    this.generation = this.registry.generation
    return Object.fromEntries(
      [...entities].flatMap((entity) => {
        const model = this.registry.find(entity)
        return [...(model ? this.of(model, viewer) : [])].flatMap(([name, access]) =>
          model?.fields.get(name)?.internal ? [] : [[`${entity}.${name}`, access] as const],
        )
      }),
    )
  }

  private of(model: EntityModel, viewer: FieldViewer): ReadonlyMap<string, FieldAccess> {
    const known = this.known.get(model) ?? { asked: askedBy(model), answers: new Map() }
    this.known.set(model, known)
    const { asked, answers } = known
    const said = JSON.stringify([
      [...asked.keys].filter((key) => !viewer.has(key)),
      [...asked.rules].flatMap((field) => (viewer.fieldRules[field] === undefined ? [] : [[field, viewer.fieldRules[field]]])),
    ])
    const answer = answers.get(said) ?? restrictedFields(model, viewer)
    if (answers.size >= MOST_VIEWERS) answers.clear()
    answers.set(said, answer)
    return answer
  }
}

/** Notes what is asked about a viewer: all of it is asked, whatever the answers are. */
function askedBy(model: EntityModel): Asked {
  const keys = new Set<string>()
  const rules = new Set<string>()
  const fieldRules = new Proxy<Record<string, string>>({}, { get: (_, field) => void rules.add(String(field)) })
  restrictedFields(model, { has: (key) => keys.add(key).has(key), fieldRules })
  return { keys, rules }
}
