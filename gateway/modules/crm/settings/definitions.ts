import type { CrmRuleKey } from '../rules/ruleSets'

/** A rule that people set: its form page names, types and bounds every parameter. */
export interface RuleDefinition {
  key: CrmRuleKey
  /** Name of the form page; the gateway validates by the same document. */
  page: string
  /** Form page of the test bench. */
  bench?: string
}

export const RULE_DEFINITIONS: readonly RuleDefinition[] = [
  { key: 'crm.sea', page: 'crm/rule-sea' },
  { key: 'crm.claim', page: 'crm/rule-claim' },
  { key: 'crm.coolDown', page: 'crm/rule-cool-down' },
  { key: 'crm.retention', page: 'crm/rule-retention' },
  { key: 'crm.duplicate', page: 'crm/rule-duplicate', bench: 'crm/bench-duplicate' },
  { key: 'crm.domain', page: 'crm/rule-domain' },
  { key: 'crm.wander', page: 'crm/rule-wander' },
  { key: 'crm.blacklistRule', page: 'crm/rule-blacklist', bench: 'crm/bench-blacklist' },
  { key: 'crm.alias', page: 'crm/rule-alias' },
  { key: 'crm.classA', page: 'crm/rule-class-a' },
  { key: 'crm.churn', page: 'crm/rule-churn' },
  { key: 'crm.level', page: 'crm/rule-level' },
  { key: 'crm.template', page: 'crm/rule-template' },
  { key: 'crm.allowBuka', page: 'crm/rule-allow-buka', bench: 'crm/bench-allow-buka' },
]
