import { addDays, dayOf, instantAt } from '../../../platform/calendar'
import { monthStart } from '../rules/months'
import { GROUP_DOMAIN } from './borders'
import type { Chapter } from './handovers'
import { CAP_STAFF, type DemoRecord } from '../../../demo'
import { RULE_DEFAULTS } from '../../../rules'

/** Days that the job log of the demo world goes back. */
const NIGHTS = 7

/** Versions and exceptions of the rules, leaves, the runs of the last nights; then nobody who is held has a recycling day. */
export function makeRules(chapter: Chapter): void {
  const { further, now, timeZone, staff, customers } = chapter
  const today = dayOf(now, timeZone)
  const admin = staff.find((one) => one.position === 'admin') ?? staff[0]
  const version = (key: string, versionNo: number, daysAgo: number, params: object, changeReason: string): DemoRecord => {
    const at = instantAt(addDays(today, -daysAgo), '10:30', timeZone).toISOString()
    return {
      id: `rs-${key}-${versionNo}`,
      key,
      versionNo,
      params,
      effectiveFrom: at,
      changedBy: admin?.id ?? null,
      changeReason,
      createdAt: at,
      createdBy: admin?.id ?? '',
    }
  }
  const defaults = RULE_DEFAULTS
  const sea = defaults['crm.sea']
  further['sys.ruleSet'] = [
    version(
      'crm.sea',
      1,
      540,
      { ...sea, noFollowDays: { ...sea.noFollowDays, potential: 20, following: 20 }, noDealDays: 270 },
      '初始规则',
    ),
    version('crm.sea', 2, 400, { ...sea, noDealDays: 270 }, '潜在客户跟进周期缩短到 15 天'),
    version('crm.sea', 3, 380, sea, '超期未成交改为 180 天'),
    version('crm.claim', 1, 540, { ...defaults['crm.claim'], dailyClaims: 8 }, '初始规则'),
    version('crm.claim', 2, 120, defaults['crm.claim'], '每日领取放宽到 10 个'),
    version(
      'crm.domain',
      1,
      300,
      { domains: [...defaults['crm.domain'].domains, { domain: GROUP_DOMAIN, kind: 'group', note: '集团内三家公司共用' }] },
      '登记集团域名',
    ),
    version('crm.retention', 1, 540, defaults['crm.retention'], '初始规则'),
    version('crm.level', 1, 540, defaults['crm.level'], '初始规则'),
    version('crm.churn', 1, 540, { ...defaults['crm.churn'], warnDrop: 60 }, '初始规则'),
    version('crm.churn', 2, 90, defaults['crm.churn'], '预警提前到下降 50%'),
  ]
  const sales = staff.filter((one) => one.position === 'sales' && !CAP_STAFF.includes(one.jobNumber))
  const last = sales[sales.length - 1]
  const exception = (id: string, ruleKey: string, target: { type: string; id: string }, params: object, reason: string) => ({
    id,
    ruleKey,
    targetType: target.type,
    targetId: target.id,
    params,
    until: addDays(today, 60),
    reason,
    createdAt: instantAt(addDays(today, -20), '11:00', timeZone).toISOString(),
    createdBy: admin?.id ?? '',
  })
  further['sys.ruleOverride'] = last
    ? [
        exception('ro-1', 'crm.claim', { type: 'staff', id: last.id }, { dailyClaims: 15 }, '展会后集中领取'),
        exception('ro-2', 'crm.retention', { type: 'department', id: last.mainDeptId }, { newcomer: 100 }, '新团队过渡期'),
      ]
    : []
  const away = staff.filter((one) => one.status === 'leave')
  further['sys.staffLeave'] = away.map((one) => {
    const from = addDays(today, -10)
    return {
      id: `lv-${one.id}`,
      staffId: one.id,
      from,
      until: null,
      createdAt: instantAt(from, '09:00', timeZone).toISOString(),
      createdBy: '',
    }
  })
  further['sys.jobRun'] = runsOf(chapter)
  const held = heldCustomers(chapter, new Set(away.map((one) => one.id)))
  for (const [index, customer] of customers.entries())
    if (customer.recycleOn && held(customer)) customers[index] = { ...customer, recycleOn: null }
}

