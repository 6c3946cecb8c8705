import type { Executor } from '../../../../platform/database'
import { departmentsOf, paramsOf, type RuleOverride, type RuleTypes } from '../../../../rules'

type Sea = RuleTypes['crm.sea']
/** The rule with its exceptions, as it stands or as somebody proposes it. */
export interface SeaBook {
  set: Partial<Sea> | null
  overrides: readonly RuleOverride<Sea>[]
}

/** The rule for every kind of row, and how a row of crm_customer (alias c) finds its rule (alias r). */
export interface RulesByRow {
  rows: Readonly<Record<string, unknown>>[]
  join: string
}

/** Only what the exceptions look at tells rows apart: without exceptions one rule holds for all. */
export async function rulesByRow(db: Executor, book: SeaBook): Promise<RulesByRow> {
  const has = (...types: string[]): boolean => book.overrides.some((one) => types.includes(one.targetType))
  const dimensions = [
    ...(has('staff', 'department') ? [{ key: 'ownerId', column: 'owner_id' }] : []),
    ...(has('level') ? [{ key: 'level', column: 'level' }] : []),
    ...(has('country') ? [{ key: 'countryCode', column: 'country_code' }] : []),
  ]
  if (dimensions.length === 0) return { rows: [flat({}, paramsOf('crm.sea', book))], join: 'true' }
  const columns = dimensions.map(({ column }) => column).join(', ')
  const { rows: kinds } = await db.query<Record<string, string | null>>(
    `select distinct ${dimensions.map(({ key, column }) => `${column} as "${key}"`).join(', ')} from crm_customer
     where holding = 'private' and deleted_at is null and (${columns}) is not null`,
  )
  const owners = [...new Set(kinds.flatMap((kind) => (kind.ownerId ? [kind.ownerId] : [])))]
  const departments = await departmentsOf(db, owners)
  const rows = kinds.map((kind) => {
    const rule = paramsOf('crm.sea', book, {
      ...(kind.ownerId ? { staffId: kind.ownerId, deptIds: departments.get(kind.ownerId) ?? [] } : {}),
      ...(kind.level ? { level: kind.level } : {}),
      ...(kind.countryCode ? { countryCode: kind.countryCode } : {}),
    })
    return flat(kind, rule)
  })
  return { rows, join: dimensions.map(({ key, column }) => `r."${key}" = c.${column}`).join(' and ') }
}

const flat = (kind: Readonly<Record<string, string | null>>, rule: Sea): Readonly<Record<string, unknown>> => ({
  ...kind,
  enabled: rule.enabled,
  first: rule.firstTouchDays,
  ...rule.noFollowDays,
  noTraffic: rule.noTrafficDays,
  noDeal: rule.noDealDays,
  extension: rule.noDealExtension,
  exempt: rule.exemptBalance,
})

/** Column definitions of the rows for jsonb_to_recordset. */
export const RULE_COLUMNS = `"ownerId" text, level text, "countryCode" text, enabled boolean, first int, potential int, following int, testing int,
  quoted int, dealt int, "noTraffic" int, "noDeal" int, extension int, exempt numeric`
