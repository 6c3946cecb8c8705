import { describe, expect, it } from 'vitest'
import { columnIn } from '../../../../src/runtime/form/table/columnIn'
import { planForm } from '../../../../src/headless/form/plan'
import { form, report } from './world'

const scope = { today: '2025-03-01', now: '2025-03-01T00:00:00Z', user: { staffId: 's1' }, query: {}, locale: 'en' }

describe('A form', () => {
  it('inherits label, help, required, options and type from the field; what it says itself wins', () => {
    const { schema } = form({
      name: { $field: 'demo.order.name', title: { zh: '别名', en: 'Alias' } },
      status: { $field: 'demo.order.status', required: true },
      files: { $field: 'demo.order.files' },
    })
    expect(schema.properties?.name).toMatchObject({
      type: 'string',
      title: 'Alias',
      description: 'As in the contract',
      required: true,
    })
    expect(schema.properties?.name?.['x-field']).toMatchObject({ name: 'name', control: 'text', maxLength: 100 })
    expect(schema.properties?.status).toMatchObject({ required: true, default: 'open' })
    expect(schema.properties?.status?.enum).toEqual([
      { label: 'Open', value: 'open' },
      { label: 'Closed', value: 'closed' },
    ])
    expect(schema.properties?.files?.type).toBe('array')
  })

  it('has the unit of a number from its field or its node, and in the head of a table', () => {
    const { schema } = form({
      late: { $field: 'demo.order.lateDays' },
      delay: { type: 'number', 'x-unit': { zh: '毫秒', en: 'ms' } },
      rows: { type: 'array', items: { type: 'object', properties: { size: { type: 'number', title: 'Size', 'x-unit': 'kB' } } } },
    })
    expect(schema.properties?.late?.['x-field']?.unit).toBe('days')
    expect(schema.properties?.delay?.['x-unit']).toBe('ms')
    expect(planForm(schema).tables.map(({ columns }) => columns.map(({ title }) => title))).toEqual([['Size (kB)']])
  })

  it('makes one expression of a text with values in it, which Formily would show with its braces', () => {
    const { schema } = form({
      name: {
        $field: 'demo.order.name',
        title: { zh: '{{ $values.a }} 的名称', en: 'Name of {{ $values.a }}' },
        'x-component-props': { placeholder: 'As {{ $values.a }} says' },
        'x-reactions': { fulfill: { state: { description: '{{ $values.a }} and {{ $values.b }}', visible: '{{ $values.a }}' } } },
      },
    })
    expect(schema.properties?.name).toMatchObject({
      title: '{{ `Name of ${ $values.a }` }}',
      'x-component-props': { placeholder: '{{ `As ${ $values.a } says` }}' },
      'x-reactions': {
        fulfill: { state: { description: '{{ `${ $values.a } and ${ $values.b }` }}', visible: '{{ $values.a }}' } },
      },
    })
  })

  it('gives each row of a table the control of the field that the row names, where the column can hold its value', () => {
    const { schema } = form({
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            field: { type: 'string', enum: ['status', 'name', 'files'] },
            value: { type: 'string', 'x-fieldOf': { entity: 'demo.order', by: 'field' } },
          },
        },
      },
    })
    const [table] = planForm(schema).tables
    const [, column] = table?.columns ?? []
    if (!column) throw new Error('The table has no second column.')
    const status = columnIn(column, { field: 'status' })
    expect(status).toMatchObject({ name: 'value', control: 'dictionary', field: { name: 'status' } })
    expect(status.field?.dictionary?.options.map(({ label }) => label)).toEqual(expect.arrayContaining(['Open', 'Closed']))
    expect(columnIn(column, { field: 'status' })).toBe(status)
    expect(columnIn(column, { field: 'name' })).toMatchObject({ control: 'text', field: { maxLength: 100 } })
    // a list is no text; nothing, and what nobody knows, is typed as before
    for (const row of [{ field: 'files' }, { field: null }, { field: 'toString' }, {}, undefined])
      expect(columnIn(column, row)).toBe(column)
    const wrong = form({ rows: { type: 'array', items: { type: 'string', 'x-fieldOf': { entity: 'demo.nothing', by: 'a' } } } })
    expect(wrong.problems.map(({ code }) => code)).toEqual(['unknown-entity'])
  })

  it('narrows a reference by the record as it stands; a condition without a value is left out, as in the gateway', () => {
    const { schema } = form({ supplierId: { $field: 'demo.order.supplierId' } })
    const where = schema.properties?.supplierId?.['x-field']?.ref?.where
    const fixed = { field: 'code', operator: 'in', value: ['a', 'b'] }
    const own = { field: 'buyerId', operator: 'eq', value: 's1' }
    expect(where?.({ ...scope, currency: 'USD' })).toEqual([fixed, { field: 'currency', operator: 'eq', value: 'USD' }, own])
    expect(where?.({ ...scope, currency: null })).toEqual([fixed, own])
    expect(where?.(scope)).toEqual([fixed, own])
  })

  it('shows what the server sets as text and never requires it', () => {
    const { schema } = form({ code: { $field: 'demo.order.code' }, currency: { $field: 'demo.order.currency' } })
    expect(schema.properties?.code).toMatchObject({ 'x-pattern': 'readPretty' })
    expect(schema.properties?.code?.required).toBeUndefined()
    expect(schema.properties?.currency?.['x-field']?.immutable).toBe(true)
  })

  it('says in the locale what is said when a rule of the form is not met', () => {
    const message = { zh: '至少一千', en: 'At least a thousand' }
    const { schema } = form({ amount: { type: 'number', 'x-validator': [{ minimum: 1000, message }, { maximum: 9000 }] } })
    expect(schema.properties?.amount?.['x-validator']).toEqual([
      { minimum: 1000, message: 'At least a thousand' },
      { maximum: 9000 },
    ])
  })

  it('keeps groups, arrays and Formily words, with texts in the locale', () => {
    const { schema } = form({
      group: {
        type: 'void',
        title: { zh: '组', en: 'Group' },
        'x-component': 'Group',
        properties: {
          name: {
            $field: 'demo.order.name',
            'x-visible': "{{ $values.status === 'open' }}",
            'x-component-props': { placeholder: 'x' },
          },
        },
      },
      rows: { type: 'array', items: { type: 'object', properties: { due: { $field: 'demo.order.dueOn' } } } },
    })
    expect(schema.properties?.group).toMatchObject({ type: 'void', title: 'Group', 'x-component': 'Group' })
    expect(schema.properties?.group?.properties?.name).toMatchObject({
      'x-visible': "{{ $values.status === 'open' }}",
      'x-component-props': { placeholder: 'x' },
    })
    // A row gets its default when it is added, so the expression stays at the node.
    expect(schema.properties?.rows?.items?.properties?.due?.default).toBe('{{ today }}')
  })

  it('evaluates defaults and initial values; those of the page win', () => {
    const due = form({
      dueOn: { $field: 'demo.order.dueOn' },
      deep: { type: 'object', properties: { by: { type: 'string', default: '{{ user.staffId }}' } } },
    })
    expect(due.initial(scope)).toEqual({ dueOn: '2025-03-01', deep: { by: 's1' } })
    expect(due.schema.properties?.dueOn?.default).toBeUndefined()
    expect(
      form({ dueOn: { $field: 'demo.order.dueOn' } }, { initial: { dueOn: '{{ query.day }}' } }).initial({
        ...scope,
        query: { day: 'x' },
      }),
    ).toEqual({ dueOn: 'x' })
  })

  it('opens with what is left when a default fails', () => {
    expect(form({ a: { type: 'string', default: '{{ user.boss.name }}' } }).initial(scope)).toEqual({})
  })

  it('edits the record of the address or of the values that it was opened with', () => {
    const { record } = form({})
    expect(record({ ...scope, query: { id: '1' } })).toBe('1')
    expect(record({ ...scope, values: { id: '2' } })).toBe('2')
    expect(record(scope)).toBeUndefined()
  })

  it('saves the entity, or runs a transition, or calls what it says', () => {
    expect(form({}).submit).toMatchObject({
      call: { method: 'POST', path: '/v2/demo/order/save' },
      label: 'Save',
      success: 'Saved',
      idempotent: true,
    })
    expect(form({}, { submit: { transition: 'close' } }).submit).toMatchObject({
      call: { path: '/v2/demo/order/stateUpdate' },
      transition: 'close',
      label: 'Submit',
    })
    const own = form(
      {},
      {
        entity: undefined,
        submit: { call: 'PUT /v2/demo/x', params: { a: '{{ values.b }}' }, open: '/demo?id={{ answer.id }}' },
      },
    ).submit
    expect(own.call).toEqual({ method: 'PUT', path: '/v2/demo/x' })
    expect(own.params?.({ ...scope, values: { b: 1 } })).toEqual({ a: 1 })
    expect(own.open?.({ ...scope, answer: { id: 'n 1' } })).toBe('/demo?id=n%201')
    expect(() => form({}, { entity: undefined })).toThrow(/nowhere to send/)
  })

  it('chooses columns and anchors by its size', () => {
    const group = (name: string) => ({
      type: 'void',
      title: { zh: name, en: name },
      properties: { [`${name}1`]: { type: 'string' }, [`${name}2`]: { type: 'string' }, [`${name}3`]: { type: 'string' } },
    })
    expect(form({ name: { $field: 'demo.order.name' } }).layout).toEqual({ columns: 1, labels: 'top', anchors: false })
    expect(form({ a: group('a'), b: group('b'), c: group('c'), d: group('d') }).layout).toEqual({
      columns: 2,
      labels: 'top',
      anchors: true,
    })
  })

  it('leaves out a wrong field, code, and a field whose key the viewer lacks', () => {
    const model = form(
      {
        name: { $field: 'demo.order.name' },
        nmae: { $field: 'demo.order.nmae' },
        run: { type: 'string', 'x-reactions': { fulfill: { run: 'alert(1)' } } },
        bad: { type: 'string', 'x-visible': '{{ $values. }}' },
        root: { type: 'string', 'x-value': '{{ window.x }}' },
        secret: { type: 'string', 'x-permission': 'demo:secret' },
      },
      {},
      { permissions: new Set() },
    )
    expect(Object.keys(model.schema.properties ?? {})).toEqual(['name'])
    expect(model.problems.map(({ code, at }) => [code, at])).toEqual([
      ['unknown-field', '/schema/properties/nmae/$field'],
      ['forbidden-code', '/schema/properties/run/x-reactions/fulfill/run'],
      ['expression-syntax', '/schema/properties/bad/x-visible'],
      ['expression-root', '/schema/properties/root/x-value'],
    ])
  })
})

