import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ABSENCE_LINE } from '../../../../../gateway/modules/mail/receive/absence'
import { WAKING_LINE } from '../../../../../gateway/modules/mail/send/outgoing'
import { BASE, MailOffice, tabOf, type Listed } from './office'

let office: MailOffice
let wang: string
let li: string
let desk: string
beforeAll(async () => {
  office = await MailOffice.open()
})
afterAll(() => office.close())

const WANG = 'wang@switchboard.example'
const LI = 'li@switchboard.example'
const DESK = 'sales@switchboard.example'

describe('a mailbox', () => {
  it('is missing at first: sending says so with its own code, the page of who has none knows it', async () => {
    const body = { accountId: 'x', to: [{ email: WANG }], subject: 'x', content: 'x' }
    expect((await office.post('wang', 'email/send', body)).code).toBe(10170036)
    expect((await office.get('wang', 'account/staff/state')).data).toEqual({ bound: false, accounts: [], failing: 0 })
    expect(await office.done('wang', 'message/non/read')).toEqual({ receiveUnReadNum: 0, junkUnReadNum: 0, byAccount: [] })
  })

  it('of the portal works at once; its address is written as servers write it, and is nobody else’s', async () => {
    wang = await office.bind('wang', { address: 'Wang@Switchboard.example' })
    li = await office.bind('li', { address: LI })
    desk = await office.bind('li', { address: DESK, displayName: 'Sales', kind: 'shared' })
    expect((await office.get('wang', 'account/staff/state')).data).toMatchObject({
      bound: true,
      accounts: [{ address: WANG, state: 'active', right: 'manage' }],
    })
    const twice = await office
      .who('chen')
      .post('/v2/mail/account/save', { address: WANG, displayName: 'x', kind: 'personal', transport: 'local' })
    expect(twice.code).toBe(10010008)
    const wrong = await office
      .who('chen')
      .post('/v2/mail/account/save', { address: 'a@b', displayName: 'x', kind: 'personal', transport: 'local' })
    expect(wrong).toMatchObject({ code: 10010005, data: { errors: [{ field: 'address' }] } })
  })

  it('is bound for oneself, a shared one by whoever keeps them', async () => {
    const shared = await office
      .who('chen')
      .post('/v2/mail/account/save', { address: 'x@switchboard.example', displayName: 'x', kind: 'shared', transport: 'local' })
    expect(shared).toMatchObject({ code: 10010005, data: { errors: [{ field: 'kind' }] } })
    const foreign = await office.who('chen').post('/v2/mail/account/save', {
      address: 'x@switchboard.example',
      displayName: 'x',
      kind: 'personal',
      ownerId: 'wang',
      transport: 'local',
    })
    expect(foreign).toMatchObject({ code: 10010005, data: { errors: [{ field: 'ownerId' }] } })
  })

  it('lists who may send from it, with what is left of the day', async () => {
    expect(await office.done('li', 'email/sender/list', {})).toEqual([
      { accountId: li, address: LI, displayName: 'li', isDefault: true, state: 'active', sentToday: 0, dailyLimit: 500 },
      { accountId: desk, address: DESK, displayName: 'Sales', isDefault: false, state: 'active', sentToday: 0, dailyLimit: 500 },
    ])
    expect(await office.done('wang', 'email/sender/query', { accountId: wang })).toMatchObject({
      address: WANG,
      signatureIds: [],
    })
    expect((await office.post('wang', 'email/sender/query', { accountId: li })).code).toBe(10010004)
  })

  it('has members by right alone: who only reads sends nothing', async () => {
    const member = { accountId: desk, staffId: 'chen', right: 'read' }
    expect((await office.who('wang').post('/v2/mail/accountStaff/save', { ...member, staffId: 'wang' })).code).not.toBe(0)
    expect((await office.who('li').post('/v2/mail/accountStaff/save', member)).code).toBe(0)
    expect(await office.done('chen', 'account/staff/query', { accountId: desk })).toMatchObject([
      { staffId: 'chen', right: 'read' },
      { staffId: 'li', right: 'manage' },
    ])
    expect((await office.post('chen', 'email/send', { accountId: desk, to: [{ email: WANG }] })).code).toBe(10010003)
  })
})

