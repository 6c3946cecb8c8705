import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayOf } from '../../../../gateway/platform/calendar'
import { churnFactsOf } from '../../../../gateway/modules/crm/jobs/churn/decide'
import { decideChurn, lastThirtyDays } from '../../../../gateway/modules/crm/rules/churn'
import { monthStart } from '../../../../gateway/modules/crm/rules/months'
import { decideRecycling } from '../../../../gateway/modules/crm/demo/recycling'
import { uniqueKeys } from '../../../../gateway/entities/tables'
import { compileEntity } from '../../../../src/schema/entity'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { DemoRecord } from '../../../../gateway/demo/types'
import { demoWorld, type WholeWorld } from '../../../support/demoWorld'
import { wholeSchema } from '../../../support/schemas'
import { RULE_DEFAULTS } from '../../../../gateway/rules'
import { walksOf } from '../../../support/walkPart'

const { partOf } = walksOf(import.meta.filename)

const NOW = new Date('2026-11-20T04:00:00.000Z')
const ZONE = 'Asia/Shanghai'
const make = (): WholeWorld => demoWorld({ now: NOW, timeZone: ZONE })
const isWalked = partOf('demo world', 1 / 4)
const byCustomer = (records: readonly DemoRecord[]): Map<unknown, DemoRecord[]> => {
  const found = new Map<unknown, DemoRecord[]>()
  for (const record of records) found.set(record.customerId, [...(found.get(record.customerId) ?? []), record])
  return found
}

