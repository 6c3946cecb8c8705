import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { ConnectionTransaction } from '../../../../gateway/platform/database/transaction'
import { systemContext } from '../../../../gateway/platform/http'
import { documents } from '../../../fixtures/entities/documents'
import { seller, supplier, supplierCheck } from '../../../fixtures/entities/suppliers'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
const me = as(PEOPLE.wang)

beforeAll(async () => {
  world = await openWorld([...documents, supplier, seller, supplierCheck])
})
afterAll(() => world.close())

const save = (title: string, more: Record<string, unknown> = {}) =>
  world.engine.save('test.supplier', me, { title, land: 'CN', ...more })
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => undefined,
    (error: { code?: number; message: string; data?: unknown }) => ({
      code: error.code,
      message: error.message,
      data: error.data,
    }),
  )
const domains = async (id: string) =>
  (await world.database.query<{ domains: string[] }>('select domains from test_supplier where id = $1', [id])).rows[0]?.domains

describe('x-duplicates', () => {
  it('refuses the same name, number and domain, and asks for a reason where they are only alike', async () => {
    const first = await save('Aurora Telecom Ltd', { vat: 'cn-12 34', site: 'https://www.aurora.example.com', grade: 'free' })
    expect(first.record).not.toHaveProperty('nameKey')
    expect(first.record.vat).toBe('CN1234')
    expect(await refusal(save('Aurora  Telecom Limited'))).toEqual({
      code: 10030001,
      message: 'This supplier exists already: Aurora Telecom Ltd. It may be used: Aurora Telecom Ltd.',
      data: {
        decision: 'block',
        hits: [
          {
            id: first.id,
            code: null,
            name: 'Aurora Telecom Ltd',
            countryCode: 'CN',
            rule: 'nameKey',
            score: 100,
            decision: 'block',
            grade: 'free',
          },
        ],
      },
    })
    expect(await refusal(save('Something Else', { vat: 'CN 1234' }))).toMatchObject({ data: { hits: [{ rule: 'regNo' }] } })
    expect(await refusal(save('Another One', { site: 'http://shop.example.com/x' }))).toMatchObject({
      data: { hits: [{ rule: 'domain' }] },
    })
    const alike = () => refusal(save('Aurora Telecoms', { land: 'CN' }))
    expect(await alike()).toMatchObject({ code: 10030001, data: { decision: 'warn' } })
    const explained = await save('Aurora Telecoms', { why: 'another company' })
    expect(explained.record.likeId).toBe(first.id)
    const checks = async () =>
      (await world.engine.queryPage('test.supplierCheck', systemContext(), {})).records.map(({ decision }) => decision).sort()
    await expect.poll(checks).toEqual(['abandoned', 'blocked', 'blocked', 'blocked', 'warnedSaved'])
  })

  it('compares with rows that count only, and brings none back beside the one that took its place', async () => {
    const first = await save('Borealis Networks')
    await world.engine.remove('test.supplier', me, first.id)
    const second = await save('Borealis Networks')
    expect(await refusal(world.engine.restore('test.supplier', me, first.id))).toMatchObject({ code: 10010007 })
    await world.engine.save('test.supplier', me, { id: second.id, gone: true })
    expect(await refusal(world.engine.restore('test.supplier', me, first.id))).toBeUndefined()
  })

  it('knows people: their addresses bring the domain, and one person stands with one supplier', async () => {
    const [first, second] = [await save('Cirrus Paging'), await save('Stratus Voice')]
    const add = (supplierId: string, more: object) => world.engine.save('test.seller', me, { name: 'Ada', supplierId, ...more })
    const ada = await add(first.id, { mail: 'Ada@Cirrus.example.org', phone: '+8613800000000' })
    expect(ada.record.mail).toBe('ada@cirrus.example.org')
    expect(await domains(first.id)).toEqual(['example.org'])
    expect(await refusal(add(second.id, { mail: 'ada@cirrus.example.org' }))).toMatchObject({
      code: 10030001,
      data: { decision: 'block', hits: [{ id: first.id, rule: 'email' }] },
    })
    expect(await refusal(add(second.id, { phone: '+8613800000000' }))).toMatchObject({ data: { decision: 'warn' } })
    expect(await refusal(add(second.id, { phone: '+8613800000000', why: 'one switchboard' }))).toBeUndefined()
    expect(await refusal(save('Nimbus', { site: 'https://example.org' }))).toMatchObject({ data: { hits: [{ rule: 'domain' }] } })
    const before = (await world.engine.view('test.supplier', me, first.id)).record.version
    await world.engine.transaction(systemContext(), (entities) =>
      entities.changeMany('test.seller', new Map([[ada.id, { supplierId: second.id }]])),
    )
    expect([await domains(first.id), await domains(second.id)]).toEqual([[], ['example.org']])
    await world.engine.remove('test.seller', me, ada.id)
    expect(await domains(second.id)).toEqual([])
    expect((await world.engine.view('test.supplier', me, first.id)).record.version).toBe(before)
  })

  it('lets one of four that save the same name at once through', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => refusal(save('Zenith Carrier'))))
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1)
  })

  it('asks as many statements for 200 rows as for one', async () => {
    const statements = async (rows: number): Promise<number> => {
      const query = vi.spyOn(ConnectionTransaction.prototype, 'query')
      const records = Array.from({ length: rows }, (_, index) => ({ title: `Vega ${rows} ${newId()} ${index}`, land: 'CN' }))
      const made = await world.engine.transaction(me, (entities) => entities.createMany('test.supplier', records))
      const { length } = query.mock.calls
      query.mockRestore()
      expect(made).toHaveLength(rows)
      return length
    }
    await statements(1)
    const few = await statements(1)
    expect(await statements(200)).toBe(few)
    const again = (title: string) =>
      world.engine.transaction(me, (entities) => entities.createMany('test.supplier', [{ title, land: 'CN' }]))
    await again('Deneb Voice')
    expect(await refusal(again('Deneb Voice Ltd'))).toMatchObject({ code: 10030001 })
  })

  it('checks the rows of an import like typed ones, and with each other', async () => {
    await save('Quasar Relay')
    const folder = await mkdtemp(join(tmpdir(), 'duplicates-'))
    const path = join(folder, 'suppliers.csv')
    const rows = ['Pulsar Relay,CN,', 'Quasar Relay Ltd,CN,', 'Pulsar Relay Inc,CN,', 'Pulsar Relay,HK,another one', ',CN,']
    await writeFile(path, ['title,land,why', ...rows].join('\n'))
    const { errors, valid } = await world.engine.importPreview('test.supplier', me, { name: 'suppliers.csv', path })
    await rm(folder, { recursive: true })
    expect(valid).toBe(2)
    expect(errors.map(({ row, message }) => [row, message])).toEqual([
      [3, 'This supplier exists already: Quasar Relay.'],
      [4, 'This supplier exists already: Pulsar Relay.'],
      [6, expect.stringContaining('Name')],
    ])
  })

  it('says before a save what is on record already, and writes that check down, too', async () => {
    const first = await save('Nimbus Carrier Ltd')
    const ask = (values: Record<string, unknown>, id?: string) =>
      world.engine.duplicates('test.supplier', me, { values, ...(id === undefined ? {} : { id }) })
    const count = async () => (await world.engine.queryPage('test.supplierCheck', systemContext(), {})).total
    const before = await count()
    expect(await ask({ title: 'NIMBUS  carrier limited', land: 'CN' })).toMatchObject({
      decision: 'block',
      message: expect.stringContaining('Nimbus Carrier Ltd'),
      hits: [{ id: first.id, rule: 'nameKey' }],
    })
    await expect.poll(count).toBe(before + 1)
    expect(await ask({ title: 'Nimbus Carriers', land: 'CN' })).toMatchObject({ decision: 'warn', hits: [{ id: first.id }] })
    expect(await ask({ title: 'Something of its own', land: 'CN' })).toBeNull()
    expect(await ask({ title: null })).toBeNull()
    // a record is no duplicate of itself
    expect(await ask({ title: 'Nimbus Carrier Limited' }, first.id)).toBeNull()
    expect(await refusal(ask({ title: 'Nimbus Carrier' }, 'nobody'))).toMatchObject({ code: 10010004 })
  })
})