describe('a mail', () => {
  it('that is wrong is refused at the place where it is (R274), and where nobody can be reached', async () => {
    const to = [{ email: LI }, { email: WANG }, { email: 'a@b' }]
    const wrong = await office.who('wang').post(`${BASE}/email/send`, { accountId: wang, to }, { 'accept-language': 'zh' })
    expect(wrong).toMatchObject({ code: 10010005, msg: '输入邮箱格式有误，请更正', data: { errors: [{ field: 'to[2]' }] } })
    const outside = await office.post('wang', 'email/send', { accountId: wang, to: [{ email: 'x@elsewhere.io' }] })
    expect(outside).toMatchObject({ code: 10010005, data: { errors: [{ field: 'to[0]' }] } })
    expect(outside.msg).toContain('not connected')
    const braces = await office.post('wang', 'email/send', {
      accountId: wang,
      to: [{ email: LI }],
      content: 'Dear {{contact.name}}',
    })
    expect(braces.msg).toContain('contact.name')
    expect((await office.post('wang', 'email/send', { accountId: li, to: [{ email: LI }] })).code).toBe(10010004)
  })

  it('arrives when it cannot be taken back any more, and is pushed (R157, R158, R159)', async () => {
    const tab = await tabOf(office, 'li')
    const { outgoingId, undoUntil } = await office.send('wang', wang, [LI], {
      subject: '九月报价',
      content: '<p>您好 <b>Li</b></p>',
      bcc: [{ email: DESK }],
    })
    expect(outgoingId).toBeTruthy()
    expect(new Date(undoUntil).getTime() - office.gateway.clock.now().getTime()).toBeLessThanOrEqual(10_000)
    await office.later(5)
    expect((await office.done<Listed>('li', 'receive/query', { page: 1, size: 20 })).total).toBe(0)
    await office.later(6)
    const mail = await office.newest('li', 'receive', { accountIds: [li] })
    expect(mail).toMatchObject({
      subject: '九月报价',
      senderEmail: WANG,
      emailType: '2',
      direction: 'in',
      seen: false,
      receiverEmailList: [{ email: LI }],
    })
    await expect.poll(() => tab.events.filter(({ event }) => event === 'message').length).toBeGreaterThan(0)
    expect(tab.events.find(({ msgType }) => msgType === 2)).toMatchObject({
      event: 'message',
      msgContentTemplate: '{emailboxType} {sender}：{subject}',
      msgFillAfterVar: [
        { key: '{emailboxType}', showFieldName: '新邮件' },
        { key: '{sender}', showFieldName: 'wang' },
        { key: '{subject}', showFieldName: '九月报价' },
      ],
    })
    tab.close()
  })

  it('was copied blindly: nobody reads that in it, but who sent it', async () => {
    const inDesk = await office.newest('li', 'receive', { accountIds: [desk] })
    expect(JSON.stringify(inDesk)).not.toContain(DESK)
    const sent = await office.newest('wang', 'send')
    expect(sent).toMatchObject({ emailType: '1', direction: 'out', bccEmailList: [{ email: DESK }], seen: true })
  })

  it('is counted as unread (R153), opened (R150) and quoted (R151)', async () => {
    expect(await office.done('li', 'message/non/read')).toMatchObject({ receiveUnReadNum: 2, junkUnReadNum: 0 })
    const { id } = await office.newest('li', 'receive', { accountIds: [li] })
    const detail = await office.done<Record<string, unknown>>('li', 'email/detail', { messageId: id })
    expect(detail).toMatchObject({
      subject: '九月报价',
      senderEmail: WANG,
      receiverEmailList: [{ email: LI }],
      ccEmailList: [],
      origin: 'It comes from a mailbox of the portal.',
      remoteImages: false,
      customer: null,
      answers: { reply: { to: [{ email: WANG, name: 'wang' }] }, replySubject: 'Re: 九月报价' },
    })
    expect(detail.receiveTime).toBeTruthy()
    expect(detail.content).toContain('<b>Li</b>')
    const quoted = await office.done<Record<string, unknown>>('li', 'email/detail', { messageId: id, quoted: true })
    expect(Object.keys(quoted).sort()).toEqual([
      'ccEmailStr',
      'content',
      'receiveTime',
      'receiverEmailStr',
      'senderStr',
      'subject',
    ])
    expect(quoted).toMatchObject({ senderStr: `wang &lt;${WANG}&gt;`, ccEmailStr: '' })
  })

  it('that is answered stands in the same conversation, and is answered', async () => {
    const { id, threadId } = await office.newest('li', 'receive', { accountIds: [li] })
    await office.send('li', li, [WANG], { subject: 'Re: 九月报价', kind: 'reply', sourceMessageId: id })
    await office.later()
    expect(await office.newest('li', 'receive', { accountIds: [li] })).toMatchObject({
      id,
      answered: true,
      followState: 'answered',
    })
    const answer = await office.newest('wang', 'receive')
    const { list: thread } = await office.done<Listed>('wang', 'receive/query', { page: 1, size: 20, threadId: answer.threadId })
    expect(thread).toHaveLength(2)
    expect(answer.threadId).not.toBe(threadId)
  })

  it('is taken back within ten seconds and is a draft again; later it is on its way', async () => {
    const { outgoingId } = await office.send('wang', wang, [LI], { subject: 'too early' })
    office.gateway.clock.forward(8)
    const cancel = (id: string) => office.who('wang').post('/v2/mail/outgoing/stateUpdate', { ids: [id], transition: 'cancel' })
    expect((await cancel(outgoingId)).code).toBe(0)
    await office.later(60)
    const { list } = await office.done<Listed>('wang', 'draft/query', { page: 1, size: 20 })
    expect(list).toMatchObject([{ subject: 'too early', to: [{ email: LI }], content: '<p>Hi</p>', timed: false }])
    const late = await office.send('wang', wang, [LI], { subject: 'on its way' })
    office.gateway.clock.forward(10.5)
    const answer = await cancel(late.outgoingId)
    expect([answer.code, answer.msg]).toEqual([10010007, expect.stringContaining('发送途中')])
    await office.later(1)
    expect(await office.newest('li', 'receive', { accountIds: [li] })).toMatchObject({ subject: 'on its way' })
    const { list: all } = await office.done<Listed>('li', 'receive/query', { page: 1, size: 50, keyword: 'too early' })
    expect(all).toEqual([])
    await office.done('wang', 'draft/del', { ids: list.map(({ id }) => id) })
  })

  it('is passed on many at once, each as a mail of its own, quoted or as a file', async () => {
    const { list } = await office.done<Listed>('li', 'receive/query', { page: 1, size: 2, accountIds: [li] })
    const messageIds = list.map(({ id }) => id)
    const answer = await office.done<{ results: { outgoingId: string | null }[] }>('li', 'email/batch/transmit', {
      messageIds,
      accountId: li,
      to: `Wang <${WANG}>`,
      asAttachment: true,
    })
    expect(answer.results.map(({ outgoingId }) => outgoingId !== null)).toEqual([true, true])
    await office.later()
    const mail = await office.newest('wang', 'receive')
    expect(mail).toMatchObject({ hasAttachment: true, attachments: [{ type: 'message/rfc822' }] })
    const refused = await office.done<{ results: unknown[] }>('li', 'email/batch/transmit', {
      messageIds: ['nobody'],
      accountId: li,
      to: WANG,
    })
    expect(refused.results).toMatchObject([{ messageId: 'nobody', outgoingId: null, reason: expect.any(String) }])
  })

  it('is of its mailbox alone: nobody else opens, marks, moves, passes on or downloads it', async () => {
    const { id } = await office.newest('wang', 'receive')
    const tries: [string, unknown][] = [
      ['email/detail', { messageId: id }],
      ['email/detail', { messageId: id, quoted: true }],
      ['receive/mark', { messageIds: [id], seen: true }],
      ['junk/mark', { messageIds: [id], seen: true }],
      ['junk/move', { messageIds: [id], to: 'junk' }],
      ['receive/query', { page: 1, size: 20, accountIds: [wang] }],
      ['receive/sync', { accountIds: [wang] }],
      ['email/sender/list', { accountIds: [wang] }],
      ['account/staff/query', { accountId: wang }],
      [`eml/download/${wang}/${id}`, {}],
    ]
    for (const [path, body] of tries) expect([path, (await office.post('chen', path, body)).code]).toEqual([path, 10010004])
    const generic = await office.who('chen').post<{ records: unknown[] }>('/v2/mail/message/queryPage', {})
    expect(generic.data.records.filter((record) => (record as { accountId: string }).accountId !== desk)).toEqual([])
    const shared = await office.newest('chen', 'receive', { accountIds: [desk] })
    expect((await office.post('chen', 'receive/mark', { messageIds: [shared.id], seen: true })).code).toBe(10010004)
    expect((await office.post('chen', 'email/detail', { messageId: shared.id })).code).toBe(0)
  })
})

