import { describe, expect, it } from 'vitest'
import { compose } from '../../../gateway/pages/changes/compose'
import { makeSnapshot } from '../../../gateway/pages/changes/live'
import { withDefaultPages } from '../../../src/schema/defaults'
import { explicitPage } from '../../../src/schema/explicit'
import type { DetailPage, FormPage, ListPage, PageDocument } from '../../../src/schema/generated/page'
import type { AcceptedDocument } from '../../../src/schema/validate/accepted'
import type { Change } from '../../../src/schema/overlay'
import { readDocuments, type SourceDocument } from '../../../src/schema/validate'

const text = (en: string) => ({ zh: `中${en}`, en })
const field = (en: string, more: object = {}) => ({ type: 'string', 'x-label': text(en), ...more })
const order = {
  formatVersion: 3,
  name: 'shop.order',
  label: text('Order'),
  titleField: 'code',
  type: 'object',
  properties: {
    code: field('Code', { readOnly: true }),
    status: field('Status', { 'x-dictionary': 'orderStatus', readOnly: true, 'x-list': true, 'x-filter': true }),
    buyer: field('Buyer', { 'x-list': true, 'x-search': true }),
    street: field('Street'),
    note: field('Note'),
    papers: { type: 'array', items: { type: 'string' }, format: 'file', 'x-label': text('Papers') },
  },
  required: ['buyer'],
  'x-scope': 'owned',
  'x-permissions': { read: 'shop:order', add: 'shop:order:add', edit: 'shop:order:edit', export: 'shop:order:export' },
  'x-views': [
    { id: 'mine', label: text('Mine'), scope: 'own' },
    { id: 'pool', label: text('Pool'), scope: 'pool' },
  ],
  'x-groups': [{ id: 'address', title: text('Address'), fields: ['buyer', 'street'] }],
  'x-states': [
    {
      field: 'status',
      initial: 'open',
      transitions: [
        { id: 'close', label: text('Close'), from: ['open'], to: 'closed', permission: 'shop:order:close' },
        { id: 'lose', label: text('Lose'), from: ['open'], to: 'closed', danger: true, permission: 'shop:order:close' },
        { id: 'lapse', label: text('Lapse'), by: ['system'], from: ['open'], to: 'closed' },
      ],
    },
  ],
}
const item = {
  formatVersion: 3,
  name: 'shop.orderItem',
  label: text('Item'),
  titleField: 'name',
  type: 'object',
  properties: { orderId: field('Order', { 'x-ref': 'shop.order', 'x-list': true }), name: field('Name', { 'x-list': true }) },
  'x-scope': { parent: 'orderId' },
  'x-permissions': { add: 'shop:order:edit', edit: 'shop:order:edit', delete: 'shop:order:edit' },
}
const form = { formatVersion: 3, kind: 'form', title: text('Item'), entity: 'shop.orderItem', schema: { type: 'object' } }
const shop = {
  formatVersion: 3,
  name: 'shop',
  title: text('Shop'),
  routes: [],
  menu: [{ id: 'sales', title: text('Sales'), international: 'shop:sales', children: [] }],
}
const states = {
  formatVersion: 3,
  name: 'orderStatus',
  label: text('Status'),
  items: ['open', 'closed'].map((code) => ({ code, label: text(code) })),
}

const source = (type: SourceDocument['type'], where: string, value: unknown, name?: string): SourceDocument => ({
  where,
  type,
  value,
  ...(name === undefined ? {} : { name }),
})
const portal = (
  pages: Readonly<Record<string, object>> = {},
  head: object = { path: '/shop/orders', menu: 'sales' },
  more: object = {},
) =>
  readDocuments([
    source('entity', 'schemas/shop/entities/order.json', { ...order, ...more, 'x-pages': head }),
    source('entity', 'schemas/shop/entities/order-item.json', item),
    source('dictionary', 'schemas/dictionaries/orderStatus.json', states),
    source('module', 'schemas/shop/module.json', shop),
    source('page', 'schemas/shop/pages/order-item.json', form, 'shop/order-item'),
    ...Object.entries(pages).map(([name, value]) => source('page', `schemas/shop/pages/${name}.json`, value, `shop/${name}`)),
  ])
