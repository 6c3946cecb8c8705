import type { DemoWorld } from '../../../demo'
import type { Entities } from '../../../entities'
import { addDays, dayOf, type Day } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import { openCharges } from '../charges/open'
import { opening } from '../ledger/rules'
import { customerMoney, daysByAccount } from './accounts'
import { BANK_OPENING, bankId, BANKS, OPENED_DAYS } from './base'
import { add, instant, put, type Books } from './books'
import { makeChecks } from './checks'
import { returnedMoney, unclaimedMoney } from './lines'
import { stockMoney } from './stock'
import { supplierMoney } from './suppliers'
import { vendorMoney } from './vendors'
import { write } from './write'

/**
 * Money of the demo world, when its accounts are there: openings, recharges, usage of the last days, bills of last month, credit
 * lines. Balances and stages are what follows from the entries.
 */
export async function fillMoney(world: DemoWorld, entities: Entities, tx: Executor): Promise<void> {
  const today = dayOf(world.now, world.timeZone)
  const books: Books = {
    world,
    today,
    random: world.random.fork('money'),
    rates: lastRates(world, addDays(today, -30)),
    postings: [],
    rows: {},
    accounts: [],
    imported: { prepaid: new Set(), postpaid: new Set() },
    recorded: new Set((await openCharges(tx, { side: 'revenue' })).map(({ accountId }) => accountId)),
  }
  openBanks(books)
  for (const [index, row] of (world.rows['srm.supplierAccount'] ?? []).entries()) supplierMoney(books, row, index)
  returnedMoney(books)
  vendorMoney(books)
  unclaimedMoney(books)
  const days = daysByAccount(world)
  for (const [index, row] of (world.rows['fin.customerAccount'] ?? []).entries())
    if (row.status !== 'closed' && row.product !== 'device') customerMoney(books, row, index, days.get(row.id) ?? [])
  stockMoney(books)
  makeChecks(books)
  await write(books, entities, tx)
}

function lastRates({ rows }: DemoWorld, day: Day): ReadonlyMap<string, string> {
  const found = new Map([['CNY', '1']])
  for (const { kind, base, date, rate } of rows['sys.exchangeRate'] ?? [])
    if (kind === 'xe' && String(date) <= day) found.set(String(base), String(rate))
  return found
}

/** What our banks had when the ledger began: the documents, and their postings. */
function openBanks(books: Books): void {
  const day = addDays(books.today, -OPENED_DAYS)
  for (const [index, [code, currency]] of BANKS.entries()) {
    const id = bankId(code, currency)
    const number = `QC${day.replaceAll('-', '')}${String(index + 1).padStart(4, '0')}`
    const postingId = put(
      books,
      { type: 'opening', day, entity: code, source: ['opening', `open-${id}`, number] },
      opening({ kind: 'bank', id, currency }, BANK_OPENING),
    )
    add(books, 'fin.bankOpening', {
      ...{ id: `open-${id}`, code: number, bankAccountId: id, day, amount: BANK_OPENING, status: 'posted', postingId },
      ...{ createdAt: instant(day), createdBy: '' },
    })
  }
}
