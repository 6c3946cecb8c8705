import { referenceOf } from '../../../../src/schema/entity'
import type { EntityEngine } from '../../../entities'
import { ServiceError, type Locale } from '../../../platform/http'

type Params = Record<string, unknown>
type Row = Params & { field: string; defaultValue?: string | null }

const ENTITY = 'crm.customer'
const rowsOf = (params: Params): readonly Row[] => (Array.isArray(params.fields) ? (params.fields as Row[]) : [])

/** Values of the field of a row, when it has a dictionary. */
function choicesOf(engine: EntityEngine, { field }: Row) {
  const dictionary = engine.model(ENTITY).fields.get(field)?.field['x-dictionary']
  return dictionary === undefined ? null : engine.dictionaryChoices(dictionary)
}

/** The customer template as people read and write it: defaults from a dictionary by their names. */
export const templateInWords = (engine: EntityEngine, params: Params, locale: Locale): Params => ({
  ...params,
  fields: rowsOf(params).map((row) => {
    const chosen = choicesOf(engine, row)?.find(({ code }) => code === row.defaultValue)
    return chosen ? { ...row, defaultValue: chosen.label[locale] } : row
  }),
})

/**
 * The customer template as it is stored: defaults from a dictionary by their codes; names in either language and codes are understood.
 * @throws ServiceError 10010005 for a default that the field cannot have, with what may be chosen.
 */
export function templateInCodes(engine: EntityEngine, params: Params, locale: Locale): Params {
  const errors: { field: string; message: string; rule: string }[] = []
  const fields = rowsOf(params).map((row, index) => {
    const given = row.defaultValue?.trim()
    if (!given) return row
    const field = engine.model(ENTITY).fields.get(row.field)
    const refuse = (zh: string, en: string): Row => {
      errors.push({ field: `fields.${index}.defaultValue`, message: locale === 'zh' ? zh : en, rule: 'params' })
      return row
    }
    if (field?.many || (field && referenceOf(field) !== undefined))
      return refuse(`“${field.label.zh}”不能有默认值。`, `"${field.label.en}" cannot have a default.`)
    const choices = choicesOf(engine, row)
    if (!choices) return { ...row, defaultValue: given }
    const meant = given.toLowerCase()
    const chosen = choices.find(({ code, label }) => [code, label.zh, label.en].some((name) => name.toLowerCase() === meant))
    if (chosen) return { ...row, defaultValue: chosen.code }
    const names = (language: Locale): string => choices.map(({ label }) => label[language]).join(language === 'zh' ? '、' : ', ')
    return refuse(
      `默认值“${given}”不在选项中：${names('zh')}。`,
      `The default "${given}" is none of the options: ${names('en')}.`,
    )
  })
  if (errors.length > 0) throw new ServiceError('validationFailed', { data: { errors } })
  return { ...params, fields }
}
