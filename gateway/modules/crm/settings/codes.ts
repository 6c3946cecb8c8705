import type { EntityEngine } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { Database } from '../../../platform/database'
import type { RuleCodes } from '../../../rules'
import { decideAllChurn } from '../jobs/churn/decide'
import { decideLevels } from '../jobs/level/job'
import { churnReport, levelReport, productNames } from '../jobs/reports'
import { testAdmission, testBlacklist, type RuleTestContext } from './ruleTests'
import { aliasEffect, blacklistEffect, classAEffect } from './handoverEffects'
import { templateEffect } from './templateEffect'

interface EffectContext {
  engine: EntityEngine
  database: Database
  timeZone: string
}

/** What CRM adds to its rule sets. */
export function ruleCodes(parts: EffectContext): RuleCodes {
  const { engine, database, timeZone } = parts
  const ruleTest =
    (of: (input: Readonly<Record<string, unknown>>, call: RuleTestContext) => ReturnType<typeof testAdmission>) =>
    (input: Readonly<Record<string, unknown>>, context: RuleTestContext['context']) =>
      of(input, { db: database, engine, context })
  return {
    'crm.level': {
      effect: (rule, { now }) => levelReport(decideLevels(database, rule, { day: dayOf(now, timeZone), timeZone })),
    },
    'crm.churn': {
      effect: async (rule, { now }) =>
        churnReport(await decideAllChurn(database, rule, dayOf(now, timeZone), timeZone), productNames(engine)),
    },
    'crm.blacklistRule': { effect: (rule) => blacklistEffect(rule, database), test: ruleTest(testBlacklist) },
    'crm.alias': { effect: (rule, { now }) => aliasEffect(rule, database, now) },
    'crm.classA': { effect: (rule) => classAEffect(rule, database) },
    'crm.template': { effect: (rule) => templateEffect(rule, parts) },
    'crm.allowBuka': { test: ruleTest(testAdmission) },
  }
}
