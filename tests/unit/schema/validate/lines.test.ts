import { describe, expect, it } from 'vitest'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { problemsOf } from './world'

const label = { 'x-label': { zh: '字段', en: 'Field' } }
const entity = (name: string, properties: EntityDocument['properties'], more: Partial<EntityDocument> = {}): EntityDocument => ({
  formatVersion: 3,
  name,
  label: { zh: '实体', en: 'Entity' },
  titleField: 'name',
  type: 'object',
  properties: { name: { type: 'string', ...label }, ...properties },
  ...more,
})
const lines = (of: string, parent: string) => ({ type: 'array' as const, 'x-lines': { entity: of, parent }, ...label })
const ref = (to: string) => ({ type: 'string' as const, 'x-ref': to, ...label })
const line = (parent: string): Partial<EntityDocument> => ({ 'x-scope': { parent, line: true } })
const check = (...documents: EntityDocument[]): string[] =>
  problemsOf(documents.map((value) => ({ where: `schemas/demo/entities/${value.name.slice(5)}.json`, type: 'entity', value })))
    .map(({ code, at }) => `${code} ${at}`)
    .sort()

describe('a field of lines', () => {
  it('is right with an entity whose rows are lines of this one, two levels deep', () => {
    const order = entity('demo.order', { lines: lines('demo.line', 'orderId') })
    const row = entity('demo.line', { orderId: ref('demo.order'), parts: lines('demo.part', 'lineId') }, line('orderId'))
    const part = entity('demo.part', { lineId: ref('demo.line') }, line('lineId'))
    expect(check(order, row, part)).toEqual([])
    const deeper = entity('demo.part', { lineId: ref('demo.line'), bits: lines('demo.bit', 'partId') }, line('lineId'))
    const bit = entity('demo.bit', { partId: ref('demo.part') }, line('partId'))
    expect(check(order, row, deeper, bit)).toEqual(['field-kind-mismatch /properties/lines/x-lines/entity'])
  })

  it('names an entity, its reference back, and that its rows are lines', () => {
    const order = entity('demo.order', { lines: lines('demo.line', 'orderId') })
    expect(check(order)).toEqual(['unknown-entity /properties/lines/x-lines/entity'])
    expect(check(order, entity('demo.line', {}))).toEqual(['unknown-field /properties/lines/x-lines/parent'])
    expect(check(order, entity('demo.line', { orderId: ref('demo.line') }, { 'x-scope': { parent: 'orderId' } }))).toEqual([
      'field-kind-mismatch /properties/lines/x-lines/entity',
      'field-kind-mismatch /properties/lines/x-lines/parent',
    ])
  })

  it('is a list that is neither filtered nor searched', () => {
    const order = entity('demo.order', { lines: { ...lines('demo.line', 'orderId'), type: 'object', 'x-filter': true } })
    const row = entity('demo.line', { orderId: ref('demo.order') }, line('orderId'))
    expect(check(order, row)).toEqual(['field-kind-mismatch /properties/lines', 'field-kind-mismatch /properties/lines/type'])
  })
})

it('a line has rules and no service, and its position is a number', () => {
  const order = entity('demo.order', { lines: lines('demo.line', 'orderId') })
  const row = entity(
    'demo.line',
    { orderId: ref('demo.order'), position: { type: 'string', ...label } },
    { ...line('orderId'), 'x-service': 'demo.item' },
  )
  expect(check(order, row).filter((problem) => !problem.startsWith('unknown-service'))).toEqual([
    'field-kind-mismatch /properties/position/type',
    'field-kind-mismatch /x-service',
  ])
})
