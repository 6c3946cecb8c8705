import { addDays } from '../../../platform/calendar'
import { figuresFor } from './earning'
import { edgeBook, type Parties } from './edgeRows'
import { changeCustomer, codeOf, type Chapter } from './handovers'

/** Follow-ups of the customer with the longest history, at scale 1. */
const LONGEST_HISTORY = 5_000

/**
 * Customers with fixed codes that are hard in daily work: a history of 5,000 follow-ups, the last days before recycling, a third
 * stay in the sea, an owner who leaves today, a race for one customer. They stand beside the lived ones and change none of them.
 */
export function makeWorkEdges(parties: Parties, chapter: Chapter, scale: number): void {
  const { now, timeZone } = chapter
  const { today, sales, seller, at, add, log, follow, stay } = edgeBook(parties, chapter)

  // five thousand follow-ups in three years, by four owners one after the other
  const owners = [3, 4, 5, 2].map(seller)
  const begun = addDays(today, -1095)
  const years = owners.map((_, index) => at(addDays(begun, index * 270)))
  const last = owners.at(-1) ?? seller(2)
  const count = Math.max(40, Math.round(LONGEST_HISTORY * Math.min(1, scale)))
  const newest = new Date(now.getTime() - 2 * 86_400_000)
  const long = add({
    code: 'CU2300017',
    name: 'Nova Reach Technologies Pte Ltd',
    country: 'SG',
    domain: 'nova-reach.example',
    owner: last,
    createdOn: begun,
    values: {
      level: 'a',
      classA: true,
      classAValidTo: addDays(today, 21),
      stage: 'dealt',
      alias: 'SGNV7R',
      ownedAt: years.at(-1),
      followCount: count,
      lastFollowAt: newest.toISOString(),
      firstDealAt: at(addDays(begun, 60)),
      lastTrafficAt: at(addDays(today, -1)),
      payMode: 'prepaid',
      recycleOn: null,
    },
  })
  const earning = figuresFor(chapter, parties.customers.slice(-1))[0]
  if (earning) parties.customers[parties.customers.length - 1] = { ...earning, level: 'a' }
  owners.forEach((owner, index) =>
    log(long, index === 0 ? 'create' : 'transfer', owner, owners[index - 1] ?? null, years[index] ?? at(begun)),
  )
  const first = Date.parse(at(addDays(begun, 1)))
  for (let index = 0; index < count; index += 1) {
    const moment = new Date(Math.round(first + ((newest.getTime() - first) * index) / Math.max(1, count - 1)))
    const by = owners[years.filter((from) => from <= moment.toISOString()).length - 1] ?? last
    follow(long, by, moment, index % 3 === 0 ? 'zh' : 'en')
  }

  const applications = chapter.further['crm.classApply'] ?? []
  const granted = applications.find((one) => one.status === 'approved')
  if (granted) {
    const code = codeOf('AL', applications, now, timeZone)
    const dates = { grantedFrom: addDays(today, -344), grantedTo: addDays(today, 21) }
    applications.push({ ...granted, ...dates, id: `al-${code.slice(2)}`, code, customerId: long })
  }

  // one and three days before the open sea takes them
  for (const [code, name, idle] of [
    ['CU2400110', '宁波明日回收信息技术有限公司', 15],
    ['CU2400111', '宁波三日回收网络科技有限公司', 13],
  ] as const) {
    const owner = seller(0)
    const touched = at(addDays(today, -idle))
    const id = add({
      code,
      name,
      country: 'CN',
      domain: `${code.toLowerCase()}.example`,
      owner,
      createdOn: addDays(today, -60),
      values: { stage: 'following', followCount: 1, lastFollowAt: touched, protectUntil: addDays(today, -45) },
    })
    log(id, 'create', owner, null, at(addDays(today, -60)))
    follow(id, owner, new Date(touched), 'zh')
  }

  // the third stay within half a year: only a manager may assign it
  const often = add({
    code: 'CU2400114',
    name: '无锡三次入海电子商务有限公司',
    country: 'CN',
    domain: 'cu2400114.example',
    owner: null,
    createdOn: addDays(today, -175),
    values: {
      holding: 'sea',
      stage: 'following',
      seaEnteredAt: at(addDays(today, -20), '02:00'),
      seaReason: 'noFollow',
      lastOwnerId: seller(8).id,
      seaStays: 3,
      gainedBy: 'claim',
    },
  })
  log(often, 'create', seller(6), null, at(addDays(today, -175)))
  for (const [index, [entered, left]] of (
    [
      [-160, -150],
      [-100, -90],
      [-20, null],
    ] as const
  ).entries()) {
    const owner = seller(6 + index)
    const enteredAt = at(addDays(today, entered), '02:00')
    log(often, 'recycle', null, owner, enteredAt)
    stay(often, owner, enteredAt, left === null ? null : { at: at(addDays(today, left)), by: seller(7 + index) })
    if (left !== null) log(often, 'claim', seller(7 + index), null, at(addDays(today, left)))
  }

  // the owner has the last day today: the hand-over waits
  const leaver = sales.at(-1) ?? seller(9)
  leaver.leftOn = today
  const handed = add({
    code: 'CU2400116',
    name: 'Blue Kite Hand-over Trading Ltd',
    country: 'GB',
    domain: 'blue-kite-handover.example',
    owner: leaver,
    createdOn: addDays(today, -30),
    values: { stage: 'following', followCount: 1, lastFollowAt: at(addDays(today, -2)) },
  })
  log(handed, 'create', leaver, null, at(addDays(today, -30)))
  follow(handed, leaver, new Date(at(addDays(today, -2))), 'en')

  // two claimed it in the same second: one has it, the other's attempt is on record
  const [winner, late] = [seller(10), seller(11)]
  const claimedAt = at(addDays(today, -5))
  const raced = add({
    code: 'CU2400117',
    name: '嘉兴同秒领取数字科技有限公司',
    country: 'CN',
    domain: 'cu2400117.example',
    owner: winner,
    createdOn: addDays(today, -120),
    values: {
      stage: 'following',
      ownedAt: claimedAt,
      gainedBy: 'claim',
      protectUntil: addDays(today, 2),
      followCount: 1,
      lastFollowAt: at(addDays(today, -4)),
      seaStays: 1,
    },
  })
  log(raced, 'create', seller(12), null, at(addDays(today, -120)))
  log(raced, 'recycle', null, seller(12), at(addDays(today, -40), '02:00'))
  log(raced, 'claim', winner, null, claimedAt)
  stay(raced, seller(12), at(addDays(today, -40), '02:00'), {
    at: claimedAt,
    by: winner,
    attempts: [{ staffId: late.id, at: claimedAt, refusedBecause: 'notInSea' }],
  })
  follow(raced, winner, new Date(at(addDays(today, -4))), 'zh')

  const [hongKong, france] = ['CU2400107', 'CU2400108'].map((code) => parties.customers.find((one) => one.code === code))
  if (hongKong && france) changeCustomer(parties.customers, hongKong.id, { duplicateOfId: france.id })
}
