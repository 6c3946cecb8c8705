import { matchKeys } from '../../../duplicates'
import { addDays, dayOf } from '../../../platform/calendar'
import { classAFigures } from '../rules/classA'
import type { MonthFigure } from '../rules/months'
import { changeCustomer, codeOf, type Chapter } from './handovers'
import { COUNTRIES, inventCompany } from '../../../demo'
import { RULE_DEFAULTS } from '../../../rules'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Fixed codes of edge cases. */
export const ALIAS_EDGE = { code: 'CU2400115', from: 'SGK7QD', to: 'SGM4XT' } as const
export const BARRED = 'Falcon Gulf Messaging FZE'

const ago = (now: Date, days: number): string => new Date(now.getTime() - days * DAY).toISOString()

/** The blacklist in every state, with who met it; four customers are frozen by it. */
export function makeBlacklist({ random, staff, customers, now, timeZone, further }: Chapter): void {
  const rows = (further['crm.blacklist'] ??= [])
  const hits = (further['crm.blacklistHit'] ??= [])
  const risk = staff.filter((one) => one.position === 'risk')
  const sales = staff.filter((one) => one.position === 'sales')
  const taken = new Set<string>(customers.map((customer) => String(customer.name)))
  const frozen = random.sample(
    customers.filter((one) => one.holding === 'private' && one.firstDealAt && !one.classA && one.code !== ALIAS_EDGE.code),
    4,
  )
  const plan = [
    'active',
    ...Array<string>(21).fill('active'),
    ...Array<string>(4).fill('pending'),
    ...Array<string>(4).fill('lifted'),
    'expired',
    'expired',
    'rejected',
  ]
  for (const [index, status] of plan.entries()) {
    const customer = index > 0 && index <= frozen.length ? frozen[index - 1] : undefined
    const company = inventCompany(random, random.pick(COUNTRIES), taken)
    const name = index === 0 ? BARRED : customer ? String(customer.name) : company.name
    const applicant = random.pick(sales)
    const made = random.integer(5, 400)
    const id = `bl-${String(index + 1).padStart(4, '0')}`
    const reason =
      index === 0
        ? 'illegalContent'
        : random.weighted([
            ['debt', 5],
            ['fraud', 3],
            ['illegalContent', 3],
            ['competitor', 2],
            ['sanction', 1],
            ['other', 1],
          ] as const)
    rows.push({
      id,
      code: codeOf('BL', rows, now, timeZone),
      customerId: customer?.id ?? null,
      name,
      nameKey: matchKeys(name).nameKey,
      domains: [index === 0 ? 'falcon-gulf.example' : customer ? '' : company.domain].filter(Boolean),
      emails: index % 3 === 1 && !customer ? [`sales@${company.domain}`] : [],
      phones: [],
      regNos: customer ? [String(customer.regNo)] : [],
      reason,
      evidence: [],
      debt: reason === 'debt' ? String(random.integer(300, 24_000)) + '.00' : null,
      scope:
        customer || index === 0
          ? 'all'
          : random.weighted([
              ['all', 7],
              ['postpaidOnly', 2],
              ['newBusiness', 1],
            ] as const),
      status,
      effectiveAt: status === 'pending' || status === 'rejected' ? null : ago(now, made - 1),
      expiresAt:
        status === 'expired'
          ? ago(now, 2)
          : index % 6 === 2
            ? new Date(now.getTime() + random.integer(10, 300) * DAY).toISOString()
            : null,
      liftedAt: status === 'lifted' || status === 'expired' ? ago(now, 1) : null,
      liftReason: status === 'lifted' ? '欠款已结清' : null,
      decidedById: status === 'pending' ? null : (risk[0]?.id ?? null),
      decisionNote: status === 'rejected' ? '证据不足' : null,
      remark: null,
      ownerId: applicant.id,
      ownerDeptId: applicant.mainDeptId,
      ownedAt: ago(now, made),
      createdAt: ago(now, made),
      createdBy: applicant.id,
    })
    if (customer && status === 'active')
      changeCustomer(customers, customer.id, { holding: 'frozen', blacklisted: true, recycleOn: null })
    for (let hit = 0; hit < (index === 0 ? 2 : index % 7 === 3 && status === 'active' ? 1 : 0); hit += 1) {
      const at = ago(now, random.integer(1, Math.max(1, made - 2)))
      const by = random.pick(sales)
      hits.push({
        id: `bh-${index}-${hit}`,
        blacklistId: id,
        place: hit === 0 ? 'create' : 'convert',
        rule: 'nameKey',
        value: matchKeys(name).nameKey,
        name,
        refused: true,
        byId: by.id,
        at,
        createdAt: at,
        createdBy: by.id,
      })
    }
  }
}

