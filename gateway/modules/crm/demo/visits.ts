import { addDays, dayOf, instantAt } from '../../../platform/calendar'
import { codeOf, type Chapter } from './handovers'
import type { DemoRecord } from '../../../demo'

const HOUR = 3_600_000
const PURPOSES = [
  '季度回顾与量级规划',
  '新国家开通沟通',
  '价格与账期谈判',
  '质量问题复盘',
  '介绍 WhatsApp 与 OTP 方案',
  '初次拜访，了解需求',
] as const

/** Where some of the customers are visited, degrees north and east. */
const CITIES: Readonly<Record<string, readonly [number, number]>> = {
  CN: [31.2304, 121.4737],
  HK: [22.2819, 114.1589],
  SG: [1.2837, 103.8515],
}

/** The position of every other visit at a customer whose city is known; without chance, so that the rest stays as it was. */
function positionAt(country: unknown, index: number, at: string) {
  const city = CITIES[String(country)]
  if (!city || index % 2 === 1) return null
  const apart = (step: number): number => ((index * step) % 200) / 10_000 - 0.01
  const round = (value: number): number => Number(value.toFixed(6))
  return { latitude: round(city[0] + apart(37)), longitude: round(city[1] + apart(53)), accuracy: 5 + ((index * 7) % 40), at }
}

/** Visits: finished ones are the follow-ups that customers have anyway; plans stand ahead, some were missed or cancelled. */
export function makeVisits(chapter: Chapter): void {
  const { random, customers, followUps, now, timeZone, further } = chapter
  const rows = (further['crm.visit'] ??= [])
  const today = dayOf(now, timeZone)
  const scale = customers.length / 650
  const count = (total: number): number => Math.max(2, Math.round(total * scale))
  const countries = new Map<unknown, unknown>(customers.map(({ id, countryCode }) => [id, countryCode]))
  const held = followUps.filter((one) => one.effective === true && ['visit', 'meeting'].includes(String(one.way)))
  const add = (visit: Omit<DemoRecord, 'id'> & { createdAt: string; createdBy: string }): void => {
    rows.push({
      ...EMPTY,
      id: `vs-${String(rows.length + 1).padStart(5, '0')}`,
      code: codeOf('VS', rows, now, timeZone),
      ...visit,
    })
  }
  for (const followUp of random.sample(held, count(210)).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))) {
    const ended = Date.parse(followUp.createdAt)
    const started = new Date(ended - random.integer(1, 3) * HOUR)
    const visitType = followUp.way === 'meeting' ? 'online' : random.pick(['onsite', 'onsite', 'exhibition', 'visitUs'])
    add({
      customerId: followUp.customerId,
      contactIds: followUp.contactId ? [followUp.contactId] : [],
      visitType,
      plannedAt: started.toISOString(),
      purpose: random.pick(PURPOSES),
      status: 'done',
      startedAt: started.toISOString(),
      geo: visitType === 'onsite' ? positionAt(countries.get(followUp.customerId), rows.length, started.toISOString()) : null,
      endedAt: followUp.createdAt,
      result: followUp.content,
      followUpId: followUp.id,
      createdAt: new Date(started.getTime() - random.integer(1, 6) * 24 * HOUR).toISOString(),
      createdBy: followUp.createdBy,
    })
  }
  const owned = customers.filter((customer) => customer.holding === 'private' && customer.ownerId)
  const plans = [
    ...Array<string>(count(45)).fill('planned'),
    ...Array<string>(count(20)).fill('overdue'),
    ...Array<string>(count(25)).fill('cancelled'),
  ]
  for (const status of plans) {
    const customer = random.pick(owned)
    const offset = status === 'planned' ? random.integer(0, 14) : -random.integer(2, 30)
    const plannedAt = instantAt(addDays(today, offset), status === 'planned' && offset === 0 ? '23:00' : '14:00', timeZone)
    const made = Math.max(Date.parse(String(customer.ownedAt)), plannedAt.getTime() - random.integer(2, 20) * 24 * HOUR)
    add({
      customerId: customer.id,
      visitType: random.pick(['onsite', 'online', 'exhibition', 'visitUs']),
      plannedAt: plannedAt.toISOString(),
      purpose: random.pick(PURPOSES),
      status,
      cancelReason: status === 'cancelled' ? '客户临时改期' : null,
      createdAt: new Date(Math.min(made, now.getTime() - HOUR)).toISOString(),
      createdBy: String(customer.ownerId),
    })
  }
}

const EMPTY = {
  contactIds: [],
  place: null,
  participants: [],
  opportunityId: null,
  startedAt: null,
  geo: null,
  endedAt: null,
  result: null,
  photos: [],
  currency: 'CNY',
  cost: null,
  cancelReason: null,
  followUpId: null,
}
