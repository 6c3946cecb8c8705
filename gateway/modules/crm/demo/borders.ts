import { addDays } from '../../../platform/calendar'
import { edgeBook, type Parties } from './edgeRows'
import type { Chapter } from './handovers'
import { BARRED } from './restrictions'

/** A mail domain that three companies of one group share; the rules know it, so that none of them is a duplicate of another. */
export const GROUP_DOMAIN = 'orbit-group.example'
const GROUP = [
  ['CU2400118', 'SG', 'Orbit Messaging Asia Pte Ltd'],
  ['CU2400122', 'GB', 'Orbit Retail Notifications Ltd'],
  ['CU2400123', 'AE', 'Orbit Freight Alerts FZE'],
] as const

/** Customers at a border of a rule: a balance one cent above and at the exempt one, and companies that share a whitelisted domain. */
export function makeBorders(parties: Parties, chapter: Chapter): void {
  const book = edgeBook(parties, chapter)
  const { today, at } = book
  for (const [code, name, balance] of [
    ['CU2400112', '绍兴余额免收通信技术有限公司', '100.01'],
    ['CU2400113', '绍兴余额到线通信技术有限公司', '100.00'],
  ] as const) {
    const owner = book.seller(1)
    const created = addDays(today, -70)
    const touched = at(addDays(today, -9))
    const id = book.add({
      code,
      name,
      country: 'CN',
      domain: `${code.toLowerCase()}.example`,
      owner,
      createdOn: created,
      values: {
        stage: 'following',
        balance,
        payMode: 'prepaid',
        followCount: 1,
        lastFollowAt: touched,
        protectUntil: addDays(created, 15),
      },
    })
    book.log(id, 'create', owner, null, at(created))
    book.follow(id, owner, new Date(touched), 'zh')
  }
  for (const [index, [code, country, name]] of GROUP.entries()) {
    const owner = book.seller(index + 2)
    const created = addDays(today, -100 + index * 20)
    const touched = at(addDays(today, -3 - index))
    const id = book.add({
      code,
      name,
      country,
      domain: GROUP_DOMAIN,
      owner,
      createdOn: created,
      values: { stage: 'following', followCount: 1, lastFollowAt: touched, protectUntil: addDays(created, 15) },
    })
    book.log(id, 'create', owner, null, at(created))
    book.follow(id, owner, new Date(touched), 'en')
  }
}

/** Two customers that were voided: created twice by mistake, and a company that closed. */
export function makeVoided(parties: Parties, chapter: Chapter): void {
  const book = edgeBook(parties, chapter)
  for (const [code, name, voidedDaysAgo] of [
    ['CU2400124', '台州误建重复贸易有限公司', 12],
    ['CU2400125', '丽水停业清算网络有限公司', 40],
  ] as const) {
    const owner = book.seller(5)
    const created = addDays(book.today, -voidedDaysAgo - 8)
    const touched = book.at(addDays(book.today, -voidedDaysAgo - 2))
    const id = book.add({
      code,
      name,
      country: 'CN',
      domain: `${code.toLowerCase()}.example`,
      owner,
      createdOn: created,
      values: { holding: 'frozen', voided: true, stage: 'following', followCount: 1, lastFollowAt: touched },
    })
    book.log(id, 'create', owner, null, book.at(created))
    book.follow(id, owner, new Date(touched), 'zh')
  }
}

/** Somebody who wanted to save the barred company as a customer. */
export function makeBarredAttempt({ staff, now, further }: Chapter): void {
  const seller = staff.find((one) => one.position === 'sales' && one.status === 'active')
  const entry = (further['crm.blacklist'] ?? []).find((one) => one.name === BARRED)
  if (!seller || !entry) return
  const ago = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString()
  ;(further['crm.dupCheck'] ??= []).push({
    id: 'dc-barred',
    checkedById: seller.id,
    input: { name: BARRED, countryCode: 'AE' },
    hits: [{ id: entry.id, code: entry.code, name: BARRED, rule: 'blacklist', score: 100, decision: 'block' }],
    decision: 'blocked',
    appealNote: null,
    at: ago(3),
    createdAt: ago(3),
    createdBy: seller.id,
  })
}
