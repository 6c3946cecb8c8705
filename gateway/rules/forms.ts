import { Ajv2020 } from 'ajv/dist/2020'
import type { ValidateFunction } from 'ajv'
import { RULE_SETS } from '../../src/schema/generated/ruleSets'
import type { DictionaryDocument } from '../../src/schema/generated/dictionary'
import type { PageDocument } from '../../src/schema/generated/page'
import type { RuleSetDocument } from '../../src/schema/generated/rules'
import { matchesPattern } from '../../src/schema/pattern/match'
import { ServiceError, type Text } from '../platform/http'
import type { RuleKey } from './book'
import { membersOfFields, paramNames, paramsSchema, withChoices, type MemberOfField, type ParamName } from './paramsSchema'
import { mergeParams } from './resolve'

export type Params = Record<string, unknown>

/** A rule set with its form read: what the parameters must be and what they are called. */
export interface ReadyRule extends RuleSetDocument {
  key: RuleKey
  title: Text
  names: ReadonlyMap<string, ParamName>
  members: readonly MemberOfField[]
  /** Sentences about wrong parameters, for the fields of the form. */
  problems(params: unknown, partial: boolean): { field: string; message: Text }[]
}

/** The rule sets whose form pages are there. */
export function readRules(
  page: (name: string) => PageDocument | undefined,
  dictionary: (name: string) => DictionaryDocument | undefined,
): ReadonlyMap<string, ReadyRule> {
  const ajv = new Ajv2020({ allErrors: true, strict: false, code: { regExp: patternOf } })
  return new Map(
    RULE_SETS.flatMap((set): [string, ReadyRule][] => {
      const document = page(set.page)
      if (document?.kind !== 'form') return []
      const form = withChoices(document.schema, dictionary)
      const names = paramNames(form)
      // compiled when they are asked for: a start needs none
      const compiled = new Map<boolean, ValidateFunction>()
      const validator = (partial: boolean): ValidateFunction => {
        const validate = compiled.get(partial) ?? ajv.compile(paramsSchema(form, partial))
        compiled.set(partial, validate)
        return validate
      }
      const problems: ReadyRule['problems'] = (params, partial) => problemsOf(validator(partial), params, names)
      const key = set.key as RuleKey
      return [[key, { ...set, key, title: document.title, names, members: membersOfFields(document.schema), problems }]]
    }),
  )
}

/** Patterns of admins, matched as those of entities are; Ajv tells them apart by `toString`. */
const patternOf = Object.assign(
  (pattern: string) => ({ test: (text: string) => matchesPattern(pattern, text), toString: () => pattern }),
  { code: 'matchesPattern' },
)

/** Parameters in force: the version's over the defaults, only what the rule knows. */
export const inForce = (rule: ReadyRule, params: Readonly<Params> | null | undefined): Params => ({
  ...mergeParams(rule.defaults, params),
})

/** @throws ServiceError 10010005 naming every wrong parameter. */
export function requireParams(rule: ReadyRule, params: unknown, locale: 'zh' | 'en', partial = false): Params {
  const problems = rule.problems(params, partial)
  if (problems.length > 0)
    throw new ServiceError('validationFailed', {
      data: { errors: problems.map(({ field, message }) => ({ field, message: message[locale], rule: 'params' })) },
    })
  return params as Params
}

function problemsOf(
  validate: ValidateFunction,
  params: unknown,
  names: ReadonlyMap<string, ParamName>,
): { field: string; message: Text }[] {
  if (validate(params)) return []
  return (validate.errors ?? []).map(({ instancePath, keyword, params: details, message }) => {
    const missing = keyword === 'required' ? `/${String((details as { missingProperty: string }).missingProperty)}` : ''
    const field = `${instancePath}${missing}`.slice(1).replaceAll('/', '.')
    const { title } = names.get(field) ?? names.get(field.split('.')[0] ?? '') ?? { title: { zh: field, en: field } }
    const limit = 'limit' in details ? String(details.limit) : ''
    switch (keyword) {
      case 'required':
        return { field, message: { zh: `${title.zh}必填。`, en: `${title.en} is needed.` } }
      case 'minimum':
        return { field, message: { zh: `${title.zh}不得小于 ${limit}。`, en: `${title.en} must be at least ${limit}.` } }
      case 'maximum':
        return { field, message: { zh: `${title.zh}不得大于 ${limit}。`, en: `${title.en} must be at most ${limit}.` } }
      default:
        return {
          field,
          message: { zh: `${title.zh}不正确：${message ?? keyword}。`, en: `${title.en} is wrong: ${message ?? keyword}.` },
        }
    }
  })
}
