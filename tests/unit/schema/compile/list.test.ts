import { describe, expect, it } from 'vitest'
import { compileFresh } from '../../../../src/schema/compile/compilePage'
import type { PageDocument } from '../../../../src/schema/generated/page'
import type { ListModel } from '../../../../src/schema/model'
import { bundleOf, contextOf, list, order } from './world'

const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id)
const scope = { today: '2025-03-01', now: '2025-03-01T00:00:00Z', user: { staffId: 's1' }, query: {}, locale: 'en' }

describe('A list of which nothing is said', () => {
  const { body, title, problems } = list()

  it('has the fields marked with x-list as columns, without retired ones', () => {
    expect(ids(body.columns)).toEqual(['ownerId', 'code', 'name', 'status', 'amount'])
    expect(problems).toEqual([])
  })

  it('takes title, alignment, width and cell from the field', () => {
    expect(title).toBe('Orders')
    expect(body.columns.find(({ id }) => id === 'amount')).toMatchObject({
      title: 'Amount',
      align: 'right',
      width: 140,
      cell: 'money',
      path: ['amount'],
      hidden: false,
      sortable: true,
    })
    expect(body.columns.find(({ id }) => id === 'status')?.field?.dictionary?.options[0]).toEqual({
      code: 'open',
      label: 'Open',
      color: 'blue',
    })
  })

  it('says the unit of a number in the head of its column, and not in its cells', () => {
    const [late, named] = list({
      columns: [{ field: 'lateDays' }, { id: 'b', field: 'lateDays', title: { zh: '迟', en: 'Late' } }],
    }).body.columns
    expect([late?.title, named?.title]).toEqual(['Days late (days)', 'Late (days)'])
    expect(late?.field).toMatchObject({ name: 'lateDays', label: 'Days late (days)' })
    expect(late?.field).not.toHaveProperty('unit')
  })

  it('lets a column be changed where it stands only where its field and the viewer can', () => {
    const edited = (fields: string[], more = {}) =>
      ids(list({ columns: fields.map((field) => ({ field, edit: true })), ...more }).body.columns.filter(({ edit }) => edit))
    expect(edited(['name', 'amount', 'code', 'supplierId.name'])).toEqual(['name', 'amount'])
    expect(ids(list().body.columns.filter(({ edit }) => edit))).toEqual([])
  })

  it('makes a column wide enough for the longest word of its dictionary, however narrow the page wants it', () => {
    const [column] = list({ columns: [{ field: 'status', width: 60 }] }).body.columns
    const longest = Math.max(...(column?.field?.dictionary?.options ?? []).map(({ label }) => label.length))
    expect(longest).toBeGreaterThan(3)
    expect(column?.width).toBeGreaterThanOrEqual(Math.ceil(longest * 6.6) + 40)
  })

  it('has the fields marked with x-filter as filters, with the first operator of their kind, without computed ones', () => {
    expect(body.filters.map(({ id, operator }) => [id, operator])).toEqual([
      ['ownerId', 'in'],
      ['ownerDeptId', 'in'],
      ['status', 'in'],
      ['supplierId', 'in'],
    ])
    expect(body.filters[2]?.control).toBe('dictionaries')
  })

  it('searches the x-search fields, sorts by creation, pages by twenty, and calls the entity', () => {
    expect(body.keyword).toEqual(['Code', 'Name'])
    expect(body.sort).toEqual([{ field: 'createdAt', order: 'desc' }])
    expect(body.pageSize).toBe(20)
    expect(body.rowKey).toBe('id')
    expect(body.calls).toEqual({
      query: { method: 'POST', path: '/v2/demo/order/queryPage' },
      export: { method: 'POST', path: '/v2/demo/order/export' },
      aggregate: { method: 'POST', path: '/v2/demo/order/aggregate' },
    })
  })

  it('says what the viewer may do with the entity at all', () => {
    expect(body.operations).toEqual({ add: true, edit: true, delete: true, restore: false, import: false, export: true })
    expect(list({}, { permissions: new Set(['demo:order:edit']) }).body.operations).toEqual({
      add: false,
      edit: true,
      delete: false,
      restore: false,
      import: false,
      export: false,
    })
  })

  it('offers nothing by its tools that the page gives to the holders of another key only', () => {
    const viewer = { permissions: new Set(['demo:order:export']) }
    const offered = (permission: string): boolean =>
      list({ actions: [{ id: 'export', operation: 'export', permission }] }, viewer).body.operations.export
    expect(offered('demo:order:manage')).toBe(false)
    expect(offered('demo:order:export')).toBe(true)
  })
})

