import { EventSourceParserStream } from 'eventsource-parser/stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller, TestGateway } from '../../../support/gateway'
import { ADMIN_MENUS, PASSWORD, startGateway } from '../../../support/gateway'

let gateway: TestGateway
let admin: Caller
beforeAll(async () => {
  gateway = await startGateway({})
  const keys = ['setModule:pages', 'setModule:pages:release', 'setModule:authManage:user:edit']
  await gateway.addStaff({ id: 'admin', jobNumber: 'T0001', keys, menus: ADMIN_MENUS })
  await gateway.addStaff({ id: 'wang', jobNumber: 'T0042' })
  admin = await gateway.signIn('T0001')
})
afterAll(() => gateway.close())

const connect = async (token: string | null = null) => {
  const abort = new AbortController()
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${gateway.base}/v2/sys/mc/sse/connection`, { headers, signal: abort.signal })
  const reader = response.ok
    ? response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
    : null
  const next = async () => {
    const part = await reader?.read()
    return part?.value ? (JSON.parse(part.value.data) as { event: string }) : null
  }
  return { status: response.status, type: response.headers.get('content-type'), next, close: () => abort.abort() }
}

/** Which schemas are served now, as every answer says it. */
const served = async (headers: Record<string, string> = {}) =>
  (await fetch(`${gateway.base}/v2/sys/page/routes`, { headers })).headers.get('x-schema-revision')

const release = async (width: number, stage: 'all' | 'gray' = 'all') => {
  const target = 'page:crm/my-client'
  await admin.post('/v2/sys/schema/draft/save', { target, version: 0, changes: [{ at: 'columns/level/width', set: width }] })
  const body = { drafts: [{ target, version: 1 }], stage, title: 't', reason: 'test', accepted: [] }
  expect((await admin.post('/v2/sys/schema/release', body)).code).toBe(0)
}

it('The stream opens with a token only, says that it stands, and tells every open browser of a release (R328, R329, R330)', async () => {
  expect((await connect()).status).toBe(401)
  const [one, other] = [await connect(admin.token), await connect(admin.token)]
  expect(one.type).toContain('text/event-stream')
  expect(await one.next()).toEqual({ event: 'connection' })
  expect(await other.next()).toEqual({ event: 'connection' })
  await release(200)
  const revision = await served()
  expect(await one.next()).toEqual({ event: 'schema', revision, gray: revision })
  expect(await other.next()).toEqual({ event: 'schema', revision, gray: revision })
  await release(202, 'gray')
  const gray = await served({ 'x-gray-version': 'gray' })
  expect(gray).not.toBe(revision)
  expect(await one.next()).toEqual({ event: 'schema', revision, gray })
  one.close()
  other.close()
})

it('Every answer says which schemas are served, so that a browser without a stream learns of a release too', async () => {
  const before = await served()
  expect(before).toMatch(/^sha256-/)
  expect(await served()).toBe(before)
  await release(201)
  expect(await served()).not.toBe(before)
})

it('The stream of a session ends with it, at once and alone: signed out, signed out everywhere, password changed, account disabled (R385)', async () => {
  const callers: Caller[] = []
  for (let count = 0; count < 5; count += 1) callers.push(await gateway.signIn('T0042'))
  const streams = await Promise.all([...callers, admin].map(({ token }) => connect(token)))
  for (const stream of streams) expect(await stream.next()).toEqual({ event: 'connection' })
  const [own, ...others] = callers
  const later = streams.map((stream) => stream.next())
  const over: number[] = []
  later.forEach((next, index) => void next.then((event) => event === null && over.push(index)))
  const ended = (...which: number[]) => expect.poll(() => [...over].sort(), { timeout: 2000 }).toEqual(which)

  await others[0]?.post('/v2/sys/staff/user/signOut', { everywhere: false })
  await ended(1)
  await gateway.gateway.database.query(
    `update auth_session set expires_at = now() - interval '1 second' where staff_id = 'admin'`,
  )
  await gateway.gateway.database.notify('session_ended', 'staff:admin')
  await ended(1, 5)
  const change = { oldPassword: PASSWORD, newPassword: 'another-horse-8' }
  expect((await own?.post('/v2/sys/staff/user/changePassword', change))?.code).toBe(0)
  await ended(1, 2, 3, 4, 5)
  const once = await gateway.signIn('T0001')
  expect((await once.post('/v2/sys/staff/user/disable', { id: 'wang', disabled: true })).code).toBe(0)
  await ended(0, 1, 2, 3, 4, 5)
})
