import { Ajv2020 } from 'ajv/dist/2020'
import type { ValidateFunction } from 'ajv'
import type { PageDocument } from '../../../../src/schema/generated/page'
import { matchesPattern } from '../../../../src/schema/pattern/match'
import { ServiceError, type Text } from '../../../platform/http'
import { CRM_RULE_DEFAULTS, mergeParams, type CrmRuleKey } from '../rules/ruleSets'
import { RULE_DEFINITIONS, type RuleDefinition } from './definitions'
import { paramNames, paramsSchema, type ParamName } from './paramsSchema'

/** A rule with its form read: what the parameters must be and what they are called. */
export interface ReadyRule extends RuleDefinition {
  title: Text
  names: ReadonlyMap<string, ParamName>
  defaults: Readonly<Record<string, unknown>>
  /** Sentences about wrong parameters, for the fields of the form. */
  problems(params: unknown, partial: boolean): { field: string; message: Text }[]
}

/** The rules whose form pages are there. */
export function readRules(page: (name: string) => PageDocument | undefined): ReadonlyMap<string, ReadyRule> {
  const ajv = new Ajv2020({ allErrors: true, strict: false, code: { regExp: patternOf } })
  return new Map(
    RULE_DEFINITIONS.flatMap((definition): [string, ReadyRule][] => {
      const document = page(definition.page)
      if (document?.kind !== 'form') return []
      const whole = ajv.compile(paramsSchema(document.schema))
      const part = ajv.compile(paramsSchema(document.schema, true))
      const names = paramNames(document.schema)
      return [
        [
          definition.key,
          {
            ...definition,
            title: document.title,
            names,
            defaults: defaultsOf(definition.key),
            problems: (params, partial) => problemsOf(partial ? part : whole, params, names),
          },
        ],
      ]
    }),
  )
}

/** Patterns of admins, matched as those of entities are; Ajv tells them apart by `toString`. */
const patternOf = Object.assign(
  (pattern: string) => ({ test: (text: string) => matchesPattern(pattern, text), toString: () => pattern }),
  { code: 'matchesPattern' },
)

const defaultsOf = (key: CrmRuleKey): Readonly<Record<string, unknown>> => ({ ...CRM_RULE_DEFAULTS[key] })

/** Parameters in force: the version's over the defaults, only what the rule knows. */
export const inForce = (
  rule: ReadyRule,
  params: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, unknown> => ({
  ...mergeParams(rule.defaults, params),
})

/** @throws ServiceError 10010005 naming every wrong parameter. */
export function requireParams(rule: ReadyRule, params: unknown, locale: 'zh' | 'en', partial = false): Record<string, unknown> {
  const problems = rule.problems(params, partial)
  if (problems.length > 0)
    throw new ServiceError('validationFailed', {
      data: { errors: problems.map(({ field, message }) => ({ field, message: message[locale], rule: 'params' })) },
    })
  return params as Record<string, unknown>
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
