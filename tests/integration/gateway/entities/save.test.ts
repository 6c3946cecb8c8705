import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { EntityRecord } from '../../../../gateway/entities'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { documents } from '../../../fixtures/entities/documents'
import { as, clientRow, openWorld, PEOPLE, startEngine, type World } from './world'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const save = (context: ReturnType<typeof as>, body: Record<string, unknown>) => world.engine.save('test.client', context, body)
const errorsOf = async (
  attempt: Promise<unknown>,
): Promise<{ reason: string; errors: { field?: string; message: string; rule?: string }[] }> => {
  const error = (await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as { reason: string; data: { errors: { field?: string; message: string; rule?: string }[] } }
  expect(error).toBeDefined()
  return { reason: error.reason, errors: error.data.errors }
}

/** Texts as nobody expects them: quotes, commas, words of SQL, control characters, nothing at all. */
const anyText = fc.oneof(
  fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', "','", 'a\u001fb', '\u001a', '\u001f', '\n', '客户'),
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\u0000')),
)
const anyRow = fc.record({
  name: anyText,
  nameEn: fc.option(anyText),
  limit: fc.option(fc.constantFrom('0.01', '-5', '123456789012345678.25')),
  staff: fc.option(fc.integer()),
  vip: fc.option(fc.boolean()),
  foundedOn: fc.option(fc.constantFrom('2020-02-29', '1999-12-31')),
  lastSeenAt: fc.option(fc.constantFrom('2026-01-01T15:00:00.000Z', '2026-01-01T15:00:00.123Z')),
  products: fc.option(fc.array(anyText, { maxLength: 3 })),
  extra: fc.option(
    fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(anyText, fc.integer(), fc.constant(null)), { noNullPrototype: true }),
  ),
})