describe('the demo world', () => {
  let world: WholeWorld
  beforeAll(() => {
    world = make()
  })

  it('is large enough to work in: departments, staff, customers, contacts and follow-ups over eighteen months', () => {
    expect(world.departments.length).toBeGreaterThanOrEqual(8)
    expect(world.staff.length).toBeGreaterThanOrEqual(60)
    expect(world.customers.length).toBeGreaterThanOrEqual(400)
    expect(world.contacts.length).toBeGreaterThanOrEqual(world.customers.length)
    expect(world.followUps.length).toBeGreaterThanOrEqual(3000)
    const first = world.followUps.map((one) => one.createdAt).sort()[0] ?? ''
    expect(dayOf(first, ZONE) < addDays(dayOf(NOW, ZONE), -400)).toBe(true)
    expect(new Set(world.members.map((member) => member.roleId)).size).toBeGreaterThanOrEqual(8)
  })

  it('keeps the customer whose alias changes with its owner, on whichever day and at whichever hour it is made', () => {
    for (let day = 0; day < 10; day += 1) {
      if (!isWalked(`day ${day}`)) continue
      const now = new Date(NOW.getTime() + day * 86_400_000 + day * 9_000_000)
      const small = demoWorld({ now, timeZone: ZONE, scale: 0 })
      const edge = small.customers.find(({ code }) => code === 'CU2400115')
      expect([edge?.holding, typeof edge?.ownerId], now.toISOString()).toEqual(['private', 'string'])
    }
  })

  it('is the same every time it is made', () => {
    expect(JSON.stringify(make())).toBe(JSON.stringify(world))
  })

  const MOMENTS = [
    [1, 0],
    [0.6, 17],
    [0.6, -165],
    [1, 400],
  ] as const
  // the world of today is at hand
  it.each(MOMENTS.filter(([, days]) => days === 0 || isWalked(`moment ${days}`)))(
    'gives unique values once, at scale %s and %s days later',
    (scale, days) => {
      const { rows } = days === 0 ? world : demoWorld({ now: new Date(NOW.getTime() + days * 86_400_000), timeZone: ZONE, scale })
      for (const [entity, records] of Object.entries(rows)) {
        const [module = '', thing = ''] = entity.split('.')
        const file = `${module}/entities/${thing.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`
        const model = compileEntity(wholeSchema<EntityDocument>(file))
        for (const { fields: parts } of [{ fields: ['id'] }, ...uniqueKeys(model).filter(({ where }) => !where)]) {
          const keys = records.flatMap((record) => {
            const values = parts.map((part) => record[part])
            return values.some((value) => value === null || value === undefined) ? [] : [JSON.stringify(values)]
          })
          expect(new Set(keys).size, `${entity} ${parts.join()}`).toBe(keys.length)
        }
      }
    },
  )

  it('moves with the day of the first start', () => {
    const later = demoWorld({ now: new Date(NOW.getTime() + 30 * 86_400_000), timeZone: ZONE })
    const newest =
      later.followUps
        .map((one) => one.createdAt)
        .sort()
        .at(-1) ?? ''
    expect(newest > NOW.toISOString()).toBe(true)
  })

  it('has nothing that happens after its today', () => {
    for (const list of [world.customers, world.contacts, world.followUps, world.ownerLogs, world.seaRecords, world.shares])
      for (const record of list) expect(record.createdAt <= NOW.toISOString(), JSON.stringify(record)).toBe(true)
    for (const customer of world.customers) expect(String(customer.lastTrafficAt ?? '') <= NOW.toISOString()).toBe(true)
  })

  it('gives every code, alias, match key with country, mail and job number once', () => {
    const once = (values: readonly unknown[]): void => {
      const given = values.filter((value) => value !== null)
      expect(new Set(given).size).toBe(given.length)
    }
    once(world.customers.map((customer) => customer.code))
    once(world.customers.map((customer) => customer.alias))
    once(world.customers.map((customer) => `${customer.nameKey} ${customer.countryCode} ${customer.partyType}`))
    once(world.staff.map((one) => one.jobNumber))
    once(world.staff.map((one) => one.email))
    once(world.contacts.map((contact) => (contact.email ? `${contact.customerId} ${contact.email}` : null)))
  })

  it('keeps exactly one open stay for every customer in the sea and none for the others', () => {
    const stays = byCustomer(world.seaRecords)
    for (const customer of world.customers) {
      const open = (stays.get(customer.id) ?? []).filter((stay) => stay.leftAt === null)
      expect(open.length, String(customer.code)).toBe(customer.holding === 'sea' ? 1 : 0)
      expect(customer.holding === 'sea').toBe(customer.ownerId === null)
    }
  })

  it('lets follow-ups be written by the owner of that time', () => {
    const logs = byCustomer(world.ownerLogs)
    for (const followUp of world.followUps) {
      const last = (logs.get(followUp.customerId) ?? []).filter((log) => String(log.at) <= followUp.createdAt).at(-1)
      expect(last?.toStaffId, JSON.stringify(followUp)).toBe(followUp.createdBy)
    }
  })

  it('would recycle nobody today: every private customer carries the date that the rule gives, and it lies ahead', () => {
    const today = dayOf(NOW, ZONE)
    const away = new Set<unknown>(world.staff.filter((one) => one.status === 'leave').map((one) => one.id))
    const rows = (entity: string): readonly DemoRecord[] => world.rows[entity] ?? []
    const unfinished = ['pending', 'syncing', 'failed']
    const waiting = new Set<unknown>(
      rows('crm.transfer')
        .filter((one) => one.status === 'pending')
        .map((one) => one.id),
    )
    const kept = new Set<unknown>([
      ...['crm.aliasRecord', 'crm.classApply', 'crm.blacklist'].flatMap((entity) =>
        rows(entity)
          .filter((one) => unfinished.includes(String(one.status)))
          .map((one) => one.customerId),
      ),
      ...rows('crm.transferItem')
        .filter((one) => waiting.has(one.transferId))
        .map((one) => one.customerId),
    ])
    for (const customer of world.customers.filter((one) => one.holding === 'private')) {
      const decided = decideRecycling(
        {
          holding: 'private',
          level: String(customer.level),
          stage: String(customer.stage),
          tags: customer.tags as string[],
          ownedAt: String(customer.ownedAt),
          lastFollowAt: customer.lastFollowAt as string | null,
          firstDealAt: customer.firstDealAt as string | null,
          lastTrafficAt: customer.lastTrafficAt as string | null,
          protectUntil: customer.protectUntil as string | null,
          balance: customer.balance as string | null,
          held: kept.has(customer.id),
          leaves: away.has(customer.ownerId) ? [{ from: addDays(today, -10), until: null }] : [],
        },
        RULE_DEFAULTS['crm.sea'],
        ZONE,
      )
      expect(customer.recycleOn, String(customer.code)).toBe(decided.recycleOn)
      expect(decided.recycleOn === null || decided.recycleOn > today, `${customer.code} ${decided.recycleOn}`).toBe(true)
    }
  })

  it('computes revenue, profit, levels and churn from monthly figures: the jobs run on its day would change nothing', () => {
    const today = dayOf(NOW, ZONE)
    const months = byCustomer(world.rows['fin.customerMonth'] ?? [])
    const of = (rows: readonly DemoRecord[], month: string): string =>
      rows
        .filter((row) => row.month === month)
        .reduce((sum, row) => sum + Number(row.revenue), 0)
        .toFixed(2)
    const earning = world.customers.filter((customer) => customer.revenue30 !== null && months.has(customer.id))
    expect(earning.length).toBeGreaterThan(20)
    for (const customer of earning) {
      const rows = months.get(customer.id) ?? []
      expect(customer.revenue30, String(customer.code)).toBe(
        lastThirtyDays(of(rows, monthStart(today)), of(rows, monthStart(today, 1)), today).toFixed(2),
      )
    }
    const records = byCustomer(world.rows['crm.churnRecord'] ?? [])
    const kinds = [...records.values()].flat().map((record) => record.kind)
    expect(kinds).toEqual(expect.arrayContaining(['warning', 'silent']))
    for (const customer of world.customers.filter((one) => months.has(one.id))) {
      const rows = months.get(customer.id) as unknown as { month: string; product: string; revenue: string; messages: number }[]
      for (const product of new Set(rows.map((row) => row.product))) {
        const told = (records.get(customer.id) ?? []).filter((record) => record.product === product).at(-1)
        const latest = told && {
          step: told.kind as 'warning' | 'silent' | 'churned',
          baseline: String(told.baseline),
          on: dayOf(String(told.at), ZONE),
        }
        const facts = churnFactsOf(
          rows.filter((row) => row.product === product),
          dayOf(String(customer.lastTrafficAt), ZONE),
          today,
          latest,
        )
        expect(decideChurn(facts, RULE_DEFAULTS['crm.churn'], today), `${customer.code} ${product}`).toBeNull()
      }
    }
  })

  it('tells revenue and traffic alike: whoever earned us something has days of traffic that sum up to it', () => {
    const cents = (value: unknown): number => Math.round(Number(value ?? 0) * 100)
    const daysOf = new Map<unknown, DemoRecord[]>()
    for (const day of world.rows['fin.accountDay'] ?? []) daysOf.set(day.accountId, [...(daysOf.get(day.accountId) ?? []), day])
    const accounts = byCustomer(world.rows['fin.customerAccount'] ?? [])
    const month = addDays(dayOf(NOW, ZONE), -30)
    let [earning, former] = [0, 0]
    for (const customer of world.customers) {
      const own = accounts.get(customer.id) ?? []
      for (const account of own) {
        const days = (daysOf.get(account.id) ?? []).map(({ day }) => String(day)).sort()
        expect([account.code, account.firstTrafficAt !== null], 'begun').toEqual([account.code, account.lastTrafficAt !== null])
        if (account.firstTrafficAt) expect(account.firstTrafficAt > String(account.openedAt), String(account.code)).toBe(true)
        if (days[0]) expect(days[0] >= dayOf(String(account.firstTrafficAt), ZONE), String(account.code)).toBe(true)
      }
      const recent = own.flatMap(({ id }) => daysOf.get(id) ?? []).filter(({ day }) => String(day) >= month)
      const sum = (field: string): number => recent.reduce((all, day) => all + cents(day[field]), 0)
      if (own.length > 0) {
        expect([customer.code, sum('revenue')]).toEqual([customer.code, cents(customer.revenue30)])
        expect([customer.code, sum('revenue') - sum('cost')]).toEqual([customer.code, cents(customer.profit30)])
      }
      if (cents(customer.revenue30) > 0) {
        earning += 1
        expect([customer.code, recent.length > 0]).toEqual([customer.code, true])
      }
      // who is silent had revenue as long as he had traffic
      const early = own.flatMap(({ id }) => daysOf.get(id) ?? []).filter(({ day }) => String(day) < month)
      if (early.length > 5) former += early.every(({ revenue }) => cents(revenue) > 0) ? 1 : 0
    }
    expect(earning).toBeGreaterThan(50)
    expect(former).toBeGreaterThan(50)
  })

  it('holds the edge cases: quotes, a name of 200 characters, a formula, markup, right-to-left, normalisation', () => {
    const code = (wanted: string): DemoRecord | undefined => world.customers.find((customer) => customer.code === wanted)
    expect(code('CU2400101')?.name).toBe(`O'Neil & Sons "Fast" SMS Ltd`)
    expect(String(code('CU2400102')?.name).length).toBeGreaterThanOrEqual(195)
    expect(code('CU2400103')?.name).toMatch(/^=SUM/)
    expect(code('CU2400104')?.name).toContain('<b>')
    expect(code('CU2400107')?.nameKey).toBe(code('CU2400108')?.nameKey)
    expect(world.contacts.some((contact) => String(contact.name).startsWith('عبد'))).toBe(true)
    const day = (days: number): string => addDays(dayOf(NOW, ZONE), days)
    expect(world.followUps.filter((one) => one.customerId === code('CU2300017')?.id)).toHaveLength(5000)
    expect([code('CU2400110')?.recycleOn, code('CU2400111')?.recycleOn]).toEqual([day(1), day(3)])
    expect(world.seaRecords.filter((one) => one.customerId === code('CU2400114')?.id)).toHaveLength(3)
    expect(world.staff.find((one) => one.id === code('CU2400116')?.ownerId)?.leftOn).toBe(day(0))
    expect(world.members.some((member) => member.staffId === 'st-s0050')).toBe(false)
  })
})
