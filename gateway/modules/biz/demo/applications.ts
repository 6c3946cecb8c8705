import type { DemoRecord, DemoWorld } from '../../../demo'
import { nextAlias } from '../applications'

const DAY = 86_400_000
/** Products of an account, by its kind. */
const PRODUCTS: Readonly<Record<string, readonly string[]>> = {
  sms: ['sms'],
  voice: ['voice', 'aiVoice'],
  otp: ['otpSms', 'otpVoice'],
  whatsapp: ['whatsapp'],
  number: ['number'],
}
const NAMES = ['Notification', 'Login code', 'Campaign', 'Order status', 'Delivery notice'] as const
const MOST = 40

/** Applications of the first accounts: each account has one, large ones have two. */
export function applications({ rows, now, random }: DemoWorld, mixes: readonly DemoRecord[]): DemoRecord[] {
  const chance = random.fork('applications')
  const customers = new Map((rows['crm.customer'] ?? []).map((customer) => [customer.id, customer]))
  const accounts = (rows['fin.customerAccount'] ?? []).filter(({ status }) => status === 'active' || status === 'closed')
  const solutions = mixes.filter(({ status }) => status === 'enabled')
  const made: DemoRecord[] = []
  const taken = new Set<string>()
  for (const [index, account] of accounts.entries()) {
    for (let copy = 0; copy <= (index % 7 === 0 ? 1 : 0) && made.length < MOST; copy += 1) {
      const at = made.length
      const base = customers.get(String(account.customerId))?.alias
      const alias = typeof base === 'string' && base !== '' ? nextAlias(base, String(account.product), taken) : null
      if (alias !== null) taken.add(alias)
      const created = now.getTime() - chance.integer(20, 300) * DAY
      const closed = account.status === 'closed'
      const status = closed ? 'closed' : at % 11 === 10 ? 'applying' : at % 13 === 12 ? 'disabled' : 'enabled'
      made.push({
        ...{ id: `ap-${at + 1}`, code: `AP${String(at + 1).padStart(5, '0')}`, name: chance.pick(NAMES), alias },
        ...{
          accountId: account.id,
          customerId: account.customerId,
          product: chance.pick(PRODUCTS[String(account.product)] ?? ['sms']),
        },
        ...{ appKey: `ak_${String(at + 1).padStart(4, '0')}${String(chance.integer(0, 99_999_999)).padStart(20, '0')}` },
        ...{
          routeClass: chance.pick(['direct', 'premium', 'wholesale']),
          trafficType: chance.pick(['otp', 'transaction', 'marketing']),
        },
        ...{ callbackUrl: `https://api${at + 1}.customer.example/dlr`, ipWhitelist: [`203.0.113.${at + 10}`], remark: null },
        ...{ tps: chance.pick([10, 20, 50, 100]), dailyCap: chance.happens(0.3) ? 50_000 : null, status, send7d: 0 },
        mixSolutionId: status === 'enabled' && account.product === 'sms' && at % 3 === 0 ? (solutions[at % 4]?.id ?? null) : null,
        ...{ firstUseAt: null, lastUseAt: null, createdAt: new Date(created).toISOString(), createdBy: '' },
      })
    }
  }
  return made
}
