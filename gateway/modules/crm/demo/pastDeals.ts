import { addDays } from '../../../platform/calendar'
import { earn } from './earning'
import { edgeBook, type Parties } from './edgeRows'
import type { Chapter } from './handovers'

/** Code, name, country, and days ago of the first deal, the last traffic and the way to the sea. */
const PAST = [
  ['CU2400130', '宁波旧识通信有限公司', 'CN', 420, 150, 40],
  ['CU2400131', 'Second Wave Courier Ltd', 'GB', 390, 130, 33],
  ['CU2400132', '佛山昔日云商科技有限公司', 'CN', 300, 118, 21],
  ['CU2400133', 'Old Harbour Games Pte Ltd', 'SG', 350, 125, 12],
  ['CU2400134', 'Evening Relay Retail Inc', 'US', 280, 104, 6],
] as const

/** Customers in the sea who once dealt: the first that a seller looks for there. */
export function makePastDeals(parties: Parties, chapter: Chapter): void {
  const book = edgeBook(parties, chapter)
  const before = parties.customers.length
  for (const [index, [code, name, country, dealt, traffic, entered]] of PAST.entries()) {
    const owner = book.seller(index + 2)
    const enteredAt = book.at(addDays(book.today, -entered), '02:00')
    const touched = book.at(addDays(book.today, -entered - 62))
    const created = addDays(book.today, -dealt - 60)
    const id = book.add({
      code,
      name,
      country,
      domain: `${code.toLowerCase()}.example`,
      owner: null,
      createdOn: created,
      values: {
        holding: 'sea',
        stage: 'churned',
        firstDealAt: book.at(addDays(book.today, -dealt)),
        lastTrafficAt: book.at(addDays(book.today, -traffic)),
        payMode: 'prepaid',
        lastFollowAt: touched,
        followCount: 1,
        seaEnteredAt: enteredAt,
        seaReason: 'noFollow',
        lastOwnerId: owner.id,
        seaStays: 1,
      },
    })
    book.log(id, 'create', owner, null, book.at(created))
    book.follow(id, owner, new Date(touched), country === 'CN' ? 'zh' : 'en')
    book.log(id, 'recycle', null, owner, enteredAt)
    book.stay(id, owner, enteredAt, null)
  }
  earn(parties, chapter, before)
}
