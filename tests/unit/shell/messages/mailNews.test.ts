import { describe, expect, it, vi } from 'vitest'
import { MenuCounts } from '../../../../src/shell/layout/menuCounts'
import { mailAddress, mailNewsOf, newsText } from '../../../../src/shell/messages/mailNews'
import { MessageStore } from '../../../../src/shell/messages/messageStore'

const push = (box: string, more: object = {}) => ({
  event: 'message',
  msgType: 2,
  msgContentTemplate: '{emailboxType} {sender}：{subject}',
  msgFillAfterVar: [
    { key: '{emailboxType}', showFieldName: box },
    { key: '{sender}', showFieldName: 'Anna {subject}' },
    { key: '{subject}', showFieldName: 'Rates' },
  ],
  ...more,
})

describe('a push of new mail', () => {
  it('leads to the inbox when its kind is 新邮件, else to spam (R230, R231, R232)', () => {
    expect(mailAddress(mailNewsOf(push('新邮件'))!)).toBe('/message/email/inbox')
    expect(mailAddress(mailNewsOf(push('垃圾邮件'))!)).toBe('/message/email/spam')
    expect(mailAddress(mailNewsOf(push('something else'))!)).toBe('/message/email/spam')
  })

  it('is no other message: neither another type nor one that names no mailbox (R228)', () => {
    expect(mailNewsOf(push('新邮件', { msgType: 1 }))).toBeNull()
    expect(mailNewsOf(push('新邮件', { msgFillAfterVar: [] }))).toBeNull()
    expect(mailNewsOf(push('新邮件', { msgFillAfterVar: [null, 'x', { key: 1 }] }))).toBeNull()
    expect(mailNewsOf({ event: 'messageRead' })).toBeNull()
  })

  it('is told in the reader’s words, each place filled once (R159)', () => {
    const en = { mail: 'New mail from', spam: 'Spam from', colon: ': ' }
    expect(newsText(mailNewsOf(push('新邮件'))!, en)).toBe('New mail from Anna {subject}: Rates')
    expect(newsText(mailNewsOf(push('垃圾邮件'))!, { mail: '新邮件', spam: '垃圾邮件', colon: '：' })).toBe(
      '垃圾邮件 Anna {subject}：Rates',
    )
  })

  it('is counted at the menu by what is unread there (R153), not by the bell', async () => {
    const request = vi.fn().mockResolvedValue({ receiveUnReadNum: 3, junkUnReadNum: 1, byAccount: [] })
    const bell = new MessageStore({ request })
    bell.hear(push('新邮件'))
    expect(bell.unread).toBe(0)
    bell.hear(push('新邮件', { msgFillAfterVar: [] }))
    expect(bell.unread).toBe(1)
    bell.stop()
    const counts = new MenuCounts({ request })
    await counts.load()
    expect(counts.byPath).toEqual({ '/message/email/inbox': 3, '/message/email/spam': 1 })
    request.mockRejectedValue(new Error('no network'))
    await counts.load()
    expect(counts.byPath['/message/email/inbox']).toBe(3)
  })
})
