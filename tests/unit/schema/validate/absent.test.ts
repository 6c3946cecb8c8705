import { describe, expect, it } from 'vitest'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { ListPage } from '../../../../src/schema/generated/page'
import { readDocuments, type SourceDocument } from '../../../../src/schema/validate'
import { world, worldContext } from './world'

const text = (en: string) => ({ zh: en, en })
const change = (id: string, from: string, to: string, more: object) => ({
  ...{ id, label: text(id), from: [from], to, permission: 'demo:item:edit' },
  ...more,
})
const into = (entity: string) => ({ id: 'made', do: 'create', with: { entity, values: { itemId: '{{ id }}' } } })

const NOON = '2026-11-02T12:00:00+08:00'

/** An entity that works with `stock`, of which there is nothing. */
const ORDER = {
  formatVersion: 3,
  name: 'shop.order',
  label: text('Order'),
  titleField: 'note',
  type: 'object',
  properties: {
    note: { type: 'string', 'x-label': text('Note') },
    placeId: { type: 'string', 'x-ref': 'stock.place', 'x-label': text('Place'), 'x-onDelete': 'restrict' },
    status: { type: 'string', 'x-dictionary': 'itemStatus', 'x-label': text('Status'), default: 'open' },
  },
  'x-scope': { parent: 'placeId', write: 'key' },
  'x-participants': [
    { id: 'place', through: 'placeId', access: 'read' },
    { id: 'keepers', permission: 'demo:item:edit', access: 'read' },
  ],
  'x-permissions': { edit: 'demo:item:edit', export: 'stock:place:export' },
  'x-lookups': { goods: { count: 'stock.goods', where: [{ field: 'placeId', value: '{{ placeId }}' }] } },
  'x-states': [
    {
      field: 'status',
      initial: 'open',
      transitions: [
        change('ship', 'open', 'closed', {
          refuse: [
            { id: 'noGoods', when: '{{ goods === 0 }}', message: text('There is nothing to ship.') },
            { id: 'noNote', when: '{{ !note }}', message: text('It has no note.') },
          ],
          effects: [into('stock.move'), { id: 'clear', do: 'set', with: { note: null } }],
        }),
        change('book', 'open', 'closed', { effects: [into('stock.move')] }),
        // begins what only the module that is not there would end
        change('fetch', 'open', 'open', {
          effects: [
            { id: 'ask', do: 'stock.fetch', with: {}, later: { retry: ['PT1M'], done: 'reopen' } },
            { id: 'begun', do: 'set', with: { note: 'asked' } },
          ],
        }),
        change('reopen', 'closed', 'open', {}),
      ],
    },
  ],
  'x-tests': [
    { id: 'ships', clock: NOON, given: { place: { entity: 'stock.place' } }, do: [{ save: { placeId: 'place' } }], expect: [] },
    { id: 'books', clock: NOON, expect: [], do: [{ save: { note: 'one' } }, { transition: 'book' }] },
    { id: 'reopens', clock: NOON, expect: [], do: [{ save: { note: 'one', status: 'closed' } }, { transition: 'reopen' }] },
  ],
}

const LIST = {
  formatVersion: 3,
  kind: 'list',
  title: text('Orders'),
  path: '/shop/orders',
  permission: 'shop:orders',
  entity: 'shop.order',
  columns: [{ field: 'note' }, { field: 'placeId' }, { field: 'placeId.code' }],
  rowActions: [{ id: 'ship' }, { id: 'book' }, { id: 'fetch' }],
}

const ROLES = {
  formatVersion: 3,
  roles: [
    { code: 'clerk', label: text('Clerk'), scopes: { 'stock.place': ['all'] }, fieldRules: { 'stock.place.code': 'hide' } },
    { code: 'storekeeper', menus: ['shop:orders'] },
  ],
}

const shop = (uses: readonly string[]): SourceDocument[] => [
  {
    where: 'schemas/shop/module.json',
    type: 'module',
    value: {
      ...{ formatVersion: 3, name: 'shop', title: text('Shop'), uses },
      menu: [{ id: 'orders', title: text('Orders'), international: 'shop:orders', path: '/shop/orders' }],
      routes: [],
    },
  },
  { where: 'schemas/shop/entities/order.json', type: 'entity', value: ORDER },
  { where: 'schemas/shop/pages/orders.json', type: 'page', name: 'shop/orders', value: LIST },
  { where: 'schemas/shop/roles.json', type: 'roles', value: ROLES },
]

describe('a module without one that it uses', () => {
  const { problems, accepted } = readDocuments([...world.documents, ...shop(['stock'])], worldContext)
  const valueOf = (where: string): unknown => accepted.find((document) => document.where === where)?.value
  const order = valueOf('schemas/shop/entities/order.json') as EntityDocument

  it('is right', () => {
    expect(problems.map(({ where, at, code, message }) => [where, at, code, message.en])).toEqual([])
  })

  it('opens no rows through a record that is not there', () => {
    expect(order['x-scope']).toBe('restricted')
    expect(order['x-participants']?.map(({ id }) => id)).toEqual(['keepers'])
    expect(order.properties.placeId).not.toHaveProperty('x-ref')
  })

  it('refuses nothing because of it, and does nothing to it', () => {
    expect(order['x-lookups']).toEqual({})
    const transitions = order['x-states']![0]!.transitions
    // a booking did nothing else
    expect(transitions.map(({ id }) => id)).toEqual(['ship', 'reopen'])
    expect(transitions[0]!.refuse?.map(({ id }) => id)).toEqual(['noNote'])
    expect(transitions[0]!.effects?.map(({ id }) => id)).toEqual(['clear'])
    expect(order['x-tests']?.map(({ id }) => id)).toEqual(['reopens'])
  })

  it('shows neither fields of it nor actions that have nothing to do', () => {
    const list = valueOf('schemas/shop/pages/orders.json') as ListPage
    expect(list.columns?.map((column) => column.field)).toEqual(['note', 'placeId'])
    expect(list.rowActions?.map(({ id }) => id)).toEqual(['ship'])
  })

  it('grants nothing to a role that only it names, and no scope of its records', () => {
    expect(valueOf('schemas/shop/roles.json')).toMatchObject({ roles: [{ code: 'clerk', scopes: {}, fieldRules: {} }] })
  })
})

describe('a module that does not say what it uses', () => {
  it('is told every name that is not there', () => {
    const { problems } = readDocuments([...world.documents, ...shop([])], worldContext)
    const values = problems.map(({ code, value }) => `${code} ${String(value)}`)
    for (const wanted of [
      'missing-translation storekeeper',
      'unknown-entity stock.goods',
      'unknown-entity stock.move',
      'unknown-entity stock.place',
      'unknown-permission stock:place:export',
    ])
      expect(values).toContain(wanted)
  })

  it('is told of a key that nobody gives, also where another module misses one', () => {
    const other: SourceDocument = {
      where: 'schemas/yard/module.json',
      type: 'module',
      value: { formatVersion: 3, name: 'yard', title: text('Yard'), uses: ['stock'], menu: [], routes: [] },
    }
    const { problems } = readDocuments([...world.documents, ...shop([]), other], worldContext)
    expect(problems.map(({ code, value }) => `${code} ${String(value)}`)).toEqual([
      'unknown-permission stock:place:export',
      'missing-translation storekeeper',
    ])
  })
})
