import { addDays, dayOf, nextWorkingDay } from '../../../platform/calendar'
import { contactsOf } from './contacts'
import { rowOf } from './customerRow'
import type { Parties } from './edgeRows'
import { live, officeTime, ownerFor, ownerLog, type CustomerSeed, type Life } from './lives'
import { COUNTRIES, inventCompany, type Organisation, type Chance, type DemoRecord, type DemoStaff } from '../../../demo'
import { RULE_DEFAULTS } from '../../../rules'

export type { CustomerSeed } from './lives'

/** The world begins eighteen months before its today. */
const HISTORY_DAYS = 548
const RULES = RULE_DEFAULTS

/** What stands already when further customers are lived through. */
export interface Behind {
  /** Customers whose codes are taken. */
  customers?: readonly DemoRecord[]
  /** Who owns the new ones; default all sales people. */
  sellers?: readonly DemoStaff[]
  /** Added to the number of each customer that its alias is made of. */
  first?: number
  /** Stands behind the ids of follow-ups and ownership logs. */
  mark?: string
}
/** Lives through every customer's history event by event, so that causes come before effects and nothing happens after `now`. */
export function makeCustomers(
  random: Chance,
  organisation: Organisation,
  seeds: readonly CustomerSeed[],
  now: Date,
  timeZone: string,
  behind: Behind = {},
): Parties {
  const world: Parties = {
    customers: [],
    contacts: [],
    followUps: [],
    ownerLogs: [],
    seaRecords: [],
  }
  const sales = behind.sellers ?? organisation.staff.filter((one) => one.position === 'sales')
  const today = dayOf(now, timeZone)
  const numbers = numbersOf(behind.customers ?? [])
  const { first = 0, mark = '' } = behind
  const histories = seeds
    .map((seed) => ({ seed, day: addDays(today, -Math.floor(HISTORY_DAYS * random.next() ** 1.15) - 2) }))
    .sort((a, b) => (a.day < b.day ? -1 : 1))
  for (const [index, { seed, day }] of histories.entries()) {
    const createdOn = nextWorkingDay(day) <= today ? nextWorkingDay(day) : day
    const creator = ownerFor(random, sales, seed.country.code, createdOn)
    const createdAt = officeTime(random, createdOn, timeZone)
    const year = createdOn.slice(2, 4)
    const code = seed.code ?? nextCode(numbers, year)
    const life: Life = {
      id: `cu-${code.slice(2)}`,
      seed,
      createdAt,
      creator,
      owner: creator,
      ownedAt: createdAt,
      gainedBy: 'create',
      protectUntil: addDays(createdOn, RULES['crm.sea'].protectDays.create),
      stage: 'potential',
      lastFollowAt: null,
      nextFollowAt: null,
      followCount: 0,
      firstDealAt: null,
      lastTrafficAt: null,
      seaEnteredAt: null,
      seaReason: null,
      lastOwner: null,
      stays: 0,
      zeal: seed.held ? 1 : random.next(),
    }
    const contacts = contactsOf(random, {
      customerId: life.id,
      company: seed.company,
      country: seed.country,
      contactName: seed.contactName,
      createdAt,
      createdBy: creator.id,
      isoNow: now.toISOString(),
    })
    ownerLog(world, life, 'create', null, creator, createdAt, null)
    live(random, world, life, contacts, sales, now, timeZone)
    world.contacts.push(...contacts)
    world.customers.push(rowOf(random, life, code, contacts, first + index, now, timeZone))
  }
  if (mark !== '') for (const list of [world.followUps, world.ownerLogs]) markIds(list, mark)
  return world
}

/** The last number of each year's codes. */
export function numbersOf(customers: readonly DemoRecord[]): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const { code } of customers) {
    const [year, number] = [String(code).slice(2, 4), Number(String(code).slice(4))]
    numbers.set(year, Math.max(numbers.get(year) ?? 0, number))
  }
  return numbers
}

/** Codes of rows that stand by themselves: whenever the world is made, nobody else has them. */
const FIXED = /^CU(23000|24001)\d\d$/

/** The next code of a year, counted in `numbers`. */
export function nextCode(numbers: Map<string, number>, year: string): string {
  const number = (numbers.get(year) ?? 0) + 1
  numbers.set(year, number)
  const code = `CU${year}${String(number).padStart(5, '0')}`
  return FIXED.test(code) ? nextCode(numbers, year) : code
}

function markIds(records: DemoRecord[], mark: string): void {
  for (const [index, record] of records.entries()) records[index] = { ...record, id: `${record.id}-${mark}` }
}

/** Makes the seeds of ordinary customers. */
export function inventSeeds(random: Chance, count: number, taken = new Set<string>()): CustomerSeed[] {
  return Array.from({ length: count }, () => {
    const country = random.weighted(COUNTRIES.map((one) => [one, one.weight] as const))
    return { company: inventCompany(random, country, taken), country }
  })
}