describe('Import', () => {
  const offered = (page: object): boolean => {
    const bundle = bundleOf({
      formatVersion: 3,
      kind: 'list',
      title: { zh: '订单', en: 'Orders' },
      entity: 'demo.order',
      ...page,
    })
    const importable = { ...order, 'x-permissions': { ...order['x-permissions'], import: 'demo:order:import' } }
    const result = compileFresh({ ...bundle, entities: { ...bundle.entities, 'demo.order': importable } }, contextOf())
    if (!result.ok) throw new Error('It does not compile.')
    return (result.model as ListModel).body.operations.import
  }

  it('is offered on the list of the menu, not on a list that another page leads to, as a report to the rows behind a figure', () => {
    expect(offered({ path: '/demo/orders' })).toBe(true)
    expect(offered({ path: '/demo/orders-of-report', hidden: true, activeMenu: '/demo/report' })).toBe(false)
  })
})

describe('Columns', () => {
  it('of a retired field are left out, though the page names it', () => {
    const { columns, filters } = list({
      columns: [{ field: 'code' }, { field: 'oldNote' }],
      filters: [{ field: 'oldNote' }],
    }).body
    expect(columns.map(({ id }) => id)).toEqual(['code'])
    expect(filters).toEqual([])
  })

  it('reads one step through a reference and never sorts by it', () => {
    const [column] = list({ columns: [{ field: 'supplierId.code' }] }).body.columns
    expect(column).toMatchObject({
      id: 'supplierId.code',
      path: ['supplierId', 'code'],
      title: 'Supplier · Supplier code',
      sortable: false,
    })
    expect(column?.field?.entity).toBe('demo.supplier')
  })

  it('computes a value, an address with encoded values, and one of the four tones', () => {
    const [column] = list({
      columns: [
        {
          id: 'sum',
          title: { zh: '和', en: 'Sum' },
          value: '{{ row.a + 1 }}',
          open: '/demo/x?id={{ row.id }}',
          tone: "{{ value > 1 ? 'error' : 'pink' }}",
        },
      ],
    }).body.columns
    expect(column?.value?.({ ...scope, row: { a: 2 } })).toBe(3)
    expect(column?.open?.({ ...scope, row: { id: 'a&b=/c' } })).toBe('/demo/x?id=a%26b%3D%2Fc')
    expect(column?.tone?.({ ...scope, row: {}, value: 2 })).toBe('error')
    expect(column?.tone?.({ ...scope, row: {}, value: 0 })).toBeNull()
  })

  it('leaves a wrong column out and says where it stood and what was meant', () => {
    const model = list({ columns: [{ field: 'name' }, { field: 'statsu' }, { field: 'matchKey' }, { field: 'name' }, {}] })
    expect(ids(model.body.columns)).toEqual(['name'])
    expect(model.problems.map(({ code, at, hint }) => [code, at, hint])).toEqual([
      ['unknown-field', '/columns/1/field', 'status'],
      ['unknown-field', '/columns/2/field', undefined],
      ['duplicate-id', '/columns/3', undefined],
      ['invalid-shape', '/columns/4', undefined],
    ])
  })
})

