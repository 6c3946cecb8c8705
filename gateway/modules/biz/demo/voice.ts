import { Exact, exactText } from '../../../../src/schema/formats'
import { addDays, dayOf } from '../../../platform/calendar'
import { sql } from 'drizzle-orm'
import type { DemoRecord, DemoWorld } from '../../../demo'
import { tableOf, type Entities } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { makeDevices } from './devices'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SERVERS = ['vos-hk-01', 'vos-sg-01'] as const
/** Name, prefixes, class, limit of lines; what is particular of some: full, nearly full, locked, bad quality, offline. */
const LANDING = [
  ['IN-Direct-A', '91', 'direct', 300, 'busy'],
  ['IN-Wholesale', '9198,9197,9196', 'wholesale', 120, 'full'],
  ['GB-Mobile', '4470,4474,4478', 'cli', 150, ''],
  ['GB-Fixed', '441,442,443', 'cli', 200, ''],
  ['US-CC', '1', 'cc', 400, ''],
  ['NG-NCLI', '234', 'ncli', 90, 'bad'],
  ['BD-Wholesale', '880', 'wholesale', 160, ''],
  ['PK-NCLI', '92', 'ncli', 80, 'offline'],
] as const
const DOCKING = [
  ['dock-a01', '', 60, ''],
  ['dock-a02', '86', 40, ''],
  ['dock-b07', '', 120, 'busy'],
  ['dock-c11', '', 30, 'locked'],
  ['dock-d02', '44,1', 80, ''],
  ['dock-e05', '', 50, 'offline'],
] as const
const PLACES = ['HK', 'SG', 'GB', 'US', 'DE', 'IN'] as const
const NETS = ['AS9304 HGC', 'AS3758 SingTel', 'AS2856 BT', 'AS16509 Amazon', 'AS24940 Hetzner', 'AS4755 Tata'] as const

/** Gateways of the demo company as a collector read them a few minutes ago, their IPs, VOS accounts, devices and star promoters. */
export async function fillVoice(world: DemoWorld, entities: Entities, tx: Executor): Promise<void> {
  const before = new Set(Object.keys(world.rows))
  makeGateways(world)
  makeAccounts(world)
  makeDevices(world)
  makePromoters(world)
  for (const [entity, rows] of Object.entries(world.rows)) if (!before.has(entity)) await entities.insertMany(entity, rows)
  await givePromoters(world, tx)
  const gateways = world.rows['biz.gateway'] ?? []
  await entities.numbers('biz.gateway', 'code', gateways.length)
  const samples = gateways.flatMap((gateway) => taken.get(gateway) ?? [])
  if (samples.length > 0) await entities.insertMany('biz.gatewaySample', samples)
}

/** Samples by gateway; they go into tables by the day and so are not among the rows of the world. */
const taken = new WeakMap<DemoRecord, readonly DemoRecord[]>()

const put = ({ rows }: DemoWorld, entity: string, row: DemoRecord): void => {
  rows[entity] = [...(rows[entity] ?? []), row]
}
const iso = (time: number): string => new Date(time).toISOString()

function makeGateways(world: DemoWorld): void {
  const { rows } = world
  const suppliers = (rows['srm.supplierAccount'] ?? []).filter(({ kind, status }) => kind === 'vos' && status === 'active')
  const customers = (rows['fin.customerAccount'] ?? []).filter(
    ({ product, status }) => product === 'voice' && status === 'active',
  )
  const chance = world.random.fork('gateways')
  const created = iso(world.now.getTime() - 200 * 24 * HOUR)
  let number = 0
  const add = (row: Record<string, unknown>, limit: number, story: string): void => {
    number += 1
    const code = `GW${String(number).padStart(5, '0')}`
    const samples = samplesOf(world, { id: `gw-${code}`, limit, story })
    const last = samples.at(-1)!
    const bad = typeof last.asr15 === 'string' && Number(last.asr15) < 15
    const gateway: DemoRecord = {
      ...{ id: `gw-${code}`, code, createdAt: created, createdBy: '', vosServer: SERVERS[number % 2], priority: 100 },
      ...{ prefixMode: 'expand', lineLimit: limit, cps: Math.ceil(limit / 8), signalPort: 5060, protocol: 'sip' },
      ...{ codecs: ['g711a', 'g729'], lockType: story === 'locked' ? 'incoming' : 'none' },
      status: last.online === false ? 'offline' : bad ? 'degraded' : 'online',
      ...{ online: last.online, current: last.current, asr15: last.asr15, acd15: last.acd15, sampledAt: last.at },
      usagePct: exactText(new Exact(Number(last.current) * 100).dividedBy(limit).toDecimalPlaces(2)),
      ...{ ipCount: 0, ...row },
    }
    taken.set(gateway, samples)
    put(world, 'biz.gateway', gateway)
  }
  for (const [index, [name, prefix, routeClass, limit, story]] of LANDING.entries()) {
    const account = suppliers[index % Math.max(1, suppliers.length)]
    if (!account) break
    const of = { supplierAccountId: account.id, supplierId: account.supplierId }
    add({ name, kind: 'vosLanding', prefix, routeClass, ...of, priority: 50 + index * 10 }, limit, story)
  }
  for (const [index, [name, prefix, limit, story]] of DOCKING.entries()) {
    const account = customers[index % Math.max(1, customers.length)]
    if (!account) break
    const of = { customerAccountId: account.id, customerId: account.customerId }
    add({ name, kind: 'vosDocking', prefix: prefix === '' ? null : prefix, ...of }, limit, story)
  }
  makeIps(world, chance)
}