/** Alias changes in every state; that of CU2400115 is being told to its systems. */
export function makeAliasChanges({ random, staff, customers, now, timeZone, further }: Chapter): void {
  const records = (further['crm.aliasRecord'] ??= [])
  const tasks = (further['crm.aliasTask'] ??= [])
  const operator = staff.find((one) => one.position === 'opsLead') ?? staff[0]
  const edge = customers.find((one) => one.code === ALIAS_EDGE.code)
  const held = new Set(
    (further['crm.transferItem'] ?? []).filter((item) => item.result === 'waiting').map((item) => item.customerId),
  )
  const named = customers.filter((one) => one.alias && one.holding === 'private' && one.id !== edge?.id && !held.has(one.id))
  const plan = [
    'syncing',
    'syncing',
    'failed',
    'pending',
    'pending',
    'draft',
    'rejected',
    'withdrawn',
    'rolledBack',
    ...Array<string>(8).fill('done'),
  ]
  const chosen = [...(edge ? [edge] : []), ...random.sample(named, Math.min(named.length, plan.length - (edge ? 1 : 0)))]
  for (const [index, customer] of chosen.entries()) {
    const status = plan[index] ?? 'done'
    const code = codeOf('BM', records, now, timeZone)
    const id = `bm-${code.slice(2)}`
    const made = status === 'done' ? random.integer(20, 300) : status === 'syncing' ? 0.05 : random.integer(1, 6)
    const systems = ['smsPlatform', 'voicePlatform', 'erp', 'reportStore'].slice(
      0,
      index === 0 || status === 'failed' ? 4 : random.integer(2, 4),
    )
    const begun = ['syncing', 'failed', 'done', 'rolledBack'].includes(status)
    const alias = String(customer.alias)
    const [oldAlias, newAlias] =
      customer.id === edge?.id
        ? [ALIAS_EDGE.from, ALIAS_EDGE.to]
        : status === 'done'
          ? [`${alias.slice(0, 2)}${[...alias.slice(2)].reverse().join('')}`, alias]
          : [alias, `${alias.slice(0, 2)}${alias.slice(4)}${alias.slice(2, 4)}`]
    const stateOf = (seq: number): string =>
      status === 'done'
        ? 'done'
        : status === 'rolledBack'
          ? 'undone'
          : status === 'failed'
            ? seq === 1
              ? 'failed'
              : 'done'
            : seq === 0
              ? 'done'
              : 'waiting'
    const done = systems.filter((_, seq) => stateOf(seq) === 'done').length
    records.push({
      id,
      code,
      customerId: customer.id,
      subjectType: 'customer',
      subjectId: customer.id,
      subjectCode: customer.code,
      subjectName: customer.name,
      oldAlias,
      newAlias,
      reservedAlias: ['pending', 'syncing', 'failed', 'done'].includes(status) ? newAlias : null,
      reason: random.pick(['供应商获知真名，更换别名', '客户要求更换', '别名与另一品牌相近']),
      status,
      draft: status === 'draft',
      tasksDone: begun ? done : 0,
      tasksTotal: begun ? systems.length : 0,
      submittedAt: status === 'draft' ? null : ago(now, made),
      decidedById: begun || status === 'rejected' ? (operator?.id ?? null) : null,
      decisionNote: status === 'rejected' ? '一年内已变更过' : null,
      effectiveAt: status === 'done' ? ago(now, made - 0.5) : null,
      failedSystem: status === 'failed' ? 'voicePlatform' : null,
      failureNote: status === 'failed' ? 'HTTP 503' : null,
      createdAt: ago(now, made),
      createdBy: String(customer.ownerId ?? operator?.id ?? ''),
    })
    if (!begun) continue
    for (const [seq, system] of systems.entries()) {
      const state = stateOf(seq)
      tasks.push({
        id: `bt-${code.slice(2)}-${seq}`,
        recordId: id,
        system,
        seq,
        status: state,
        connected: system === 'smsPlatform' || system === 'voicePlatform',
        attempts: state === 'failed' ? 5 : state === 'waiting' ? (system === 'voicePlatform' ? 2 : 0) : 1,
        lastError: state === 'failed' || (state === 'waiting' && system === 'voicePlatform') ? 'HTTP 503' : null,
        // The demo's changes stay as they are for a month, so that what blocks can be looked at.
        nextAttemptAt: state === 'waiting' ? new Date(now.getTime() + 30 * DAY).toISOString() : null,
        doneAt: state === 'done' ? ago(now, made * 0.9) : null,
        createdAt: ago(now, made),
        createdBy: operator?.id ?? '',
      })
    }
  }
}