describe('Filters, views, conditions', () => {
  it('refuses an operator that the field kind does not have, and filters over computed fields', () => {
    const model = list({ filters: [{ field: 'status', operator: 'startsWith' }, { field: 'lateDays' }, { field: 'dueOn' }] })
    expect(ids(model.body.filters)).toEqual(['dueOn'])
    expect(model.problems.map(({ code, at }) => [code, at])).toEqual([
      ['field-kind-mismatch', '/filters/0/operator'],
      ['field-kind-mismatch', '/filters/1/field'],
    ])
  })

  it('evaluates conditions and defaults over the page', () => {
    const { body } = list({
      where: [{ field: 'ownerId', operator: 'eq', value: '{{ user.staffId }}' }],
      filters: [{ field: 'dueOn', default: ['{{ today }}', null] }],
    })
    expect(body.where(scope)).toEqual([{ field: 'ownerId', operator: 'eq', value: 's1' }])
    const { body: grouped } = list({
      where: [
        {
          or: [{ field: 'status', value: 'open' }, { and: [{ field: 'ownerId', operator: 'eq', value: '{{ user.staffId }}' }] }],
        },
      ],
    })
    expect(grouped.where(scope)).toEqual([
      { or: [{ field: 'status', operator: 'in', value: 'open' }, { and: [{ field: 'ownerId', operator: 'eq', value: 's1' }] }] },
    ])
    expect(body.filters[0]?.default?.(scope)).toEqual(['2025-03-01', null])
  })

  it('refuses the whole list when a fixed condition is wrong: too many rows would show', () => {
    expect(() => list({ where: [{ or: [{ field: 'ownerr' }] }] })).toThrow(/unknown-field/)
    expect(() => list({ where: [{ field: 'ownerr' }] })).toThrow(/unknown-field/)
  })

  it('leaves out views whose key the viewer lacks', () => {
    const views = [
      { id: 'all', title: { zh: '全部', en: 'All' } },
      { id: 'dept', title: { zh: '部门', en: 'Dept' }, permission: 'demo:dept' },
    ]
    expect(ids(list({ views }, { permissions: new Set() }).body.views)).toEqual(['all'])
    expect(ids(list({ views }).body.views)).toEqual(['all', 'dept'])
  })
})

describe('Actions', () => {
  const rowActions = [
    {
      id: 'edit',
      label: { zh: '编辑', en: 'Edit' },
      form: 'demo/order',
      values: { id: '{{ row.id }}' },
      disabled: '{{ !row.$write }}',
      disabledReason: { zh: '只读', en: 'Read only' },
    },
    { id: 'close', transition: 'close' },
    { id: 'delete', operation: 'delete' },
  ]

  it('evaluates values, and says why an action is disabled', () => {
    const [edit] = list({ rowActions }).body.rowActions
    expect(edit?.effect.type === 'form' && edit.effect.values({ ...scope, row: { id: '7' } })).toEqual({ id: '7' })
    expect(edit?.disabledBecause({ ...scope, row: { $write: false } })).toBe('Read only')
    expect(edit?.disabledBecause({ ...scope, row: { $write: true } })).toBeNull()
  })

  it('disables what the gateway would refuse for the row, with its reason', () => {
    const [edit, , remove] = list({ rowActions }).body.rowActions
    const row = { $write: true, $refused: { edit: 'Only its author.', delete: 'Only within one hour.' } }
    // a list in a page about another record: what is said of that one does not count
    const of = (one: object) => ({ ...scope, record: { $refused: { delete: 'Not this one.' } }, row: one })
    expect(remove?.disabledBecause(of(row))).toBe('Only within one hour.')
    expect(edit?.disabledBecause(of(row))).toBe('Only its author.')
    expect(remove?.disabledBecause(of({ $write: true }))).toBeNull()
  })

  it('takes label, danger, confirmation and refusal of a transition from the entity', () => {
    const close = list({ rowActions }).body.rowActions[1]
    expect(close).toMatchObject({ label: 'Close', danger: true, after: 'reload' })
    // Asked with the name of the action and of the record; the transition says what it means.
    expect(close?.confirm).toBeUndefined()
    expect(close?.effect).toMatchObject({ transition: { confirm: 'It cannot be changed afterwards.' } })
    expect(close?.disabledBecause({ ...scope, row: { status: 'closed', amount: '1' } })).toBe(
      'Close is not possible while it is "Closed"',
    )
    expect(close?.disabledBecause({ ...scope, row: { status: 'open', amount: null } })).toBe('It has no amount')
    expect(close?.disabledBecause({ ...scope, row: { status: 'open', amount: '1' } })).toBeNull()
    // as the gateway compares it: the number, not the text
    expect(close?.disabledBecause({ ...scope, row: { status: 'open', amount: '10000', currency: 'USD' } })).toBe(
      'It is too large',
    )
    expect(close?.disabledBecause({ ...scope, rows: [] })).toBeNull()
  })

  it('offers a transition where the record is in one of its states, and for selected rows where one of them is', () => {
    const { rowActions: own, bulkActions } = list({
      rowActions: [{ id: 'close', visible: '{{ row.amount !== "0" }}' }],
      bulkActions: [{ id: 'close' }],
    }).body
    const [one, many] = [own[0], bulkActions[0]]
    // The id alone says which transition it is.
    expect(one).toMatchObject({ label: 'Close', effect: { type: 'transition', transition: { id: 'close' } } })
    expect(one?.visible({ ...scope, row: { status: 'open', amount: '1' } })).toBe(true)
    expect(one?.visible({ ...scope, row: { status: 'closed', amount: '1' } })).toBe(false)
    expect(one?.visible({ ...scope, row: { status: 'open', amount: '0' } })).toBe(false)
    // Not sent to the viewer: the gateway decides.
    expect(one?.visible({ ...scope, row: { amount: '1' } })).toBe(true)
    // The page around the list is about another record.
    expect(many?.visible({ ...scope, record: { status: 'closed' }, rows: [{ status: 'closed' }, { status: 'open' }] })).toBe(true)
    expect(many?.visible({ ...scope, rows: [{ status: 'closed' }] })).toBe(false)
  })

  it('does not judge by a field that the viewer was not sent', () => {
    const close = list({ rowActions }).body.rowActions[1]
    expect(close?.disabledBecause({ ...scope, row: { status: 'open' } })).toBeNull()
  })

  it('leaves to the gateway what stands behind a reference', () => {
    const close = list({ rowActions }).body.rowActions[1]
    expect(close?.disabledBecause({ ...scope, row: { status: 'open', amount: '1', supplierId: 's1' } })).toBeNull()
  })

  it('asks before deleting and knows what happens after each effect', () => {
    const remove = list({ rowActions }).body.rowActions[2]
    expect(remove).toMatchObject({ label: 'Delete', danger: true, after: 'reload', icon: 'delete' })
    expect(remove?.confirm?.(scope)).toEqual({ title: 'Delete this?' })
    expect(list({ actions: [{ id: 'export', operation: 'export' }] }).body.actions[0]?.after).toBe('none')
  })

  it('leaves out what the viewer may not do: own key, key of the transition, key of the operation', () => {
    const shown = (keys: string[]): string[] => ids(list({ rowActions }, { permissions: new Set(keys) }).body.rowActions)
    expect(shown([])).toEqual(['edit'])
    expect(shown(['demo:order:close'])).toEqual(['edit', 'close'])
    expect(shown(['demo:order:delete'])).toEqual(['edit', 'delete'])
  })

  it('leaves out an action without exactly one effect, and an operation that the entity does not offer', () => {
    const model = list({ actions: [{ id: 'none' }, { id: 'two', open: '/x', copy: 'x' }, { id: 'import', operation: 'import' }] })
    expect(model.body.actions).toEqual([])
    expect(model.problems.map(({ code }) => code)).toEqual(['ambiguous-action', 'ambiguous-action', 'unknown-action'])
  })
})