describe('saving', () => {
  it('writes many new records in one statement with every value as it was given, common or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 8 }), fc.boolean(), async (rows, alike) => {
        const given: EntityRecord[] = rows.map((row) => ({ id: newId(), ...(alike ? rows[0] : row), ownerId: PEOPLE.wang }))
        await world.engine.transaction(systemContext(), async (entities, tx) => {
          await entities.insertMany('test.client', given)
          const stored = await entities.list('test.client', {
            where: [{ field: 'id', operator: 'in', value: given.map(({ id }) => id) }],
          })
          const found = new Map(stored.map((record) => [record.id, record]))
          for (const record of given) expect(found.get(record.id)).toMatchObject(record)
          await tx.query('delete from test_client where id = any($1::text[])', [given.map(({ id }) => id)])
        })
      }),
      { numRuns: 60 },
    )
  })

  it('takes no longer for a pattern that an engine which goes back would work on for seconds', async () => {
    const code = (pattern: string) => ({
      type: 'string' as const,
      maxLength: 4_000,
      pattern,
      'x-label': { zh: '码', en: 'Code' },
    })
    const engine = await startEngine(world.database, [
      ...documents,
      {
        formatVersion: 3,
        name: 'test.patterns',
        label: { zh: '格式', en: 'Patterns' },
        titleField: 'harmless',
        type: 'object',
        'x-scope': 'public',
        'x-permissions': { add: 'test:client:add' },
        properties: { harmless: code('^[a-z]+$'), hostile: code('^.{0,1000}.{0,1000}.{0,1000}y') },
      },
    ])
    const took = async (field: string): Promise<number> => {
      const start = performance.now()
      const { errors } = await errorsOf(engine.save('test.patterns', as(PEOPLE.wang), { [field]: 'X'.repeat(3_000) }))
      expect(errors).toMatchObject([{ field, message: expect.stringContaining('does not have the required form') as string }])
      return performance.now() - start
    }
    await took('harmless')
    const harmless = await took('harmless')
    expect(await took('hostile')).toBeLessThan(harmless + 1_000)
  })

  it('creates a record with number, owner, defaults and states, and reads it back; staff are named with their job number (R155)', async () => {
    const me = as(PEOPLE.wang)
    const saved = await save(me, {
      name: '  星河通信 ',
      country: 'CN',
      limit: '1000.50',
      products: ['sms'],
      phone: '+86 138 1234 0001',
    })
    expect(saved.record).toMatchObject({
      name: '星河通信',
      level: 'd',
      holding: 'private',
      stage: 'open',
      ownerId: PEOPLE.wang,
      ownerDeptId: 'd2',
      limit: '1000.5',
      phone: '+8613812340001',
      version: 1,
      noteCount: 0,
      idleDays: 0,
      $write: true,
    })
    expect(saved.record.code).toMatch(/^CL\d{2}00001$/)
    expect(saved.record).not.toHaveProperty('nameKey')
    expect(saved.record).not.toHaveProperty('deletedAt')
    const page = await world.engine.queryPage('test.client', me, { keyword: '星河' })
    expect(page.total).toBe(1)
    expect(page.refs['sys.staff']?.[PEOPLE.wang]?.title).toBe('王伟 (S0002)')
    const view = await world.engine.view('test.client', me, saved.id)
    expect(view.can).toEqual({
      edit: true,
      delete: true,
      transitions: { release: null, claim: expect.any(String) as string, lose: null, reopen: expect.any(String) as string },
    })
  })

  it('reads a national phone number by the country of the record, and refuses one whose country is not known', async () => {
    const me = as(PEOPLE.wang)
    const phoneOf = async (values: EntityRecord): Promise<unknown> => (await save(me, values)).record.phone
    const abroad = await save(me, { name: 'Bay Lines', nameEn: 'Bay Lines', country: 'US', phone: '(415) 555-2671' })
    expect(abroad.record.phone).toBe('+14155552671')
    expect(await phoneOf({ id: abroad.id, phone: '415 555 2672' })).toBe('+14155552672')
    expect(await phoneOf({ id: abroad.id, country: 'CN', phone: '138 1234 0003' })).toBe('+8613812340003')
    const { errors } = await errorsOf(save(me, { name: '不知何处', phone: '138 1234 0004' }))
    expect(errors).toMatchObject([{ field: 'phone', rule: 'format', message: expect.stringContaining('country code') as string }])
    expect(await phoneOf({ name: '不知何处', phone: '0086 138 1234 0004' })).toBe('+8613812340004')
  })

  it('names every wrong field with the rule that it breaks', async () => {
    const { reason, errors } = await errorsOf(
      save(as(PEOPLE.wang), {
        name: 'x',
        level: 'z',
        country: 'France',
        staff: 1.5,
        email: 'no',
        limit: 'abc',
        products: ['fax'],
        foundedOn: '2025-02-30',
      }),
    )
    expect(reason).toBe('validationFailed')
    expect(errors.map(({ field, rule }) => `${field}:${rule}`).sort()).toEqual([
      'country:format',
      'email:format',
      'foundedOn:format',
      'level:dictionary',
      'limit:format',
      'name:format',
      'products:dictionary',
      'staff:format',
    ])
    const abroad = await errorsOf(save(as(PEOPLE.wang), { name: 'Acme', country: 'FR', level: '' }))
    expect(abroad.errors.map(({ field, rule }) => `${field}:${rule}`)).toEqual(['level:required', 'nameEn:nameEnAbroad'])
  })

  it('refuses unknown fields with what was meant, and fields kept by the server', async () => {
    const unknown = await errorsOf(save(as(PEOPLE.wang), { name: '甲乙', nmae: 'x', nameKey: 'y', deletedAt: null }))
    expect(unknown.reason).toBe('badRequest')
    expect(unknown.errors.map(({ field }) => field)).toEqual(['nmae', 'nameKey', 'deletedAt'])
    expect(unknown.errors[0]!.message).toContain('"name"')
    const kept = await errorsOf(
      save(as(PEOPLE.wang), {
        name: '甲乙',
        code: 'CL1',
        ownerId: PEOPLE.li,
        stage: 'lost',
        idleDays: 3,
        createdAt: '2020-01-01T00:00:00Z',
      }),
    )
    expect(kept.errors.map(({ field, rule }) => `${field}:${rule}`)).toEqual([
      'code:readOnly',
      'ownerId:readOnly',
      'stage:state',
      'idleDays:readOnly',
      'createdAt:readOnly',
    ])
  })

  it('keeps a retired code that stands already and refuses it as a new one', async () => {
    const id = newId()
    await world.engine.transaction(systemContext(), (entities) =>
      entities.insertMany('test.client', [clientRow({ id, name: '老客户', level: 'x', ownerId: PEOPLE.wang })]),
    )
    expect((await save(as(PEOPLE.wang), { id, level: 'x', remark: '改' })).record).toMatchObject({ level: 'x', remark: '改' })
    expect((await errorsOf(save(as(PEOPLE.wang), { name: '新客户', level: 'x' }))).errors[0]).toMatchObject({
      field: 'level',
      rule: 'retired',
    })
  })

  it('checks references: existence, scope, choice; fields that are set once stay', async () => {
    const others = await save(as(PEOPLE.li), { name: '李的代理', vip: true })
    const mine = await save(as(PEOPLE.wang), { name: '我的普通客户' })
    const vip = await save(as(PEOPLE.wang), { name: '我的代理', vip: true, regNo: 'R-1', country: 'CN' })
    for (const agentId of ['nobody', others.id, mine.id]) {
      expect((await errorsOf(save(as(PEOPLE.wang), { name: '下级客户', agentId }))).errors[0]).toMatchObject({
        field: 'agentId',
        rule: 'reference',
      })
    }
    expect((await save(as(PEOPLE.wang), { name: '下级客户', agentId: vip.id })).refs['test.client']?.[vip.id]?.title).toBe(
      '我的代理',
    )
    expect((await errorsOf(save(as(PEOPLE.wang), { id: vip.id, regNo: 'R-2' }))).errors[0]).toMatchObject({
      field: 'regNo',
      rule: 'immutable',
    })
  })

  it('does not let an untouched old fault stand in the way', async () => {
    const id = newId()
    await world.engine.transaction(systemContext(), (entities) =>
      entities.insertMany('test.client', [clientRow({ id, name: 'Old', country: 'FR', ownerId: PEOPLE.wang })]),
    )
    expect((await save(as(PEOPLE.wang), { id, remark: '只改备注' })).version).toBe(2)
    expect((await errorsOf(save(as(PEOPLE.wang), { id, country: 'DE' }))).errors[0]).toMatchObject({ rule: 'nameEnAbroad' })
  })

  it('cleans rich text and refuses characters that no database holds', async () => {
    const saved = await save(as(PEOPLE.wang), {
      name: '富文本',
      about: '<p onclick="x()">你好<script>alert(1)</script><img src=x onerror=y></p>',
    })
    expect(saved.record.about).toBe('<p>你好</p>')
    expect((await errorsOf(save(as(PEOPLE.wang), { name: 'a\u0000b' }))).errors[0]).toMatchObject({ field: 'name' })
    expect((await errorsOf(save(as(PEOPLE.wang), { name: '甲乙', extra: { a: '\ud800' } }))).errors[0]).toMatchObject({
      field: 'extra',
    })
  })
})

