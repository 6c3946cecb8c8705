import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnsOf } from '../../../src/schema/columns'
import { explicitPage } from '../../../src/schema/explicit'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { ListBody, ListPage } from '../../../src/schema/generated/page'
import { readDocuments, type SourceDocument } from '../../../src/schema/validate'

const text = (en: string) => ({ zh: `中${en}`, en })
const field = (en: string, more: object = {}) => ({ type: 'string', 'x-label': text(en), ...more })
const bill: EntityDocument = {
  formatVersion: 3,
  name: 'shop.bill',
  label: text('Bill'),
  titleField: 'code',
  type: 'object',
  properties: {
    due: field('Due', { format: 'date' }),
    status: field('Status', { 'x-list': true }),
    code: field('Code'),
    amount: field('Amount'),
    buyer: field('Buyer', { 'x-list': true }),
    note: field('Note', { 'x-list': true, 'x-filter': true }),
    internal: field('Secret', { 'x-list': true, 'x-internal': true }),
    memo: field('Memo'),
  },
  'x-worth': { title: ['code'], who: ['buyer'], amount: ['amount'], state: ['status'], when: ['due'], compact: ['memo'] },
  'x-scope': 'public',
} as unknown as EntityDocument
const names = (list: Partial<ListBody>, entity = bill) =>
  columnsOf(entity, { entity: entity.name, ...list }).map((one) => one.id ?? one.field)
const page = (more: Partial<ListPage>): ListPage => ({
  ...{ formatVersion: 3, kind: 'list', path: '/shop/bills', title: text('Bills'), entity: 'shop.bill' },
  ...more,
})
const sources = (list: ListPage, entity: EntityDocument = bill): SourceDocument[] => [
  { type: 'entity', where: 'schemas/shop/entities/bill.json', value: entity },
  { type: 'page', where: 'schemas/shop/pages/bill-list.json', name: 'shop/bill-list', value: list },
]
const filled = (list: ListPage, entity: EntityDocument = bill): ListPage => {
  const { problems, accepted } = readDocuments(sources(list, entity))
  expect(problems.filter(({ where }) => where.endsWith('bill-list.json') || where.endsWith('bill.json'))).toEqual([])
  const found = accepted.find(({ type }) => type === 'page')
  return explicitPage(found?.value as ListPage, { [entity.name]: entity }) as ListPage
}

describe('The columns of a list that names none', () => {
  it('are read by what the fields are for, then come the others that are listed; what is compact is folded away', () => {
    expect(columnsOf(bill, { entity: 'shop.bill' })).toEqual([
      ...['code', 'buyer', 'amount', 'status', 'due'].map((name) => ({ field: name })),
      { field: 'memo', hidden: true },
      { field: 'note' },
    ])
  })

  it('are the listed fields in the order of the file where nothing has a worth', () => {
    const { 'x-worth': _worth, ...plain } = bill
    expect(names({}, plain as EntityDocument)).toEqual(['status', 'buyer', 'note'])
  })

  it('are those that have a worth or are named, where the list keeps to what is known', () => {
    expect(names({ rest: false })).toEqual(['code', 'buyer', 'amount', 'status', 'due', 'memo'])
    expect(names({ rest: false, cells: { note: {} } }).at(-1)).toBe('note')
  })

  it('leave out what the list fixes', () => {
    expect(names({ where: [{ field: 'status', value: 'open' }] })).not.toContain('status')
  })

  it('differ where the list says so: left out, otherwise, placed behind another one, added', () => {
    const cells: ListBody['cells'] = {
      amount: false,
      status: { tone: "{{ value === 'late' ? 'error' : null }}" },
      due: { after: '' },
      memo: { hidden: false, after: 'code' },
      'buyer.city': {},
      days: { title: text('Days'), value: '{{ 1 }}' },
    }
    expect(columnsOf(bill, { entity: 'shop.bill', cells })).toEqual([
      { field: 'due' },
      { field: 'code' },
      { field: 'memo', hidden: false },
      { field: 'buyer' },
      { field: 'status', tone: "{{ value === 'late' ? 'error' : null }}" },
      { field: 'buyer.city' },
      { id: 'days', title: text('Days'), value: '{{ 1 }}' },
      { field: 'note' },
    ])
  })

  it('stand still and open the record at their title on a page, unless it says no', () => {
    const lead = { pin: 'left', open: '/shop/bills/details?id={{ row.id }}' } as const
    expect(columnsOf(bill, page({}), lead)[0]).toEqual({ field: 'code', ...lead })
    expect(columnsOf(bill, page({ cells: { code: { pin: false, open: false } } }), lead)[0]).toEqual({ field: 'code' })
  })

  it('have a new listed field at the end, whatever else the list says of its columns', () => {
    const cell = fc.oneof(
      fc.constant(false as const),
      fc.record({ after: fc.constantFrom('', 'code', 'due', 'nowhere') }, { requiredKeys: [] }),
      fc.record({ hidden: fc.boolean() }, { requiredKeys: [] }),
    )
    const known = fc.constantFrom('code', 'buyer', 'amount', 'status', 'due', 'memo', 'note')
    const grown = { ...bill, properties: { ...bill.properties, slogan: field('Slogan', { 'x-list': true }) } } as EntityDocument
    fc.assert(
      fc.property(fc.dictionary(known, cell), (cells) => {
        const before = names({ cells })
        const after = names({ cells }, grown)
        expect(new Set(after).size).toBe(after.length)
        expect(after.filter((name) => name !== 'slogan')).toEqual(before)
        expect(after.at(-1)).toBe('slogan')
      }),
    )
  })
})

