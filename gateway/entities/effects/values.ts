import { machineOf, readValue, type EntityModel } from '../../../src/schema/entity'
import { computedValue } from '../../../src/schema/formats'
import type { EntityRecord } from '../calls'

/**
 * Values of an effect as fields keep them. A state is none of them: only transitions write states.
 * @throws Error for what the schema that holds the effect has wrong: a field that is not there, a value of another kind
 */
export function fieldValues(model: EntityModel, values: EntityRecord, effect: string): EntityRecord {
  const read: EntityRecord = {}
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name)
    const wrong = (why: string): Error => new Error(`The effect "${effect}" on ${model.name}: ${why}`)
    if (!field || field.storage !== 'stored') throw wrong(`there is no stored field "${name}".`)
    if (machineOf(model, name)) throw wrong(`"${name}" is a state; only transitions write it.`)
    const stored = readValue(field, computedValue(field, value))
    if ('problem' in stored) throw wrong(stored.problem.en)
    read[name] = stored.value
  }
  return read
}