/** Every two hours of the last day and once a day before: what a gateway carried. */
function samplesOf({ now, random }: DemoWorld, { id, limit, story }: { id: string; limit: number; story: string }): DemoRecord[] {
  const chance = random.fork(`samples of ${id}`)
  const ago = [
    ...[5, 4, 3, 2].map((day) => day * 24 * HOUR),
    ...Array.from({ length: 12 }, (_, index) => (12 - index) * 2 * HOUR),
  ]
  return [...ago, 3 * MINUTE].map((before, index, all): DemoRecord => {
    const isLast = index === all.length - 1
    const share = isLast && story === 'full' ? 100 : isLast && story === 'busy' ? 92 : chance.integer(20, 80)
    const online = !(story === 'offline' && index >= all.length - 3)
    const current = online ? Math.floor((limit * share) / 100) : 0
    const attempts15 = online ? Math.max(1, current * 3) : 0
    const answered15 = Math.floor((attempts15 * (story === 'bad' && isLast ? 9 : chance.integer(38, 55))) / 100)
    const seconds15 = answered15 * chance.integer(60, 150)
    const at = iso(now.getTime() - before)
    return {
      ...{ id: `gs-${id}-${index}`, createdAt: at, createdBy: '', gatewayId: id, at, online, current, lineLimit: limit },
      ...{ cps: Math.ceil(current / 20), attempts15, answered15, seconds15, pdd15: online ? chance.integer(1_800, 5_000) : null },
      asr15: attempts15 > 0 ? exactText(new Exact(answered15 * 100).dividedBy(attempts15).toDecimalPlaces(2)) : null,
      acd15: answered15 > 0 ? Math.round(seconds15 / answered15) : null,
    }
  })
}

/** Where gateways are reached: one address stands on two of them, three are nobody's and two of these place calls. */
function makeIps(world: DemoWorld, chance: DemoWorld['random']): void {
  const { now } = world
  const add = (number: number, row: Record<string, unknown>): void =>
    put(world, 'biz.gatewayIp', {
      ...{ id: `gi-${String(number).padStart(4, '0')}`, createdAt: iso(now.getTime() - 90 * 24 * HOUR), createdBy: '' },
      ...{ port: 5060, allowed: true, sharing: 0, country: PLACES[number % PLACES.length], asn: NETS[number % NETS.length] },
      ...{
        firstSeen: iso(now.getTime() - (20 + number) * 24 * HOUR),
        lastSeen: iso(now.getTime() - chance.integer(1, 300) * MINUTE),
      },
      ...row,
    })
  const gateways = world.rows['biz.gateway'] ?? []
  const docking = gateways.filter(({ kind }) => kind === 'vosDocking')
  const shared = docking.filter(({ vosServer }) => vosServer === docking[0]?.vosServer).slice(0, 2)
  const counts = new Map<string, number>()
  for (const [index, gateway] of gateways.entries()) {
    const calls24h = gateway.status === 'offline' ? 0 : chance.integer(200, 9_000)
    const of = { gatewayId: gateway.id, vosServer: gateway.vosServer }
    add(index, { ...of, ip: `203.0.113.${10 + index}`, calls24h, status: calls24h > 0 ? 'allowed' : 'idle' })
    const isShared = shared.length === 2 && shared.includes(gateway)
    if (isShared) add(100 + index, { ...of, ip: '198.51.100.0/28', calls24h: 310, sharing: 1, status: 'shared' })
    counts.set(gateway.id, isShared ? 2 : 1)
  }
  for (const [index, calls24h] of [412, 57, 0].entries())
    add(200 + index, {
      ...{
        gatewayId: null,
        vosServer: SERVERS[index % 2],
        ip: `192.0.2.${41 + index * 7}`,
        allowed: false,
        calls24h,
        status: 'unknown',
      },
    })
  world.rows['biz.gateway'] = gateways.map((gateway) => {
    const row = { ...gateway, ipCount: counts.get(gateway.id) ?? 0 }
    taken.set(row, taken.get(gateway) ?? [])
    return row
  })
}