describe('two people at once', () => {
  it('lets one of two savers win and tells the other what changed, by whom and when', async () => {
    const { id } = await save(as(PEOPLE.wang), { name: '并发客户', remark: 'a' })
    const attempts = await Promise.allSettled([
      save(as(PEOPLE.wang), { id, version: 1, remark: 'b' }),
      save(as(PEOPLE.boss, { scope: ['all'], keys: ['test:client:manage'] }), { id, version: 1, remark: 'c' }),
    ])
    const won = attempts.filter((attempt) => attempt.status === 'fulfilled')
    const lost = attempts.find((attempt) => attempt.status === 'rejected')
    expect(won).toHaveLength(1)
    expect(lost!.reason).toMatchObject({
      reason: 'stale',
      data: {
        version: 2,
        changes: [{ field: 'remark', label: 'Remark', before: 'a', after: won[0]!.value.record.remark }],
        by: expect.stringMatching(/王伟|陈总/) as string,
      },
    })
  })

  it('names what the other one saved in words, for a form that does not hold the field', async () => {
    const { id } = await save(as(PEOPLE.wang), { name: '并发客户二', currency: 'USD' })
    await save(as(PEOPLE.wang), { id, limit: '1234.5' })
    await expect(save(as(PEOPLE.wang), { id, version: 1, remark: 'mine' })).rejects.toMatchObject({
      reason: 'stale',
      data: { changes: [{ field: 'limit', label: 'Limit', after: '1234.5', text: '1,234.50 USD' }] },
    })
  })

  it('gives each of many parallel savers a number of its own', async () => {
    const saved = await Promise.all(
      Array.from({ length: 60 }, (_, index) => save(as(index % 2 ? PEOPLE.wang : PEOPLE.li), { name: `并行${index}` })),
    )
    expect(new Set(saved.map(({ record }) => record.code)).size).toBe(60)
  })

  it('accepts a unique value once when many insert it together, and again after its record was deleted', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 12 }, () => save(as(PEOPLE.wang), { name: '唯一', email: 'one@x.com' })),
    )
    const done = attempts.filter((attempt) => attempt.status === 'fulfilled')
    expect(done).toHaveLength(1)
    const refused = attempts.find((attempt) => attempt.status === 'rejected')!.reason as {
      reason: string
      text: { en: string }
      data: unknown
    }
    expect(refused).toMatchObject({ reason: 'uniqueTaken', data: { errors: [{ field: 'email' }] } })
    expect(JSON.stringify(refused.data)).not.toContain('one@x.com')
    const first = done[0]!.value
    await world.engine.remove('test.client', as(PEOPLE.wang), first.id)
    await save(as(PEOPLE.wang), { name: '唯一二', email: 'one@x.com' })
    await expect(world.engine.restore('test.client', as(PEOPLE.wang), first.id)).rejects.toMatchObject({ reason: 'uniqueTaken' })
  })
})