const monthsOf = (further: Chapter['further'], customerId: string): MonthFigure[] =>
  (further['fin.customerMonth'] ?? [])
    .filter((row) => row.customerId === customerId)
    .map((row) => ({
      month: String(row.month),
      revenue: String(row.revenue),
      profit: String(row.profit),
      overdueDays: Number(row.overdueDays),
    }))

/** Class A: in force (three end within thirty days), pending, refused, ended. */
export function makeClassA({ random, staff, customers, now, timeZone, further }: Chapter): void {
  const rows = (further['crm.classApply'] ??= [])
  const director = staff.find((one) => one.position === 'salesDirector') ?? staff[0]
  const today = dayOf(now, timeZone)
  const held = new Set((further['crm.transferItem'] ?? []).map((item) => item.customerId))
  const best = customers
    .filter((one) => one.holding === 'private' && one.revenue30 && !held.has(one.id))
    .sort((a, b) => Number(b.revenue30) - Number(a.revenue30))
  const rules = { classA: RULE_DEFAULTS['crm.classA'], level: RULE_DEFAULTS['crm.level'] }
  const plan = [
    ...Array<string>(10).fill('approved'),
    'pending',
    'pending',
    'pending',
    'rejected',
    'rejected',
    'rejected',
    'rejected',
    'ended',
    'ended',
    'revoked',
    'withdrawn',
    'draft',
  ]
  for (const [index, status] of plan.entries()) {
    const customer = best[index]
    if (!customer) break
    const code = codeOf('AL', rows, now, timeZone)
    const granted = status === 'approved' || status === 'ended' || status === 'revoked'
    const to =
      status === 'ended'
        ? addDays(today, -random.integer(20, 90))
        : index < 3
          ? addDays(today, 8 + index * 9)
          : addDays(today, random.integer(60, 330))
    const from = addDays(to, -364)
    const made = granted ? `${addDays(from, -3)}T03:00:00.000Z` : ago(now, random.integer(1, 25))
    const figures = classAFigures(
      monthsOf(further, customer.id),
      dayOf(status === 'draft' ? now : new Date(made), timeZone),
      rules,
    )
    rows.push({
      id: `al-${code.slice(2)}`,
      code,
      customerId: customer.id,
      applyKind: 'enter',
      status,
      ...figures,
      exception: !figures.candidate,
      expectedMonthly: (Number(customer.revenue30) * 1.3).toFixed(2),
      products: customer.products,
      potential: '客户计划把全部东南亚流量转到我方',
      reason: '连续三个月稳定增长，需要专属支持与价格保护',
      slaMinutes: 30,
      priceReviewMonths: 3,
      namedSupportId: null,
      protectPrice: index % 2 === 0,
      competitorInfo: null,
      validMonths: 12,
      grantedFrom: granted ? from : null,
      grantedTo: granted ? to : null,
      submittedAt: status === 'draft' ? null : made,
      decidedById: granted || status === 'rejected' ? (director?.id ?? null) : null,
      decisionNote: status === 'rejected' ? '流量刚起步，三个月后再看' : status === 'revoked' ? '连续两月低于门槛' : null,
      endedAt: status === 'ended' || status === 'revoked' ? ago(now, 2) : null,
      attachments: [],
      createdAt: made,
      createdBy: String(customer.ownerId),
    })
    if (status === 'approved')
      changeCustomer(customers, customer.id, { level: 'a', classA: true, classAValidTo: to, recycleOn: null })
  }
}

/** Rows of documents with a code: their counters go on behind them. */
export const CODED: readonly string[] = [
  'crm.transfer',
  'crm.blacklist',
  'crm.aliasRecord',
  'crm.classApply',
  'crm.opportunity',
  'crm.visit',
  'fin.customerAccount',
]
