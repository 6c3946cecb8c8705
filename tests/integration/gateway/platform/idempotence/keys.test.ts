import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contextOf, ok, ServiceError } from '../../../../../gateway/platform/http'
import { ADMIN_KEYS, ADMIN_MENUS, startGateway } from '../../../../support/gateway'
import type { Caller, TestGateway } from '../../../../support/gateway'

let test: TestGateway
let wang: Caller
let li: Caller
let runs = 0
beforeAll(async () => {
  test = await startGateway({
    routes: (app, { database }) => {
      app.post('/v2/test/count', async (request) => {
        const { wait = 0, fail = false } = request.body as { wait?: number; fail?: boolean }
        runs += 1
        await sleep(wait)
        if (fail) throw new ServiceError('validationFailed')
        return ok({ run: runs })
      })
      app.post('/v2/test/undone', async (request) => {
        const context = contextOf(request)
        runs += 1
        await database.transaction(async (tx) => {
          await context.idempotence?.settle(tx, ok({ run: runs }))
          throw new ServiceError('limitRefused')
        })
        return ok(null)
      })
    },
  })
  await test.addStaff({ id: 'wang', jobNumber: 'S0042', keys: ADMIN_KEYS, menus: ADMIN_MENUS })
  await test.addStaff({ id: 'li', jobNumber: 'S0043' })
  wang = await test.signIn('S0042')
  li = await test.signIn('S0043')
})
afterAll(() => test.close())

const count = (caller: Caller, key: string, body: object = {}) =>
  caller.post<{ run: number }>('/v2/test/count', body, { 'idempotency-key': key })

describe('idempotence keys', () => {
  it('come from a call (R283)', async () => {
    const [first, second] = [
      await wang.get<{ key: string }>('/v2/sys/staff/common/request/idempotence'),
      await wang.get<{ key: string }>('/v2/sys/staff/common/request/idempotence'),
    ]
    expect(first.data.key).toMatch(/^[\w-]{20,}$/)
    expect(second.data.key).not.toBe(first.data.key)
    expect((await test.anybody.get('/v2/sys/staff/common/request/idempotence')).code).toBe(11008)
  })

  it('give the same payload the same answer, whatever the order of its keys (R284)', async () => {
    const first = await count(wang, 'same-payload-1', { a: 1, b: { c: 2, d: 3 } })
    const second = await count(wang, 'same-payload-1', { b: { d: 3, c: 2 }, a: 1 })
    expect(second.data).toEqual(first.data)
    expect([first.headers.get('x-idempotent-replay'), second.headers.get('x-idempotent-replay')]).toEqual([null, 'true'])
  })

  it('refuse another payload or address with 10010009', async () => {
    await count(wang, 'other-payload-1', { a: 1 })
    expect((await count(wang, 'other-payload-1', { a: 2 })).code).toBe(10010009)
    expect((await wang.post('/v2/test/undone', { a: 1 }, { 'idempotency-key': 'other-payload-1' })).code).toBe(10010009)
  })

  it('say 10010010 while the same request is running, and run it once', async () => {
    const before = runs
    const answers = await Promise.all(Array.from({ length: 8 }, () => count(wang, 'at-the-same-time', { wait: 2_000 })))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(answers.filter((answer) => answer.code === 10010010)).toHaveLength(7)
    expect(runs).toBe(before + 1)
  })

  it('belong to one person', async () => {
    const mine = await count(wang, 'one-person-1')
    expect((await count(li, 'one-person-1')).data.run).toBe(mine.data.run + 1)
  })

  it('are free again after a refusal, because nothing was written', async () => {
    expect((await count(wang, 'refused-first-1', { fail: true })).code).toBe(10010005)
    expect((await count(wang, 'refused-first-1', { fail: false })).code).toBe(0)
  })

  it('are free again when the transaction that settled them was undone', async () => {
    const call = () => wang.post('/v2/test/undone', {}, { 'idempotency-key': 'undone-write-1' })
    const before = runs
    expect([(await call()).code, (await call()).code]).toEqual([10030002, 10030002])
    expect(runs).toBe(before + 2)
  })

  it('are forgotten after a day', async () => {
    const first = await count(wang, 'a-day-later-1')
    await test.gateway.database.query(
      `update idempotence_key set created_at = created_at - interval '25 hours' where key = 'a-day-later-1'`,
    )
    expect((await count(wang, 'a-day-later-1')).data.run).toBe(first.data.run + 1)
  })

  it('are taken over from a gateway that died, and the dead one cannot finish its write', async () => {
    const { database } = test.gateway
    await database.query(
      `insert into idempotence_key (staff_id, key, fingerprint, holder, instance, created_at) values ('wang', 'of-a-dead-one', 'x', 'dead-holder', 'dead-instance', now())`,
    )
    await database.query(`insert into gateway_instance (id, started_at, seen_at) values ('dead-instance', now(), now())`)
    expect((await count(wang, 'of-a-dead-one')).code).toBe(10010009)
    await database.query(`update gateway_instance set seen_at = now() - interval '16 seconds' where id = 'dead-instance'`)
    expect((await count(wang, 'of-a-dead-one')).code).toBe(0)
    const late = await database.query(
      `update idempotence_key set answer = '{}' where key = 'of-a-dead-one' and holder = 'dead-holder' and answer is null`,
    )
    expect(late.rowCount).toBe(0)
  })

  it('need a shape', async () => {
    for (const key of ['short', 'with space in it', 'x'.repeat(129), '<script>alert'])
      expect((await count(wang, key)).code).toBe(10010001)
  })

  it('make a double click on save one record', async () => {
    const body = { name: '一个权限组', code: 'doubleClick' }
    const save = () => wang.post<{ id: string }>('/v2/sys/role/save', body, { 'idempotency-key': 'double-click-1' })
    const answers = await Promise.all([save(), save(), save()])
    expect(answers.filter((answer) => answer.code === 0).length).toBeGreaterThanOrEqual(1)
    const again = await save()
    expect(again.data.id).toBe(answers.find((answer) => answer.code === 0)?.data.id)
    const { rowCount } = await test.gateway.database.query(`select 1 from sys_role where code = 'doubleClick'`)
    expect(rowCount).toBe(1)
  })
})
