import { claimableFrom } from '../../../ownership'
import { addDays, dayOf, daysBetween, instantAt, nextWorkingDay, type Day } from '../../../platform/calendar'
import { decideRecycling } from './recycling'
import type { DemoContact } from './contacts'
import type { Parties } from './edgeRows'
import type { CompanyName, CountryFacts, Chance, DemoStaff } from '../../../demo'
import { inventFollowUp } from './texts'
import { RULE_DEFAULTS } from '../../../rules'

const RULES = RULE_DEFAULTS

/** What a customer is before its life begins. */
export interface CustomerSeed {
  company: CompanyName
  country: CountryFacts
  /** Fixed code of an edge case; others get the next number of their year. */
  code?: string
  /** Facts that hold for an edge case whatever happens. */
  facts?: Readonly<Record<string, unknown>>
  contactName?: string
  /** Its owner never lets it go: neither recycled nor released, on whichever day the world is made. */
  held?: boolean
}
/** Where a customer stands in its history. */
export interface Life {
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
type Log = Pick<Parties, 'followUps' | 'ownerLogs' | 'seaRecords'>

/** One customer's days until `now`: followed up, recycled or released into the sea, claimed by somebody else. */
export function live(
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
    if (!life.seed.held && due.recycleOn && due.recycleOn <= today && followOn >= due.recycleOn) {
      // a world made before two o'clock has the night of its day behind it, too
      const recycledAt = new Date(Math.min(instantAt(due.recycleOn, '02:00', timeZone).getTime(), now.getTime()))
      enterSea(log, life, recycledAt, due.reason ?? 'noFollow', timeZone)
      cursor = due.recycleOn
      continue
    }
    if (followOn >= today || owner.status === 'leave') return
    if (!life.seed.held && life.stage !== 'dealt' && life.followCount > 2 && random.happens(0.012)) {
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
    lastFollowAt: life.lastFollowAt?.toISOString() ?? null,
    dueOn: reason === 'release' ? null : dayOf(at, timeZone),
    ruleVersion: reason === 'release' ? null : 0,
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

export function ownerLog(
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

export const factsOf = (life: Life): Parameters<typeof decideRecycling>[0] => ({
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

export function ownerFor(random: Chance, sales: readonly DemoStaff[], country: string, day: Day): DemoStaff {
  const employed = sales.filter((one) => one.hiredOn <= day && one.status !== 'leave')
  const local = employed.filter((one) => one.countries.includes(country))
  return random.pick(local.length > 0 ? local : employed.length > 0 ? employed : sales)
}
const workday = (day: Day): Day => nextWorkingDay(addDays(day, -1))
/** 85 % within office hours. */
export function officeTime(random: Chance, day: Day, timeZone: string): Date {
  const hour = random.happens(0.85) ? random.integer(9, 18) : random.pick([8, 19, 20, 21])
  return new Date(
    instantAt(day, `${String(hour).padStart(2, '0')}:${String(random.integer(0, 59)).padStart(2, '0')}`, timeZone).getTime() +
      random.integer(0, 59) * 1000,
  )
}
