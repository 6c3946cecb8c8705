import type { DemoRecord, DemoWorld } from '../../../demo'
import { PRICED, text } from './prices'
import type { QuoteBook } from './book'

const STATES = ['review', 'parsing', 'failed', 'discarded'] as const
const METHODS = ['ai', 'mail', 'file', 'paste', 'ai'] as const

/** Quotations of suppliers as they came in: those behind the offers that wait, one with doubtful rows, one that could not be read. */
export function makeIntakes({ rows, random }: DemoWorld, book: QuoteBook): void {
  const chance = random.fork('intakes')
  const [intakes, lines, mails] = ['qm.quoteIntake', 'qm.quoteIntakeLine', 'qm.quoteMail'].map(
    (entity) => (rows[entity] ??= []),
  ) as [DemoRecord[], DemoRecord[], DemoRecord[]]
  const suppliers = new Map((rows['srm.supplier'] ?? []).map((supplier) => [supplier.id, supplier]))
  const offers = (rows['qm.rateSheet'] ?? []).filter(({ direction, status }) => direction === 'supplier' && status === 'draft')
  const accounts = (rows['srm.supplierAccount'] ?? []).filter(({ kind, status }) => kind === 'sms' && status === 'active')
  const addresses = new Map(
    (rows['srm.supplierContact'] ?? []).flatMap(({ supplierId, email }) =>
      typeof email === 'string' ? [[supplierId, email]] : [],
    ),
  )
  const addressOf = (supplierId: unknown): string => addresses.get(supplierId) ?? `rates@${String(supplierId)}.example`
  const take = (account: DemoRecord, status: string, days: number, more: object): DemoRecord => {
    const number = String(intakes.length + 1).padStart(4, '0')
    const at = new Date(Date.parse(book.at(days)) + 9 * 3_600_000).toISOString()
    const buyer = suppliers.get(String(account.supplierId))?.ownerId ?? null
    const stamp = { createdAt: at, createdBy: String(buyer ?? '') }
    const [id, mailId] = [`qi-${number}`, `qs-${number}`]
    const of = { supplierId: account.supplierId, product: 'sms' }
    const method = METHODS[intakes.length % METHODS.length] ?? 'manual'
    mails.push({
      ...{ ...stamp, ...of, id: mailId, at, direction: 'in', subject: `SMS rate notification ${book.day(days)}` },
      ...{ mailFrom: addressOf(account.supplierId), mailTo: 'quotes@cloudbridge.example', senderId: null },
      ...{ body: '<p>Dear partner, please find our new rates attached.</p>', status: 'delivered', opens: 0 },
      sheetId: null,
    })
    const intake: DemoRecord = {
      ...{ ...stamp, ...of, id, code: `BJ${book.day(days).replaceAll('-', '')}${number}`, method, status },
      ...{ supplierAccountId: account.id, currency: account.currency, mailId },
      ...{ effectiveFrom: book.at(days + 9), startedAt: at, finishedAt: status === 'parsing' ? null : at },
      ...{ parser: method === 'ai' ? '列识别' : method === 'mail' ? '表头规则' : null },
      ...{ confirmedById: ['confirmed', 'discarded'].includes(status) ? buyer : null, ...more },
    }
    intakes.push(intake)
    return intake
  }
  const line = (intake: DemoRecord, position: number, destination: object, price: string | null): void =>
    void lines.push({
      ...{ createdAt: intake.createdAt, createdBy: intake.createdBy, id: `${intake.id}-${position + 1}`, intakeId: intake.id },
      ...{ position, ...destination, price },
    })
  for (const sheet of offers) {
    const account = accounts.find(({ id }) => id === sheet.supplierAccountId)
    if (!account) continue
    const intake = take(account, 'confirmed', -2, { sheetId: sheet.id })
    for (const rate of (rows['qm.supplierRate'] ?? []).filter(({ sheetId }) => sheetId === sheet.id))
      line(
        intake,
        lines.length,
        { country: rate.country, mccmnc: rate.mccmnc ?? null, routeClass: rate.routeClass },
        String(rate.price),
      )
  }
  for (const [index, status] of STATES.entries()) {
    const account = accounts[(index + 2) % Math.max(1, accounts.length)]
    if (!account) continue
    const error = status === 'failed' ? '附件没有可识别的表头 / the sheet has no header that can be read' : null
    const intake = take(account, status, -1 - index, { error })
    if (status === 'parsing' || status === 'failed') continue
    for (const [position, { destination, cost }] of (PRICED.sms ?? []).entries())
      // two rows that look wrong: a network nobody knows, and a price that more than doubles
      line(
        intake,
        position,
        position === 4 ? { ...destination, mccmnc: '72499' } : destination,
        text(Math.round(cost * (position === 7 ? 2.2 : 0.97 + chance.next() * 0.06))),
      )
  }
}