describe('deleting and history', () => {
  it('hides a deleted record everywhere, restores it, and tells the whole story', async () => {
    const me = as(PEOPLE.wang)
    const { id } = await save(me, { name: '有故事的客户' })
    await save(me, { id, remark: 'x', agentId: null })
    await expect(world.engine.remove('test.client', me, id, { version: 1 })).rejects.toMatchObject({ reason: 'stale' })
    await world.engine.remove('test.client', me, id, { version: 2 })
    await expect(world.engine.view('test.client', me, id)).rejects.toMatchObject({ reason: 'notFound' })
    expect((await world.engine.queryPage('test.client', me, { keyword: '有故事' })).total).toBe(0)
    expect(await world.engine.select('test.client', me, { ids: [id] })).toEqual([])
    await world.engine.restore('test.client', me, id)
    expect((await world.engine.view('test.client', me, id)).record).toMatchObject({ version: 4 })
    const log = await world.engine.log('test.client', me, id)
    expect(log.records.map(({ action }) => action)).toEqual(['restore', 'delete', 'update', 'create'])
    expect(log.records[2]).toMatchObject({
      byId: PEOPLE.wang,
      byName: '王伟 (S0002)',
      changes: [{ field: 'remark', before: null, after: 'x' }],
    })
    const older = await world.engine.log('test.client', me, id, { limit: 1, before: log.records[1]!.id })
    expect(older).toMatchObject({ records: [{ action: 'update' }], more: true })
  })

  it('writes nothing when nothing differs', async () => {
    const { id } = await save(as(PEOPLE.wang), { name: '不变', limit: '5.00' })
    expect((await save(as(PEOPLE.wang), { id, version: 1, name: '不变', limit: '5.0' })).version).toBe(1)
    expect((await world.engine.log('test.client', as(PEOPLE.wang), id)).records).toHaveLength(1)
  })
})