describe('many messages', () => {
  it('are marked, by name or all of a list as it was seen, and that is taken back', async () => {
    const { list, total } = await office.done<Listed>('li', 'receive/query', { page: 1, size: 20, accountIds: [li] })
    const ids = list.map(({ id }) => id)
    const { changed, undoToken } = await office.done<{ changed: number; undoToken: string }>('li', 'receive/mark', {
      messageIds: ids,
      seen: true,
      starred: true,
    })
    expect(changed).toBe(ids.length)
    expect((await office.done<Listed>('li', 'receive/query', { page: 1, size: 20, starred: true })).total).toBe(ids.length)
    expect((await office.post('wang', 'receive/mark', { undoToken })).code).toBe(10010004)
    expect(await office.done('li', 'receive/mark', { undoToken })).toEqual({ changed: ids.length })
    expect((await office.done<Listed>('li', 'receive/query', { page: 1, size: 20, starred: true })).total).toBe(0)
    const all = { all: true, query: { accountIds: [li] }, seen: true }
    expect((await office.post('li', 'receive/mark', { ...all, count: total + 1 })).code).toBe(10060059)
    expect(await office.done('li', 'receive/mark', { ...all, count: total })).toMatchObject({ changed: total })
    const late = await office.done<{ undoToken: string }>('li', 'receive/mark', { messageIds: ids, seen: false })
    office.gateway.clock.forward(31)
    expect((await office.post('li', 'receive/mark', { undoToken: late.undoToken })).code).toBe(10010004)
  })

  it('are put off out of the inbox, are found there, and come back unread at their time', async () => {
    const inbox = async (filter: object = {}): Promise<Listed> =>
      office.done<Listed>('li', 'receive/query', { page: 1, size: 20, accountIds: [li], ...filter })
    const { total, list } = await inbox()
    const { id } = list.at(-1) as { id: string }
    expect(total).toBe(list.length)
    await office.done('li', 'receive/mark', { messageIds: [id], seen: true })
    const until = (seconds: number): string => new Date(office.gateway.clock.now().getTime() + seconds * 1_000).toISOString()
    expect((await office.post('li', 'receive/mark', { messageIds: [id], snoozedUntil: until(-1) })).code).toBe(10010001)
    expect((await office.post('wang', 'receive/mark', { messageIds: [id], snoozedUntil: until(60) })).code).toBe(10010004)
    const put = { messageIds: [id], snoozedUntil: until(120) }
    const { changed, undoToken } = await office.done<{ changed: number; undoToken: string }>('li', 'receive/mark', put)
    expect(changed).toBe(1)
    expect((await inbox()).total).toBe(total - 1)
    expect(await inbox({ snoozed: true })).toMatchObject({ total: 1, list: [{ id, snoozedUntil: put.snoozedUntil }] })
    await office.done('li', 'receive/mark', { undoToken })
    expect((await inbox()).total).toBe(total)
    await office.done('li', 'receive/mark', put)
    await office.later(100, [WAKING_LINE])
    expect((await inbox()).total).toBe(total - 1)
    await office.later(30, [WAKING_LINE])
    // before what came after it
    expect((await inbox()).list[0]).toMatchObject({ id, snoozedUntil: null, wokenAt: put.snoozedUntil, seen: false })
    expect((await inbox({ snoozed: true })).total).toBe(0)
  })

  it('bear marks of the company or the mailbox', async () => {
    const made = await office.who('li').post<{ id: string }>('/v2/mail/mark/save', { accountId: li, name: 'Urgent' })
    expect(made.code).toBe(0)
    expect((await office.get('li', 'select/mark')).data).toMatchObject([{ name: 'Urgent' }])
    expect((await office.get('wang', 'select/mark')).data).toEqual([])
    const { id } = await office.newest('li', 'receive', { accountIds: [li] })
    await office.done('li', 'receive/mark', { messageIds: [id], markIds: [made.data.id] })
    expect((await office.done<Listed>('li', 'receive/query', { page: 1, size: 20, markIds: [made.data.id] })).list).toMatchObject(
      [{ id }],
    )
  })

  it('go to spam and back, and teach the lists from now on (R152)', async () => {
    const { id } = await office.newest('li', 'receive', { accountIds: [li] })
    expect(await office.done('li', 'junk/move', { messageIds: [id], to: 'junk', always: true })).toMatchObject({ moved: 1 })
    expect(await office.newest('li', 'junk')).toMatchObject({ id, emailType: '3' })
    await office.send('wang', wang, [LI], { subject: 'shut out' })
    await office.later()
    expect(await office.newest('li', 'junk')).toMatchObject({
      subject: 'shut out',
      emailType: '3',
      movedBecause: `mine/black/${WANG}`,
    })
    expect(await office.done('li', 'message/non/read')).toMatchObject({ junkUnReadNum: expect.any(Number) })
    const junk = await office.newest('li', 'junk')
    expect(await office.done('li', 'junk/mark', { messageIds: [junk.id], seen: true })).toMatchObject({ changed: 1 })
    await office.done('li', 'junk/move', { messageIds: [id], to: 'inbox', always: true })
    await office.send('wang', wang, [LI], { subject: 'let in' })
    await office.later()
    expect(await office.newest('li', 'receive', { accountIds: [li] })).toMatchObject({ subject: 'let in' })
    expect(await office.done<Listed>('li', 'whitelist/query', { page: 1, size: 20 })).toMatchObject({
      list: [{ value: WANG, scope: 'mine', hits: 1 }],
    })
  })

  it('are searched by subject, people and text', async () => {
    const found = async (filter: object) =>
      (await office.done<Listed>('li', 'receive/query', { page: 1, size: 20, accountIds: [li], ...filter })).total
    expect(await found({ keyword: '九月' })).toBe(1)
    expect(await found({ keyword: 'Hi wang' })).toBeGreaterThan(0)
    expect(await found({ keyword: 'no such word' })).toBe(0)
    expect(await found({ from: 'wang' })).toBeGreaterThan(0)
    expect(await found({ to: 'nobody' })).toBe(0)
    expect(await found({ hasAttachment: true })).toBe(0)
    expect(await found({ period: ['2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'] })).toBe(0)
    const answer = await office.done<Record<string, unknown>>('li', 'receive/query', { page: 1, size: 20, keyword: '九月' })
    expect(answer).toMatchObject({ searching: false, failed: [], page: 1, size: 20 })
  })
})

