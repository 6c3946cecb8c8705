import type { Chapter } from './handovers'
import type { DemoRecord } from '../../../demo'

/** Buka accounts of the customers of that platform, and appeals in every state. */
export function makeBukaAndAppeals({ customers, staff, random, now, further }: Chapter): void {
  const accounts = (further['crm.bukaAccount'] ??= [])
  const signUp = customers.filter((one) => one.platform !== 'main' && one.partyType === 'customer' && Array.isArray(one.domains))
  const taken = new Set<string>()
  for (const customer of signUp) {
    const opened = customer.createdAt
    // companies of a group share a domain, not a mailbox
    const domain = (customer.domains as string[])[0] ?? `${customer.id}.example`
    const loginEmail = taken.has(domain) ? `ops-${customer.id}@${domain}` : `ops@${domain}`
    taken.add(domain)
    accounts.push({
      id: `bk-${customer.id.slice(3)}`,
      customerId: customer.id,
      loginEmail,
      status: random.weighted([
        ['active', 82],
        ['opened', 12],
        ['frozen', 3],
        ['pending', 3],
      ] as const),
      products: random.sample(['sms', 'otpSms', 'whatsapp'], random.integer(1, 2)),
      settleCurrency: 'USD',
      trialCredit: '1.00',
      ownerConsents: false,
      registeredBy: customer.agentId ? 'agent' : 'signup',
      verification: random.weighted([
        ['company', 70],
        ['mail', 26],
        ['none', 4],
      ] as const),
      openedAt: opened,
      registeredIp: `203.0.113.${random.integer(1, 254)}`,
      device: random.pick(['Chrome · Windows', 'Safari · macOS', 'Chrome · Android', 'Edge · Windows']),
      agentId: customer.agentId ?? null,
      failedConditions: [],
      remark: null,
      createdAt: opened,
      createdBy: customer.createdBy,
    })
  }
  const appeals = (further['crm.dupAppeal'] ??= [])
  const sellers = staff.filter((one) => one.position === 'sales' && one.status === 'active')
  const existing = customers.filter((one) => one.countryCode === 'CN' && one.holding === 'private')
  for (const [index, status] of ['pending', 'pending', 'accepted', 'rejected'].entries()) {
    const [asker, known] = [sellers[index * 3], existing[index * 5]]
    const leader = staff.find((one) => one.id === asker?.managerId)
    if (!asker || !known || !leader) continue
    const askedAt = new Date(now.getTime() - (index + 1) * 30 * 3_600_000).toISOString()
    const decided = status !== 'pending'
    appeals.push({
      id: `da-${index + 1}`,
      name: String(known.name),
      countryCode: 'CN',
      note: '注册号不同，是同名的另一家公司，附件已发邮件',
      input: {
        name: known.name,
        countryCode: 'CN',
        partyType: 'customer',
        tradeType: 'direct',
        platform: 'main',
        customerType: 'enterprise',
        source: 'cold',
        level: 'd',
      },
      hits: [{ id: known.id, code: known.code, name: known.name, rule: 'nameKey', score: 100, decision: 'block' }],
      duplicateOfId: known.id,
      status,
      decisionNote: status === 'rejected' ? '核对后为同一家公司' : status === 'accepted' ? '已核对注册号' : null,
      decidedById: decided ? leader.id : null,
      decidedAt: decided ? now.toISOString() : null,
      customerId: null,
      ownerId: leader.id,
      ownerDeptId: leader.mainDeptId,
      ownedAt: askedAt,
      createdAt: askedAt,
      createdBy: asker.id,
    } as DemoRecord)
  }
}