describe('changing many at once', () => {
  it('writes what differs with version, author and history like a save, and leaves what is gone or the same', async () => {
    const me = as(PEOPLE.wang)
    const made = await Promise.all(['甲', '乙', '丙', '丁'].map((name) => save(me, { name: `批量${name}`, limit: '5.00' })))
    const [first, same, gone, other] = made.map(({ id }) => id) as [string, string, string, string]
    await world.engine.remove('test.client', me, gone, { version: 1 })
    const changes = new Map<string, EntityRecord>([
      [first, { remark: 'it\'s "new"\n第二行', limit: '7.25' }],
      [same, { remark: null }],
      [gone, { limit: '9.00' }],
      [other, { remark: null, limit: null }],
    ])
    const count = await world.engine.transaction(me, (entities) =>
      entities.changeMany('test.client', changes, { reason: 'night' }),
    )
    expect(count).toBe(2)
    const read = async (id: string) => (await world.engine.view('test.client', me, id)).record
    expect(await read(first)).toMatchObject({ version: 2, remark: 'it\'s "new"\n第二行', limit: '7.25', updatedBy: PEOPLE.wang })
    expect(await read(same)).toMatchObject({ version: 1 })
    expect(await read(other)).toMatchObject({ version: 2, limit: null })
    const [entry] = (await world.engine.log('test.client', me, first)).records
    expect(entry).toMatchObject({ action: 'update', reason: 'night' })
    expect(entry?.changes.map(({ field }) => field).sort()).toEqual(['limit', 'remark'])
    expect((await world.engine.log('test.client', me, same)).records).toHaveLength(1)
  })

  it('names the field of a value that is taken, as a save does, and never answers a fault of the database', async () => {
    const me = as(PEOPLE.wang)
    const [taken, other] = await Promise.all([
      save(me, { name: '占用甲', email: 'taken@x.com' }),
      save(me, { name: '占用乙', email: 'free@x.com' }),
    ])
    const many = world.engine.transaction(me, (entities) =>
      entities.changeMany('test.client', new Map([[other.id, { email: 'taken@x.com' }]])),
    )
    expect(await errorsOf(many)).toMatchObject({ reason: 'uniqueTaken', errors: [{ field: 'email' }] })
    const twice = world.engine.transaction(me, (entities) =>
      entities.insertMany('test.client', [clientRow({ id: taken.id, code: 'CL-TWICE', email: 'twice@x.com' })]),
    )
    expect(await errorsOf(twice)).toMatchObject({ reason: 'uniqueTaken', errors: [{ field: 'id' }] })
  })

  it('reads all rows where nobody says how many, not the first thousand', async () => {
    const rows = Array.from({ length: 1_001 }, (_, index) =>
      clientRow({ id: `many-${index}`, code: `CM${index}`, name: '千行客户', email: null }),
    )
    const read = await world.engine.transaction(as(PEOPLE.wang), async (entities) => {
      await entities.insertMany('test.client', rows)
      const where = [{ field: 'name', operator: 'eq' as const, value: '千行客户' }]
      const found = [await entities.list('test.client', { where }), await entities.list('test.client', { where, limit: 10 })]
      for (const { id } of rows) await entities.remove('test.client', String(id))
      return found.map(({ length }) => length)
    })
    expect(read).toEqual([1_001, 10])
  })
})