describe('drafts', () => {
  it('are saved by the revision that one began with: a newer one is shown and nothing is lost', async () => {
    const first = await office.done<{ id: string; revision: number }>('wang', 'draft/save', {
      accountId: wang,
      subject: 'a',
      content: '<p>1</p><script>x</script>',
    })
    expect(first.revision).toBe(1)
    expect(await office.done('wang', 'draft/save', { id: first.id, revision: 1, content: '<p>2</p>' })).toEqual({
      id: first.id,
      revision: 2,
    })
    const stale = await office.post<{ draft: object }>('wang', 'draft/save', { id: first.id, revision: 1, content: '<p>3</p>' })
    expect(stale).toMatchObject({ code: 10010006, data: { draft: { revision: 2, content: '<p>2</p>' } } })
    expect((await office.get('wang', `draft/view/${first.id}`)).data).toMatchObject({
      id: first.id,
      subject: 'a',
      content: '<p>2</p>',
    })
    expect((await office.get('li', `draft/view/${first.id}`)).code).toBe(10010004)
    expect((await office.post('li', 'draft/save', { id: first.id, revision: 2 })).code).toBe(10010004)
    await office.send('wang', wang, [LI], { draftId: first.id, subject: 'a' })
    expect((await office.get('wang', `draft/view/${first.id}`)).code).toBe(10010004)
    await office.later()
  })

  it('wait for their time, which can be changed', async () => {
    const at = (minutes: number): string => new Date(office.gateway.clock.now().getTime() + minutes * 60_000).toISOString()
    const letter = { accountId: wang, to: [{ email: LI }], subject: 'at eight', content: 'x' }
    expect((await office.post('wang', 'draft/timing/save', { ...letter, timingTime: at(0.5) })).code).toBe(10010005)
    expect((await office.post('wang', 'draft/timing/save', { ...letter, timingTime: at(600_000) })).code).toBe(10010005)
    const { id } = await office.done<{ id: string }>('wang', 'draft/timing/save', { ...letter, timingTime: at(120) })
    expect((await office.done<Listed>('wang', 'draft/query', { page: 1, size: 20, timed: true })).list).toMatchObject([
      { id, timed: true, subject: 'at eight' },
    ])
    await office.done('wang', 'draft/update/timingTime', { id, timingTime: at(60) })
    expect((await office.post('li', 'draft/update/timingTime', { id, timingTime: at(60) })).code).toBe(10010004)
    await office.later(59 * 60)
    expect((await office.done<Listed>('li', 'receive/query', { page: 1, size: 20, keyword: 'at eight' })).total).toBe(0)
    await office.later(61)
    expect((await office.done<Listed>('li', 'receive/query', { page: 1, size: 20, keyword: 'at eight' })).total).toBe(1)
    const dropped = await office.done<{ id: string }>('wang', 'draft/timing/save', {
      ...letter,
      subject: 'never',
      timingTime: at(10),
    })
    expect(await office.done('wang', 'draft/del', { ids: [dropped.id] })).toEqual({ done: [dropped.id], refused: [] })
    await office.later(700)
    expect((await office.done<Listed>('li', 'receive/query', { page: 1, size: 20, keyword: 'never' })).total).toBe(0)
  })
})