describe('A list page that says how its columns differ', () => {
  it('has neither what it leaves out nor anything twice, and no cells once all is written down', () => {
    const list = filled(page({ cells: { note: false, amount: { summary: 'sum' } } }))
    expect(list.columns?.map(({ field: name }) => name)).toEqual(['code', 'buyer', 'amount', 'status', 'due', 'memo'])
    expect(list.columns?.[2]).toEqual({ field: 'amount', summary: 'sum' })
    expect(list).not.toHaveProperty('cells')
    expect(explicitPage(list, { [bill.name]: bill })).toEqual(list)
  })

  it('has its columns in the order of their worth, whatever it names first, unless it says why not', () => {
    const columns = ['note', 'due', 'status', 'memo', 'amount', 'buyer', 'code'].map((field) => ({ field }))
    const order = (more: Partial<ListPage>) => filled(page({ columns, ...more })).columns?.map(({ field: name }) => name)
    expect(order({})).toEqual(['code', 'buyer', 'amount', 'status', 'due', 'note', 'memo'])
    expect(order({ columnOrder: 'As in the file.' })).toEqual(columns.map(({ field: name }) => name))
    // what somebody moved later stays there
    const moved = { ...filled(page({ columns })), columns: [...columns] }
    expect(explicitPage(moved, { [bill.name]: bill })).toEqual(moved)
    // one of each comes first; a further one that finds no room there stands behind
    const wide = { ...bill, 'x-worth': { ...bill['x-worth'], title: ['code', 'memo'], compact: ['note'] } } as EntityDocument
    const room = (width: number) => {
      const sized = columns.map(({ field: name }) => ({ field: name, width: name === 'memo' ? width : 100 }))
      return filled(page({ columns: sized }), wide).columns?.findIndex(({ field: name }) => name === 'memo')
    }
    expect([room(60), room(700)]).toEqual([1, 5])
  })

  it('is told where it is wrong', () => {
    const cells = { colour: false, due: { after: 'stauts' }, amount: { tone: '{{ rwo.due }}' } } as const
    const { problems } = readDocuments(sources(page({ cells })))
    const found = problems.filter(({ where }) => where.endsWith('bill-list.json')).map(({ at, code }) => [at, code])
    expect(found).toContainEqual(['/cells/colour', 'unknown-field'])
    expect(found).toContainEqual(['/cells/due/after', 'unknown-field'])
    expect(found).toContainEqual(['/cells/amount/tone', 'expression-root'])
  })

  it('needs an entity that names its own fields, each once', () => {
    const wrong = { ...bill, 'x-worth': { title: ['cod'], who: ['buyer'], compact: ['buyer'] } }
    const { problems } = readDocuments(sources(page({}), wrong as EntityDocument))
    expect(problems.map(({ at }) => at)).toContain('/x-worth/title/0')
    expect(problems.map(({ at }) => at).filter((at) => at.startsWith('/x-worth'))).toHaveLength(2)
  })
})