describe('states', () => {
  it('moves a record only along its transitions, with what they ask for', async () => {
    const me = as(PEOPLE.wang)
    const { id } = await save(me, { name: '状态客户' })
    const move = (transition: string, values = {}, context = me) =>
      world.engine.stateUpdate('test.client', context, { ids: [id], transition, values })
    await expect(move('reopen')).rejects.toMatchObject({ reason: 'transitionRefused', data: { transition: 'reopen' } })
    await expect(move('lose')).rejects.toMatchObject({
      reason: 'validationFailed',
      data: { errors: [{ field: 'lostReason', rule: 'required' }] },
    })
    await expect(move('lose', { lostReason: 'price', level: 'a' })).rejects.toMatchObject({ reason: 'badRequest' })
    await expect(move('loose')).rejects.toMatchObject({
      reason: 'badRequest',
      text: { en: expect.stringContaining('lose') as string },
    })
    expect(await move('lose', { lostReason: 'price' })).toEqual({ done: [id], refused: [] })
    expect((await world.engine.view('test.client', me, id)).record).toMatchObject({ stage: 'lost', lostReason: 'price' })
    await expect(move('release', { reason: 'r' }, as(PEOPLE.wang, { without: ['test:client:release'] }))).rejects.toMatchObject({
      reason: 'noPermission',
    })
    // the log tells the reason where the transition says which of its values that is, whatever they are called
    await move('release', { reason: 'no need' })
    const { rows } = await world.database.query(
      `select action, reason from sys_audit_log where record_id = $1 order by record_version`,
      [id],
    )
    expect(rows).toEqual([
      { action: 'create', reason: null },
      { action: 'state', reason: null },
      { action: 'state', reason: 'no need' },
    ])
  })

  it('releases to the pool and lets one of many claim it; owner and department follow', async () => {
    const { id } = await save(as(PEOPLE.wang), { name: '公海客户', email: 'pool@x.com', limit: '9' })
    await expect(
      world.engine.stateUpdate('test.client', as(PEOPLE.wang), { ids: [id], transition: 'release' }),
    ).rejects.toMatchObject({ reason: 'validationFailed' })
    await world.engine.stateUpdate('test.client', as(PEOPLE.wang), {
      ids: [id],
      transition: 'release',
      values: { reason: '没有需求' },
    })
    await expect(world.engine.view('test.client', as(PEOPLE.wang), id)).rejects.toMatchObject({ reason: 'notFound' })
    const hunter = (staffId: string) => as(staffId, { keys: ['test:pool:view', 'test:pool:claim'] })
    const seen = await world.engine.view('test.client', hunter(PEOPLE.zhao), id, { view: 'pool' })
    expect(seen.record).toMatchObject({ email: 'p***@x.com', ownerId: null, $write: false })
    expect(seen.record).not.toHaveProperty('limit')
    expect(seen.can.transitions.claim).toBeNull()
    await expect(world.engine.queryPage('test.client', as(PEOPLE.zhao), { view: 'pool' })).rejects.toMatchObject({
      reason: 'noPermission',
    })
    await expect(
      world.engine.stateUpdate('test.client', as(PEOPLE.other, { keys: ['test:pool:claim'] }), {
        ids: [id],
        transition: 'claim',
      }),
    ).rejects.toMatchObject({ reason: 'notFound' })
    const claims = await Promise.allSettled(
      [PEOPLE.zhao, PEOPLE.li, PEOPLE.other].map((staffId) =>
        world.engine.stateUpdate('test.client', hunter(staffId), { ids: [id], transition: 'claim' }),
      ),
    )
    expect(claims.filter((claim) => claim.status === 'fulfilled')).toHaveLength(1)
    const { rows } = await world.database.query<{ owner: string; dept: string; main: string }>(
      'select c.owner_id as owner, c.owner_dept_id as dept, s.main_dept_id as main from test_client c join sys_staff s on s.id = c.owner_id where c.id = $1',
      [id],
    )
    expect(rows[0]!.dept).toBe(rows[0]!.main)
    const log = await world.engine.log('test.client', as(PEOPLE.boss, { scope: ['all'] }), id)
    expect(log.records.map(({ action, reason }) => [action, reason])).toEqual([
      ['state', undefined],
      ['state', '没有需求'],
      ['create', undefined],
    ])
  })

  it('goes row by row in bulk: a neighbour that is refused undoes nothing, and the reason is told', async () => {
    const me = as(PEOPLE.wang)
    const a = await save(me, { name: '批量甲' })
    const b = await save(me, { name: '批量乙', level: 'a' })
    const answer = await world.engine.stateUpdate('test.client', me, {
      ids: [a.id, b.id, 'nobody'],
      transition: 'release',
      values: { reason: 'x' },
    })
    expect(answer).toEqual({
      done: [a.id],
      refused: [
        { id: b.id, title: '批量乙', reason: 'Level A cannot be released' },
        { id: 'nobody', title: 'nobody', reason: expect.any(String) as string },
      ],
    })
    // however many are refused, their titles are asked for once
    const more = await Promise.all(['丙', '丁', '戊'].map((name) => save(me, { name: `批量${name}`, level: 'a' })))
    const query = vi.spyOn(world.database, 'query')
    const { refused } = await world.engine.stateUpdate('test.client', me, {
      ids: more.map(({ id }) => id),
      transition: 'release',
      values: { reason: 'x' },
    })
    const asked = query.mock.calls.length
    query.mockRestore()
    expect(refused.map(({ title }) => title)).toEqual(['批量丙', '批量丁', '批量戊'])
    expect(asked).toBe(1)
    await expect(
      world.engine.stateUpdate('test.client', me, {
        ids: Array.from({ length: 501 }, (_, index) => `x${index}`),
        transition: 'lose',
      }),
    ).rejects.toMatchObject({ reason: 'badRequest' })
  })
})
