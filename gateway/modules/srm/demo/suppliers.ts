import {
  COUNTRIES,
  inventCompany,
  inventMobile,
  inventPerson,
  mailOf,
  type Chance,
  type CountryFacts,
  type DemoMember,
  type DemoRecord,
  type DemoStaff,
} from '../../../demo'
import { addDays, dayOf } from '../../../platform/calendar'
import { DESTINATIONS, inventTalk } from './texts'

const DAY = 86_400_000
const HOUR = 3_600_000
const SUPPLIERS = 420

/** What the rows of this module are made from, and where they go. */
export interface SrmChapter {
  random: Chance
  staff: readonly DemoStaff[]
  members: readonly DemoMember[]
  now: Date
  timeZone: string
  scale: number
  rows: Record<string, DemoRecord[]>
}

/** Adds a row of an entity. */
export const put = ({ rows }: SrmChapter, entity: string, row: DemoRecord): DemoRecord => {
  ;(rows[entity] ??= []).push(row)
  return row
}
export const iso = (date: Date): string => date.toISOString()
/** Who buys and may: one buyer of the company has no right at all. */
export const buyersOf = ({ staff, members }: SrmChapter): readonly DemoStaff[] =>
  staff.filter(
    ({ id, position, status }) =>
      (position === 'buyer' || position === 'buyerLead') && status !== 'left' && members.some(({ staffId }) => staffId === id),
  )

const METHODS = [
  ['预付电汇', 'Wire in advance', 'transfer', 0, '100'],
  ['周结七天', 'Weekly, 7 days', 'transfer', 7, '0'],
  ['半月结十五天', 'Half-monthly, 15 days', 'transfer', 15, '0'],
  ['月结三十天', 'Monthly, 30 days', 'transfer', 30, '0'],
  ['钱包充值', 'Wallet top-up', 'wallet', 0, '100'],
  ['对冲抵账', 'Offset', 'offset', 30, '0'],
] as const

/** Payment methods, suppliers with their people, talks, accounts and stays in the sea. */
export function makeSuppliers(chapter: SrmChapter): void {
  const { random, now } = chapter
  const since = iso(new Date(now.getTime() - 800 * DAY))
  for (const [index, [name, nameEn, kind, days, prepayPct]] of METHODS.entries())
    put(chapter, 'srm.paymentMethod', {
      id: `pm-${index + 1}`,
      code: `PM${String(index + 1).padStart(3, '0')}`,
      ...{ name, nameEn, kind, days, prepayPct, feePct: kind === 'wallet' ? '1' : '0' },
      ...{ currencies: ['USD'], needBankInfo: kind === 'transfer', kingdeeSettleType: null, enabled: true, sortNo: index },
      ...{ createdAt: since, createdBy: buyersOf(chapter)[0]?.id ?? '' },
    })
  const count = Math.max(24, Math.round(SUPPLIERS * chapter.scale))
  const taken = new Set<string>()
  for (let index = 0; index < count; index += 1) {
    const country = random.weighted(COUNTRIES.map((one) => [one, one.weight] as const))
    makeSupplier(chapter, index, statusAt(index, count), country, taken)
  }
}

/** Edge rows at their fixed places: SP..0007 also buys from us, SP..0008 was suspended by its delivery rates, SP..0010 is about to end, SP..0011 lies in the sea. */
const EDGE = { customer: 6, suspended: 7, ending: 9, inSea: 10 }
const ALSO_CUSTOMERS = 26

/** Status by place in the list: first those that work with us, then the others. */
function statusAt(index: number, count: number): string {
  const share = index / count
  if (index === EDGE.suspended) return 'suspended'
  if (share < 0.05 || Object.values(EDGE).includes(index)) return 'cooperating'
  if (share < 0.057) return 'suspended'
  if (share < 0.138) return 'testing'
  if (share < 0.171) return 'terminated'
  return share < 0.19 ? 'blacklisted' : 'potential'
}
/** The customer that a supplier is as well: an edge row by its code, then one in sixteen of those that work with us or might. */
const customerOf = ({ rows, scale }: SrmChapter, index: number): DemoRecord | null => {
  const customers = rows['crm.customer'] ?? []
  if (index === EDGE.customer) return customers.find(({ code }) => code === 'CU2400120') ?? null
  const place = (index - 3) / 16
  if (!Number.isInteger(place) || place >= ALSO_CUSTOMERS * scale) return null
  return customers.filter(({ partyType, regNo }) => partyType === 'customer' && regNo)[place * 7] ?? null
}