describe('A list as a board', () => {
  const page = (words: object): PageDocument => ({
    ...{ formatVersion: 3, kind: 'list', entity: 'demo.order', title: { zh: '订单', en: 'Orders' }, path: '/demo/orders' },
    ...words,
  })
  const states = ['open', 'closed', 'paused'].map((code) => ({ code, label: { zh: code, en: code } }))
  const boardOf = (words: object, items = states): string[] | undefined => {
    const bundle = bundleOf(page({ rowActions: [{ id: 'close' }], ...words }))
    const result = compileFresh(
      {
        ...bundle,
        entities: {
          ...bundle.entities,
          'demo.order': {
            ...order,
            'x-views': [
              {
                id: 'running',
                scope: 'all',
                label: { zh: '未结', en: 'Running' },
                where: [{ field: 'status', operator: 'in', value: ['open', 'paused'] }],
              },
            ],
          },
        },
        dictionaries: { orderStatus: { formatVersion: 3, name: 'orderStatus', label: { zh: '状态', en: 'Status' }, items } },
      },
      contextOf(),
    )
    if (!result.ok || result.model.kind !== 'list') throw new Error(JSON.stringify(result))
    return result.model.body.board?.columns.map(({ code }) => code)
  }

  it('has the states that its row actions change as columns, where there are three', () => {
    expect(boardOf({})).toEqual(['open', 'closed', 'paused'])
    expect(boardOf({}, states.slice(0, 2))).toBeUndefined()
    expect(boardOf({ board: 'status' }, states.slice(0, 2))).toEqual(['open', 'closed'])
    expect(boardOf({ board: false })).toBeUndefined()
    expect(boardOf({ rowActions: [] })).toBeUndefined()
  })

  it('has no column that the view of its entity leaves out', () => {
    expect(boardOf({ view: 'running', board: 'status' })).toEqual(['open', 'paused'])
    expect(boardOf({ view: 'running' })).toBeUndefined()
  })
})
