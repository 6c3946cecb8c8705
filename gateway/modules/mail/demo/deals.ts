import type { MailAddress } from '../../../../src/headless/mail'
import type { DemoRecord, DemoStaff, DemoWorld } from '../../../demo'
import type { Locale } from '../../../platform/http'
import { page, workbook } from './files'
import { DAY, HOUR, paragraphs as p, talk, type DemoFile, type DemoParty, type Letter, type Turn } from './letters'
import { countryWord, productWord, SALES, SUPPLY, type Topic } from './words'

/** Days that the mail of the demo world goes back. */
export const SPAN = 60

/** A party that one writes with. */
interface Correspondent {
  address: MailAddress
  party: DemoParty
  locale: Locale
  record: DemoRecord
}

/** A bill as it stands in the books. */
export interface MailedBill {
  id: string
  code: string
  customerId: string
  total: string
  currency: string
  issuedAt: string
  dueDate: string
  paidAt: string | null
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const personOf = ({ email, name, nameEn }: DemoStaff): MailAddress => ({ email, name: `${name} ${nameEn}` })

/** What the letters of the demo world are made of. */
export class Office {
  readonly people: ReadonlyMap<string, DemoStaff>
  private readonly parties = new Map<string, Correspondent>()

  constructor(
    readonly world: DemoWorld,
    readonly owners: readonly DemoStaff[],
  ) {
    this.people = new Map(owners.map((one) => [one.id, one]))
    this.meet('crm.customer', 'crm.contact', 'customerId')
    this.meet('srm.supplier', 'srm.supplierContact', 'supplierId')
  }

  /** The first contact of each party with an address. */
  private meet(entity: string, contacts: string, field: 'customerId' | 'supplierId'): void {
    const records = new Map((this.world.rows[entity] ?? []).map((record) => [record.id, record]))
    for (const contact of this.world.rows[contacts] ?? []) {
      const id = text(contact[field])
      const record = records.get(id)
      const email = text(contact.email)
      if (!record || email === '' || contact.leftAt || record.voided === true || this.parties.has(id)) continue
      const isChinese = ['CN', 'HK', 'TW'].includes(text(record.countryCode))
      this.parties.set(id, {
        address: { email, name: text(contact.name) },
        party: { [field]: id, contactId: contact.id },
        ...{ locale: field === 'customerId' && isChinese ? 'zh' : 'en', record },
      })
    }
  }

  of(id: unknown): Correspondent | undefined {
    return this.parties.get(text(id))
  }

