/** Parameters that people set: rule sets with versions, and exceptions for some. */
export {
  departmentsOf,
  paramsOf,
  RULE_DEFAULTS,
  RULE_MODULES,
  ruleBook,
  ruleFor,
  rulePage,
  rulesFor,
  ruleSource,
  type RuleBook,
  type RuleKey,
} from './book'
export { duplicateRules } from './duplicates'
export { registerRuleRoutes, type RuleTestAnswer, type RuleCodes } from './http'
export type { RuleTypes } from '../../src/schema/generated/ruleSets'
export type { RuleOverride } from './resolve'
