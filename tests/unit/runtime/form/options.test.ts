import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEngine } from '../../../../src/headless/form/engine'
import { planForm } from '../../../../src/headless/form/plan'
import { validatorOf } from '../../../../src/headless/form/validate'
import { part } from '../../../../src/headless/form/part'
import { followOptions, optionsSeen } from '../../../../src/runtime/form/options/choosing'
import { input } from '../../../../src/runtime/form/view/input'
import { RequestError, type HostRequest } from '../../../../src/headless/host'
import { compilePage } from '../../../../src/schema'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { FormNode } from '../../../../src/schema/generated/page'
import { fakeHost, type FakeHost } from '../../../support/fakeHost'

const CITY: EntityDocument = {
  formatVersion: 3,
  name: 'demo.city',
  label: { zh: '城市', en: 'City' },
  titleField: 'name',
  type: 'object',
  properties: {
    name: { type: 'string', 'x-label': { zh: '名称', en: 'Name' } },
    code: { type: 'string', 'x-label': { zh: '代码', en: 'Code' } },
    province: { type: 'string', 'x-label': { zh: '省', en: 'Province' } },
    openedOn: { type: 'string', format: 'date', 'x-label': { zh: '日期', en: 'Opened' } },
    parentId: { type: 'string', 'x-ref': 'demo.city', 'x-label': { zh: '上级', en: 'Parent' } },
  },
}

let revisions = 0
const text = (title: string): FormNode => ({ type: 'string', title: { zh: title, en: title } })

