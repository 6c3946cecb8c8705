import type { Exact} from '../../../../src/schema/formats';
import { exactText } from '../../../../src/schema/formats'
import { addDays } from '../../../platform/calendar'
import { add, instant, issuedOn, monthsBack, type Books, type Side } from './books'

/** The credit line of a post-paid account, since the month of its last bill: what it uses in two to four months, and what is on no bill yet. */
export function creditLine(
  books: Books,
  { row, account, usual, index, unbilled }: Side & { usual: Exact; index: number; unbilled: string },
): void {
  const { today } = books
  const from = monthsBack(today, 1)
  const stamp = { createdAt: instant(issuedOn(today)), createdBy: '' }
  add(books, 'fin.creditGrant', {
    ...stamp,
    ...{
      id: `cg-${row.id}`,
      code: `SX${from.replaceAll('-', '')}${String(index + 1).padStart(4, '0')}`,
      accountId: row.id,
      customerId: row.customerId,
      kind: 'permanent',
    },
    ...{
      amount: exactText(
        usual
          .times(60 + 15 * (index % 4))
          .dividedBy(1000)
          .toDecimalPlaces(0)
          .plus(1)
          .times(1000)
          .plus(unbilled),
      ),
      currency: account.currency,
    },
    ...{ startsAt: instant(from), endsAt: null, status: 'active' },
  })
  granted(books, `cg-${row.id}`)
}

/** A temporary credit of a prepaid account: one that runs, or one of tomorrow. */
export function temporary(books: Books, { row, account, usual, index }: Side & { usual: Exact; index: number }): void {
  const { today } = books
  const tomorrow = index % 80 === 7
  const [from, to] = tomorrow ? [addDays(today, 1), addDays(today, 4)] : [addDays(today, -1), addDays(today, 3)]
  const written = addDays(today, -1)
  add(books, 'fin.creditGrant', {
    ...{
      id: `ct-${row.id}`,
      code: `SX${written.replaceAll('-', '')}${String(index + 1).padStart(4, '0')}`,
      accountId: row.id,
      customerId: row.customerId,
    },
    ...{ kind: 'temporary', amount: exactText(usual.times(3).toDecimalPlaces(0)), currency: account.currency },
    ...{
      startsAt: instant(from),
      endsAt: instant(to),
      status: tomorrow ? 'pending' : 'active',
      createdAt: instant(written),
      createdBy: '',
    },
  })
  if (!tomorrow) granted(books, `ct-${row.id}`)
}

/** What the credit record says of a grant. */
function granted(books: Books, id: string): void {
  const grant = books.rows['fin.creditGrant']?.find((row) => row.id === id)
  if (!grant) return
  const { accountId, customerId, amount, currency, createdAt } = grant
  add(books, 'fin.creditRecord', {
    ...{
      id: `cr-${id}`,
      at: createdAt,
      accountId,
      customerId,
      action: 'grant',
      before: '0',
      after: amount,
      currency,
      createdAt,
      createdBy: '',
    },
  })
}