const said = (actions: readonly object[], page: object) => {
  const path = { path: '/shop/orders', menu: 'sales' }
  const { problems, accepted } = portal({ 'order-list': page }, path, { 'x-actions': actions })
  return { problems, list: pageIn<ListPage>(accepted, 'shop/order-list'), accepted }
}
const entitiesIn = (accepted: readonly AcceptedDocument[]) =>
  Object.fromEntries(accepted.flatMap((document) => (document.type === 'entity' ? [[document.value.name, document.value]] : [])))
const pageIn = <Page extends PageDocument>(accepted: readonly AcceptedDocument[], name: string): Page => {
  const found = accepted.find((document) => document.type === 'page' && document.name === name)
  return explicitPage(found?.value as PageDocument, entitiesIn(accepted)) as Page
}

describe('An entity that asks for pages', () => {
  const { problems, accepted } = portal()

  it('has a list, a detail and a form without a fault', () => {
    expect(problems).toEqual([])
    const list = pageIn<ListPage>(accepted, 'shop/order-list')
    expect(list.columns?.map(({ field: name, open }) => [name, open])).toEqual([
      ['code', '/shop/orders/details?id={{ row.id }}'],
      ['status', undefined],
      ['buyer', undefined],
      ['ownerId', undefined],
    ])
    expect(list.views?.map(({ id }) => id)).toEqual(['mine', 'all'])
    expect(list.actions).toMatchObject([{ id: 'add', form: 'shop/order' }, { id: 'export' }])
    expect(list.rowActions?.map(({ id }) => id)).toEqual(['close', 'lose', 'edit'])
    expect(list.bulkActions?.map(({ id }) => id)).toEqual(['close'])
  })

  it('shows its groups, its children and its files on the detail, and its groups in the form', () => {
    const detail = pageIn<DetailPage>(accepted, 'shop/order-details')
    expect(detail.header).toMatchObject({ state: ['status'], actions: [{ id: 'close' }, { id: 'lose' }, { id: 'edit' }] })
    expect(detail.sections?.map(({ id, fields }) => [id, fields?.map(({ field: name }) => name)])).toEqual([
      ['address', ['buyer', 'street']],
      ['otherFields', ['note']],
    ])
    expect(detail).toMatchObject({ attachments: 'papers', editForm: 'shop/order' })
    const [items] = detail.tabs ?? []
    expect(items).toMatchObject({
      id: 'orderItem',
      list: {
        where: [{ field: 'orderId', value: '{{ record.id }}' }],
        columns: [{ field: 'name' }],
        actions: [{ id: 'add', form: 'shop/order-item', values: { orderId: '{{ record.id }}' } }],
        rowActions: [{ id: 'edit' }, { id: 'delete' }],
      },
    })
    const saved = pageIn<FormPage>(accepted, 'shop/order')
    expect(Object.keys(saved.schema.properties ?? {})).toEqual(['address', 'otherFields'])
    expect(Object.keys(saved.schema.properties?.address?.properties ?? {})).toEqual(['buyer', 'street'])
  })

  it('stands last in its group of the menu, with the keys that nothing else brings', () => {
    const module = accepted.find(({ type }) => type === 'module')
    expect(module?.value).toMatchObject({
      menu: [
        {
          id: 'sales',
          children: [
            {
              id: 'sales.order',
              international: 'shop:order',
              path: '/shop/orders',
              buttons: [
                { key: 'shop:order:add' },
                { key: 'shop:order:edit' },
                { key: 'shop:order:export' },
                { key: 'shop:order:close' },
              ],
            },
          ],
        },
      ],
    })
  })

  it('says so when the menu has no such group', () => {
    expect(portal({}, { path: '/shop/orders', menu: 'sale' }).problems.map(({ at, message }) => [at, message.en])).toContainEqual(
      ['/x-pages/menu', 'The menu of the module has no group "sale". Did you mean "sales"?'],
    )
  })
})

