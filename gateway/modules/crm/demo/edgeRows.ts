import { bigramsOf, matchKeys } from '../../../duplicates'
import { addDays, dayOf, instantAt, type Day } from '../../../platform/calendar'
import { decideRecycling } from './recycling'
import { contactsOf } from './contacts'
import type { Chapter } from './handovers'
import { COUNTRIES, CAP_STAFF, type DemoRecord, type DemoStaff } from '../../../demo'
import { inventFollowUp } from './texts'
import { RULE_DEFAULTS } from '../../../rules'

const RULES = RULE_DEFAULTS

/** The lists of the world that rows beside the lived ones are added to. */
export interface Parties {
  customers: DemoRecord[]
  contacts: DemoRecord[]
  followUps: DemoRecord[]
  ownerLogs: DemoRecord[]
  seaRecords: DemoRecord[]
}

export interface EdgeFacts {
  code: string
  name: string
  country: string
  domain: string
  owner: DemoStaff | null
  createdOn: Day
  values: Readonly<Record<string, unknown>>
}

/** Writes customers that are made to measure, with what happened to them. */
export interface EdgeBook {
  today: Day
  /** Active sales people whose portfolio is nobody's edge case. */
  sales: readonly DemoStaff[]
  seller(index: number): DemoStaff
  /** The instant of a time of day, 10:00 unless told. */
  at(day: Day, time?: string): string
  /** Adds a customer; answers its id. */
  add(facts: EdgeFacts): string
  log(customerId: string, action: string, to: DemoStaff | null, from: DemoStaff | null, moment: string): void
  follow(customerId: string, by: DemoStaff, moment: Date, language: 'zh' | 'en'): void
  stay(
    customerId: string,
    owner: DemoStaff,
    entered: string,
    left: { at: string; by: DemoStaff; attempts?: object[] } | null,
  ): void
}

export function edgeBook(parties: Parties, chapter: Chapter): EdgeBook {
  const { staff, now, timeZone, random } = chapter
  const today = dayOf(now, timeZone)
  const sales = staff.filter((one) => one.position === 'sales' && one.status === 'active' && !CAP_STAFF.includes(one.jobNumber))
  const seller = (index: number): DemoStaff => {
    const found = sales[index % sales.length]
    if (!found) throw new Error('The demo world has no sales staff.')
    return found
  }
  const add = (facts: EdgeFacts): string => addCustomer(parties, chapter, facts)
  const at = (day: Day, time = '10:00'): string => instantAt(day, time, timeZone).toISOString()
  const log = (customerId: string, action: string, to: DemoStaff | null, from: DemoStaff | null, moment: string): void =>
    void parties.ownerLogs.push({
      id: `ol-edge-${parties.ownerLogs.length}`,
      customerId,
      action,
      fromStaffId: from?.id ?? null,
      toStaffId: to?.id ?? null,
      fromDeptId: from?.mainDeptId ?? null,
      toDeptId: to?.mainDeptId ?? null,
      reason: null,
      note: null,
      sourceDoc: null,
      at: moment,
      createdAt: moment,
      createdBy: (to ?? from)?.id ?? '',
    })
  const follow = (customerId: string, by: DemoStaff, moment: Date, language: 'zh' | 'en'): void => {
    const text = inventFollowUp(random, language, 'Tan Wei Ming', moment)
    parties.followUps.push({
      id: `fu-edge-${parties.followUps.length}`,
      customerId,
      contactId: null,
      ...text,
      result: 'interested',
      nextAt: null,
      nextPlan: null,
      effective: true,
      auto: false,
      attachments: [],
      createdAt: moment.toISOString(),
      createdBy: by.id,
    })
  }
  const stay = (
    customerId: string,
    owner: DemoStaff,
    entered: string,
    left: { at: string; by: DemoStaff; attempts?: object[] } | null,
  ): void =>
    void parties.seaRecords.push({
      id: `sr-edge-${parties.seaRecords.length}`,
      customerId,
      enteredAt: entered,
      reason: 'noFollow',
      reasonNote: null,
      lastFollowAt: null,
      dueOn: dayOf(entered, timeZone),
      ruleVersion: 0,
      lastOwnerId: owner.id,
      lastOwnerDeptId: owner.mainDeptId,
      heldDays: 10,
      followCountAtEntry: 1,
      claimableFrom: at(addDays(dayOf(entered, timeZone), 1)),
      coolUntil: addDays(dayOf(entered, timeZone), RULES['crm.coolDown'].ownerCoolDays),
      leftAt: left?.at ?? null,
      leftBy: left ? 'claim' : null,
      claimedById: left?.by.id ?? null,
      attempts: left?.attempts ?? [],
      createdAt: entered,
      createdBy: owner.id,
    })

  return { today, sales, seller, at, add, log, follow, stay }
}

