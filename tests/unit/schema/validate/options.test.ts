import { describe, expect, it } from 'vitest'
import { compilePage } from '../../../../src/schema'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { FormNode, FormPage } from '../../../../src/schema/generated/page'
import { exposureOf } from '../../../../src/schema/proof'
import { makeBundle } from '../../../../gateway/pages/bundle'
import { tryForm } from '../../../../gateway/pages/changes/tryForm'
import { pageAs, problemsOf, readFixture } from './world'

const base = readFixture<{ documents: { type: string; value: { name: string } }[] }>('problems-base.json').documents
const found = <T>(type: string, name: string): T | undefined =>
  base.find((one) => one.type === type && one.value.name === name)?.value as T | undefined

const pageOf = (properties: Record<string, FormNode>): FormPage => ({
  formatVersion: 3,
  kind: 'form',
  path: '/demo/choosing',
  title: { zh: '选择', en: 'Choosing' },
  permission: 'demo:items',
  submit: { call: 'GET /v2/demo/ping' },
  schema: { type: 'object', properties },
})

const told = (properties: Record<string, FormNode>): string[] =>
  problemsOf([pageAs(pageOf(properties))]).map(
    ({ code, at, message }) => `${code} ${at.replace('/schema/properties', '')} ${message.en}`,
  )

