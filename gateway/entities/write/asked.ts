import { compileFields, readValue, type EntityModel, type FoundTransition, type FieldModel } from '../../../src/schema/entity'
import { computedValue } from '../../../src/schema/formats'
import type { Transaction } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'
import { badRequest, shorten, unknownName, type InputProblem } from '../errors'
import { fieldProblem } from '../refusalTexts'
import { isEmpty, wrongCodes } from './check'
import { readInput } from './input'
import { phoneCountryOf } from './phoneCountry'

/** The values that a transition asks for: fields of the entity and parameters of its own; everything else is refused. */
export async function readAsked(
  {
    core,
    tx,
    context,
    model,
    found,
    before,
  }: { core: Core; tx: Transaction; context: RequestContext; model: EntityModel; found: FoundTransition; before: EntityRecord },
  values: EntityRecord,
  problems: InputProblem[],
) {
  const { transition } = found
  const inputs = compileFields(transition.inputs ?? {}, transition.required ?? [])
  const fieldNames = new Set(
    [...(transition.fields ?? []), ...(transition.required ?? [])].filter((name) => !inputs.has(name) && model.fields.has(name)),
  )
  const trusted = context.kind === 'system'
  const [given, parameters]: [EntityRecord, EntityRecord] = [{}, {}]
  for (const [name, value] of Object.entries(values)) {
    if (inputs.has(name)) parameters[name] = value
    else if (fieldNames.has(name) || (trusted && model.fields.has(name))) given[name] = value
    else
      throw badRequest(
        context.locale,
        unknownName({ zh: '参数', en: 'input' }, name, [...inputs.keys(), ...fieldNames]),
        shorten(name),
      )
  }
  const phoneCountry = await phoneCountryOf({ registry: core.registry, db: tx, context, trusted }, model, given, before)
  const read = readInput(context, model, given, before, { trusted, asked: fieldNames, phoneCountry })
  problems.push(...read.problems)
  const parsed: EntityRecord = {}
  for (const field of inputs.values()) {
    const { [field.name]: raw } = parameters
    parsed[field.name] = readInputField(core, field, trusted ? computedValue(field, raw) : raw, problems)
  }
  for (const name of transition.required ?? []) {
    const field = inputs.get(name) ?? model.fields.get(name)
    const value = inputs.has(name) ? parsed[name] : name in read.values ? read.values[name] : before[name]
    const known = problems.some((problem) => problem.field === name)
    if (field && !known && isEmpty(value)) problems.push(fieldProblem('required', field))
  }
  return { fields: read.values, inputs: parsed, inputFields: [...inputs.values()] }
}

function readInputField(core: Core, field: FieldModel, raw: unknown, problems: InputProblem[]): unknown {
  if (raw === undefined) return null
  const read = readValue(field, raw)
  if ('problem' in read) {
    problems.push({ field: field.name, rule: read.rule, message: read.problem })
    return null
  }
  if (!isEmpty(read.value)) problems.push(...wrongCodes(core.registry, field, read.value, null))
  return read.value
}