/** A row beside the lived ones, with what every customer has; the recycling date is the rule's. */
function addCustomer(
  parties: Parties,
  chapter: Chapter,
  { code, name, country, domain, owner, createdOn, values }: EdgeFacts,
): string {
  const { now, timeZone, random } = chapter
  const like = parties.customers.find((one) => one.holding === 'private' && one.partyType === 'customer')
  const facts = COUNTRIES.find((one) => one.code === country)
  if (!like || !facts) throw new Error(`The demo world cannot hold ${code}.`)
  const id = `cu-${code.slice(2)}`
  const createdAt = instantAt(createdOn, '09:30', timeZone).toISOString()
  const keys = matchKeys(name)
  const empty = {
    alias: null,
    attachments: [],
    blacklisted: false,
    classA: false,
    classAValidTo: null,
    duplicateOfId: null,
    duplicateReason: null,
    erpCode: null,
    firstDealAt: null,
    lastTrafficAt: null,
    revenue30: null,
    profit30: null,
    balance: null,
    creditLimit: null,
    payMode: 'none',
    seaEnteredAt: null,
    seaReason: null,
    lastOwnerId: null,
    seaStays: 0,
    lastFollowAt: null,
    nextFollowAt: null,
    agentId: null,
    tags: [],
    followCount: 0,
    voided: false,
    remark: null,
    level: 'd',
    gainedBy: 'create',
    protectUntil: null,
  }
  const row = {
    ...like,
    ...empty,
    id,
    code,
    name,
    nameEn: facts.style === 'han' ? null : name,
    shortName: null,
    nameKey: keys.nameKey,
    nameCore: keys.nameCore,
    nameBigrams: bigramsOf(keys.nameKey),
    platform: 'main',
    tradeType: 'direct',
    riskLevel: 'low',
    countryCode: country,
    city: facts.cities[0] ?? null,
    website: `https://www.${domain}`,
    domains: [domain],
    regNo: `${country}${code.slice(2)}0`,
    holding: 'private',
    ownerId: owner?.id ?? null,
    ownerDeptId: owner?.mainDeptId ?? null,
    ownedAt: owner ? createdAt : null,
    language: facts.language,
    timeZone: facts.timeZone,
    settleCurrency: country === 'CN' ? 'CNY' : 'USD',
    createdAt,
    createdBy: owner?.id ?? String(values.lastOwnerId ?? like.createdBy),
    ...values,
  }
  const recycleOn = decideRecycling(
    {
      holding: row.holding,
      level: row.level,
      stage: String((row as DemoRecord).stage),
      tags: [],
      ownedAt: row.ownedAt,
      lastFollowAt: row.lastFollowAt,
      firstDealAt: row.firstDealAt,
      lastTrafficAt: row.lastTrafficAt,
      protectUntil: row.protectUntil,
      balance: typeof row.balance === 'string' ? row.balance : null,
      held: false,
    },
    RULES['crm.sea'],
    timeZone,
  ).recycleOn
  parties.customers.push({ ...row, recycleOn })
  parties.contacts.push(
    ...contactsOf(random, {
      customerId: id,
      company: { name, nameEn: row.nameEn, shortName: code, domain, city: facts.cities[0] ?? '' },
      country: facts,
      createdAt: new Date(createdAt),
      createdBy: row.createdBy,
      isoNow: now.toISOString(),
    }),
  )
  return id
}