const open = (host: FakeHost, properties: Record<string, FormNode>, values: Record<string, unknown> = {}) => {
  const result = compilePage(
    {
      page: {
        formatVersion: 3,
        kind: 'form',
        name: 'demo/form',
        title: { zh: '表单', en: 'Form' },
        submit: { call: 'POST /v2/demo/save' },
        schema: { type: 'object', properties },
      },
      where: 'form.json',
      revision: `r${++revisions}`,
      entities: { 'demo.city': CITY },
      dictionaries: {
        grade: {
          formatVersion: 3,
          name: 'grade',
          label: { zh: '等级', en: 'Grade' },
          items: [
            { code: 'a', label: { zh: '甲', en: 'First' }, attributes: { kind: 'x' } },
            { code: 'b', label: { zh: '乙', en: 'Second' }, attributes: { kind: 'y' } },
          ],
        },
      },
    },
    { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' },
  )
  if (!result.ok || result.model.kind !== 'form') throw new Error(JSON.stringify(result))
  expect(result.model.problems).toEqual([])
  const { schema } = result.model
  const engine = createEngine({
    plan: planForm(schema, part),
    schema,
    values,
    scope: { user: {}, query: {}, today: '2026-03-10', locale: 'en' },
    validator: validatorOf('en', 'Asia/Shanghai'),
    options: followOptions(host),
  })
  engine.attach()
  const field = (address: string) => {
    const found = engine.dataField(address)
    if (!found) throw new Error(`no field at ${address}`)
    return found
  }
  return {
    engine,
    field,
    offered: (address: string) => (field(address).dataSource ?? []).map(({ label, value }) => [label, value]),
    seen: (address: string) => optionsSeen(field(address))!,
    type: (address: string, value: unknown) => input(field(address), value),
  }
}

const bodies = (host: FakeHost): unknown[] => host.requests.map(({ body, query }) => body ?? query)
const settle = (milliseconds = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds)

/** A gateway whose answers come when the test says so. */
const slowHost = () => {
  const waiting: { request: HostRequest; answer(data: unknown): void; fail(error: Error): void }[] = []
  const host = fakeHost({
    answer: (request) => new Promise((answer, fail) => void waiting.push({ request, answer, fail })),
  })
  return { host, waiting }
}

const cityOf = (more: Partial<NonNullable<FormNode['x-options']>> = {}): Record<string, FormNode> => ({
  province: text('Province'),
  city: {
    ...text('City'),
    'x-options': {
      entity: 'demo.city',
      where: [{ field: 'province', operator: 'eq', value: '{{ $values.province }}' }],
      ...more,
    },
  },
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('options of an entity', () => {
  test('wait for the field that they depend on, and name it', async () => {
    const host = fakeHost({ answer: () => [{ id: 'c1', title: 'Hangzhou' }] })
    const { seen, offered, type, field } = open(host, cityOf())
    await settle()
    expect(host.requests).toEqual([])
    expect(seen('city').seen.missing).toBe('Province')
    expect(field('city').componentProps.placeholder).toBe('Choose Province first')
    type('province', 'ZJ')
    await settle(300)
    expect(bodies(host)).toEqual([{ where: [{ field: 'province', operator: 'eq', value: 'ZJ' }], pageSize: 100 }])
    expect(host.requests[0]?.path).toBe('/v2/demo/city/select')
    expect(offered('city')).toEqual([['Hangzhou', 'c1']])
    expect(seen('city').seen.missing).toBeUndefined()
    expect(field('city').componentProps.placeholder).toBeUndefined()
  })

  test('leave the control what it says by itself where that follows the form', async () => {
    const host = fakeHost({ answer: () => [] })
    const { city, province } = cityOf()
    const says = { placeholder: "{{ 'In ' + ($values.province ?? 'no') }}" }
    const { field, type } = open(host, { province: province!, city: { ...city, 'x-component-props': says } })
    expect(field('city').componentProps.placeholder).toBe('In no')
    type('province', 'ZJ')
    await settle(300)
    expect(field('city').componentProps.placeholder).toBe('In ZJ')
  })

  test('are asked for without a condition that may be empty', async () => {
    const host = fakeHost({ answer: () => [] })
    open(host, cityOf({ optional: ['province'] }))
    await settle()
    expect(bodies(host)).toEqual([{ pageSize: 100 }])
  })

  test('a choice is cleared when a person changes what it depends on, never when the form is opened or filled by the program', async () => {
    const host = fakeHost({ answer: () => [{ id: 'c1', title: 'Hangzhou' }] })
    const { field, type } = open(host, cityOf(), { province: 'ZJ', city: 'c1' })
    await settle(300)
    expect(field('city').value).toBe('c1')
    field('province').setValue('JS')
    await settle(300)
    expect(field('city').value).toBe('c1')
    type('province', 'SD')
    expect(field('city').value).toBeNull()
    await settle(300)
    expect(bodies(host).at(-1)).toMatchObject({ where: [{ value: 'SD' }] })
  })

  test('an answer that comes late never wins; what nobody waits for is broken off', async () => {
    const { host, waiting } = slowHost()
    const { offered, type, field } = open(host, cityOf(), { province: 'ZJ' })
    await settle(150)
    expect(field('city').loading).toBe(true)
    type('province', 'JS')
    expect(waiting[0]?.request.signal?.aborted).toBe(true)
    await settle(300)
    waiting[1]?.answer([{ id: 'c2', title: 'Nanjing' }])
    await settle()
    waiting[0]?.answer([{ id: 'c1', title: 'Hangzhou' }])
    await settle()
    expect(offered('city')).toEqual([['Nanjing', 'c2']])
    expect(field('city').loading).toBe(false)
  })

  test('the same request is sent once for all fields, and again after a while', async () => {
    const host = fakeHost({ answer: () => [{ id: 'c1', title: 'Hangzhou' }] })
    const both = {
      a: { ...text('A'), 'x-options': { entity: 'demo.city' } },
      b: { ...text('B'), 'x-options': { entity: 'demo.city' } },
    }
    expect(open(host, both).offered('a')).toEqual([])
    await settle()
    const later = open(host, both)
    await settle()
    expect(later.offered('b')).toEqual([['Hangzhou', 'c1']])
    expect(host.requests).toHaveLength(1)
    await settle(31_000)
    open(host, both)
    await settle()
    expect(host.requests).toHaveLength(2)
  })

  test('a failure is told and tried again on demand', async () => {
    let broken = true
    const host = fakeHost({
      answer: () => {
        if (broken) throw new RequestError('network', 'The network is down.')
        return [{ id: 'c1', title: 'Hangzhou' }]
      },
    })
    const { seen, offered, field } = open(host, cityOf(), { province: 'ZJ' })
    await settle()
    expect(seen('city').seen.failure).toBe('The network is down.')
    expect(field('city').loading).toBe(false)
    await settle(5_000)
    expect(host.requests).toHaveLength(1)
    broken = false
    seen('city').retry()
    await settle()
    expect(seen('city').seen.failure).toBeUndefined()
    expect(offered('city')).toEqual([['Hangzhou', 'c1']])
  })

  test('a large set is searched by what is typed; what is chosen keeps its name', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ id: `c${index}`, title: `City ${index}` }))
    const host = fakeHost({
      answer: ({ body }) => {
        const { keyword, ids } = body as { keyword?: string; ids?: string[] }
        if (ids) return ids.map((id) => ({ id, title: `Title of ${id}` }))
        return keyword ? [{ id: 'z9', title: 'Zhuhai' }] : many
      },
    })
    const { offered, field, type } = open(
      host,
      { city: { ...text('City'), 'x-options': { entity: 'demo.city' } } },
      { city: 'far' },
    )
    await settle()
    expect(bodies(host)).toEqual([{ pageSize: 100 }, { ids: ['far'], pageSize: 1 }])
    expect(offered('city').at(-1)).toEqual(['Title of far', 'far'])
    ;(field('city').componentProps.onSearch as (typed: string) => void)('Zhu')
    await settle(300)
    expect(bodies(host).at(-1)).toEqual({ pageSize: 100, keyword: 'Zhu' })
    type('city', 'z9')
    ;(field('city').componentProps.onSearch as (typed: string) => void)('')
    await settle(300)
    expect(offered('city')).toHaveLength(101)
    expect(offered('city').at(-1)).toEqual(['Zhuhai', 'z9'])
    expect(host.requests.filter(({ body }) => 'ids' in (body as object))).toHaveLength(1)
  })

  test('a chosen record that is not offered shows its name and cannot be chosen again', async () => {
    const host = fakeHost({
      answer: ({ body }) => ('ids' in (body as object) ? [{ id: 'old', title: 'Closed' }] : [{ id: 'c1', title: 'Hangzhou' }]),
    })
    const { field } = open(host, cityOf(), { province: 'ZJ', city: 'old' })
    await settle()
    expect(field('city').dataSource).toEqual([
      { label: 'Hangzhou', title: 'Hangzhou', value: 'c1', key: 'c1' },
      { label: 'Closed', title: 'Closed', value: 'old', key: 'old', retired: true, disabled: true },
    ])
  })

  test('label, value, order and the tree are read from whole records, shown as lists show them', async () => {
    const records = [
      { id: 'c1', name: 'China', code: 'CN', openedOn: '2026-03-01', parentId: null },
      { id: 'c2', name: 'Zhejiang', code: 'ZJ', openedOn: '2026-03-02', parentId: 'c1' },
    ]
    const host = fakeHost({ answer: () => ({ records, total: 2 }) })
    const { field } = open(host, {
      tree: { ...text('Tree'), 'x-component': 'TreeSelect', 'x-options': { entity: 'demo.city', parent: 'parentId' } },
      byCode: {
        ...text('Code'),
        'x-component': 'Radio.Group',
        'x-options': {
          entity: 'demo.city',
          label: '{{ row.name }} ({{ row.code }})',
          value: 'code',
          sort: [{ field: 'code', order: 'desc' }],
        },
      },
      day: { ...text('Day'), 'x-options': { entity: 'demo.city', label: 'openedOn' } },
    })
    await settle()
    expect(host.requests.map(({ path }) => path)).toEqual(Array.from({ length: 3 }, () => '/v2/demo/city/queryPage'))
    expect(bodies(host)[1]).toEqual({ sort: [{ field: 'code', order: 'desc' }], pageSize: 500 })
    expect(field('tree').dataSource).toMatchObject([
      { label: 'China', value: 'c1', children: [{ label: 'Zhejiang', value: 'c2' }] },
    ])
    expect(field('byCode').dataSource).toMatchObject([
      { label: 'China (CN)', value: 'CN' },
      { label: 'Zhejiang (ZJ)', value: 'ZJ' },
    ])
    expect(field('day').dataSource).toMatchObject([{ label: '2026-03-01' }, { label: '2026-03-02' }])
  })

  test('a hidden field asks for nothing until it is shown', async () => {
    const host = fakeHost({ answer: () => [] })
    const { type } = open(host, {
      more: text('More'),
      city: { ...text('City'), 'x-visible': "{{ $values.more === 'yes' }}", 'x-options': { entity: 'demo.city' } },
    })
    await settle(300)
    expect(host.requests).toEqual([])
    type('more', 'yes')
    await settle(300)
    expect(host.requests).toHaveLength(1)
  })
})