describe('somebody who is away', () => {
  it('answers everybody once an absence, and nobody who is away too', async () => {
    const view = async (name: string, id: string): Promise<number> =>
      (await office.who(name).get<{ record: { version: number } }>(`/v2/mail/account/view/${id}`)).data.record.version
    const day = office.gateway.clock.now().toISOString().slice(0, 10)
    const next = new Date(office.gateway.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
    const away = { absentFrom: day, absentUntil: next, absentText: 'Back on Monday.\nAsk <Li>.' }
    for (const [name, id] of [
      ['wang', wang],
      ['li', li],
    ] as const) {
      const version = await view(name, id)
      const wrong = await office
        .who(name)
        .post('/v2/mail/account/save', { id, version, ...away, absentFrom: next, absentUntil: day })
      expect(wrong.code).toBe(10010005)
      const saved = await office.who(name).post('/v2/mail/account/save', { id, version, ...away })
      expect([saved.code, saved.msg]).toEqual([0, 'OK'])
    }
    const replies = async (): Promise<number> =>
      (await office.done<Listed>('li', 'receive/query', { page: 1, size: 20, accountIds: [li], keyword: 'monday' })).total
    for (const subject of ['Are you there', 'Are you there yet']) {
      await office.send('li', li, [WANG], { subject })
      await office.later()
      await office.later(1, [ABSENCE_LINE])
      await office.later(1)
      await office.later(1, [ABSENCE_LINE])
      await office.later(1)
    }
    expect(await replies()).toBe(1)
    const reply = await office.newest('li', 'receive', { accountIds: [li], keyword: 'monday' })
    expect(reply).toMatchObject({ subject: 'Automatic reply: Are you there', senderEmail: WANG })
    const raw = await (await office.who('li').raw('POST', `${BASE}/eml/download/${li}/${reply.id}`)).text()
    expect([raw.includes('Auto-Submitted: auto-replied'), /^In-Reply-To: <[^>]+>/mu.test(raw)]).toEqual([true, true])
    // his own absence did not answer the answer
    const sent = await office.done<Listed>('li', 'send/query', { page: 1, size: 20, accountIds: [li], keyword: 'monday' })
    expect(sent.total).toBe(0)
  })
})

describe('what stands beside mail (R156)', () => {
  it('templates, signatures, lists and the address book are kept, each by its calls', async () => {
    const kept: [string, { list: string; save: string; view: string }, Record<string, unknown>, Record<string, unknown>][] = [
      [
        'temp',
        { list: 'query', save: 'save', view: 'view/' },
        { name: 'Quote', kind: 'quote', scope: 'mine', bodyHtml: '<p>Dear</p>' },
        { name: 'Quote 2' },
      ],
      [
        'signature',
        { list: 'query', save: 'update', view: 'view/' },
        { name: 'Short', scope: 'mine', bodyHtml: '<p>W</p>' },
        { name: 'Shorter' },
      ],
      [
        'whitelist',
        { list: 'query', save: 'update', view: 'view/' },
        { value: 'Good@Partner.IO', scope: 'mine' },
        { reason: 'a partner' },
      ],
      ['blacklist', { list: 'query', save: 'update', view: 'view/' }, { value: 'bad.io', scope: 'mine' }, { reason: 'spam' }],
      [
        'emailBook',
        { list: 'queryPage', save: 'save', view: 'getEmailBook?id=' },
        { name: 'Zhao', email: 'zhao@c.io', company: 'C', scope: 'mine', groupNames: ['vip'] },
        { company: 'D' },
      ],
    ]
    for (const [folder, { list, save, view }, values, change] of kept) {
      const made = await office.done<{ id: string; version: number }>('wang', `${folder}/${save}`, values)
      const changed = await office.done<Record<string, unknown>>('wang', `${folder}/${save}`, {
        id: made.id,
        version: made.version,
        ...change,
      })
      expect(changed).toMatchObject(change)
      expect((await office.done<Listed>('wang', `${folder}/${list}`, { page: 1, size: 20 })).list).toMatchObject([
        { id: made.id },
      ])
      expect((await office.get('wang', `${folder}/${view}${made.id}`)).data).toMatchObject({ id: made.id })
      expect([folder, (await office.get('chen', `${folder}/${view}${made.id}`)).code]).toEqual([folder, 10010004])
      expect((await office.done<Listed>('chen', `${folder}/${list}`, { page: 1, size: 20 })).total).toBe(0)
      if (folder === 'emailBook') {
        expect((await office.get('wang', 'emailBook/queryBookAll')).data).toMatchObject([{ email: 'zhao@c.io', company: 'D' }])
        expect(await office.done('wang', 'email/book/contact', { keyword: 'zha', groupName: 'vip' })).toMatchObject([
          { email: 'zhao@c.io', source: 'book' },
        ])
      }
      expect(await office.done('wang', `${folder}/del`, { ids: [made.id] })).toEqual({ done: [made.id], refused: [] })
      expect((await office.get('wang', `${folder}/${view}${made.id}`)).code).toBe(10010004)
    }
  })

  it('are shared by whoever may, with the company', async () => {
    expect((await office.post('wang', 'temp/save', { name: 'x', kind: 'general', scope: 'company', bodyHtml: 'x' })).code).toBe(
      10010005,
    )
    const { id } = await office.done<{ id: string }>('li', 'temp/save', {
      name: 'All',
      kind: 'general',
      scope: 'company',
      bodyHtml: '<p>x</p>',
    })
    await office.done('li', 'signature/update', { name: 'House', scope: 'company', bodyHtml: '<p>x</p>' })
    expect((await office.get('wang', 'select/temp')).data).toMatchObject([{ id, name: 'All', scope: 'company' }])
    expect((await office.get('wang', 'select/signature')).data).toMatchObject([{ name: 'House' }])
    expect((await office.get('li', 'select/follow')).data).toMatchObject([{ id: 'li' }])
    const own = await office.post('li', 'blacklist/update', { value: 'switchboard.example', scope: 'company' })
    expect(own).toMatchObject({ code: 10010005, data: { errors: [{ field: 'value' }] } })
  })

  it('recipients are suggested and looked at before one writes', async () => {
    expect(await office.done('wang', 'email/customer/contact', { keyword: '' })).toEqual([])
    expect(await office.done('wang', 'email/check/owner', { emails: ['x@c.io'] })).toEqual([
      { email: 'x@c.io', ownerName: null, ownedByOther: false, customerCode: null },
    ])
    await office.done('wang', 'blacklist/update', { value: 'bad.io', scope: 'mine' })
    expect(
      await office.done('wang', 'email/check/cc/email', { emails: [LI, LI, 'a@b', 'x@bad.io', 'y@c.io'], accountId: wang }),
    ).toEqual([
      { email: LI, ok: true, reason: null },
      { email: LI, ok: false, reason: 'duplicate' },
      { email: 'a@b', ok: false, reason: 'invalid' },
      { email: 'x@bad.io', ok: false, reason: 'blacklisted' },
      { email: 'y@c.io', ok: false, reason: 'notConnected' },
    ])
    const servers = {
      imapHost: 'imap.c.io',
      imapPort: 993,
      imapSecurity: 'tls',
      smtpHost: 'smtp.c.io',
      smtpPort: 465,
      smtpSecurity: 'tls',
    }
    const accountId = await office.bind('chen', { address: 'chen@c.io', transport: 'imapSmtp', secret: 'x', ...servers })
    expect(await office.done('chen', 'email/check/cc/email', { emails: [LI, 'y@elsewhere.io'], accountId })).toEqual([
      { email: LI, ok: true, reason: null },
      { email: 'y@elsewhere.io', ok: false, reason: 'outside' },
    ])
  })

  it('the provider of an address is told by its domain, else by what DNS says of it', async () => {
    const providerOf = (address: string) => office.who('wang').post('/v2/mail/provider', { address })
    expect((await providerOf('x@QQ.com')).data).toEqual({ provider: 'qq' })
    expect((await providerOf('x@firm.invalid')).data).toEqual({ provider: null })
    expect((await providerOf('a@b')).code).toBe(10010001)
  })

  it('the chat notice and the push are set', async () => {
    expect((await office.get('wang', 'dingNotice/query')).data).toEqual({
      connected: false,
      enabled: false,
      from: '08:00',
      to: '20:00',
      onlyFollowed: false,
      accounts: [],
    })
    const set = { enabled: true, from: '09:00', to: '18:30', onlyFollowed: true, accounts: [wang] }
    expect(await office.done('wang', 'dingNotice/update', set)).toEqual({ connected: false, ...set })
    expect((await office.get('wang', 'dingNotice/query')).data).toEqual({ connected: false, ...set })
    expect((await office.post('wang', 'dingNotice/update', { ...set, accounts: [li] })).code).toBe(10010004)
    await office.done('wang', 'account/updateEmailSseStatus', { accountId: wang, enabled: false })
    const tab = await tabOf(office, 'wang')
    await office.send('li', li, [WANG], { subject: 'silent' })
    await office.later()
    await office.newest('wang', 'receive')
    expect(tab.events.filter(({ msgType }) => msgType === 2)).toEqual([])
    tab.close()
  })

  it('files go along, and a mail is downloaded as it came (R335)', async () => {
    const form = new FormData()
    form.append('file', new Blob(['route,rate\nCN,0.02\n'], { type: 'text/csv' }), '价格.csv')
    const uploaded = (await (await office.who('wang').raw('POST', `${BASE}/file/upload`, { body: form })).json()) as {
      code: number
      data: { fileId: string }
    }
    expect(uploaded).toMatchObject({ code: 0, data: { name: '价格.csv', size: 19 } })
    expect(await office.done('wang', 'file/upload', { name: 'big.zip', size: 20_000_000 })).toMatchObject({
      fileId: null,
      parts: 3,
      url: expect.stringContaining('segmentUpload'),
    })
    expect((await office.post('wang', 'file/upload', { name: 'big.zip', size: 30_000_000 })).code).toBe(10010012)
    expect(
      (await office.post('li', 'email/send', { accountId: li, to: [{ email: WANG }], attachments: [uploaded.data.fileId] })).code,
    ).toBe(10010004)
    await office.send('wang', wang, [LI], { subject: 'with a file', attachments: [uploaded.data.fileId] })
    await office.later()
    const mail = await office.newest('li', 'receive', { accountIds: [li] })
    expect(mail).toMatchObject({ subject: 'with a file', hasAttachment: true, attachments: [{ name: '价格.csv', size: 19 }] })
    const eml = await office.who('li').raw('POST', `${BASE}/eml/download/${li}/${mail.id}`)
    expect([eml.status, eml.headers.get('content-type')]).toEqual([200, 'message/rfc822'])
    expect(await eml.text()).toMatch(/^From: wang <wang@switchboard\.example>\r\n/u)
  })

  it('asks for a read receipt, which its reader sends or not and nothing sends by itself (RFC 8098)', async () => {
    const { id: draftId } = await office.done<{ id: string }>('wang', 'draft/save', { accountId: wang, wantsReceipt: true })
    expect((await office.get('wang', `draft/view/${draftId}`)).data).toMatchObject({ wantsReceipt: true })
    await office.send('wang', wang, [LI], { subject: 'Please confirm', wantsReceipt: true, draftId })
    await office.later()
    const mail = await office.newest('li', 'receive', { accountIds: [li] })
    const asked = await office.done('li', 'email/detail', { messageId: mail.id })
    expect(asked).toMatchObject({ subject: 'Please confirm', receiptTo: WANG, receiptState: 'asked' })
    await office.later()
    const sent = await office.newest('wang', 'send')
    const sentNow = () => office.done<{ receipts: object[] }>('wang', 'email/detail', { messageId: sent.id })
    expect((await sentNow()).receipts).toEqual([])
    const say = (who: string, transition: string) =>
      office.who(who).post('/v2/mail/message/stateUpdate', { ids: [mail.id], field: 'followState', transition })
    expect((await say('chen', 'receipt')).code).not.toBe(0)
    expect((await say('li', 'receipt')).code).toBe(0)
    expect((await say('li', 'receipt')).code).not.toBe(0)
    await office.later(1)
    expect((await sentNow()).receipts).toMatchObject([{ email: LI }])
    expect(await office.newest('wang', 'receive')).toMatchObject({ subject: '已读：Please confirm', senderEmail: LI })
    await office.send('wang', wang, [LI], { subject: 'Once more', wantsReceipt: true })
    await office.later()
    const { id } = await office.newest('li', 'receive', { accountIds: [li] })
    const body = { ids: [id], field: 'followState', transition: 'withoutReceipt' }
    expect((await office.who('li').post('/v2/mail/message/stateUpdate', body)).code).toBe(0)
    expect(await office.done('li', 'email/detail', { messageId: id })).toMatchObject({ receiptState: 'declined' })
  })

  it('the log tells what was done, to members alone', async () => {
    const { list } = await office.done<Listed>('li', 'emailLog/query', { page: 1, size: 100, accountId: li })
    const actions = new Set(list.map(({ action }) => action))
    for (const action of ['bound', 'received', 'queued', 'sent', 'opened', 'moved', 'downloaded'])
      expect([action, actions.has(action)]).toEqual([action, true])
    expect((await office.done<Listed>('chen', 'emailLog/query', { page: 1, size: 100, accountId: li })).total).toBe(0)
    expect((await office.done<Listed>('li', 'emailLog/query', { page: 1, size: 100, action: 'downloaded' })).total).toBe(2)
  })

  it('dealings with a party one may not see are not there', async () => {
    for (const path of ['dealings/query', 'dealings/customer/query'])
      expect((await office.post('wang', path, { customerId: 'nobody', page: 1, size: 20 })).code).toBe(10010003)
    expect((await office.post('wang', 'dealings/supplier/query', { supplierId: 'nobody', page: 1, size: 20 })).code).toBe(
      10010003,
    )
    expect((await office.done<Listed>('wang', 'dealings/query', { email: LI, page: 1, size: 20 })).total).toBeGreaterThan(0)
    expect((await office.done<Listed>('chen', 'dealings/query', { email: 'nobody@c.io', page: 1, size: 20 })).total).toBe(0)
  })

  it('synchronisation of mailboxes of the portal has nothing to do', async () => {
    expect(await office.done('wang', 'receive/sync', {})).toEqual({ started: false, lastSyncAt: null })
  })
})

describe('every call of the mailbox service (R332, R333, R334)', () => {
  it('asks who calls, and is not there for who has no mail', async () => {
    const { anybody } = office.gateway
    for (const path of ['email/send', 'receive/query', 'draft/save', 'temp/save'])
      expect((await anybody.post(`${BASE}/${path}`)).status).toBe(401)
    await office.gateway.addStaff({ id: 'zhou', jobNumber: 'M0009' })
    const zhou = await office.gateway.signIn('M0009')
    for (const path of ['email/sender/list', 'receive/query', 'draft/query', 'emailLog/query', 'file/upload'])
      expect([path, (await zhou.post(`${BASE}/${path}`)).code]).toEqual([path, 10010003])
  })
})