describe('A page file', () => {
  const head = {
    formatVersion: 3,
    kind: 'list',
    path: '/shop/orders',
    title: text('Orders'),
    permission: 'shop:order',
    entity: 'shop.order',
  }

  it('takes the place of the page of its name and says only what differs, by id', () => {
    const { problems, accepted } = portal({
      'order-list': { ...head, rowActions: [{ id: 'lose', primary: true }], bulkActions: [] },
    })
    expect(problems).toEqual([])
    const list = pageIn<ListPage>(accepted, 'shop/order-list')
    expect(list.rowActions?.map(({ id, primary }) => [id, primary])).toEqual([
      ['lose', true],
      ['close', undefined],
      ['edit', undefined],
    ])
    expect(list.bulkActions).toEqual([])
    expect(list.title).toEqual(text('Orders'))
  })

  it('with columns of its own stays as it is, unless it asks for the rest', () => {
    const own = { ...head, columns: [{ field: 'buyer', width: 200 }] }
    const alone = pageIn<ListPage>(portal({ 'order-list': own }).accepted, 'shop/order-list')
    expect([alone.columns?.map(({ field: name }) => name), alone.actions]).toEqual([['buyer', 'status'], undefined])
    const both = pageIn<ListPage>(portal({ 'order-list': { ...own, default: true } }).accepted, 'shop/order-list')
    expect(both.columns?.map(({ field: name, width }) => [name, width])).toEqual([
      ['buyer', 200],
      ['code', undefined],
      ['status', undefined],
      ['ownerId', undefined],
    ])
    expect(both.actions?.map(({ id }) => id)).toEqual(['add', 'export'])
  })

  it('is the same object when nothing of it is left to the entity', () => {
    const { accepted } = portal()
    expect(withDefaultPages(accepted).filter((document, index) => document === accepted[index]).length).toBeGreaterThan(5)
  })
})

describe('What can be done with a record, said once', () => {
  const pay = {
    ...{ id: 'pay', label: text('Pay'), form: 'shop/order-item', values: { orderId: '{{ record.id }}' } },
    ...{ visible: "{{ record.status === 'record' && record.buyer }}", permission: 'shop:order:edit' },
  }
  const page = {
    ...{ formatVersion: 3, kind: 'list', path: '/shop/orders', title: text('Orders'), entity: 'shop.order' },
    columns: [{ field: 'code' }],
    rowActions: [{ id: 'pay', primary: true }, { id: 'close' }, { id: 'edit' }],
    bulkActions: [{ id: 'pay', values: { orderIds: '{{ rows.id }}' } }, { id: 'export' }],
  }

  it('stands on a page by its id alone: of a row, of several, of the record; what the page says lies over it', () => {
    const { problems, list, accepted } = said([pay, { id: 'close', icon: 'lock' }], page)
    expect(problems).toEqual([])
    expect(list.rowActions).toMatchObject([
      { ...pay, primary: true, values: { orderId: '{{ row.id }}' }, visible: "{{ row.status === 'record' && row.buyer }}" },
      { id: 'close', icon: 'lock' },
      { id: 'edit', form: 'shop/order', values: { id: '{{ row.id }}' } },
    ])
    const { values: _values, visible: _visible, ...ofNone } = pay
    expect(list.bulkActions).toEqual([
      { ...ofNone, values: { orderIds: '{{ rows.id }}' } },
      { id: 'export', operation: 'export' },
    ])
    expect(pageIn<DetailPage>(accepted, 'shop/order-details').header?.actions).toEqual([
      { id: 'close', icon: 'lock' },
      { id: 'lose' },
      pay,
      { id: 'edit', operation: 'edit' },
    ])
  })

  it('is the page itself where the page says what it does', () => {
    const { list } = said([pay], { ...page, rowActions: [{ id: 'pay', label: text('Bill'), open: '/shop/orders' }] })
    expect(list.rowActions).toEqual([{ id: 'pay', label: text('Bill'), open: '/shop/orders' }])
  })

  it('is checked where it is said', () => {
    const wrong = said(
      [
        { ...pay, form: 'shop/order-itme', visible: '{{ row.buyer }}' },
        { id: 'cloes', icon: 'lock' },
      ],
      {
        ...page,
        rowActions: [],
        bulkActions: [],
      },
    )
    const there = wrong.problems.filter(({ where }) => where.endsWith('order.json')).map(({ at, code }) => [at, code])
    expect(there).toEqual([
      ['/x-actions/0/form', 'unknown-page'],
      ['/x-actions/0/visible', 'expression-root'],
      ['/x-actions/1', 'ambiguous-action'],
    ])
  })
})