describe('A report', () => {
  const page = {
    entity: 'demo.order',
    params: { day: '{{ today }}' },
    filters: [{ field: 'dueOn' }],
    dimensions: [{ id: 'status', title: { zh: '状态', en: 'Status' }, dictionary: 'orderStatus' }],
    measures: [{ id: 'sum', title: { zh: '金额', en: 'Sum' }, format: 'money', currency: 'USD' }],
    blocks: [
      {
        id: 'chart',
        title: { zh: '图', en: 'Chart' },
        type: 'chart',
        chart: 'bar',
        dimensions: ['status'],
        measures: ['sum'],
        open: '/demo/orders?status={{ row.status }}',
      },
      { id: 'wrong', title: { zh: '错', en: 'Wrong' }, type: 'table', dimensions: ['statsu'] },
    ],
  }

  it('has its call, parameters, filters, dimensions with options, and blocks with drill-down', () => {
    const model = report(page)
    expect(model.call).toEqual({ method: 'POST', path: '/v2/demo/report' })
    expect(model.params(scope)).toEqual({ day: '2025-03-01' })
    expect(model.filters[0]).toMatchObject({ id: 'dueOn', operator: 'between' })
    expect(model.dimensions[0]?.dictionary?.[0]?.label).toBe('Open')
    expect(model.blocks.map(({ id }) => id)).toEqual(['chart'])
    expect(model.blocks[0]?.open?.({ ...scope, row: { status: 'open' } })).toBe('/demo/orders?status=open')
    expect(model.problems).toMatchObject([{ code: 'unknown-field', at: '/blocks/1/dimensions/0', hint: 'status' }])
  })

  it('refuses a dictionary that is not there', () => {
    const model = report({
      ...page,
      blocks: [],
      dimensions: [{ id: 'a', title: { zh: '甲', en: 'A' }, dictionary: 'orderStatuss' }],
    })
    expect(model.problems).toMatchObject([{ code: 'unknown-dictionary', hint: 'orderStatus' }])
  })
})