function makeSupplier(chapter: SrmChapter, index: number, status: string, country: CountryFacts, taken: Set<string>): void {
  const { random, now, timeZone } = chapter
  const buyers = buyersOf(chapter)
  const company = inventCompany(random, country, taken)
  const chinese = country.style === 'han'
  const today = dayOf(now, timeZone)
  const works = ['cooperating', 'suspended', 'terminated'].includes(status)
  const inSea = (status === 'potential' && random.happens(0.41)) || index === EDGE.inSea
  const idle = inSea ? 150 : status === 'potential' ? 20 : 120
  const createdAt = new Date(now.getTime() - random.integer(idle, 520) * DAY)
  // a manager handed it out these days, nobody has called since
  const handedOut = status === 'potential' && !inSea && index % 11 === 5
  const frozen = status === 'blacklisted'
  const owner = inSea || frozen ? null : (buyers[index % buyers.length] ?? null)
  const formerly = buyers[(index + 1) % buyers.length]
  const number = String(index + 1).padStart(5, '0')
  const id = `sp-25${number}`
  const cover = random.sample(DESTINATIONS, random.integer(1, 4))
  const talks = makeTalks(chapter, {
    id,
    chinese,
    cover,
    createdAt,
    author: handedOut ? formerly : (owner ?? formerly),
    idle: inSea || handedOut,
    most: works ? 24 : 9,
  })
  const seaEnteredAt = inSea ? new Date(now.getTime() - random.integer(3, 60) * DAY) : null
  const assignedAt = handedOut ? new Date(now.getTime() - random.integer(2, 70) * HOUR) : null
  const stamp = { createdAt: iso(createdAt), createdBy: (handedOut ? formerly : (owner ?? formerly))?.id ?? '' }
  const customer = customerOf(chapter, index)
  put(chapter, 'srm.supplier', {
    ...{ id, code: `SP25${number}`, alias: `V${number}` },
    ...{ name: String(customer?.name ?? company.name), nameEn: customer ? (customer.nameEn ?? null) : company.nameEn },
    supplierType: random.pick([
      'aggregator',
      'aggregator',
      'aggregator',
      'operator',
      'directRoute',
      'voiceCarrier',
      'numberVendor',
      'goip',
      'bsp',
    ]),
    products: random.sample(['sms', 'voice', 'number', 'whatsapp', 'otpSms'], random.integer(1, 2)),
    ...{
      countryCode: customer?.countryCode ?? country.code,
      coverCountries: cover,
      platform: index % 9 === 0 ? 'both' : index % 31 === 0 ? 'buka' : 'main',
    },
    ...{
      website: `https://www.${company.domain}`,
      address: `${company.city}`,
      regNo: customer?.regNo ?? `R${random.integer(10_000_000, 99_999_999)}`,
      taxNo: null,
    },
    ...{ source: random.pick(['exhibition', 'inbound', 'search', 'referral', 'community']), clueId: null, status },
    testingSince: status === 'testing' ? addDays(today, -random.integer(1, 20)) : null,
    ...(works ? { testMessages: random.integer(20, 200), testDlr: String(random.integer(72, 98)) } : {}),
    ...{ stopReason: stopOf(status, index), level: 'n', score: null },
    stopNote: index === EDGE.suspended ? `到达率连续 3 天低于 30 天均值的 60%，${addDays(today, -2)} 暂停` : null,
    ...{
      payMode: works ? (index % 3 === 0 ? 'postpaid' : 'prepaid') : 'none',
      paymentMethodId: works ? `pm-${(index % 4) + 1}` : null,
    },
    ...{
      settleCurrency: 'USD',
      settleCycle: works ? 'monthly' : null,
      ourCompany: works ? random.pick(['hk', 'sg', 'eu']) : null,
    },
    bankInfo: works ? `${company.nameEn ?? company.name} · HSBC · ${random.integer(100_000_000, 999_999_999)}` : null,
    ...{ minDeposit: works ? '500' : null, creditFromSupplier: null, alsoCustomerId: customer?.id ?? null },
    ...talks,
    ...{
      traffic30: null,
      contractFrom: works ? addDays(today, -300) : null,
      contractTo: works ? addDays(today, index === EDGE.ending ? 12 : random.integer(35, 400)) : null,
    },
    ...{
      bukaOffered: status === 'cooperating' && index % 9 === 0,
      riskLevel: random.weighted([
        ['low', 8],
        ['medium', 2],
        ['high', 1],
      ] as const),
    },
    tags: random.happens(0.3) ? random.sample(['direct', 'fastSupport', 'priceRisk', 'backup'], 1) : [],
    ...{ duplicateOfId: null, duplicateReason: null, remark: null, attachments: [] },
    ...{
      ownerId: owner?.id ?? null,
      ownerDeptId: owner?.mainDeptId ?? null,
      ownedAt: assignedAt ? iso(assignedAt) : owner ? stamp.createdAt : null,
    },
    ...{ holding: frozen ? 'frozen' : inSea ? 'sea' : 'private', gainedBy: assignedAt ? 'assign' : 'create' },
    protectUntil: assignedAt ? addDays(dayOf(assignedAt, timeZone), 15) : null,
    ...{ seaEnteredAt: seaEnteredAt ? iso(seaEnteredAt) : null, seaReason: inSea ? 'noFollow' : null },
    ...{ lastOwnerId: inSea ? (formerly?.id ?? null) : null, seaStays: inSea || assignedAt ? 1 : 0 },
    ...stamp,
  })
  makePeople(chapter, id, company.domain, country, stamp, works || status === 'testing')
  if (works) makeAccounts(chapter, id, index, status, owner, stamp)
  const log = (action: string, at: Date, more: object): void => {
    put(chapter, 'srm.ownerLog', {
      id: `so-${id.slice(3)}-${action}`,
      supplierId: id,
      action,
      ...more,
      at: iso(at),
      createdAt: iso(at),
      createdBy: stamp.createdBy,
    })
  }
  log('create', createdAt, { toStaffId: stamp.createdBy, toDeptId: formerly?.mainDeptId ?? null })
  const entered = assignedAt ? new Date(assignedAt.getTime() - 6 * DAY) : seaEnteredAt
  if (!entered) return
  if (assignedAt && owner) {
    const by = buyers[0]?.id ?? ''
    const reason = index % 2 === 0 ? '区域调整' : '新人练习'
    log('assign', assignedAt, { toStaffId: owner.id, toDeptId: owner.mainDeptId, note: reason })
    put(chapter, 'srm.distribute', {
      ...{ id: `sd-${id.slice(3)}`, supplierId: id, clueId: null, toStaffId: owner.id, byId: by, touchedAt: null },
      ...{ mode: index % 2 === 0 ? 'manual' : 'rule', reason, at: iso(assignedAt), createdAt: iso(assignedAt), createdBy: by },
    })
  }
  log('recycle', entered, {
    fromStaffId: formerly?.id ?? null,
    fromDeptId: formerly?.mainDeptId ?? null,
    reason: 'noFollow',
  })
  put(chapter, 'srm.seaRecord', {
    ...{
      id: `ss-${id.slice(3)}`,
      supplierId: id,
      enteredAt: iso(entered),
      reason: 'noFollow',
      lastOwnerId: formerly?.id ?? null,
    },
    ...(assignedAt ? { leftAt: iso(assignedAt), leftBy: 'assign', claimedById: owner?.id ?? null } : {}),
    ...{
      lastOwnerDeptId: formerly?.mainDeptId ?? null,
      heldDays: Math.round((entered.getTime() - createdAt.getTime()) / DAY),
    },
    ...{
      followCountAtEntry: talks.followCount,
      lastFollowAt: talks.lastFollowAt,
      claimableFrom: iso(new Date(entered.getTime() + DAY)),
    },
    ...{ coolUntil: addDays(dayOf(entered, timeZone), 30), attempts: [], createdAt: iso(entered), createdBy: '' },
  })
}