const compiled = (properties: Record<string, FormNode>) => {
  const bundle = makeBundle({ ...pageOf(properties), name: 'demo/choosing' }, 'choosing.json', {
    lists: [],
    entity: (name) => found<EntityDocument>('entity', name),
    dictionary: (name) => found<DictionaryDocument>('dictionary', name),
  })
  const result = compilePage(bundle, { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' })
  if (!result.ok || result.model.kind !== 'form') throw new Error(JSON.stringify(result))
  expect(result.model.problems).toEqual([])
  return result.model
}

const LINES: FormNode = {
  type: 'array',
  items: {
    type: 'object',
    properties: { column: { type: 'void', properties: { name: { type: 'string' } } }, kind: { type: 'string' } },
  },
}

describe('options of a field', () => {
  it('may come from a dictionary, an entity, a call that reads and rows of the form, in rows too', () => {
    const properties: Record<string, FormNode> = {
      status: { type: 'string', 'x-component': 'Radio.Group', 'x-options': { dictionary: 'itemStatus' } },
      parent: {
        type: 'string',
        'x-options': {
          entity: 'demo.item',
          where: [
            { field: 'status', operator: 'eq', value: '{{ $values.status }}' },
            { or: [{ field: 'parentId.status', value: 'open' }] },
          ],
          label: '{{ row.name + row.currency }}',
          sort: [{ field: 'name', order: 'asc' }],
        },
      },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            kind: { type: 'string' },
            name: {
              type: 'string',
              'x-component': 'Select',
              'x-options': {
                call: 'GET /v2/demo/ping',
                params: { kind: '{{ $record.kind }}' },
                label: 'a',
                value: 'b',
                optional: ['kind'],
              },
            },
          },
        },
      },
      main: { type: 'string', 'x-options': { rows: 'lines', label: 'name', when: "{{ row.kind === 'a' }}" } },
    }
    expect(told(properties)).toEqual([])
    expect(tryForm(compiled(properties), undefined, 'Asia/Shanghai')).toEqual([])
  })

  it('of a dictionary are in the form at once; the gateway sends the dictionary and the entity along', () => {
    const { schema } = compiled({
      status: { type: 'string', 'x-options': { dictionary: 'itemStatus' } },
      many: { type: 'array', 'x-options': { entity: 'demo.item' } },
    })
    expect(schema.properties?.status).toMatchObject({
      'x-component': 'select',
      enum: [
        { label: 'Open', value: 'open' },
        { label: 'Closed', value: 'closed' },
      ],
    })
    expect(schema.properties?.many).toMatchObject({
      'x-component': 'selectMany',
      'x-options': {
        from: { type: 'entity', call: { method: 'POST', path: '/v2/demo/item/select' }, where: [], sort: [] },
        label: 'title',
        value: 'id',
        searches: true,
      },
    })
    const whole = compiled({
      one: { type: 'string', 'x-component': 'TreeSelect', 'x-options': { entity: 'demo.item', parent: 'parentId' } },
    })
    expect(whole.schema.properties?.one?.['x-options']).toMatchObject({
      from: { call: { path: '/v2/demo/item/queryPage' } },
      label: 'name',
      shown: { name: 'name' },
      parent: 'parentId',
      searches: false,
    })
  })

  it.each<[string, FormNode, string]>([
    [
      'two sources',
      { type: 'string', 'x-options': { dictionary: 'itemStatus', entity: 'demo.item' } },
      'invalid-shape /a/x-options Options come from one place: exactly one of dictionary, entity, call and rows.',
    ],
    [
      'no source',
      { type: 'string', 'x-options': {} },
      'invalid-shape /a/x-options Options come from one place: exactly one of dictionary, entity, call and rows.',
    ],
    [
      'a word of another source',
      { type: 'string', 'x-options': { dictionary: 'itemStatus', where: [] } },
      'invalid-shape /a/x-options/where "where" says nothing about options of a dictionary; it belongs to entity.',
    ],
    [
      'enum beside it',
      { type: 'string', enum: ['a'], 'x-options': { dictionary: 'itemStatus' } },
      'invalid-shape /a/enum x-options says what can be chosen: enum cannot say it too.',
    ],
    [
      'an unknown dictionary',
      { type: 'string', 'x-options': { dictionary: 'itemState' } },
      'unknown-dictionary /a/x-options/dictionary There is no dictionary "itemState". Did you mean "itemStatus"?',
    ],
    [
      'an unknown entity',
      { type: 'string', 'x-options': { entity: 'demo.itm' } },
      'unknown-entity /a/x-options/entity There is no entity "demo.itm". Did you mean "demo.item"?',
    ],
    [
      'an unknown field of a condition',
      { type: 'string', 'x-options': { entity: 'demo.item', where: [{ field: 'statu', value: 'a' }] } },
      'unknown-field /a/x-options/where/0/field The entity "demo.item" has no field "statu". Did you mean "status"?',
    ],
    [
      'an unknown label',
      { type: 'string', 'x-options': { entity: 'demo.item', label: 'nam' } },
      'unknown-field /a/x-options/label The entity "demo.item" has no field "nam". Did you mean "name"?',
    ],
    [
      'an unknown call',
      { type: 'string', 'x-options': { call: 'GET /v2/demo/pong', label: 'a', value: 'b' } },
      'unknown-call /a/x-options/call The gateway has no call "GET /v2/demo/pong". Did you mean "GET /v2/demo/ping"?',
    ],
    [
      'a call without label',
      { type: 'string', 'x-options': { call: 'GET /v2/demo/ping', value: 'b' } },
      'invalid-shape /a/x-options Options of a call need label and value: which members of the answer are shown and stored.',
    ],
    [
      'an unknown list',
      { type: 'string', 'x-options': { rows: 'line', label: 'name' } },
      'unknown-field /a/x-options/rows The form has no list "line". Did you mean "lines"?',
    ],
    [
      'an unknown member of rows',
      { type: 'string', 'x-options': { rows: 'lines', label: 'nam' } },
      'unknown-field /a/x-options/label The rows of "lines" have no "nam". Did you mean "name"?',
    ],
    [
      'rows of several fields without label',
      { type: 'string', 'x-options': { rows: 'lines' } },
      'invalid-shape /a/x-options The rows of "lines" have several fields: label has to say which of them is shown.',
    ],
    [
      'a component without choices',
      { type: 'string', 'x-component': 'Input', 'x-options': { rows: 'lines', label: 'name' } },
      'unknown-control /a/x-component "Input" offers no choices, so x-options says nothing about it. These do: "Select", "Radio.Group", "Checkbox.Group", "TreeSelect", "Cascader", "Transfer", "SelectTable".',
    ],
    [
      'a field with a dictionary',
      { $field: 'demo.item.status', 'x-options': { rows: 'lines', label: 'name' } },
      'field-kind-mismatch /a/x-options The field "status" takes values of the dictionary "itemStatus" alone: its options come from a dictionary.',
    ],
    [
      'an unknown name in an expression',
      { type: 'string', 'x-options': { rows: 'lines', label: 'name', when: '{{ line.kind }}' } },
      'expression-root /a/x-options/when There is no "line" here.',
    ],
    [
      'what only linkages read',
      { type: 'string', 'x-options': { entity: 'demo.item', where: [{ field: 'name', value: '{{ $deps[0] }}' }] } },
      'expression-root /a/x-options/where/0/value There is no "$deps" here.',
    ],
    [
      'a path without its parameter',
      { type: 'string', 'x-options': { call: 'GET /v2/demo/item/log/{id}', label: 'a', value: 'b' } },
      'invalid-shape /a/x-options/params The path of the call needs the parameter "id": params has to give it, and it cannot be optional.',
    ],
    [
      'a delete',
      { type: 'string', 'x-options': { call: 'GET /v2/demo/item/delete/{id}', params: { id: '1' }, label: 'a', value: 'b' } },
      'call-writes',
    ],
  ])('are refused with their place and the reason: %s', (_, node, expected) => {
    expect(told({ a: node, lines: LINES }).filter((one) => one.startsWith(expected))).toHaveLength(1)
  })

  it('show and compare the fields of the entity that they name', () => {
    const model = compiled({
      one: {
        type: 'string',
        'x-options': { entity: 'demo.item', label: 'name', where: [{ field: 'status', operator: 'eq', value: 'open' }] },
      },
    })
    const exposure = exposureOf(model)
    expect(exposure.get('demo.item.name')).toMatchObject({ shown: true, compared: false, editable: false })
    expect(exposure.get('demo.item.status')).toMatchObject({ requested: true, compared: true, shown: false })
  })

  it('that depend on one another in a circle are refused', () => {
    const on = (name: string): FormNode => ({
      type: 'string',
      'x-options': { entity: 'demo.item', where: [{ field: 'name', operator: 'eq', value: `{{ $values.${name} }}` }] },
    })
    expect(told({ a: on('b'), b: on('a') })).toEqual([
      'linkage-cycle /a These fields drive one another in a circle: a -> b -> a.',
    ])
  })
})
