import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE, MailOffice, type Listed } from './office'

let office: MailOffice
let wang: string
let desk: string
beforeAll(async () => {
  office = await MailOffice.open()
  wang = await office.bind('wang', { address: 'wang@switchboard.example' })
  await office.bind('li', { address: 'li@switchboard.example' })
  desk = await office.bind('li', { address: 'sales@switchboard.example', displayName: 'Sales', kind: 'shared' })
})
afterAll(() => office.close())

interface Taken {
  files: { id: string; name: string; contentId: string | null }[]
  refused: unknown[]
}

const upload = async (name: string, fileName: string, content: string | Buffer, type: string): Promise<string> => {
  const form = new FormData()
  form.append('file', new Blob([content as BlobPart], { type }), fileName)
  const answer = await fetch(`${office.gateway.base}${BASE}/file/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${office.who(name).token}` },
    body: form,
  })
  return ((await answer.json()) as { data: { fileId: string } }).data.fileId
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('what goes along with mail', () => {
  it('a picture stands in the text that shows it; whoever passes the mail on takes its files over as his own, or the mail whole', async () => {
    const picture = await upload('wang', 'sign.png', PIXEL, 'image/png')
    const sheet = await upload('wang', 'rates.csv', 'a,b\n1,2\n', 'text/csv')
    const content = `<p>See <img src="cid:${picture}" alt="sign"></p>`
    await office.send('wang', wang, ['li@switchboard.example'], { content, attachments: [picture, sheet] })
    await office.later()
    const { id } = await office.newest('li', 'receive')
    const taken = await office.who('li').post<Taken>('/v2/mail/message/takeFiles', { messageId: id })
    expect(taken.data.refused).toEqual([])
    expect(taken.data.files.map(({ name, contentId }) => [name, contentId]).sort()).toEqual([
      ['rates.csv', null],
      ['sign.png', picture],
    ])
    const whole = await office.who('li').post<Taken>('/v2/mail/message/takeFiles', { messageId: id, whole: true })
    expect(whole.data.files).toMatchObject([{ name: 'Rates.eml', contentId: null }])
    const files = taken.data.files.map((file) => file.id)
    const draft = { to: [], subject: 'Fwd', content: 'x', kind: 'forward', sourceMessageId: id, attachments: files }
    const saved = await office.done<{ id: string }>('li', 'draft/save', draft)
    expect((await office.get<{ attachments: unknown[] }>('li', `draft/view/${saved.id}`)).data.attachments).toHaveLength(2)
    // a mail of somebody else's mailbox has no files for others
    expect((await office.who('chen').post('/v2/mail/message/takeFiles', { messageId: id })).code).toBe(10010004)
  })
})

describe('settings of everybody', () => {
  it('whoever keeps mailboxes sees each with its state and none of its mail; others see nothing', async () => {
    const all = await office.who('li').post<{ records: Record<string, unknown>[] }>('/v2/mail/account/everybody', {
      where: [{ field: 'kind', operator: 'eq', value: 'personal' }],
      sort: [{ field: 'address', order: 'asc' }],
    })
    const own = all.data.records.filter(({ id }) => id === wang)
    expect(own).toMatchObject([{ address: 'wang@switchboard.example', state: 'active', $write: false }])
    expect((await office.who('wang').post('/v2/mail/account/everybody', {})).code).toBe(10010003)
    const spied = await office.who('li').post('/v2/mail/account/everybody', {
      where: [{ field: 'ownerId.mobile', operator: 'notEmpty' }],
    })
    expect(spied.code).toBe(10010001)
    expect((await office.done<Listed>('li', 'receive/query', {})).list.every(({ accountId }) => accountId !== wang)).toBe(true)
  })

  it('whoever keeps mailboxes stops and starts those of others, by name in the history, and still reads none of them', async () => {
    const turn = (name: string, way: string, id = wang) =>
      office.who(name).post(`/v2/mail/account/everybody/${way}`, { id }, { 'accept-language': 'en' })
    const { database } = office.gateway.gateway
    const state = async () =>
      (await database.query<{ state: string }>('select state from mail_account where id = $1', [wang])).rows[0]!.state
    expect((await turn('wang', 'stop')).code).toBe(10010003)
    expect((await turn('li', 'stop')).code).toBe(0)
    expect(await state()).toBe('stopped')
    expect((await turn('li', 'stop')).code).not.toBe(0)
    expect((await turn('li', 'start')).code).toBe(0)
    expect(await state()).toBe('active')
    const { rows } = await database.query<{ staffId: string }>(
      `select staff_id as "staffId" from sys_audit_log where entity = 'mail.account' and record_id = $1 order by record_version desc, at desc`,
      [wang],
    )
    expect(rows.map(({ staffId }) => staffId)).toContain('li')
    expect((await office.post('li', 'receive/query', { accountIds: [wang] })).code).toBe(10010004)
  })

  it('one mailbox is the one that somebody sends from by default', async () => {
    const second = await office.bind('wang', { address: 'wang.second@switchboard.example' })
    const preferred = async () =>
      (await office.done<{ accountId: string; isDefault: boolean }[]>('wang', 'email/sender/list'))
        .filter(({ isDefault }) => isDefault)
        .map(({ accountId }) => accountId)
    for (const id of [second, wang]) {
      const asked = { ids: [id], transition: 'prefer' }
      expect((await office.who('wang').post('/v2/mail/account/stateUpdate', asked)).msg).toBe('OK')
      expect(await preferred()).toEqual([id])
    }
  })

  it('a follow rule is tried before a mail comes, by members of its mailbox', async () => {
    const rule = { accountId: desk, match: 'senderDomain', value: 'client.example', followStaffId: 'chen', order: 1 }
    expect((await office.who('li').post('/v2/mail/followRule/save', rule)).code).toBe(0)
    const tried = (name: string, senderEmail: string) =>
      office.who(name).post('/v2/mail/followRule/try', { accountId: desk, senderEmail, subject: 'Rates' })
    expect((await tried('li', 'a@client.example')).data).toMatchObject({
      rule: { match: 'senderDomain', value: 'client.example' },
      staff: { id: 'chen' },
    })
    expect((await tried('li', 'a@other.example')).data).toEqual({ rule: null, staff: null })
    expect((await tried('wang', 'a@client.example')).code).toBe(10010003)
  })
})