describe('options of other sources', () => {
  test('of a call take its parameters from other fields, and trees from its members', async () => {
    const host = fakeHost({ answer: () => [{ code: 'a', words: 'A', below: [{ code: 'b', words: 'B' }] }] })
    const { field, type } = open(host, {
      kind: text('Kind'),
      unit: {
        ...text('Unit'),
        'x-component': 'Cascader',
        type: 'array',
        'x-options': {
          call: 'GET /v2/demo/units/{kind}',
          params: { kind: '{{ $values.kind }}', size: 'all' },
          label: 'words',
          value: 'code',
          children: 'below',
        },
      },
    })
    await settle()
    expect(host.requests).toEqual([])
    type('kind', 'x/y')
    await settle(300)
    expect(host.requests[0]).toMatchObject({ method: 'GET', path: '/v2/demo/units/x%2Fy', query: { size: 'all' } })
    expect(field('unit').dataSource).toMatchObject([{ label: 'A', value: 'a', children: [{ label: 'B', value: 'b' }] }])
    field('unit').setValue(['a', 'b'])
    type('kind', 'z')
    expect(field('unit').value).toEqual([])
  })

  test('an answer without a list is a failure', async () => {
    const host = fakeHost({ answer: () => ({ record: {} }) })
    const { seen } = open(host, { a: { ...text('A'), 'x-options': { call: 'GET /v2/demo/one', label: 'a', value: 'b' } } })
    await settle()
    expect(seen('a').seen.failure).toBeTruthy()
  })

  test('of rows follow the list as it is typed; a choice goes with its row, not when the form is opened', async () => {
    const host = fakeHost()
    const properties: Record<string, FormNode> = {
      people: {
        type: 'array',
        items: { type: 'object', properties: { name: text('Name'), active: { type: 'boolean' } } },
      },
      tags: { type: 'array', items: { type: 'string' } },
      main: { ...text('Main'), 'x-options': { rows: 'people', label: 'name', when: '{{ row.active !== false }}' } },
      tag: { ...text('Tag'), 'x-options': { rows: 'tags' } },
    }
    const { offered, field, type, engine } = open(host, properties, {
      people: [{ name: 'Li' }, { name: 'Wu', active: false }, { name: '' }],
      tags: ['x', 'y', 'x'],
      main: 'Wu',
    })
    expect(offered('main')).toEqual([['Li', 'Li']])
    expect(offered('tag')).toEqual([
      ['x', 'x'],
      ['y', 'y'],
    ])
    expect(field('main').value).toBe('Wu')
    const [table] = engine.plan.tables
    engine.plantRow(table!, 0)
    field('main').setValue('Li')
    type('people.0.name', 'Zhao')
    expect(offered('main')).toEqual([['Zhao', 'Zhao']])
    expect(field('main').value).toBeNull()
    expect(host.requests).toEqual([])
  })

  test('of a dictionary may be narrowed', () => {
    const { field, type } = open(fakeHost(), {
      kind: text('Kind'),
      grade: { ...text('Grade'), 'x-options': { dictionary: 'grade', when: '{{ row.attributes.kind === $values.kind }}' } },
    })
    type('kind', 'y')
    const shown = (field('grade').dataSource ?? []) as { value: string; retired?: boolean }[]
    expect(shown.filter(({ retired }) => !retired).map(({ value }) => value)).toEqual(['b'])
    field('grade').setValue('b')
    type('kind', 'x')
    expect(field('grade').value).toBeNull()
  })
})

