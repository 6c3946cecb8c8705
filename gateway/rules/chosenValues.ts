import { referenceOf, type FieldModel } from '../../src/schema/entity'
import type { EntityEngine } from '../entities'
import { ServiceError, type Locale } from '../platform/http'
import type { Params, ReadyRule } from './forms'

type Found = { field: FieldModel | undefined; value: unknown; at: string }
type Chosen = { put: unknown } | { refuse: { zh: string; en: string } }

/** Values of a dictionary that a field takes; null for another field. */
function choicesOf(engine: EntityEngine, { field }: Found) {
  const dictionary = field?.field['x-dictionary']
  return dictionary === undefined ? null : engine.dictionaryChoices(dictionary)
}

/** Parameters with other values in the members of lists that hold values of fields. */
function changed(engine: EntityEngine, { members }: ReadyRule, params: Params, change: (found: Found) => unknown): Params {
  return members.reduce<Params>((given, { list, member, entity, by }) => {
    const entries = given[list]
    if (!Array.isArray(entries)) return given
    const fields = engine.model(entity).fields
    const put = (entry: Params, index: number): Params => {
      const value = entry[member]
      if (typeof value !== 'string' || value.trim() === '') return entry
      return { ...entry, [member]: change({ field: fields.get(String(entry[by])), value, at: `${list}.${index}.${member}` }) }
    }
    return { ...given, [list]: (entries as Params[]).map(put) }
  }, params)
}

/** Parameters as people read them: values from a dictionary by their names. */
export const inWords = (engine: EntityEngine, rule: ReadyRule, params: Params, locale: Locale): Params =>
  changed(engine, rule, params, (found) => {
    const chosen = choicesOf(engine, found)?.find(({ code }) => code === found.value)
    return chosen ? chosen.label[locale] : found.value
  })

/**
 * Parameters as they are stored: values from a dictionary by their codes; names in either language and codes are understood.
 * @throws ServiceError 10010005 for a value that the field cannot have, with what may be chosen.
 */
export function inCodes(engine: EntityEngine, rule: ReadyRule, params: Params, locale: Locale): Params {
  const errors: { field: string; message: string; rule: string }[] = []
  const stored = changed(engine, rule, params, (found) => {
    const chosen = chosenFor(engine, found, String(found.value).trim())
    if ('put' in chosen) return chosen.put
    errors.push({ field: found.at, message: chosen.refuse[locale], rule: 'params' })
    return found.value
  })
  if (errors.length > 0) throw new ServiceError('validationFailed', { data: { errors } })
  return stored
}

function chosenFor(engine: EntityEngine, found: Found, given: string): Chosen {
  const { field } = found
  if (field && (field.many || referenceOf(field) !== undefined))
    return { refuse: { zh: `“${field.label.zh}”不能有默认值。`, en: `"${field.label.en}" cannot have a default.` } }
  const choices = choicesOf(engine, found)
  if (!choices) return { put: given }
  const meant = given.toLowerCase()
  const chosen = choices.find(({ code, label }) => [code, label.zh, label.en].some((name) => name.toLowerCase() === meant))
  if (chosen) return { put: chosen.code }
  const [zh, en] = [choices.map(({ label }) => label.zh).join('、'), choices.map(({ label }) => label.en).join(', ')]
  return { refuse: { zh: `默认值“${given}”不在选项中：${zh}。`, en: `The default "${given}" is none of the options: ${en}.` } }
}