/** The accounts whose balances somebody reads in VOS every morning, with the newest of them. */
/** Accounts as the VOS servers name them, beside ours; what they hold was read in the last night. */
function makeAccounts(world: DemoWorld): void {
  const { rows, now } = world
  const chance = world.random.fork('vos accounts')
  const customers = (rows['fin.customerAccount'] ?? []).filter(
    ({ product, status }) => product === 'voice' && status === 'active',
  )
  const suppliers = (rows['srm.supplierAccount'] ?? []).filter(({ kind, status }) => kind === 'vos' && status === 'active')
  const sides = [
    ...customers.slice(0, 6).map((account) => ({ account, customer: true })),
    ...suppliers.slice(0, 4).map((account) => ({ account, customer: false })),
  ]
  for (const [index, { account, customer }] of sides.entries())
    put(world, 'biz.vosAccount', {
      ...{ id: `va-${String(index + 1).padStart(4, '0')}`, createdAt: iso(now.getTime() - 200 * 24 * HOUR), createdBy: '' },
      ...{ vosServer: `vos${1 + (index % 2)}`, accountName: `${customer ? 'C' : 'S'}${String(index + 1).padStart(4, '0')}` },
      ...{ accountKind: customer ? 'ordinary' : 'settlement', currency: account.currency, creditLimit: null, status: 'on' },
      ...{ customerAccountId: customer ? account.id : null, customerId: customer ? account.customerId : null },
      ...{ supplierAccountId: customer ? null : account.id, supplierId: customer ? null : account.supplierId },
      ...{ balance: `${chance.integer(200, 9_000)}.50`, feeRateGroup: customer ? 'sale-std' : 'cost-std' },
      lastSyncAt: iso(now.getTime() - 5 * HOUR),
    })
}

const OUTSIDE = ['Rafael Duarte', 'Nguyễn Thị Lan'] as const

function makePromoters(world: DemoWorld): void {
  const { staff, now, timeZone } = world
  const today = dayOf(now, timeZone)
  const sellers = staff.filter(({ position, status }) => position === 'sales' && status === 'active').slice(4, 8)
  const add = (index: number, row: { jobNumber: string; name: string } & Record<string, unknown>): void =>
    put(world, 'biz.starPromoter', {
      ...{ id: `sp-${index + 1}`, createdAt: iso(now.getTime() - (300 - index * 30) * 24 * HOUR), createdBy: '' },
      link: `https://www.example.com/promotion?jobNumber=${row.jobNumber}`,
      ...{
        commissionRate: ['3', '3', '5', '5', '8', '10'][index],
        level: ['silver', 'silver', 'gold', 'gold', 'gold', 'diamond'][index],
      },
      ...{ joinedAt: addDays(today, -300 + index * 30), status: index === 1 ? 'off' : 'on', ...row },
    })
  for (const [index, one] of sellers.entries())
    add(index, { jobNumber: one.jobNumber, staffId: one.id, partnerName: null, name: one.name })
  for (const [index, name] of OUTSIDE.entries())
    add(sellers.length + index, { jobNumber: `X${String(index + 1).padStart(4, '0')}`, staffId: null, partnerName: name, name })
}

/** Customers that a promoter of the demo company brought. */
const BROUGHT = 4

/** Customers with traffic whom no agent brought came by the links of the promoters in use. */
async function givePromoters({ rows }: DemoWorld, tx: Executor): Promise<void> {
  const promoters = (rows['biz.starPromoter'] ?? []).filter(({ status }) => status === 'on')
  const free = (rows['crm.customer'] ?? []).filter(
    ({ partyType, agentId, holding, stage, revenue30 }) =>
      partyType === 'customer' && agentId === null && holding === 'private' && stage === 'dealt' && Number(revenue30 ?? 0) > 0,
  )
  for (const [index, promoter] of promoters.entries()) {
    const brought = free.filter((_, at) => at % promoters.length === index).slice(0, BROUGHT)
    await tx.query(
      sql`update ${sql.raw(tableOf('crm.customer'))} set promoter_id = ${promoter.id} where id = any(${sql.param(brought.map(({ id }) => id))}::text[])`,
    )
  }
}
