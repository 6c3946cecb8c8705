import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../../support/freePort'
import { MailOffice } from './office'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const WANG = 'wang@switchboard.example'

let office: MailOffice
let server: Server
let asked: { url: string; headers: IncomingHttpHeaders }[]
let mail: string
let account: string
beforeAll(async () => {
  const port = await freePort()
  asked = []
  server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers })
    if (request.url === '/moved') return void response.writeHead(302, { location: '/a.png' }).end()
    if (request.url === '/inside') return void response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end()
    if (request.url === '/round') return void response.writeHead(302, { location: '/round' }).end()
    if (request.url === '/page') return void response.writeHead(200, { 'content-type': 'image/png' }).end('<svg onload="x()"/>')
    if (request.url === '/large') return void response.writeHead(200).end(Buffer.concat([PNG, Buffer.alloc(5_300_000)]))
    response.writeHead(200, { 'content-type': 'image/png', 'set-cookie': 'seen=1' }).end(PNG)
  }).listen(port, '127.0.0.1')
  office = await MailOffice.open({ MAIL_PRIVATE_HOSTS: '127.0.0.1' })
  account = await office.bind('wang', { address: WANG })
  const pictures = ['a.png?x=1&y=2', 'moved', 'inside', 'round', 'page', 'large'].map(
    (path) => `<img src="http://127.0.0.1:${port}/${path}">`,
  )
  await office.send('wang', account, [WANG], { content: `<p>Hi</p>${pictures.join('')}<img src="http://10.0.0.1/x.png">` })
  await office.later()
  mail = (await office.newest('wang', 'receive')).id
})
afterAll(async () => {
  await office.close()
  server.close()
})

const picture = (name: string, n: number): Promise<Response> =>
  office.who(name).raw('GET', `/v2/mail/picture?accountId=${account}&messageId=${mail}&n=${n}`)

describe('a picture of a mail (M14)', () => {
  it('is not asked for by opening the mail, and loaded by the gateway when its reader wants it', async () => {
    const opened = await office.done<{ remoteImages: boolean; content: string }>('wang', 'email/detail', { messageId: mail })
    expect(opened.remoteImages).toBe(true)
    expect(opened.content).not.toContain(' src="http')
    expect(asked).toEqual([])
    const answer = await picture('wang', 0)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)
    expect(asked.map(({ url }) => url)).toEqual(['/a.png?x=1&y=2'])
    for (const header of ['cookie', 'referer', 'authorization', 'x-forwarded-for'])
      expect(asked[0]?.headers).not.toHaveProperty(header)
  })

  it('is followed to where it moved', async () => {
    expect(Buffer.from(await (await picture('wang', 1)).arrayBuffer())).toEqual(PNG)
  })

  it.each([
    ['leads inside', 2],
    ['goes in circles', 3],
    ['is no picture, whatever it says', 4],
    ['is larger than 5 MB', 5],
    ['lies inside', 6],
  ])('that %s is not shown', async (_what, n) => {
    const answer = await picture('wang', n)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(((await answer.json()) as { code: number }).code).not.toBe(0)
  })

  it('is nobody else’s, and there is none behind the last', async () => {
    expect(((await (await picture('li', 0)).json()) as { code: number }).code).toBe(10010004)
    expect(((await (await picture('wang', 7)).json()) as { code: number }).code).toBe(10010004)
  })
})
