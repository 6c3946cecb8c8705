import { addDays, dayOf, type Day } from '../../../platform/calendar'
import { countsAgainstCap } from './recycling'
import { aliasOf } from './customerRow'
import { nextCode, numbersOf } from './customers'
import { earn } from './earning'
import { edgeBook, type EdgeBook, type Parties } from './edgeRows'
import { codeOf, type Chapter } from './handovers'
import { COUNTRIES, inventCompany, CAP_STAFF, type DemoRecord, type DemoStaff } from '../../../demo'
import { RULE_DEFAULTS } from '../../../rules'

const RETENTION = RULE_DEFAULTS['crm.retention']
/** Customers of the second person that do not count: class A, and dealt ones with traffic. */
const CLASS_A = 9
const DEALT = 14
const BELOW_CAP = 2
/** Numbers of aliases that nobody else has. */
const ALIASES_FROM = 40_000

/**
 * People at the limits of the rules: one who holds as many customers as he may, one who stands two below the cap while owning more
 * because class A and active ones do not count, one who has used all claims of today.
 */
export function makeCaps(parties: Parties, chapter: Chapter): void {
  const [full, near, claimer] = CAP_STAFF.map((jobNumber) => chapter.staff.find((one) => one.jobNumber === jobNumber))
  if (!full || !near || !claimer) return
  const book = edgeBook(parties, chapter)
  const write = writer(parties, chapter, book)
  const counted = (staff: DemoStaff): number =>
    parties.customers.filter((one) => one.ownerId === staff.id && counts(one, chapter)).length
  const outside = (staff: DemoStaff): DemoRecord[] =>
    parties.customers.filter((one) => one.ownerId === staff.id && !counts(one, chapter))
  const fill = (staff: DemoStaff, until: number): void => {
    for (let left = until - counted(staff); left > 0; left -= 1) write(staff, {})
  }
  fill(full, RETENTION.default)
  fill(near, RETENTION.default - BELOW_CAP)
  const free = outside(near)
  const before = parties.customers.length
  const wanted = CLASS_A + DEALT - free.length
  for (let left = wanted; left > 0; left -= 1) write(near, { dealt: true })
  earn(parties, chapter, before)
  const grants = Math.min(CLASS_A - free.filter((one) => one.level === 'a').length, Math.max(0, wanted))
  for (let index = 0; index < grants; index += 1) grant(parties, chapter, before + index)
  claimToday(chapter, book, claimer, write)
}

interface Plan {
  dealt?: boolean
  /** When the owner claimed it, and who had it before. */
  claimed?: { at: string; from: DemoStaff }
}
type Write = (owner: DemoStaff, plan: Plan) => string

/** Writes customers of the Americas, one after the other, each with its own name and code. */
function writer(parties: Parties, chapter: Chapter, book: EdgeBook): Write {
  const { random } = chapter
  const { today, at } = book
  const countries = COUNTRIES.filter((one) => ['US', 'BR', 'MX'].includes(one.code))
  const taken = new Set(parties.customers.flatMap((one) => [String(one.name), String(one.shortName)]))
  const keys = new Set(parties.customers.map((one) => String(one.name).toLowerCase()))
  const numbers = numbersOf(parties.customers)
  return (owner, { dealt = false, claimed }) => {
    const country = random.pick(countries)
    let company = inventCompany(random, country, taken)
    while (keys.has(company.name.toLowerCase())) company = inventCompany(random, country, taken)
    keys.add(company.name.toLowerCase())
    const age = claimed ? random.integer(110, 140) : dealt ? random.integer(150, 320) : random.integer(30, 160)
    const createdOn = addDays(today, -age)
    const year = createdOn.slice(2, 4)
    const touchedOn = claimed ? addDays(createdOn, 4) : addDays(today, -random.integer(1, 8))
    const touched = at(touchedOn, `${random.integer(10, 17)}:${random.integer(10, 59)}`)
    const creator = claimed?.from ?? owner
    const id = book.add({
      code: nextCode(numbers, year),
      name: company.name,
      country: country.code,
      domain: company.domain,
      owner,
      createdOn,
      values: {
        shortName: company.shortName,
        stage: dealt ? 'dealt' : random.pick(['following', 'following', 'testing', 'quoted']),
        products: random.sample(['sms', 'voice', 'number', 'whatsapp', 'otpSms'], random.integer(1, 2)),
        followCount: 1,
        lastFollowAt: touched,
        createdBy: creator.id,
        protectUntil: addDays(createdOn, RULE_DEFAULTS['crm.sea'].protectDays.create),
        ...(dealt
          ? {
              firstDealAt: at(addDays(createdOn, 40)),
              lastTrafficAt: at(addDays(today, -1)),
              payMode: 'prepaid',
              alias: aliasOf(country.code, ALIASES_FROM + parties.customers.length),
            }
          : {}),
        ...(claimed
          ? {
              ownedAt: claimed.at,
              gainedBy: 'claim',
              seaStays: 1,
              protectUntil: addDays(today, RULE_DEFAULTS['crm.sea'].protectDays.claim),
            }
          : {}),
      },
    })
    book.log(id, 'create', creator, null, at(createdOn))
    book.follow(id, creator, new Date(touched), 'en')
    return id
  }
}

const counts = (customer: DemoRecord, { now, timeZone }: Chapter): boolean =>
  countsAgainstCap(
    {
      holding: String(customer.holding),
      level: String(customer.level),
      stage: String(customer.stage),
      lastTrafficAt: typeof customer.lastTrafficAt === 'string' ? customer.lastTrafficAt : null,
    },
    RETENTION,
    now,
    timeZone,
  )

/** Class A in force, by an application like those that were granted. */
function grant(parties: Parties, { further, now, timeZone }: Chapter, index: number): void {
  const applications = (further['crm.classApply'] ??= [])
  const granted = applications.find((one) => one.status === 'approved')
  const customer = parties.customers[index]
  if (!granted || !customer) return
  const today = dayOf(now, timeZone)
  const grantedTo: Day = addDays(today, 90 + (index % 9) * 20)
  const code = codeOf('AL', applications, now, timeZone)
  const dates = { grantedFrom: addDays(grantedTo, -364), grantedTo }
  applications.push({
    ...granted,
    ...dates,
    id: `al-${code.slice(2)}`,
    code,
    customerId: customer.id,
    createdBy: customer.createdBy,
  })
  parties.customers[index] = { ...customer, level: 'a', classA: true, classAValidTo: grantedTo, recycleOn: null }
}

/** Ten customers out of the sea, all claimed today. */
function claimToday(chapter: Chapter, book: EdgeBook, claimer: DemoStaff, write: Write): void {
  const { today, at, log, stay } = book
  const sinceMidnight = chapter.now.getTime() - Date.parse(at(today, '00:00'))
  const limit = RULE_DEFAULTS['crm.claim'].dailyClaims
  for (let index = 0; index < limit; index += 1) {
    const moment = new Date(chapter.now.getTime() - Math.floor((sinceMidnight * (limit - index)) / (limit + 1) / 4)).toISOString()
    const previous = book.seller(index + 3)
    const entered = at(addDays(today, -60 + index), '02:00')
    const id = write(claimer, { claimed: { at: moment, from: previous } })
    log(id, 'recycle', null, previous, entered)
    stay(id, previous, entered, { at: moment, by: claimer })
    log(id, 'claim', claimer, null, moment)
  }
}