const stopOf = (status: string, index: number): string | null =>
  status === 'suspended' ? (index === EDGE.suspended ? 'quality' : 'dispute') : status === 'terminated' ? 'business' : null

interface Talks {
  id: string
  chinese: boolean
  cover: readonly string[]
  createdAt: Date
  author: DemoStaff | undefined
  /** Nobody has talked to it for long. */
  idle: boolean
  most: number
}

function makeTalks(chapter: SrmChapter, { id, chinese, cover, createdAt, author, idle, most }: Talks) {
  const { random, now } = chapter
  const span = (now.getTime() - createdAt.getTime()) / DAY
  const number = random.integer(2, most)
  // whoever still has an owner was spoken to lately, or the nights would have taken it to the sea
  const last = idle ? Math.min(span - 1, random.integer(95, 130)) : random.integer(1, 14)
  const ages = Array.from({ length: number }, (_, at) => (at === number - 1 ? last : last + random.next() * (span - last)))
    .sort((a, b) => b - a)
    .map((age) => Math.min(age, span - 0.1))
  let lastFollowAt: string | null = null
  for (const [at, age] of ages.entries()) {
    const talk = inventTalk(random, chinese, cover, at === number - 1)
    const when = iso(new Date(now.getTime() - age * DAY))
    const effective = talk.result !== 'noAnswer'
    if (effective) lastFollowAt = when
    put(chapter, 'srm.followUp', {
      ...{
        id: `sf-${id.slice(3)}-${at + 1}`,
        supplierId: id,
        clueId: null,
        contactId: null,
        ...talk,
        content: `${talk.content}（${at + 1}）`,
      },
      ...{ nextAt: null, nextPlan: null, effective, attachments: [], createdAt: when, createdBy: author?.id ?? '' },
    })
  }
  const nextFollowAt = idle || random.happens(0.3) ? null : iso(new Date(now.getTime() + random.integer(-2, 10) * DAY))
  return { lastFollowAt, nextFollowAt, followCount: number }
}

