import type { DemoRecord, DemoWorld } from '../../../demo'
import { PRICED, rounded, text } from './prices'

const DAY = 86_400_000

/** Code, name, kind, product, level, margin in per cent, countries that it leaves out, members from and to in the order of accounts. */
const GROUPS = [
  ['标准短信组', 'quote', 'sms', 'standard', 18, ['MX', 'NG', 'DE', 'VN', 'PH'], 0, 4],
  ['高级短信组', 'quote', 'sms', 'premium', 25, ['TH', 'NG'], 4, 7],
  ['OTP验证组', 'quote', 'otpSms', 'standard', 20, [], 0, 3],
  ['A-Z 标准', 'az', 'sms', 'standard', 15, ['VN'], 0, 5],
  ['A-Z 经济', 'az', 'sms', 'economy', 9, [], 5, 8],
  ['A-Z 语音', 'az', 'voice', 'standard', 12, [], 0, 3],
] as const

/** Quote groups with their destinations and members; one member joined after the group was sent. */
export function makeGroups({ rows, now }: DemoWorld): void {
  const ago = (days: number): string => new Date(now.getTime() - days * DAY).toISOString()
  const owners = new Map((rows['crm.customer'] ?? []).map((customer) => [customer.id, customer]))
  const [groups, lines, members] = ['qm.quoteGroup', 'qm.quoteGroupLine', 'qm.quoteGroupMember'].map(
    (entity) => (rows[entity] ??= []),
  ) as [DemoRecord[], DemoRecord[], DemoRecord[]]
  for (const [index, [name, kind, product, level, margin, without, from, to]] of GROUPS.entries()) {
    const id = `qg-${index + 1}`
    const accounts = (rows['fin.customerAccount'] ?? []).filter(
      (one) => one.product === (product === 'otpSms' ? 'otp' : product) && one.status === 'active' && one.currency === 'USD',
    )
    const owner = owners.get(String(accounts[from]?.customerId))
    const stamp = { createdAt: ago(200 - index * 9), createdBy: String(owner?.ownerId ?? '') }
    const sent = index === 4 ? null : ago(30 - index)
    groups.push({
      ...{ ...stamp, id, code: `QG${String(index + 1).padStart(5, '0')}`, name, kind, product, level, currency: 'USD' },
      routeClass: product === 'sms' ? 'direct' : product === 'voice' ? 'cli' : null,
      ...{ ruleType: 'margin', ruleValue: String(margin), lastSentAt: sent, status: 'enabled' },
      ...{ ownerId: owner?.ownerId ?? null, ownerDeptId: owner?.ownerDeptId ?? null, ownedAt: stamp.createdAt },
    })
    const sold = (PRICED[product] ?? []).filter(({ destination }) => !without.some((country) => country === destination.country))
    for (const [position, { destination, cost }] of sold.entries()) {
      const { country, mccmnc = null, prefix = null, destination: place = null } = destination
      const price = text(rounded(cost / (1 - margin / 100)))
      lines.push({
        ...stamp,
        id: `${id}-${position + 1}`,
        groupId: id,
        position,
        country,
        mccmnc,
        prefix,
        destination: place,
        price,
      })
    }
    for (const [place, account] of accounts.slice(from, to).entries()) {
      const behind = index === 0 && place === 3
      members.push({
        ...{ ...stamp, id: `${id}-m${place + 1}`, groupId: id, accountId: account.id, status: 'joined', behind },
        ...{
          joinedAt: behind ? ago(5) : stamp.createdAt,
          adjustType: place === 1 ? 'markup' : null,
          adjustValue: place === 1 ? '2' : null,
        },
      })
    }
  }
}
