import { isMasked, machineOf, maskValue, readValue, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import { computedValue } from '../../../src/schema/formats'
import type { ServiceError, RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import { MOST_PROBLEMS, refusal, shorten, unknownName, type InputProblem } from '../errors'
import type { EntityRecord } from '../calls'
import { fieldForbidden, fieldProblem } from '../refusalTexts'
import { sameValue } from '../sameValue'
import { cleanRichText } from './richText'

interface ReadInput {
  id?: string
  version?: number
  /** Parsed values of fields. */
  values: EntityRecord
  /** Further input for the service. */
  inputs: EntityRecord
}

/** Splits a save's body into id, version, field values and the service's own inputs; unknown names are refused with a hint (10010001). */
export function splitInput(
  context: RequestContext,
  model: EntityModel,
  body: EntityRecord,
  inputNames: readonly string[],
  internal: boolean,
): ReadInput {
  const { id, version, ...rest } = body
  const problems: InputProblem[] = []
  const values: EntityRecord = {}
  const inputs: EntityRecord = {}
  for (const [name, value] of Object.entries(rest)) {
    if (name.startsWith('$')) continue
    const field = model.fields.get(name)
    if (field && (!field.internal || internal)) values[name] = value
    else if (inputNames.includes(name)) inputs[name] = value
    else {
      const known = [...model.fields.values()].filter((each) => !each.internal).map((each) => each.name)
      const message = unknownName({ zh: '字段', en: 'field' }, name, [...known, ...inputNames], problems.length)
      problems.push({ field: shorten(name), message })
      if (problems.length === MOST_PROBLEMS) break
    }
  }
  if (id !== undefined && id !== null && id !== '' && (typeof id !== 'string' || id.length > 40)) {
    problems.push({ field: 'id', message: { zh: 'id 须为文本。', en: 'id has to be a text.' } })
  }
  if (version !== undefined && version !== null && !isVersion(version)) {
    problems.push({ field: 'version', message: { zh: 'version 须为整数。', en: 'version has to be a whole number.' } })
  }
  if (problems.length > 0) throw refusal('badRequest', context.locale, problems)
  return {
    id: typeof id === 'string' && id !== '' ? id : undefined,
    version: typeof version === 'number' ? version : undefined,
    values,
    inputs,
  }
}

/** A column of PostgreSQL counts no further. */
const isVersion = (value: unknown): boolean => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31

/**
 * The caller's values as they are stored. Collects a problem for each value of a wrong shape and each field that the
 * caller may not set; values that change nothing pass.
 */
export function readInput(
  context: RequestContext,
  model: EntityModel,
  values: EntityRecord,
  before: EntityRecord | null,
  options: {
    trusted: boolean
    /** Read-only fields that may be set all the same. */
    asked?: ReadonlySet<string>
    /** Country of phone numbers that are written without one. */
    phoneCountry?: string | null
  },
): { values: EntityRecord; problems: InputProblem[] } {
  const access = accessOf(model, context)
  const parsed: EntityRecord = {}
  const problems: InputProblem[] = []
  for (const [name, raw] of Object.entries(values)) {
    const field = model.fields.get(name)!
    const allowed = options.trusted ? 'write' : access.of(name)
    // nobody overwrites what he cannot see, and nobody finds it out by trying
    if (allowed === 'hide') throw fieldForbidden(field)
    if (before && allowed === 'mask' && (before[name] ?? null) !== null) {
      if (isMasked(field.kind, maskValue(field.kind, before[name]), raw)) continue
      throw fieldForbidden(field)
    }
    const given = field.kind === 'richText' && typeof raw === 'string' ? cleanRichText(raw) : raw
    const read = readValue(field, options.trusted ? computedValue(field, given) : given, options.phoneCountry)
    if ('problem' in read) {
      if (allowed === 'read') throw fieldForbidden(field)
      problems.push({ field: name, rule: read.rule, message: read.problem })
      continue
    }
    if (field.kept && !sameValue(before?.[name] ?? null, read.value)) {
      problems.push(fieldProblem('readOnly', field))
      continue
    }
    if (options.trusted) {
      parsed[name] = read.value
      continue
    }
    if (before && sameValue(before[name] ?? null, read.value)) continue
    if (allowed === 'read') throw fieldForbidden(field)
    const refused = options.asked?.has(name) ? undefined : unsettable(model, field, before, read.value)
    if (refused) problems.push(refused)
    else parsed[name] = read.value
  }
  return { values: parsed, problems }
}

/** The refusal of a service that sets what is kept from other values. */
export const keptField = ({ locale }: RequestContext, field: FieldModel): ServiceError =>
  refusal('validationFailed', locale, [fieldProblem('readOnly', field)])

/** Why callers cannot set a field, or undefined. */
function unsettable(
  model: EntityModel,
  field: FieldModel,
  before: EntityRecord | null,
  value: unknown,
): InputProblem | undefined {
  const machine = machineOf(model, field.name)
  if (machine) {
    if (!before && (value === machine.initial || value === null)) return undefined
    return fieldProblem('state', field)
  }
  if (field.field.readOnly || field.sequence || field.storage !== 'stored' || field.name === 'id') {
    if (!before && value === null) return undefined
    return fieldProblem('readOnly', field)
  }
  if (field.field['x-immutable'] && before && (before[field.name] ?? null) !== null) {
    return fieldProblem('immutable', field)
  }
  return undefined
}
