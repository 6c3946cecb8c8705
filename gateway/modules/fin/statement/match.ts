import { matchKeys } from '../../../duplicates'
import { Exact } from '../../../../src/schema/formats'

/** A bill that is open, and what its customer may be called on a bank statement. */
export interface OpenBill {
  id: string
  code: string
  customerId: string
  currency: string
  openAmount: string
  dueDate: string
  names: readonly string[]
}

/** Money on a line of a bank statement. */
interface StatementLine {
  amount: string
  currency: string
  payer: string
  /** Reference and text of the line. */
  text: string
}

/** `reference`: the line names the bills; `nameAmount`: payer and amount say which; `name`: the payer alone; `amount`: one open bill has just this amount. */
type MatchedBy = 'reference' | 'nameAmount' | 'name' | 'amount'

interface Match {
  customerId: string
  billIds: string[]
  by: MatchedBy
}

/** Short names are in too many others. */
const SHORTEST_NAME = 4

const keysOf = (names: readonly string[]): string[] => names.map((name) => matchKeys(name).nameKey).filter((key) => key !== '')

function isNamed(payer: string, names: readonly string[]): boolean {
  const key = matchKeys(payer).nameKey
  if (key === '') return false
  return keysOf(names).some(
    (name) =>
      name === key || (name.length >= SHORTEST_NAME && key.includes(name)) || (key.length >= SHORTEST_NAME && name.includes(key)),
  )
}

const byDue = (one: OpenBill, other: OpenBill): number =>
  one.dueDate < other.dueDate ? -1 : one.dueDate > other.dueDate ? 1 : one.code < other.code ? -1 : 1

const sumOf = (bills: readonly OpenBill[]): Exact => bills.reduce((sum, { openAmount }) => sum.plus(openAmount), new Exact(0))

/** The bills, the earliest due first, that an amount covers exactly from the first on; undefined where it ends within one. */
function firstsOf(bills: readonly OpenBill[], amount: string): OpenBill[] | undefined {
  const taken: OpenBill[] = []
  let left = new Exact(amount)
  for (const bill of bills) {
    if (left.lt(bill.openAmount)) break
    taken.push(bill)
    left = left.minus(bill.openAmount)
  }
  return taken.length > 0 && left.isZero() ? taken : undefined
}

/** Whether a code stands in a text, and not only as a part of a longer one. */
function isWordOf(text: string, code: string): boolean {
  const isPart = (sign: string | undefined): boolean => sign !== undefined && /[0-9A-Z]/.test(sign)
  for (let at = text.indexOf(code); at >= 0; at = text.indexOf(code, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + code.length])) return true
  return false
}

/**
 * Whose money a line of a bank statement is, and which open bills it pays; null: a person has to look. Codes of bills in its text go before
 * payer and amount. Bills of another currency are matched by their code alone.
 */
export function matchLine(line: StatementLine, open: readonly OpenBill[]): Match | null {
  const text = line.text.toUpperCase()
  const found = (bills: readonly OpenBill[], by: MatchedBy): Match | null => {
    const [first] = bills
    if (!first || bills.some(({ customerId, currency }) => customerId !== first.customerId || currency !== first.currency))
      return null
    return { customerId: first.customerId, billIds: [...bills].sort(byDue).map(({ id }) => id), by }
  }
  const named = found(
    open.filter(({ code }) => isWordOf(text, code.toUpperCase())),
    'reference',
  )
  if (named) return named
  const same = open.filter(({ currency }) => currency === line.currency)
  const his = same.filter(({ names }) => isNamed(line.payer, names)).sort(byDue)
  if (his.length > 0 && new Set(his.map(({ customerId }) => customerId)).size === 1) {
    const exact = his.find(({ openAmount }) => new Exact(openAmount).eq(line.amount))
    if (exact) return found([exact], 'nameAmount')
    const firsts = firstsOf(his, line.amount)
    if (firsts) return found(firsts, 'nameAmount')
    const covered: OpenBill[] = []
    for (const bill of his) {
      if (!sumOf(covered).lt(line.amount)) break
      covered.push(bill)
    }
    return found(covered, 'name')
  }
  const alike = (his.length > 0 ? his : same).filter(({ openAmount }) => new Exact(openAmount).eq(line.amount))
  return alike.length === 1 ? found(alike, his.length > 0 ? 'nameAmount' : 'amount') : null
}
