import type { DemoRecord, DemoWorld } from '../../../demo'
import type { Entities } from '../../../entities'
import { addDays, dayOf } from '../../../platform/calendar'
import { entityId } from './base'

const DAY = 86_400_000
const HOUR = 3_600_000
/** How many customers have papers and a workspace of their own. */
const CUSTOMERS = 18

/** Papers and workspaces of customers that have accounts: verifications, contracts, workspaces with people and keys, AWS subscriptions. */
export async function fillCustomers(world: DemoWorld, entities: Entities): Promise<void> {
  const { rows, now, timeZone, staff } = world
  const today = dayOf(now, timeZone)
  const accounts = (rows['fin.customerAccount'] ?? []).filter(({ status }) => status !== 'closed')
  const byCustomer = new Map<string, DemoRecord[]>()
  for (const account of accounts) {
    const own = byCustomer.get(String(account.customerId)) ?? []
    byCustomer.set(String(account.customerId), [...own, account])
  }
  const names = new Map((rows['crm.customer'] ?? []).map((customer) => [customer.id, customer]))
  const reviewer = staff.find(({ jobNumber }) => jobNumber === 'S0052')?.id ?? null
  const ago = (days: number, hours = 0): string => new Date(now.getTime() - days * DAY - hours * HOUR).toISOString()
  const made: Record<string, DemoRecord[]> = {}
  const put = (entity: string, row: DemoRecord): void => void (made[entity] ??= []).push(row)
  const chosen = [...byCustomer].slice(0, CUSTOMERS)
  for (const [index, [customerId, own]] of chosen.entries()) {
    const customer = names.get(customerId)
    const number = String(index + 1).padStart(4, '0')
    const stamp = { createdAt: ago(90 - index), createdBy: '' }
    const [first] = own
    const status = (['passed', 'passed', 'submitted', 'passed', 'reviewing', 'needMore'] as const)[index % 6]!
    const reviewed = status !== 'submitted'
    put('fin.customerAuth', {
      ...stamp,
      ...{ id: `ca-${number}`, code: `RZ${number}`, customerId, authType: 'enterprise', status },
      ...{
        countryCode: customer?.countryCode ?? 'HK',
        legalName: customer?.name ?? customerId,
        regNo: `${10_240_000 + index * 917}`,
      },
      ...{ useCase: index % 2 === 0 ? '登录验证码与订单通知' : '营销短信', expectVolume: 20_000 * (1 + (index % 5)) },
      ...{
        submittedVia: index % 3 === 0 ? 'self' : 'staff',
        submittedAt: ago(status === 'passed' ? 60 - index : 0, 4 + 7 * (index % 5)),
      },
      ...{ reviewerId: reviewed ? reviewer : null, reviewedAt: status === 'passed' ? ago(58 - index) : null },
      ...{
        riskFlags: index % 6 === 4 ? ['newCompany'] : [],
        validUntil: status === 'passed' ? addDays(today, 20 + 30 * (index % 12)) : null,
      },
      reviewNote: status === 'needMore' ? '请补充营业执照最新年检页' : null,
    })
    const ends = addDays(today, index % 5 === 0 ? 40 : 150 + 10 * index)
    put('fin.contract', {
      ...stamp,
      ...{ id: `ht-${number}`, code: `HT2026${number}`, customerId, accountIds: own.map(({ id }) => id), type: 'sales' },
      ...{ companyEntityId: entityId('hk'), signedAt: addDays(today, -320), validFrom: addDays(today, -315), validTo: ends },
      ...{
        autoRenew: index % 2 === 0,
        currency: first?.currency ?? 'USD',
        payMode: first?.payMode ?? 'prepaid',
        stampState: 'both',
      },
      ...{ ownerStaffId: customer?.ownerId ?? null, status: index % 5 === 0 ? 'expiring' : 'active', renewsId: null },
    })
    if (index % 3 === 2) continue
    const workspaceId = `ws-${number}`
    const client = (suffix: string, more: object): void =>
      put('fin.client', {
        ...stamp,
        ...{
          id: `cl-${number}${suffix}`,
          customerId,
          workspaceId,
          kind: 'person',
          loginName: `ws${number}${suffix}`,
          mfa: index % 4 !== 1,
        },
        ...{ lastLoginAt: ago(index % 4, 3), failCount: 0, invitedAt: ago(80 - index), status: 'active', ...more },
      })
    put('fin.workspace', {
      ...stamp,
      ...{
        id: workspaceId,
        code: `WS${number}`,
        name: `工作空间 ${number}`,
        customerId,
        region: index % 2 === 0 ? 'ap-southeast' : 'eu-central',
      },
      ...{
        plan: index % 4 === 1 ? 'trial' : 'standard',
        fundingAccountIds: index % 7 === 3 ? [] : own.map(({ id }) => id),
        mainClientId: `cl-${number}a`,
      },
      ...{
        memberCount: 2,
        keyCount: 1,
        appCount: 1 + (index % 3),
        createdVia: 'self',
        lastActiveAt: ago(index === 9 ? 44 : index % 6),
        status: index % 4 === 1 ? 'trial' : 'active',
      },
    })
    client('a', { displayName: '管理员' })
    client(
      'b',
      index % 5 === 0
        ? { displayName: '对接人', status: 'locked', failCount: 5, lockedUntil: ago(-1) }
        : { displayName: '对接人', status: index % 4 === 2 ? 'invited' : 'active', lastLoginAt: index % 4 === 2 ? null : ago(6) },
    )
    put('fin.workspaceApi', {
      ...stamp,
      ...{
        id: `wk-${number}`,
        name: '生产密钥',
        workspaceId,
        customerId,
        keyId: `ak_${(7_919_113 * (index + 3)).toString(36)}`,
        scopes: ['send', 'report'],
      },
      ...{
        ipWhitelist: index % 4 === 1 ? null : `203.0.113.${10 + index}`,
        signAlgo: 'hmacSha256',
        rateLimitPerSec: 50,
        dailyCap: 200_000,
      },
      ...{
        calls24h: 1_200 * (index + 1),
        errorRate24h: index % 6 === 4 ? '7.3' : '0.4',
        lastUsedAt: ago(0, 1 + index),
        expiresAt: ago(-(10 + 20 * index)),
        status: 'active',
      },
    })
    if (index % 6 === 0)
      put('fin.awsUser', {
        ...stamp,
        ...{
          id: `aw-${number}`,
          awsCustomerId: `aws-${number}`,
          productCode: 'sms-otp',
          customerId: index === 0 ? null : customerId,
          workspaceId: index === 0 ? null : workspaceId,
        },
        ...{ subscribedAt: ago(40), failedMeterings: 0, metered: '0', feePct: '3', status: index === 0 ? 'pending' : 'active' },
      })
  }
  made['fin.uCurrency'] = [
    ['USDU', 'USD', false],
    ['EURU', 'EUR', false],
    ['USDTU', 'USD', true],
  ].map(([uCode, currency, stableCoin], index) => ({
    ...{ id: `uc-${index + 1}`, uCode, currency, stableCoin, ratio: '1', decimals: 2, minTopUp: '50', maxTopUp: '50000' },
    ...{ feePct: stableCoin === true ? '1' : '2.5', enabled: true, createdAt: ago(200), createdBy: '' },
  }))
  for (const [entity, own] of Object.entries(made)) await entities.insertMany(entity, own)
}