function makePeople(
  chapter: SrmChapter,
  id: string,
  domain: string,
  country: CountryFacts,
  stamp: { createdAt: string; createdBy: string },
  noc: boolean,
): void {
  const { random } = chapter
  const roles = ['business', ...(noc ? ['noc'] : []), ...(random.happens(0.3) ? ['rates'] : [])]
  const mails = new Set<string>()
  for (const [at, role] of roles.entries()) {
    const person = inventPerson(random, country.people)
    const mail = mailOf(person.latin, domain)
    put(chapter, 'srm.supplierContact', {
      ...{
        id: `sn-${id.slice(3)}-${at + 1}`,
        supplierId: id,
        name: person.name,
        title: role === 'noc' ? 'NOC' : null,
        department: null,
        role,
      },
      ...{
        email: mails.has(mail) ? null : mail,
        phone: null,
        mobile: inventMobile(random, country),
        im: null,
        isPrimary: at === 0,
      },
      ...{ receivesQuote: true, receivesBill: false, receivesNotice: true, leftAt: null, remark: null, ...stamp },
    })
    mails.add(mail)
  }
}

function makeAccounts(
  chapter: SrmChapter,
  id: string,
  index: number,
  status: string,
  owner: DemoStaff | null,
  stamp: { createdAt: string; createdBy: string },
): void {
  const kinds = index % 2 === 0 ? ['sms', 'vos'] : ['sms']
  for (const [at, kind] of kinds.entries()) {
    const number = String((chapter.rows['srm.supplierAccount']?.length ?? 0) + 1).padStart(6, '0')
    put(chapter, 'srm.supplierAccount', {
      ...{
        id: `sa-${id.slice(3)}-${at + 1}`,
        code: `S${number}`,
        supplierId: id,
        name: `${kind.toUpperCase()} USD ${number}`,
        kind,
        currency: 'USD',
      },
      ...{
        payMode: index % 3 === 0 ? 'postpaid' : 'prepaid',
        status: status === 'terminated' ? 'closed' : status === 'suspended' ? 'suspended' : 'active',
      },
      balance: status === 'terminated' ? '0' : String(chapter.random.integer(50, 9_000)),
      ...{
        creditLimit: null,
        warnAmount: '300',
        settleCycle: 'monthly',
        ourCompany: 'hk',
        taxRate: '0',
        bankInfo: null,
        loginUrl: null,
      },
      ...{ buyerId: owner?.id ?? null, ...stamp },
    })
  }
}
