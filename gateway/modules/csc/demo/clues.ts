import type { Chance, DemoPart, DemoRecord, DemoWorld } from '../../../demo'
import { matchKeys } from '../../../duplicates'
import { BARRED, changeCustomer, codeOf, contactsOf, inventSeeds, ordinaryCustomers } from '../../crm'
import { qualityOf, respondBy, scoreOf } from '../rules/clue'
import { makeAssignment } from './assignment'
import { fillFeedback } from './feedback'

const DAY = 86_400_000
const MINUTE = 60_000
const CLUE_SOURCES: Readonly<Record<string, string>> = {
  website: 'website',
  exhibition: 'exhibition',
  referral: 'referral',
  bukaSignup: 'bukaSignup',
  social: 'social',
}
const NEEDS = [
  '想了解短信价格与到达率',
  'Looking for OTP routes with a test account',
  '需要 WhatsApp 商业号',
  'Voice termination to South-East Asia',
  '号码租用与入呼',
] as const
const INVALID = ['noContact', 'fake', 'noNeed', 'noNeed', 'spam', 'duplicate'] as const

/** Clues of those who became customers, those that sales works on now, invalid ones and a few that wait in the pool. */
export const cscDemo: DemoPart = {
  coded: ['csc.clue'],
  filled: fillFeedback,
  make(world) {
    makeClues(world)
    makeBarredClue(world)
    makeAssignment(world)
  },
}

function makeClues({ staff, now, timeZone, ...world }: DemoWorld): void {
  const random = world.random.fork('leads')
  const { 'crm.customer': customers = [], 'crm.contact': contacts = [] } = world.rows
  const rows = (world.rows['csc.clue'] ??= [])
  const ordinary = customers.slice(0, ordinaryCustomers(world.scale))
  const scale = ordinary.length / 650
  const count = (total: number): number => Math.max(3, Math.round(total * scale))
  const sales = staff.filter((one) => one.position === 'sales' && one.status === 'active')
  const departments = new Map(staff.map((one) => [one.id, one.mainDeptId]))
  const add = (row: Facts, status: string, createdAt: Date, owner: string | null, more: object = {}): DemoRecord => {
    const score = scoreOf({
      companyMail: row.email !== null,
      phone: row.phone !== null,
      company: true,
      volume: row.volume,
      countryCode: row.countryCode,
      source: row.source,
    })
    const assignedAt = owner === null ? null : new Date(createdAt.getTime() + random.integer(3, 25) * MINUTE)
    const touched = assignedAt && status !== 'assigned' ? new Date(assignedAt.getTime() + random.integer(20, 200) * MINUTE) : null
    const clue: DemoRecord = {
      ...EMPTY,
      ...row,
      id: `cl-${String(rows.length + 1).padStart(5, '0')}`,
      code: codeOf('CL', rows, now, timeZone),
      nameKey: matchKeys(row.company).nameKey,
      score,
      quality: qualityOf(score),
      status,
      ownerId: owner,
      ownerDeptId: owner === null ? null : (departments.get(owner) ?? null),
      ownedAt: assignedAt?.toISOString() ?? null,
      assignedAt: assignedAt?.toISOString() ?? null,
      respondBy: assignedAt ? respondBy(assignedAt, qualityOf(score), timeZone).toISOString() : null,
      firstTouchAt: touched?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
      createdBy: owner ?? '',
      ...more,
    }
    rows.push(clue)
    return clue
  }
  const from = ordinary.filter(
    (customer) => CLUE_SOURCES[String(customer.source)] !== undefined && customer.duplicateReason === null,
  )
  for (const customer of random.sample(from, count(102))) {
    const contact = contacts.find((one) => one.customerId === customer.id)
    const createdAt = new Date(Date.parse(customer.createdAt) - random.integer(1, 20) * DAY)
    const clue = add(
      {
        ...factsOf(random, customer),
        contactName: String(contact?.name ?? customer.shortName),
        email: textOf(contact?.email),
        phone: textOf(contact?.mobile),
      },
      'converted',
      createdAt,
      customer.createdBy,
      { customerId: customer.id, convertedAt: customer.createdAt },
    )
    changeCustomer(customers, customer.id, {
      clueId: clue.id,
      gainedBy: customer.gainedBy === 'create' ? 'convert' : customer.gainedBy,
    })
  }
  const seeds = inventSeeds(random.fork('clues'), count(198))
  for (const [index, seed] of seeds.entries()) {
    const status = index < count(93) ? 'invalid' : index < count(102) ? 'pool' : random.happens(0.45) ? 'assigned' : 'following'
    const age = status === 'invalid' ? random.integer(5, 300) * DAY : random.integer(20, 8 * 1440) * MINUTE
    const createdAt = new Date(now.getTime() - age)
    const [contact] = contactsOf(random, {
      ...seed,
      customerId: `cu-clue${index}`,
      createdAt,
      createdBy: '',
      isoNow: now.toISOString(),
    })
    const source = random.pick(['website', 'website', 'exhibition', 'referral', 'chat', 'email', 'social', 'promoter'])
    add(
      {
        company: seed.company.name,
        countryCode: seed.country.code,
        source,
        products: random.sample(['sms', 'voice', 'number', 'whatsapp', 'otpSms'], random.integer(1, 2)),
        volume: random.pick(['v0', 'v1', 'v2', 'v2', 'v3']),
        need: random.pick(NEEDS),
        contactName: contact?.name ?? seed.company.shortName,
        email: textOf(contact?.email),
        phone: textOf(contact?.mobile),
      },
      status,
      createdAt,
      status === 'pool' ? null : random.pick(sales).id,
      // three people missed what waits in the pool: a person decides on it
      status === 'invalid' ? { invalidReason: random.pick(INVALID) } : status === 'pool' ? { missedCount: 3 } : {},
    )
  }
  for (const { seller, hoursAgo, ...row } of LEADS_OF_TODAY) {
    const owner = sales[seller % sales.length]
    if (owner) add(row, 'assigned', new Date(now.getTime() - hoursAgo * 60 * MINUTE), owner.id)
  }
}

