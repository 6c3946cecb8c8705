import { addDays, bigramsOf, CRM_RULE_DEFAULTS, dayOf, decideRecycling, instantAt, matchKeys, type Day } from '../modules/crm'
import { contactsOf } from './contacts'
import { changeCustomer, codeOf, type Chapter } from './handovers'
import { COUNTRIES } from './names'
import { inventFollowUp } from './texts'
import type { DemoRecord, DemoStaff, DemoWorld } from './types'

const RULES = CRM_RULE_DEFAULTS
/** Follow-ups of the customer with the longest history, at scale 1. */
const LONGEST_HISTORY = 5_000

type Parties = Pick<DemoWorld, 'customers' | 'contacts' | 'followUps' | 'ownerLogs' | 'seaRecords'>
interface EdgeFacts {
  code: string
  name: string
  country: string
  domain: string
  owner: DemoStaff | null
  createdOn: Day
  values: Readonly<Record<string, unknown>>
}

/**
 * Customers with fixed codes that are hard in daily work: a history of 5,000 follow-ups, the last days before recycling, a third
 * stay in the sea, an owner who leaves today, a race for one customer. They stand beside the lived ones and change none of them.
 */
export function makeWorkEdges(parties: Parties, chapter: Chapter, scale: number): void {
  const { staff, now, timeZone, random } = chapter
  const today = dayOf(now, timeZone)
  const sales = staff.filter((one) => one.position === 'sales' && one.status === 'active')
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

  // five thousand follow-ups in three years, by four owners one after the other
  const owners = [3, 4, 5, 2].map(seller)
  const begun = addDays(today, -1095)
  const years = owners.map((_, index) => at(addDays(begun, index * 270)))
  const last = owners.at(-1) ?? seller(2)
  const count = Math.max(40, Math.round(LONGEST_HISTORY * Math.min(1, scale)))
  const newest = new Date(now.getTime() - 2 * 86_400_000)
  const long = add({
    code: 'CU2300017',
    name: 'Nova Reach Technologies Pte Ltd',
    country: 'SG',
    domain: 'nova-reach.example',
    owner: last,
    createdOn: begun,
    values: {
      level: 'a',
      classA: true,
      classAValidTo: addDays(today, 21),
      stage: 'dealt',
      alias: 'SGNV7R',
      ownedAt: years.at(-1),
      followCount: count,
      lastFollowAt: newest.toISOString(),
      firstDealAt: at(addDays(begun, 60)),
      lastTrafficAt: at(addDays(today, -1)),
      revenue30: '38420.55',
      profit30: '5120.10',
      payMode: 'prepaid',
      recycleOn: null,
    },
  })
  owners.forEach((owner, index) =>
    log(long, index === 0 ? 'create' : 'transfer', owner, owners[index - 1] ?? null, years[index] ?? at(begun)),
  )
  const first = Date.parse(at(addDays(begun, 1)))
  for (let index = 0; index < count; index += 1) {
    const moment = new Date(Math.round(first + ((newest.getTime() - first) * index) / Math.max(1, count - 1)))
    const by = owners[years.filter((from) => from <= moment.toISOString()).length - 1] ?? last
    follow(long, by, moment, index % 3 === 0 ? 'zh' : 'en')
  }

  const applications = chapter.further['crm.classApply'] ?? []
  const granted = applications.find((one) => one.status === 'approved')
  if (granted) {
    const code = codeOf('AL', applications, now, timeZone)
    const dates = { grantedFrom: addDays(today, -344), grantedTo: addDays(today, 21) }
    applications.push({ ...granted, ...dates, id: `al-${code.slice(2)}`, code, customerId: long })
  }

  // one and three days before the open sea takes them
  for (const [code, name, idle] of [
    ['CU2400110', '宁波明日回收信息技术有限公司', 15],
    ['CU2400111', '宁波三日回收网络科技有限公司', 13],
  ] as const) {
    const owner = seller(0)
    const touched = at(addDays(today, -idle))
    const id = add({
      code,
      name,
      country: 'CN',
      domain: `${code.toLowerCase()}.example`,
      owner,
      createdOn: addDays(today, -60),
      values: { stage: 'following', followCount: 1, lastFollowAt: touched, protectUntil: addDays(today, -45) },
    })
    log(id, 'create', owner, null, at(addDays(today, -60)))
    follow(id, owner, new Date(touched), 'zh')
  }

  // the third stay within half a year: only a manager may assign it
  const often = add({
    code: 'CU2400114',
    name: '无锡三次入海电子商务有限公司',
    country: 'CN',
    domain: 'cu2400114.example',
    owner: null,
    createdOn: addDays(today, -175),
    values: {
      holding: 'sea',
      stage: 'following',
      seaEnteredAt: at(addDays(today, -20), '02:00'),
      seaReason: 'noFollow',
      lastOwnerId: seller(8).id,
      seaStays: 3,
      gainedBy: 'claim',
    },
  })
  log(often, 'create', seller(6), null, at(addDays(today, -175)))
  for (const [index, [entered, left]] of (
    [
      [-160, -150],
      [-100, -90],
      [-20, null],
    ] as const
  ).entries()) {
    const owner = seller(6 + index)
    const enteredAt = at(addDays(today, entered), '02:00')
    log(often, 'recycle', null, owner, enteredAt)
    stay(often, owner, enteredAt, left === null ? null : { at: at(addDays(today, left)), by: seller(7 + index) })
    if (left !== null) log(often, 'claim', seller(7 + index), null, at(addDays(today, left)))
  }

  // the owner has the last day today: the hand-over waits
  const leaver = sales.at(-1) ?? seller(9)
  leaver.leftOn = today
  const handed = add({
    code: 'CU2400116',
    name: 'Blue Kite Hand-over Trading Ltd',
    country: 'GB',
    domain: 'blue-kite-handover.example',
    owner: leaver,
    createdOn: addDays(today, -30),
    values: { stage: 'following', followCount: 1, lastFollowAt: at(addDays(today, -2)) },
  })
  log(handed, 'create', leaver, null, at(addDays(today, -30)))
  follow(handed, leaver, new Date(at(addDays(today, -2))), 'en')

  // two claimed it in the same second: one has it, the other's attempt is on record
  const [winner, late] = [seller(10), seller(11)]
  const claimedAt = at(addDays(today, -5))
  const raced = add({
    code: 'CU2400117',
    name: '嘉兴同秒领取数字科技有限公司',
    country: 'CN',
    domain: 'cu2400117.example',
    owner: winner,
    createdOn: addDays(today, -120),
    values: {
      stage: 'following',
      ownedAt: claimedAt,
      gainedBy: 'claim',
      protectUntil: addDays(today, 2),
      followCount: 1,
      lastFollowAt: at(addDays(today, -4)),
      seaStays: 1,
    },
  })
  log(raced, 'create', seller(12), null, at(addDays(today, -120)))
  log(raced, 'recycle', null, seller(12), at(addDays(today, -40), '02:00'))
  log(raced, 'claim', winner, null, claimedAt)
  stay(raced, seller(12), at(addDays(today, -40), '02:00'), {
    at: claimedAt,
    by: winner,
    attempts: [{ staffId: late.id, at: claimedAt, refusedBecause: 'notInSea' }],
  })
  follow(raced, winner, new Date(at(addDays(today, -4))), 'zh')

  const [hongKong, france] = ['CU2400107', 'CU2400108'].map((code) => parties.customers.find((one) => one.code === code))
  if (hongKong && france) changeCustomer(parties.customers, hongKong.id, { duplicateOfId: france.id })
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
  const empty = { alias: null, attachments: [], blacklisted: false, classA: false, classAValidTo: null, duplicateOfId: null, duplicateReason: null,
    erpCode: null, firstDealAt: null, lastTrafficAt: null, revenue30: null, profit30: null, balance: null, creditLimit: null, payMode: 'none',
    seaEnteredAt: null, seaReason: null, lastOwnerId: null, seaStays: 0, lastFollowAt: null, nextFollowAt: null, agentId: null, tags: [],
    followCount: 0, voided: false, remark: null, level: 'd', gainedBy: 'create', protectUntil: null } // prettier-ignore
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
      balance: null,
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

/** Buka accounts of the customers of that platform, and appeals in every state. */
export function makeBukaAndAppeals({ customers, staff, random, now, further }: Chapter): void {
  const accounts = (further['crm.bukaAccount'] ??= [])
  const signUp = customers.filter((one) => one.platform !== 'main' && one.partyType === 'customer' && Array.isArray(one.domains))
  const taken = new Set<string>()
  for (const customer of signUp) {
    const agent = random.happens(0.15)
    const opened = customer.createdAt
    // companies of a group share a domain, not a mailbox
    const domain = String((customer.domains as string[])[0] ?? `${customer.id}.example`)
    const loginEmail = taken.has(domain) ? `ops-${customer.id}@${domain}` : `ops@${domain}`
    taken.add(domain)
    accounts.push({
      id: `bk-${customer.id.slice(3)}`,
      customerId: customer.id,
      loginEmail,
      status: random.weighted([['active', 82], ['opened', 12], ['frozen', 3], ['pending', 3]] as const), // prettier-ignore
      products: random.sample(['sms', 'otpSms', 'whatsapp'], random.integer(1, 2)),
      settleCurrency: 'USD',
      trialCredit: '1.00',
      ownerConsents: false,
      registeredBy: agent ? 'agent' : 'signup',
      verification: random.weighted([['company', 70], ['mail', 26], ['none', 4]] as const), // prettier-ignore
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