/** Whoever something unfinished keeps, or whose owner is away, has no recycling day. */
function heldCustomers({ further }: Chapter, away: ReadonlySet<string>): (customer: DemoRecord) => boolean {
  const ids = new Set<unknown>()
  const add = (entity: string, states: readonly string[]): void => {
    for (const row of further[entity] ?? []) if (states.includes(String(row.status))) ids.add(row.customerId)
  }
  add('crm.aliasRecord', ['pending', 'syncing', 'failed'])
  add('crm.classApply', ['pending'])
  add('crm.blacklist', ['pending'])
  const open = new Set((further['crm.transfer'] ?? []).filter((row) => row.status === 'pending').map((row) => row.id))
  for (const item of further['crm.transferItem'] ?? []) if (open.has(String(item.transferId))) ids.add(item.customerId)
  return (customer) => ids.has(customer.id) || away.has(String(customer.ownerId))
}

const RECYCLING = { zh: '公海回收', en: 'Recycling to the open sea' }
const REASONS: Readonly<Record<string, { zh: string; en: string }>> = {
  noFollow: { zh: '超期未跟进', en: 'No follow-up' },
  firstTouch: { zh: '领取未跟进', en: 'Never touched' },
  noDeal: { zh: '超期未成交', en: 'No deal' },
}

/** The runs of the last nights as they went: the customers that came to the sea at two o'clock. */
function runsOf({ seaRecords, customers, now, timeZone }: Chapter): DemoRecord[] {
  const today = dayOf(now, timeZone)
  const names = new Map(customers.map((one) => [one.id, `${String(one.name)} (${String(one.code)})`]))
  const run = (job: string, day: string, at: Date, report: object): DemoRecord[] =>
    at > now
      ? []
      : [
          {
            id: `jr-${job}-${day}`,
            job,
            forDay: day,
            status: 'done',
            dry: false,
            startedAt: at.toISOString(),
            finishedAt: new Date(at.getTime() + 4_000).toISOString(),
            startedBy: null,
            report,
            error: null,
            slot: `${job}/${at.toISOString()}`,
            createdAt: at.toISOString(),
            createdBy: '',
          },
        ]
  const nothing = { figures: [], columns: [], rows: [], more: 0 }
  const nights = Array.from({ length: NIGHTS }, (_, back) => addDays(today, -back)).flatMap((day) => {
    const at = instantAt(day, '02:00', timeZone)
    if (at > now) return []
    const taken = seaRecords.filter((one) => one.enteredAt === at.toISOString())
    return [
      ...run('sys.deadlines', day, at, {
        figures: [{ id: 'crm.customer.recycle', title: RECYCLING, value: taken.length }],
        columns: [
          { id: 'deadline', title: { zh: '到期事项', en: 'Deadline' } },
          { id: 'code', title: { zh: '记录', en: 'Record' }, of: ['crm.customer.code', 'crm.customer.name'] },
          { id: 'status', title: { zh: '结果', en: 'Outcome' } },
          { id: 'error', title: { zh: '原因', en: 'Reason' } },
        ],
        rows: taken.map((one) => ({
          id: String(one.customerId),
          deadline: RECYCLING,
          code: names.get(String(one.customerId)) ?? '',
          status: { zh: '公海', en: 'Open sea' },
          error: REASONS[String(one.reason)] ?? null,
        })),
        more: 0,
      }),
      ...run('crm.churn', day, instantAt(day, '04:00', timeZone), nothing),
    ]
  })
  const months = [0, 1, 2].flatMap((back) => {
    const day = monthStart(today, back)
    return run('crm.level', day, instantAt(day, '03:00', timeZone), nothing)
  })
  return [...nights, ...months]
}