describe('What an admin changes of an entity', () => {
  const files = portal().accepted
  const at = 'x-states/status/transitions'
  const approve = { id: 'approve', label: text('Approve'), from: ['open'], to: 'closed', permission: 'shop:order:approve' }
  const overlay = (target: string, ...changes: Change[]) => ({ target, role: '', changes })
  const ofOrder = overlay('entity:shop.order', { at, add: approve, after: 'close' })

  it('shows on its default pages: actions, those of its rows where it is a tab, and keys of the menu', () => {
    const ofPage = overlay('page:shop/order-list', { at: 'rowActions/approve/primary', set: true })
    const ofItem = overlay(
      'entity:shop.orderItem',
      { at: 'properties/state', set: field('State', { 'x-dictionary': 'orderStatus' }) },
      { at: 'x-states', set: [{ field: 'state', initial: 'open', transitions: [{ ...approve, id: 'check' }] }] },
    )
    const { composed, page, modules, refused } = makeSnapshot(files, {}, [ofOrder, ofPage, ofItem])
    expect(refused).toEqual([])
    expect(composed.outcomes.get(ofPage)).toEqual(['kept'])
    const list = page('shop/order-list')?.document as ListPage
    expect(list.rowActions?.map(({ id, primary }) => [id, primary])).toEqual([
      ...[
        ['close', undefined],
        ['approve', true],
        ['lose', undefined],
        ['edit', undefined],
      ],
    ])
    expect(list.bulkActions?.map(({ id }) => id)).toEqual(['close', 'approve'])
    const detail = page('shop/order-details')?.document as DetailPage
    expect(detail.header?.actions?.map(({ id }) => id)).toEqual(['close', 'approve', 'lose', 'edit'])
    expect(detail.tabs?.[0]?.list?.rowActions?.map(({ id }) => id)).toEqual(['check', 'edit', 'delete'])
    const buttons = modules[0]?.menu[0]?.children?.[0]?.buttons ?? []
    expect(buttons.filter(({ key }) => key.startsWith('shop:order:approve'))).toHaveLength(1)
    expect(modules[0]?.menu[0]?.children).toHaveLength(1)
  })

  it('shows on pages that name it by its id, and may ask for pages', () => {
    const { documents, bases } = compose(files, [
      overlay('entity:shop.orderItem', { at: 'x-pages', set: { path: '/shop/items' } }),
      overlay('entity:shop.order', { at: 'x-actions', set: [{ id: 'close', icon: 'lock' }] }),
    ])
    expect([...bases.keys()]).toContain('page:shop/order-item-list')
    const without = compose(files, [overlay('entity:shop.order', { at: 'x-pages', remove: true })])
    expect(without.documents.some(({ name }) => name === 'shop/order-list')).toBe(false)
    const list = documents.find(({ name }) => name === 'shop/order-list')?.value as ListPage
    expect(list.rowActions?.[0]).toEqual({ id: 'close', icon: 'lock' })
    // without a change everything stays the same object
    expect(compose(files, []).documents.every((document) => files.some((file) => file === document))).toBe(true)
  })
})
