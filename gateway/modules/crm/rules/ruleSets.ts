import type { RuleTypes } from '../../../../src/schema/generated/ruleSets'

/** Parameters of the rule sets of `schemas/crm/rules`. */
export type CrmRules = RuleTypes
export type TemplateRow = RuleTypes['crm.template']['fields'][number]