  address(staffId: unknown): MailAddress | undefined {
    const found = this.people.get(text(staffId))
    return found && personOf(found)
  }
}

/** Quotations that were mailed, what was answered, and those that came from suppliers. */
export async function quoted({ world, address, of }: Bound, system: MailAddress): Promise<QuoteLetters> {
  const { rows, now } = world
  const letters: Letter[] = []
  const letterOf = new Map<string, Letter>()
  const sheets = new Map((rows['qm.rateSheet'] ?? []).map((sheet) => [sheet.id, sheet]))
  const disputes = new Map((rows['qm.rateSheetRecipient'] ?? []).map((one) => [one.sheetId, text(one.dispute)]))
  for (const mail of rows['qm.quoteMail'] ?? []) {
    const at = Date.parse(text(mail.at))
    if (at < now.getTime() - SPAN * DAY || at >= now.getTime()) continue
    const party = of(mail.customerId ?? mail.supplierId)
    const sheet = sheets.get(text(mail.sheetId))
    const files = [await rateSheet(world, text(sheet?.code) || text(mail.subject), text(mail.sheetId))]
    if (mail.direction === 'in') {
      if (!party) continue
      const letter: Letter = {
        ...{ at, from: party.address, to: [system], subject: text(mail.subject), html: text(mail.body), files },
        party: party.party,
      }
      letters.push(letter)
      letterOf.set(mail.id, letter)
      continue
    }
    const to = { email: text(mail.mailTo), ...(party?.address.email === mail.mailTo ? { name: party?.address.name ?? '' } : {}) }
    const seller = address(mail.senderId)
    const first: Letter = {
      ...{ at, from: system, to: [to], subject: text(mail.subject), html: text(mail.body), files },
      ...(seller ? { cc: [seller] } : {}),
      party: party?.party ?? { customerId: text(mail.customerId) },
      ...(text(mail.senderId) === '' ? {} : { writtenBy: text(mail.senderId) }),
    }
    letters.push(first)
    letterOf.set(mail.id, first)
    if (mail.status === 'bounced') letters.push(bounceOf(first, text(mail.bounceReason)))
    else if (seller && party)
      letters.push(...answered(first, seller, party, text(mail.status), disputes.get(text(mail.sheetId)) ?? '', now.getTime()))
  }
  return { letters, letterOf }
}

type Bound = Pick<Office, 'world'> & { address(id: unknown): MailAddress | undefined; of(id: unknown): Correspondent | undefined }
interface QuoteLetters {
  letters: Letter[]
  /** By the id of the record that says it was mailed. */
  letterOf: ReadonlyMap<string, Letter>
}

const sheetFiles = new WeakMap<DemoWorld, Map<string, DemoFile>>()

/** The prices of a sheet as a workbook; those of suppliers that have no sheet yet are one for all. */
async function rateSheet(world: DemoWorld, code: string, sheetId: string): Promise<DemoFile> {
  const made = sheetFiles.get(world) ?? new Map<string, DemoFile>()
  sheetFiles.set(world, made)
  const name = `${code.replace(/[^\w.-]+/gu, '-')}.xlsx`
  const there = made.get(sheetId)
  if (there) return { ...there, name }
  const lines = (world.rows['qm.rateSheetLine'] ?? []).filter((line) => line.sheetId === sheetId)
  const rows = lines.map(({ country, mccmnc, routeClass, price }) =>
    [country, mccmnc, routeClass, price].map((value) => text(value)),
  )
  const file = await workbook(
    name,
    ['Country', 'MCCMNC', 'Route', 'Price'],
    rows.length > 0 ? rows : [['IN', '40445', 'direct', '0.0021']],
  )
  made.set(sheetId, file)
  return file
}

/** What became of a quotation, in the words of whoever got it. */
function answered(
  first: Letter,
  seller: MailAddress,
  { address, party, locale }: Correspondent,
  status: string,
  dispute: string,
  now: number,
): Letter[] {
  const says: Readonly<Record<string, readonly [string, string]>> = {
    confirmed: ['报价已确认，请按生效时间更新。', 'The rates are confirmed, please apply them as of the date stated.'],
    disputed: [`${dispute}，请核对后重发。`, 'We think that the price for the USA should be that of last month. Please check.'],
    opened: ['已收到，正在内部评估，明天答复。', 'Received, we look at it and answer tomorrow.'],
  }
  const reply: Readonly<Record<string, readonly [string, string]>> = {
    confirmed: ['谢谢确认，已更新。', 'Thank you, they are in place.'],
    disputed: ['收到，我和定价同事核对后回复您。', 'Understood, I check it with pricing and come back to you.'],
    opened: ['好的，有问题随时联系。', 'Fine, call me whenever something is unclear.'],
  }
  const said = says[status]?.[locale === 'zh' ? 0 : 1]
  if (said === undefined) return []
  const turns: Turn[] = [
    { by: 'them', after: 5, html: p(said) },
    { by: 'us', after: 2, html: p(reply[status]![locale === 'zh' ? 0 : 1]) },
  ]
  const letters = talk({ us: seller, them: address, subject: first.subject, locale, start: first.at, turns, party }, now)
  if (letters[0]) Object.assign(letters[0], { answers: first, subject: `Re: ${first.subject}` })
  return letters
}

const bounceOf = (first: Letter, reason: string): Letter => ({
  ...{
    at: first.at + 60_000,
    from: { email: 'mailer-daemon@mx.cloudbridge.example', name: 'Mail Delivery System' },
    to: [first.from],
  },
  ...{ subject: 'Undelivered Mail Returned to Sender', answers: first, auth: null },
  html: p('This mail could not be delivered:', `&lt;${first.to[0]?.email ?? ''}&gt;: ${reason}`),
})

/** Bills of the last weeks: mailed when they were issued, reminded of when they are late, and what the customer says. */
export function billed(
  office: Office,
  billing: MailAddress,
  bills: readonly MailedBill[],
  by: string,
): { letters: Letter[]; sent: Map<string, Letter> } {
  const now = office.world.now.getTime()
  const letters: Letter[] = []
  const sent = new Map<string, Letter>()
  for (const bill of bills) {
    const party = office.of(bill.customerId)
    const at = Date.parse(`${bill.issuedAt}T02:00:00Z`)
    if (!party || at >= now || at < now - SPAN * DAY) continue
    const { locale, address } = party
    const amount = `${bill.currency} ${bill.total}`
    const zh = locale === 'zh'
    const files = [
      page(`${bill.code}.pdf`, [
        'Switchboard',
        `Bill ${bill.code}`,
        `Total ${amount}`,
        `Issued ${bill.issuedAt}, due ${bill.dueDate}`,
      ]),
    ]
    const us = (after: number, html: string, more?: readonly DemoFile[]): Turn => ({
      by: 'us',
      after,
      html,
      ...(more ? { files: more } : {}),
    })
    const turns: Turn[] = [
      us(
        0,
        zh
          ? p(`${address.name}，您好：`, `附件为账单 ${bill.code}，金额 ${amount}，到期日 ${bill.dueDate}。请核对。`)
          : p(`Dear ${address.name},`, `please find bill ${bill.code} attached: ${amount}, due on ${bill.dueDate}.`),
        files,
      ),
    ]
    const paidAt = bill.paidAt === null ? null : Date.parse(bill.paidAt)
    const due = Date.parse(`${bill.dueDate}T02:00:00Z`)
    if (paidAt !== null && paidAt > at + 3 * HOUR)
      turns.push({
        ...{ by: 'them', after: (paidAt - at) / HOUR - 2 },
        html: zh ? p(`账单 ${bill.code} 已安排付款，请查收。`) : p(`The payment for ${bill.code} is on its way.`),
      })
    else if (due < now)
      turns.push(
        us(
          (due - at) / HOUR + 24,
          zh
            ? p(`账单 ${bill.code} 已到期，请安排付款。`)
            : p(`Bill ${bill.code} was due on ${bill.dueDate}. Please arrange the payment.`),
        ),
      )
    const subject = zh ? `账单 ${bill.code}` : `Bill ${bill.code}`
    const made = talk({ us: billing, them: address, subject, locale, start: at, turns, party: party.party, writtenBy: by }, now)
    if (made[0]) sent.set(bill.id, made[0])
    letters.push(...made)
  }
  return { letters, sent }
}

/** Inquiries of the web site at the shared mailbox: each is a clue of the world. */
export function inquiries(office: Office, sales: MailAddress, most: number): Letter[] {
  const { world } = office
  const now = world.now.getTime()
  const clues = (world.rows['csc.clue'] ?? []).filter(
    ({ email, createdAt }) => text(email) !== '' && Date.parse(createdAt) > now - SPAN * DAY,
  )
  return clues.slice(-most).flatMap((clue, index) => {
    const locale: Locale = text(clue.countryCode) === 'CN' ? 'zh' : 'en'
    const [name, company] = [text(clue.contactName), text(clue.company)]
    const [product = 'sms'] = list(clue.products)
    const owner = office.people.get(text(clue.ownerId))
    const ask =
      locale === 'zh'
        ? p('您好，', `我是${company}的${name}，想了解${productWord(product, locale)}的价格和接入方式。${text(clue.need)}`)
        : p(
            'Hello,',
            `this is ${name} of ${company}. We would like to know your prices for ${productWord(product, locale)} and how to connect.`,
          )
    const reply =
      locale === 'zh'
        ? p(`${name}，您好：`, '感谢来信，同事将在一个工作日内与您联系。')
        : p(`Dear ${name},`, 'thank you. A colleague calls you within a working day.')
    const turns: Turn[] = [
      { by: 'them', after: 0, html: ask },
      ...(index % 3 === 2 ? [] : [{ by: 'us' as const, after: 3, html: reply }]),
    ]
    const subject = locale === 'zh' ? `咨询：${productWord(product, locale)}` : `Inquiry: ${productWord(product, locale)}`
    const start = Date.parse(clue.createdAt) - HOUR / 2
    return talk(
      {
        us: sales,
        them: { email: text(clue.email), name },
        subject,
        locale,
        start,
        turns,
        ...(owner ? { writtenBy: owner.id } : {}),
      },
      now,
    )
  })
}

/** Endless conversations of those who sell with their customers, and of those who buy with suppliers, each where the world has both of them at that time. */
export function* dealings(office: Office): Generator<Letter[]> {
  const { world, owners } = office
  const now = world.now.getTime()
  const chance = world.random.fork('mail')
  const ownersIds = new Set(owners.map(({ id }) => id))
  const parties = [...(world.rows['crm.customer'] ?? []), ...(world.rows['srm.supplier'] ?? [])].flatMap((record) => {
    const found = ownersIds.has(text(record.ownerId)) ? office.of(record.id) : undefined
    return found ? [found] : []
  })
  if (parties.length === 0) return
  for (let round = 0; round < 20_000; round += 1) {
    const { record, party, address, locale } = parties[(round * 7 + chance.integer(0, 6)) % parties.length]!
    const owner = office.people.get(text(record.ownerId))!
    const isSupplier = party.supplierId !== undefined
    const since = Math.max(Date.parse(text(record.ownedAt) || record.createdAt), now - SPAN * DAY)
    if (since > now - DAY) continue
    // as often on a Tuesday as on a Thursday, by the clock of an office
    const day = now - Math.floor(((now - since) / DAY) * chance.next()) * DAY
    const start = Math.floor(day / DAY) * DAY + chance.integer(1, 9) * HOUR + chance.integer(0, 59) * 60_000
    const weekday = new Date(start).getUTCDay()
    if (start >= now || start < since || ((weekday === 0 || weekday === 6) && chance.happens(0.85))) continue
    const products = list(record.products)
    const countries = list(record.trafficCountries).concat(list(record.coverCountries), text(record.countryCode))
    const topic: Topic = {
      ...{
        locale,
        them: address.name ?? '',
        me: locale === 'zh' ? owner.name : owner.nameEn,
        company: text(record.shortName) || text(record.name),
      },
      product: productWord(products[chance.integer(0, products.length - 1)] ?? 'sms', locale),
      country: countryWord(countries[chance.integer(0, countries.length - 1)] ?? 'CN', locale),
      ...{ volume: (chance.integer(5, 90) * 10_000).toLocaleString('en'), rate: chance.integer(91, 98) },
    }
    const scripts = isSupplier ? SUPPLY : SALES[locale]
    const { subject, turns } = scripts[chance.integer(0, scripts.length - 1)]!(topic)
    const us = personOf(owner)
    yield talk({ us, them: address, subject, locale, start, turns, party }, now)
  }
}
