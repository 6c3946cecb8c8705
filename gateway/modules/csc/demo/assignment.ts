import type { DemoRecord, DemoWorld } from '../../../demo'
import { RULE_DEFAULTS } from '../../../rules'

const DAY = 86_400_000
/** The demo company takes a missed lead back after a week, so that a desk looks the same when it is opened some days later. */
const GRACE_MINUTES = 7 * 1440

/** Rules by which leads find their people, who may not register, and how the leads of the last days were handed out. */
export function makeAssignment({ staff, now, rows }: DemoWorld): void {
  const sales = staff.filter((one) => one.position === 'sales' && one.status === 'active').slice(0, 6)
  const service = staff.find((one) => one.position === 'service' && one.status === 'active') ?? sales[0]
  const admin = staff.find(({ jobNumber }) => jobNumber === 'S0067')
  if (!service || sales.length < 3) return
  const at = (daysAgo: number): string => new Date(now.getTime() - daysAgo * DAY).toISOString()
  const stamp = { createdAt: at(200), createdBy: admin?.id ?? '' }
  const rules = [
    {
      id: 'ar-apac',
      name: '亚太短信',
      countries: ['CN', 'HK', 'SG', 'ID', 'IN', 'VN'],
      products: ['sms', 'otpSms'],
      mode: 'weight',
    },
    { id: 'ar-focus', name: '高质量线索', quality: ['high'], mode: 'leastLoad' },
    { id: 'ar-rest', name: '其他线索', mode: 'roundRobin' },
  ]
  rows['csc.assignRule'] = rules.map((rule, index) => ({
    ...{ ...stamp, countries: [], products: [], sources: [], quality: [], ...rule },
    ...{ sortNo: 10 * (index + 1), pointer: null, enabled: true, memberCount: 3 },
  }))
  rows['csc.assignMember'] = rules.flatMap(({ id }, rule) =>
    [0, 1, 2].map((position) => ({
      ...{ ...stamp, id: `${id}-${position}`, ruleId: id, position: position + 1, current: 0 },
      ...{ staffId: sales[(rule * 2 + position) % sales.length]!.id, weight: 3 - position, dailyCap: 20, openCap: 60 },
    })),
  )
  rows['csc.registerBlack'] = (
    [
      ['domain', 'mailinator.com', 'tempMail', 'manual', 41],
      ['domain', 'guerrillamail.com', 'tempMail', 'manual', 18],
      ['email', 'trial.hunter@example.net', 'trialAbuse', 'rule', 6],
      ['phone', '+8613800000000', 'spam', 'manual', 3],
      ['cidr', '203.0.113.0/24', 'fraud', 'manual', 12],
      ['ip', '198.51.100.23', 'fraud', 'rule', 0],
    ] as const
  ).map(([kind, value, reason, source, hits], index) => ({
    ...{ id: `rb-${index + 1}`, kind, value, reason, source, hits, status: 'on', expiresAt: null, note: null },
    ...{ lastHitAt: hits > 0 ? at(index + 1) : null, createdAt: at(190 - 10 * index), createdBy: service.id },
  }))
  const handed = (rows['csc.clue'] ?? []).filter(
    ({ ownerId, assignedAt, status }) => ownerId && assignedAt && (status === 'assigned' || status === 'following'),
  )
  rows['csc.assignLog'] = handed.map((clue: DemoRecord) => ({
    ...{ id: `al-${clue.id}`, clueId: clue.id, mode: 'manual', ruleId: null, fromStaffId: null, toStaffId: clue.ownerId },
    ...{ byId: service.id, at: clue.assignedAt, reason: null, createdAt: String(clue.assignedAt), createdBy: service.id },
  }))
  rows['sys.ruleSet'] = [
    ...(rows['sys.ruleSet'] ?? []),
    {
      ...stamp,
      ...{ id: 'rs-csc.assign-1', key: 'csc.assign', versionNo: 1, changedBy: admin?.id ?? null, changeReason: '初始规则' },
      params: { ...RULE_DEFAULTS['csc.assign'], fallbackStaff: [service.id], graceMinutes: GRACE_MINUTES },
      effectiveFrom: at(200),
    },
  ]
}
