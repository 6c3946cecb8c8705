import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MailOffice } from './office'

interface Found {
  list: { id: string; accountId: string }[]
  total: number
  isMore: boolean
}

/** Letters of each of the two mailboxes, a minute apart, turn by turn the newer one. */
const LETTERS = 700

let office: MailOffice
const accounts: string[] = []
beforeAll(async () => {
  office = await MailOffice.open({}, ['wang'])
  for (const [turn, address] of ['wang@switchboard.example', 'rates@switchboard.example'].entries()) {
    const id = await office.bind('wang', { address })
    accounts.push(id)
    await office.gateway.gateway.database.query(
      `insert into mail_message (id, created_at, updated_at, version, account_id, folder_id, direction, email_type, receive_time, subject, search_text, follow_state, body_state, seen)
       select $2 || lpad(n::text, 4, '0'), now(), now(), 1, $1, f.id, 'in', '2', now() - make_interval(mins => n * 2 + $3), 'Rates ' || n,
         case when n = 600 then 'rates prijsafspraak 结清' when n % 7 = 0 then 'rates 报价 of ' || n else 'rates of ' || n end, 'new', 'whole', n % 2 = 0
       from generate_series(0, ${LETTERS - 1}) n, mail_folder f where f.account_id = $1 and f.role = 'inbox'`,
      [id, turn === 0 ? 'a' : 'b', turn],
    )
  }
})
afterAll(() => office.close())

const found = (filter: object, page = 1): Promise<Found> =>
  office.done<Found>('wang', 'receive/query', { page, size: 20, ...filter })
const ids = ({ list }: Found): string[] => list.map(({ id }) => id)

describe('a list over several mailboxes', () => {
  it('is one list, the newest first, on every page, with all of it counted', async () => {
    const first = await found({})
    expect(ids(first).slice(0, 4)).toEqual(['a0000', 'b0000', 'a0001', 'b0001'])
    expect([first.total, first.isMore]).toEqual([2 * LETTERS, false])
    expect(ids(await found({}, 70))).toEqual(Array.from({ length: 10 }, (_, at) => [`a0${690 + at}`, `b0${690 + at}`]).flat())
    expect(ids(await found({ accountIds: [accounts[1]] })).slice(0, 2)).toEqual(['b0000', 'b0001'])
    const unread = await found({ seen: false })
    expect([unread.total, ...ids(unread).slice(0, 2)]).toEqual([LETTERS, 'a0001', 'b0001'])
    const oldest = await found({ sort: { field: 'receiveTime', order: 'asc' } })
    expect(ids(oldest).slice(0, 2)).toEqual(['b0699', 'a0699'])
  })
})

describe('a search', () => {
  it('for what all have answers the newest, and says that there is more than it counted', async () => {
    const common = await found({ keyword: 'RATES' })
    expect([common.total, common.isMore]).toEqual([1_000, true])
    expect(ids(common).slice(0, 3)).toEqual(['a0000', 'b0000', 'a0001'])
    const alone = await found({ keyword: 'rates', accountIds: [accounts[0]] })
    expect([alone.total, alone.isMore]).toEqual([LETTERS, false])
  })

  it('finds what is rare and old: a word, a part of it in any letters, one or two characters, several words', async () => {
    for (const keyword of ['prijsafspraak', 'PRIJSaf', '结清', '结', 'rates 结清', 'prijs  RATES'])
      expect([keyword, ids(await found({ keyword }))]).toEqual([keyword, ['a0600', 'b0600']])
    const often = await found({ keyword: '报价' })
    expect([often.total, ids(often)[0]]).toEqual([(2 * LETTERS) / 7, 'a0000'])
    expect((await found({ keyword: 'prijsafspraak 报价' })).total).toBe(0)
    // signs of patterns are letters like others
    expect((await found({ keyword: '%' })).total).toBe(0)
  })
})
