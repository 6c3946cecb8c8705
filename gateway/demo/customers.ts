import {
  addDays,
  bigramsOf,
  CRM_RULE_DEFAULTS,
  claimableFrom,
  dayOf,
  daysBetween,
  decideRecycling,
  instantAt,
  matchKeys,
  nextWorkingDay,
  type Day,
} from '../modules/crm'
import { contactsOf, type DemoContact } from './contacts'
import { COUNTRIES, inventCompany, type CompanyName, type CountryFacts } from './names'
import type { Organisation } from './organisation'
import type { Chance } from './random'
import { inventFollowUp } from './texts'
import type { DemoRecord, DemoStaff, DemoWorld } from './types'

/** The world begins eighteen months before its today. */
const HISTORY_DAYS = 548
const RULES = CRM_RULE_DEFAULTS

/** What a customer is before its life begins. */
export interface CustomerSeed {
  company: CompanyName
  country: CountryFacts
  /** Fixed code of an edge case; others get the next number of their year. */
  code?: string
  /** Facts that hold for an edge case whatever happens. */
  facts?: Readonly<Record<string, unknown>>
  contactName?: string
}
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
interface Life {
  id: string
  seed: CustomerSeed
  createdAt: Date
  creator: DemoStaff
  owner: DemoStaff | null
  ownedAt: Date
  gainedBy: string
  protectUntil: Day
  stage: string
  lastFollowAt: Date | null
  nextFollowAt: Date | null
  followCount: number
  firstDealAt: Date | null
  lastTrafficAt: Date | null
  seaEnteredAt: Date | null
  seaReason: string | null
  lastOwner: DemoStaff | null
  stays: number
  zeal: number
}
type Log = Pick<DemoWorld, 'followUps' | 'ownerLogs' | 'seaRecords'>