describe('options in rows', () => {
  test.each(['ArrayTable', 'ArrayCards'])('read their own row in %s, and stay when rows move', async (component) => {
    const host = fakeHost({
      answer: ({ body }) => {
        const [condition] = (body as { where: { value: string }[] }).where
        return [{ id: `${condition?.value}1`, title: `First of ${condition?.value}` }]
      },
    })
    const { engine, offered, field, type } = open(
      host,
      {
        stops: {
          type: 'array',
          'x-component': component,
          items: {
            type: 'object',
            properties: {
              province: { ...text('Province'), 'x-component': 'Input', 'x-decorator': 'FormItem' },
              city: {
                ...text('City'),
                'x-component': 'Select',
                'x-decorator': 'FormItem',
                'x-options': {
                  entity: 'demo.city',
                  where: [{ field: 'province', operator: 'eq', value: '{{ $record.province }}' }],
                },
              },
            },
          },
        },
      },
      { stops: [{ province: 'ZJ', city: 'ZJ1' }, { province: 'JS', city: 'JS1' }, {}] },
    )
    const [table] = engine.plan.tables
    for (const index of [0, 1, 2]) if (table) engine.plantRow(table, index)
    await settle(300)
    expect(offered('stops.0.city')).toEqual([['First of ZJ', 'ZJ1']])
    expect(offered('stops.1.city')).toEqual([['First of JS', 'JS1']])
    expect(optionsSeen(field('stops.2.city'))?.seen.missing).toBe('Province')
    type('stops.2.province', 'ZJ')
    await settle(300)
    expect(host.requests).toHaveLength(2)
    const list = engine.form.query('stops').take() as unknown as {
      move(from: number, to: number): Promise<void>
      remove(at: number): Promise<void>
    }
    await list.move(1, 0)
    await settle(300)
    expect(engine.values().stops).toEqual([{ province: 'JS', city: 'JS1' }, { province: 'ZJ', city: 'ZJ1' }, { province: 'ZJ' }])
    await list.remove(0)
    await settle(300)
    expect(engine.values().stops).toEqual([{ province: 'ZJ', city: 'ZJ1' }, { province: 'ZJ' }])
    expect(offered('stops.0.city')).toEqual([['First of ZJ', 'ZJ1']])
    type('stops.0.province', 'SD')
    expect(engine.values().stops).toEqual([{ province: 'SD', city: null }, { province: 'ZJ' }])
  })
})
