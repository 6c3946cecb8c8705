import { Exact, exactText } from '../../../../src/schema/formats'
import type { DemoRecord } from '../../../demo'
import type { EntityRecord } from '../../../entities'
import type { Day } from '../../../platform/calendar'
import { usage, usedProduct } from '../ledger/rules'
import type { LedgerAccount } from '../ledger/types'
import { add, instant, put, type Books } from './books'

/** Days of usage that are posted one by one; what was before lies in the opening balance or in a bill. */
export const USED_DAYS = 8
/** The smallest step of the prices below. */
const STEP = '0.0001'
/** Accounts whose usage was imported line by line; that of the others came in batches of the platform. */
const BY_LINE = 4
const COUNTRIES = ['SG', 'ID', 'MY', 'TH', 'PH', 'VN', 'IN', 'BR'] as const

interface Used {
  row: DemoRecord
  account: LedgerAccount
  entity: string
  day: Day
  amount: string
  /** What it was for, in messages or seconds; 0 where the traffic does not say. */
  volume: number
  /** Tells batches of one day apart. */
  batch?: string
}

export const productOf = ({ product }: DemoRecord): string => usedProduct(product)

/**
 * What an account used on a day: the lines of a file with a posting each, or a batch with one. Answers the postings and what a bill says
 * of them.
 */
export function used(
  books: Books,
  { row, account, entity, day, amount, volume, batch }: Used,
): { postings: string[]; lines: EntityRecord[] } {
  const product = productOf(row)
  const head = { type: 'usage', day, entity }
  const parts = byLine(books, row) ? pricesOf(amount, volume) : []
  if (parts.length === 0) {
    const source = [row.id, day, batch].filter(Boolean).join(':')
    const posting = put(books, { ...head, source: ['usageBatch', source] }, usage(account, product, amount))
    return { postings: [posting], lines: [{ kind: 'usage', product, units: 1, amount, currency: account.currency }] }
  }
  const [known, start] = [books.rows['fin.usage']?.length ?? 0, row.id.charCodeAt(row.id.length - 1)]
  const lines = parts.map(({ units, price }, index): EntityRecord => {
    const id = `us-${known + index + 1}`
    const reference = `${day.replaceAll('-', '')}-${String(known + index + 1).padStart(4, '0')}`
    const value = exactText(new Exact(price).times(units))
    const said = {
      product,
      countryCode: COUNTRIES[(start + index) % COUNTRIES.length],
      units,
      price,
      amount: value,
      currency: account.currency,
    }
    const postingId = put(books, { ...head, source: ['usageBatch', id, reference] }, usage(account, product, value))
    Object.assign(books.postings.at(-1)!, { idemKey: `usageLine:${id}` })
    add(books, 'fin.usage', {
      ...{ ...said, id, accountId: row.id, customerId: row.customerId, day, reference, postingId },
      ...{ createdAt: instant(day), createdBy: '' },
    })
    return { ...said, kind: 'usage', postingId }
  })
  return { postings: lines.map(({ postingId }) => String(postingId)), lines: lines.map(({ postingId: _, ...line }) => line) }
}

/** Half of the accounts of files are post-paid, so that bills have them, too. */
function byLine({ imported }: Books, row: DemoRecord): boolean {
  const own = imported[row.payMode === 'postpaid' ? 'postpaid' : 'prepaid']
  if (own.size < BY_LINE / 2) own.add(row.id)
  return own.has(row.id)
}

/** Two countries whose prices lie a step apart, so that whole units of both come to the amount exactly. */
function pricesOf(amount: string, volume: number): { units: number; price: string }[] {
  const exact = new Exact(amount)
  if (volume < 1) return []
  const average = exact.dividedBy(volume).toDecimalPlaces(4)
  const price = average.gt(STEP) ? average : new Exact(STEP)
  const units = Math.floor(Number(exactText(exact.dividedBy(price))))
  const dearer = Number(exactText(exact.minus(price.times(units)).dividedBy(STEP)))
  if (!Number.isInteger(dearer) || dearer < 0 || dearer > units) return []
  return [
    { units: units - dearer, price: exactText(price) },
    { units: dearer, price: exactText(price.plus(STEP)) },
  ].filter((line) => line.units > 0)
}