/** Lives through every customer's history event by event, so that causes come before effects and nothing happens after `now`. */
export function makeCustomers(
  random: Chance,
  organisation: Organisation,
  seeds: readonly CustomerSeed[],
  now: Date,
  timeZone: string,
  behind: Behind = {},
): Omit<DemoWorld, 'departments' | 'staff' | 'roles' | 'members' | 'shares' | 'further'> {
  const world: Omit<DemoWorld, 'departments' | 'staff' | 'roles' | 'members' | 'shares' | 'further'> = {
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
      zeal: random.next(),
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

function live(
  random: Chance,
  log: Log,
  life: Life,
  contacts: readonly DemoContact[],
  sales: readonly DemoStaff[],
  now: Date,
  timeZone: string,
): void {
  const today = dayOf(now, timeZone)
  let cursor = dayOf(life.createdAt, timeZone)
  for (let round = 0; round < 400; round += 1) {
    const owner = life.owner
    if (!owner) {
      // In the sea: somebody else may claim it after a while.
      const claimOn = workday(addDays(cursor, random.integer(2, 70)))
      if (claimOn >= today || random.happens(0.45)) return
      claim(random, log, life, claimOn, sales, timeZone)
      cursor = claimOn
      continue
    }
    const gap =
      life.lastFollowAt === null || life.lastFollowAt < life.ownedAt
        ? random.integer(0, life.zeal < 0.12 ? 6 : 2)
        : Math.max(2, Math.round((random.integer(4, 13) + (life.stage === 'dealt' ? 8 : 0)) * (1.5 - life.zeal)))
    const followOn = workday(addDays(cursor, gap))
    const due = decideRecycling(factsOf(life), RULES['crm.sea'], timeZone)
    if (due.recycleOn && due.recycleOn <= today && followOn >= due.recycleOn) {
      enterSea(log, life, instantAt(due.recycleOn, '02:00', timeZone), due.reason ?? 'noFollow', timeZone)
      cursor = due.recycleOn
      continue
    }
    if (followOn >= today || owner.status === 'leave') return
    if (life.stage !== 'dealt' && life.followCount > 2 && random.happens(0.012)) {
      enterSea(log, life, officeTime(random, followOn, timeZone), 'release', timeZone)
      cursor = followOn
      continue
    }
    followUp(random, log, life, contacts, followOn, owner, timeZone, now)
    cursor = followOn
  }
}

function followUp(
  random: Chance,
  log: Log,
  life: Life,
  contacts: readonly DemoContact[],
  day: Day,
  owner: DemoStaff,
  timeZone: string,
  now: Date,
): void {
  let at = officeTime(random, day, timeZone)
  if (at <= life.ownedAt) at = new Date(life.ownedAt.getTime() + random.integer(20, 90) * 60_000)
  const contact = contacts[random.integer(0, Math.max(0, Math.min(1, contacts.length - 1)))]
  const text = inventFollowUp(
    random,
    life.seed.country.style === 'han' ? 'zh' : 'en',
    contact?.name ?? life.seed.company.shortName,
    at,
  )
  const effective = text.result !== 'noAnswer' && text.result !== 'wrongNumber'
  const next = random.happens(0.7) ? officeTime(random, workday(addDays(day, random.integer(2, 12))), timeZone) : null
  log.followUps.push({
    id: `fu-${String(log.followUps.length + 1).padStart(6, '0')}`,
    customerId: life.id,
    contactId: contact?.id ?? null,
    way: text.way,
    content: text.content,
    result: text.result,
    nextAt: next?.toISOString() ?? null,
    nextPlan: null,
    effective,
    auto: false,
    createdAt: at.toISOString(),
    createdBy: owner.id,
  })
  life.followCount += 1
  life.nextFollowAt = next
  if (!effective) return
  life.lastFollowAt = at
  if (life.stage === 'potential') life.stage = 'following'
  else if (life.stage === 'following' && random.happens(0.09)) life.stage = 'testing'
  else if (life.stage === 'testing' && random.happens(0.16)) life.stage = 'quoted'
  else if (life.stage === 'quoted' && random.happens(0.09)) {
    life.stage = 'dealt'
    life.firstDealAt = at
  }
  if (life.firstDealAt)
    life.lastTrafficAt = random.happens(0.9)
      ? new Date(Math.min(at.getTime() + random.integer(1, 20) * 86_400_000, now.getTime() - 3_600_000))
      : life.lastTrafficAt
}

function enterSea(log: Log, life: Life, at: Date, reason: string, timeZone: string): void {
  const owner = life.owner
  const ownerReason = reason === 'release' ? 'notFit' : reason
  life.stays += 1
  log.seaRecords.push({
    id: `sr-${life.id.slice(3)}-${life.stays}`,
    customerId: life.id,
    enteredAt: at.toISOString(),
    reason,
    reasonNote: null,
    lastOwnerId: owner?.id ?? null,
    lastOwnerDeptId: owner?.mainDeptId ?? null,
    heldDays: daysBetween(dayOf(life.ownedAt, timeZone), dayOf(at, timeZone)),
    followCountAtEntry: life.followCount,
    claimableFrom: claimableFrom(at, RULES['crm.claim'], timeZone).toISOString(),
    coolUntil: RULES['crm.coolDown'].reasons.includes(reason)
      ? addDays(dayOf(at, timeZone), RULES['crm.coolDown'].ownerCoolDays)
      : null,
    leftAt: null,
    leftBy: null,
    claimedById: null,
    attempts: [],
    createdAt: at.toISOString(),
    createdBy: owner?.id ?? '',
  })
  ownerLog(log, life, reason === 'release' ? 'release' : 'recycle', owner, null, at, ownerReason)
  Object.assign(life, { owner: null, lastOwner: owner, seaEnteredAt: at, seaReason: reason, nextFollowAt: null })
}

function claim(random: Chance, log: Log, life: Life, day: Day, sales: readonly DemoStaff[], timeZone: string): void {
  const others = sales.filter((one) => one.id !== life.lastOwner?.id && one.mainDeptId !== life.lastOwner?.mainDeptId)
  const claimer = ownerFor(random, others, life.seed.country.code, day)
  const at = officeTime(random, day, timeZone)
  const stay = log.seaRecords.length - 1
  const open = log.seaRecords[stay]
  if (open) log.seaRecords[stay] = { ...open, leftAt: at.toISOString(), leftBy: 'claim', claimedById: claimer.id }
  ownerLog(log, life, 'claim', null, claimer, at, null)
  Object.assign(life, {
    owner: claimer,
    ownedAt: at,
    gainedBy: 'claim',
    protectUntil: addDays(day, RULES['crm.sea'].protectDays.claim),
    seaEnteredAt: null,
    seaReason: null,
    zeal: random.next(),
  })
}

function ownerLog(
  log: Log,
  life: Life,
  action: string,
  from: DemoStaff | null,
  to: DemoStaff | null,
  at: Date,
  reason: string | null,
): void {
  log.ownerLogs.push({
    id: `ol-${String(log.ownerLogs.length + 1).padStart(6, '0')}`,
    customerId: life.id,
    action,
    fromStaffId: from?.id ?? null,
    toStaffId: to?.id ?? null,
    fromDeptId: from?.mainDeptId ?? null,
    toDeptId: to?.mainDeptId ?? null,
    reason,
    note: null,
    sourceDoc: null,
    at: at.toISOString(),
    createdAt: at.toISOString(),
    createdBy: (to ?? from)?.id ?? '',
  })
}

function rowOf(
  random: Chance,
  life: Life,
  code: string,
  contacts: readonly DemoContact[],
  index: number,
  now: Date,
  timeZone: string,
): DemoRecord {
  const { company, country } = life.seed
  const keys = matchKeys(company.name)
  const dealt = life.firstDealAt !== null
  const idleTraffic = life.lastTrafficAt ? daysBetween(dayOf(life.lastTrafficAt, timeZone), dayOf(now, timeZone)) : 0
  const stage = dealt && idleTraffic > 90 ? 'churned' : dealt && idleTraffic > 30 ? 'silent' : life.stage
  const revenue = dealt && idleTraffic <= 30 ? random.integer(300, 42_000) + random.integer(0, 99) / 100 : null
  const recycling = decideRecycling(factsOf({ ...life, stage }), RULES['crm.sea'], timeZone)
  const row = {
    id: life.id,
    code,
    name: company.name,
    nameEn: company.nameEn,
    shortName: company.shortName,
    alias: dealt ? aliasOf(country.code, index) : null,
    nameKey: keys.nameKey,
    nameCore: keys.nameCore,
    nameBigrams: bigramsOf(keys.nameKey),
    partyType: index % 40 === 7 ? 'partner' : 'customer',
    tradeType: random.weighted([
      ['direct', 72],
      ['wholesale', 28],
    ]),
    platform: random.weighted([
      ['main', 74],
      ['buka', 22],
      ['both', 4],
    ]),
    customerType: random.weighted([
      ['enterprise', 58],
      ['aggregator', 14],
      ['platformCo', 18],
      ['operator', 4],
      ['government', 3],
      ['individual', 3],
    ]),
    industry: random.pick([
      'fintech',
      'ecommerce',
      'gaming',
      'social',
      'logistics',
      'travel',
      'education',
      'health',
      'retail',
      'telecom',
      'saas',
    ]),
    countryCode: country.code,
    city: company.city,
    address: null,
    website: `https://www.${company.domain}`,
    domains: [company.domain],
    regNo: `${country.code}${String(random.integer(10_000_000, 99_999_999))}`,
    taxNo: null,
    scale: random.pick(['s1', 's2', 's3', 's4', 's5']),
    source: random.weighted([
      ['website', 22],
      ['exhibition', 16],
      ['referral', 18],
      ['cold', 24],
      ['emailCampaign', 8],
      ['agent', 4],
      ['bukaSignup', 8],
    ]),
    products: random.sample(['sms', 'voice', 'number', 'whatsapp', 'otpSms'], random.integer(1, 3)),
    trafficCountries: random.sample(COUNTRIES, random.integer(1, 4)).map((one) => one.code),
    level: revenue === null ? 'd' : revenue > 20_000 ? 'b' : 'c',
    classA: false,
    classAValidTo: null,
    stage,
    holding: life.owner ? 'private' : 'sea',
    ownerId: life.owner?.id ?? null,
    ownerDeptId: life.owner?.mainDeptId ?? null,
    ownedAt: life.owner ? life.ownedAt.toISOString() : null,
    gainedBy: life.gainedBy,
    protectUntil: life.owner ? life.protectUntil : null,
    lastFollowAt: life.lastFollowAt?.toISOString() ?? null,
    nextFollowAt: life.owner ? (life.nextFollowAt?.toISOString() ?? null) : null,
    followCount: life.followCount,
    recycleOn: life.owner ? recycling.recycleOn : null,
    firstDealAt: life.firstDealAt?.toISOString() ?? null,
    lastTrafficAt: life.lastTrafficAt?.toISOString() ?? null,
    revenue30: revenue?.toFixed(2) ?? null,
    profit30: revenue === null ? null : (revenue * (0.04 + random.next() * 0.16)).toFixed(2),
    balance: null,
    creditLimit: null,
    payMode: dealt ? random.pick(['prepaid', 'postpaid']) : 'none',
    settleCurrency: country.code === 'CN' ? 'CNY' : 'USD',
    agentId: null,
    riskLevel: random.weighted([
      ['low', 80],
      ['medium', 16],
      ['high', 4],
    ]),
    tags: random.happens(0.3)
      ? random.sample(['keyTarget', 'priceSensitive', 'qualityFirst', 'testAgain', 'exhibitor', 'seasonal'], random.integer(1, 2))
      : [],
    language: country.language,
    timeZone: country.timeZone,
    erpCode: null,
    duplicateOfId: null,
    duplicateReason: null,
    blacklisted: false,
    voided: false,
    seaEnteredAt: life.seaEnteredAt?.toISOString() ?? null,
    seaReason: life.seaReason,
    lastOwnerId: life.lastOwner?.id ?? null,
    seaStays: life.stays,
    remark: null,
    attachments: [],
    createdAt: life.createdAt.toISOString(),
    createdBy: life.creator.id,
  }
  return {
    ...row,
    ...(contacts.length === 0
      ? {}
      : {
          domains: [
            ...new Set([
              company.domain,
              ...contacts.flatMap((contact) => (contact.email ? [contact.email.split('@')[1] ?? ''] : [])),
            ]),
          ].filter(Boolean),
        }),
    ...life.seed.facts,
  }
}

const factsOf = (life: Life): Parameters<typeof decideRecycling>[0] => ({
  holding: 'private',
  level: 'd',
  stage: life.stage,
  tags: [],
  ownedAt: life.ownedAt.toISOString(),
  lastFollowAt: life.lastFollowAt?.toISOString() ?? null,
  firstDealAt: life.firstDealAt?.toISOString() ?? null,
  lastTrafficAt: life.lastTrafficAt?.toISOString() ?? null,
  protectUntil: life.protectUntil,
  balance: null,
  held: false,
})

function ownerFor(random: Chance, sales: readonly DemoStaff[], country: string, day: Day): DemoStaff {
  const employed = sales.filter((one) => one.hiredOn <= day && one.status !== 'leave')
  const local = employed.filter((one) => one.countries.includes(country))
  return random.pick(local.length > 0 ? local : employed.length > 0 ? employed : sales)
}
function aliasOf(country: string, index: number): string {
  const alphabet = 'ACDEFGHJKLMNPQRTUVWXY34679'
  let rest = index * 7919 + 12_345
  let text = ''
  for (let position = 0; position < 4; position += 1) {
    text += alphabet[rest % alphabet.length] ?? 'A'
    rest = Math.floor(rest / alphabet.length)
  }
  return `${country}${text}`
}
const workday = (day: Day): Day => nextWorkingDay(addDays(day, -1))
/** 85 % within office hours. */
function officeTime(random: Chance, day: Day, timeZone: string): Date {
  const hour = random.happens(0.85) ? random.integer(9, 18) : random.pick([8, 19, 20, 21])
  return new Date(
    instantAt(day, `${String(hour).padStart(2, '0')}:${String(random.integer(0, 59)).padStart(2, '0')}`, timeZone).getTime() +
      random.integer(0, 59) * 1000,
  )
}

/** Makes the seeds of ordinary customers. */
export function inventSeeds(random: Chance, count: number, taken = new Set<string>()): CustomerSeed[] {
  return Array.from({ length: count }, () => {
    const country = random.weighted(COUNTRIES.map((one) => [one, one.weight] as const))
    return { company: inventCompany(random, country, taken), country }
  })
}