/** Leads that came this morning: a new company, and one that somebody else has as a customer under another spelling. */
const LEADS_OF_TODAY: readonly (Facts & { seller: number; hoursAgo: number })[] = [
  {
    seller: 0,
    hoursAgo: 1,
    company: '苏州青鸢数字科技有限公司',
    countryCode: 'CN',
    source: 'website',
    products: ['sms', 'voice'],
    volume: 'v3',
    need: '注册验证码与语音通知，每月约一百万条，下周比价',
    contactName: '顾南栀',
    email: 'gu@qingyuan-digital.example',
    phone: '+8613900004521',
  },
  {
    seller: 7,
    hoursAgo: 1,
    company: 'NOVA REACH Technologies Pte. Ltd.',
    countryCode: 'SG',
    source: 'exhibition',
    products: ['sms'],
    volume: 'v2',
    need: 'Second source for OTP traffic to South-East Asia',
    contactName: 'Marcus Lim',
    email: 'marcus@nova-reach.example',
    phone: '+6591234567',
  },
]

interface Facts {
  company: string
  countryCode: string
  source: string
  products: readonly string[]
  volume: string
  need: string
  contactName: string
  email: string | null
  phone: string | null
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function factsOf(random: Chance, customer: DemoRecord): Omit<Facts, 'contactName' | 'email' | 'phone'> {
  return {
    company: String(customer.name),
    countryCode: String(customer.countryCode),
    source: CLUE_SOURCES[String(customer.source)] ?? 'website',
    products: Array.isArray(customer.products) ? customer.products.map(String) : [],
    volume: random.pick(['v1', 'v2', 'v2', 'v3', 'v4']),
    need: random.pick(NEEDS),
  }
}

const EMPTY = {
  im: null,
  sourceUrl: null,
  lastFollowAt: null,
  nextFollowAt: null,
  followCount: 0,
  returnCount: 0,
  returnedById: null,
  returnReason: null,
  missedCount: 0,
  invalidReason: null,
  invalidNote: null,
  customerId: null,
  convertedAt: null,
}

/** A clue of the barred company: it was made invalid for that. */
function makeBarredClue({ staff, now, timeZone, rows }: DemoWorld): void {
  const clues = (rows['csc.clue'] ??= [])
  const seller = staff.find((one) => one.position === 'sales' && one.status === 'active')
  const like = clues.find((one) => one.status === 'invalid')
  const entry = (rows['crm.blacklist'] ?? []).find((one) => one.name === BARRED)
  if (!seller || !like || !entry) return
  const createdAt = new Date(now.getTime() - 4 * DAY).toISOString()
  clues.push({
    ...like,
    id: 'cl-barred',
    code: codeOf('CL', clues, now, timeZone),
    company: BARRED,
    nameKey: matchKeys(BARRED).nameKey,
    countryCode: 'AE',
    contactName: 'Khalid Rahman',
    email: 'khalid.rahman@falcon-gulf.example',
    phone: null,
    source: 'website',
    status: 'invalid',
    invalidReason: 'blacklist',
    invalidNote: String(entry.code),
    ownerId: seller.id,
    ownerDeptId: seller.mainDeptId,
    createdAt,
    createdBy: seller.id,
  })
}
