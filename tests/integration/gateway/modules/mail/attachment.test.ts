import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../../support/freePort'
import { MailOffice, type Listed } from './office'

const WANG = 'wang@switchboard.example'

let office: MailOffice
let mail: string
beforeAll(async () => {
  const port = await freePort()
  office = await MailOffice.open({ MAIL_SMTP_LISTEN: `127.0.0.1:${port}`, JOBS: 'true' }, ['wang', 'li'])
  await office.bind('wang', { address: WANG })
  await office.bind('li', { address: 'li@switchboard.example' })
  await createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({
    ...{ from: 'kunde@c.io', to: WANG, subject: 'Rates', text: 'See' },
    attachments: [
      { filename: '价格 11.csv', content: 'a;b' },
      { filename: 'page.html', content: '<script>1</script>', contentType: 'text/html' },
      {
        ...{ filename: 'passed on.eml', contentType: 'message/rfc822' },
        content: [
          'From: Anna <anna@c.io>\r\nSubject: =?utf-8?B?5oql5Lu3?=\r\nMIME-Version: 1.0',
          'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nAs agreed',
          '--b\r\nContent-Type: text/csv; name="../rates.csv"\r\nContent-Disposition: attachment; filename="../rates.csv"\r\n\r\nIN;0.1',
          '--b--\r\n',
        ].join('\r\n'),
      },
      { filename: 'picture.gif', content: Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64') },
    ],
  })
  mail = (await office.newest('wang', 'receive')).id
})
afterAll(() => office.close())

const file = (name: string, index: number | string): Promise<Response> =>
  office.who(name).raw('GET', `/v2/mail/attachment/${mail}/${index}`)

describe('a file of a mail', () => {
  it('comes under its name, and as what it is only where a browser may draw it', async () => {
    const csv = await file('wang', 0)
    expect(await csv.text()).toBe('a;b')
    expect(csv.headers.get('content-disposition')).toContain(encodeURIComponent('价格 11.csv'))
    const page = await file('wang', 1)
    expect(page.headers.get('content-type')).toContain('application/octet-stream')
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await file('wang', 3)).headers.get('content-type')).toBe('image/gif')
  })

  it('is a mail: it is opened one level, and its files are had by their places in it', async () => {
    const { attachments } = await office.done<{ attachments: { letter?: object }[] }>('wang', 'email/detail', { messageId: mail })
    expect(attachments.map(({ letter }) => letter)).toEqual([
      ...[undefined, undefined],
      {
        ...{ subject: '报价', sender: { email: 'anna@c.io', name: 'Anna' }, at: null, text: 'As agreed' },
        files: [{ name: 'rates.csv', size: 6, type: 'text/csv', index: 0 }],
      },
      undefined,
    ])
    const inner = await file('wang', '2?inside=0')
    expect(await inner.text()).toBe('IN;0.1')
    expect(inner.headers.get('content-disposition')).toContain('rates.csv')
    expect(inner.headers.get('content-disposition')).not.toContain('..')
    for (const [name, place] of [
      ['wang', '2?inside=1'],
      ['wang', '0?inside=0'],
      ['li', '2?inside=0'],
    ] as const)
      expect(await (await file(name, place)).json()).toMatchObject({ code: 10010004 })
  })

  it('is not there for others, nor at a place where the mail has none', async () => {
    for (const [name, index] of [
      ['li', 0],
      ['wang', 4],
    ] as const)
      expect(await (await file(name, index)).json()).toMatchObject({ code: 10010004 })
    expect(await (await file('wang', -1)).json()).toMatchObject({ code: 10010001 })
  })
})

describe('a mail that is put away', () => {
  it.each(['archive', 'trash'] as const)('lies in the %s until that is taken back', async (to) => {
    const total = async (): Promise<number> => (await office.done<Listed>('wang', 'receive/query', { page: 1, size: 20 })).total
    const { moved, undoToken } = await office.done<{ moved: number; undoToken: string }>('wang', 'junk/move', {
      ...{ messageIds: [mail], to, always: true },
    })
    expect([moved, await total()]).toEqual([1, 0])
    // only spam says something of its sender
    for (const list of ['whitelist', 'blacklist'])
      expect((await office.done<Listed>('wang', `${list}/query`, { page: 1, size: 20 })).total).toBe(0)
    await office.done('wang', 'junk/move', { undoToken })
    expect(await total()).toBe(1)
    expect((await office.post('li', 'junk/move', { messageIds: [mail], to })).code).toBe(10010004)
  })
})
