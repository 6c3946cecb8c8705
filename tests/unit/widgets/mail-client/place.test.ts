import { describe, expect, it } from 'vitest'
import { relabelled } from '../../../../src/widgets/mail-client/parts/useChange'
import {
  addressOf,
  bare,
  filterOf,
  isNarrowed,
  messageAddress,
  readPlace,
  writeAddress,
} from '../../../../src/widgets/mail-client/parts/place'
import { conversationsOf } from '../../../../src/widgets/mail-client/list/conversations'
import type { Row } from '../../../../src/widgets/mail-client/parts/types'

const queryOf = (address: string): Record<string, string> => Object.fromEntries(new URL(address, 'http://x').searchParams)

describe('where somebody stands in his mail', () => {
  it('is all in the address, which one tab shows (R190)', () => {
    const place = {
      ...{
        box: 'inbox' as const,
        page: 3,
        account: 'a1',
        folder: 'f1',
        id: 'm1',
        q: 'rate & card',
        from: 'x@y.io',
        to: 'z',
        mark: 'k',
      },
      ...{
        since: '2026-11-01',
        until: '2026-11-30',
        customer: 'c1',
        file: true as const,
        unread: true as const,
        star: true as const,
      },
      mine: true as const,
    }
    const address = addressOf('message', place)
    expect(address).toMatch(/^\/message\/email\/inbox\?/)
    expect(queryOf(address)).toMatchObject({ tagPath: 'path', file: '1', page: '3', q: 'rate & card' })
    expect(readPlace(queryOf(address), 'inbox')).toEqual(place)
    expect(addressOf('message', { box: 'star', page: 1 })).toBe('/message/email/star')
  })

  it('is one page in CRM, whose folder the address names', () => {
    expect(addressOf('crm', { box: 'inbox', page: 1 })).toBe('/crm/email')
    const sent = addressOf('crm', { box: 'sent', page: 1 })
    expect(sent).toMatch(/^\/crm\/email\?box=sent/)
    expect(readPlace(queryOf(sent), 'inbox').box).toBe('sent')
    expect(readPlace({ box: 'nonsense', page: '-2' }, 'spam')).toEqual({ box: 'spam', page: 1 })
  })

  it('narrows the call by what it says, days being those of the company', () => {
    const place = readPlace(
      { q: 'rates', unread: '1', since: '2026-11-02', until: '2026-11-02', mine: '1', account: 'a1' },
      'star',
    )
    expect(filterOf(place, 's1', 'Asia/Shanghai')).toEqual({
      ...{ accountIds: ['a1'], keyword: 'rates', seen: false, starred: true, followStaffId: 's1' },
      period: ['2026-11-01T16:00:00.000Z', '2026-11-02T15:59:00.000Z'],
    })
    expect(isNarrowed(place)).toBe(true)
    expect(isNarrowed(bare(place))).toBe(false)
    expect(bare(place)).toEqual({ box: 'star', page: 1, account: 'a1' })
  })

  it('leads to where one writes and to a message alone, each in its view', () => {
    const answer = { kind: 'reply', messageId: 'm1', accountId: 'a1' }
    expect(writeAddress('message', answer)).toBe('/message/email/write?kind=reply&messageId=m1&accountId=a1')
    expect(writeAddress('crm', answer)).toMatch(/^\/crm\/sendOutBox\?kind=reply/)
    expect(writeAddress('crm', { draftId: 'd1' })).toBe('/crm/editDraftBox?draftId=d1')
    expect(writeAddress('message', { accountId: undefined })).toBe('/message/email/write')
    const message = { id: 'm1', accountId: 'a1' }
    expect(messageAddress('message', { ...message, box: 'sent' })).toBe('/message/email/details?accountId=a1&messageId=m1')
    expect(messageAddress('crm', { ...message, box: 'inbox' })).toMatch(/^\/crm\/inBoxDetails\?/)
    expect(messageAddress('crm', { ...message, box: 'sent' })).toMatch(/^\/crm\/outBoxDetails\?/)
    expect(messageAddress('crm', { ...message, box: 'spam' })).toMatch(/^\/crm\/dustbinDetails\?/)
  })
})

const row = (id: string, threadId: string | null, seen = true, accountId = 'a1') => ({ id, threadId, seen, accountId }) as Row

describe('a page of mail', () => {
  it('shows conversations by their newest, unread while one of them is; none joins two mailboxes', () => {
    const list = [row('3', 't'), row('2', 't', false), row('1', null), row('0', 't', true, 'a2')]
    expect(conversationsOf(list, false).rows).toEqual(list)
    const { rows, together } = conversationsOf(list, true)
    expect(rows.map(({ id, seen }) => [id, seen])).toEqual([
      ['3', false],
      ['1', true],
      ['0', true],
    ])
    expect([...together]).toEqual([['3', 2]])
  })

  it('is marked in as few calls as there are sets of marks', () => {
    const rows = [
      { id: '1', marks: ['a'] },
      { id: '2', marks: [] },
      { id: '3', marks: ['a'] },
      { id: '4', marks: ['b', 'a'] },
    ]
    expect(relabelled(rows, 'b', true)).toEqual([
      { markIds: ['a', 'b'], ids: ['1', '3'] },
      { markIds: ['b'], ids: ['2'] },
    ])
    expect(relabelled(rows, 'b', false)).toEqual([{ markIds: ['a'], ids: ['4'] }])
  })
})
