import { describe, expect, it } from 'vitest'
import { pageAs, problemsOf } from './world'

const page = {
  formatVersion: 3,
  kind: 'list',
  path: '/demo/items',
  title: { zh: '物品', en: 'Items' },
  permission: 'demo:items',
  entity: 'demo.item',
}
const found = (where: unknown) =>
  problemsOf([pageAs({ ...page, where })]).map(({ code, at, message }) => `${code} ${at}: ${message.en}`)
const condition = { field: 'name', operator: 'eq', value: 'x' }

describe('Conditions of a document', () => {
  it('stand alone or in groups', () => {
    expect(found([condition, { or: [condition, { and: [condition, condition] }] }])).toEqual([])
  })

  it('are told what is wrong with a group, with its place', () => {
    const term = 'A condition says a field (with operator and value), or it is a group and says or alone, or and alone.'
    expect(found([{}])).toEqual([`invalid-shape /where/0: ${term}`])
    expect(found([{ or: [{ value: 'x' }] }])).toEqual([`invalid-shape /where/0/or/0: ${term}`])
    expect(found([{ or: [condition], field: 'name' }])).toEqual([`invalid-shape /where/0: ${term}`])
    expect(found([{ and: [condition], value: 'x' }])).toEqual([`invalid-shape /where/0: ${term}`])
    expect(found([{ and: [] }])).toEqual(['invalid-shape /where/0/and: A group holds at least one condition.'])
    const deep = (levels: number): unknown => (levels === 0 ? condition : { or: [deep(levels - 1)] })
    expect(found([deep(4)])).toEqual([])
    expect(found([deep(5)])).toEqual(['cost-budget /where: At most 4 groups of conditions stand inside one another.'])
    expect(found([{ or: Array.from({ length: 51 }, () => condition) }])).toEqual([
      'cost-budget /where: There are at most 50 conditions.',
    ])
  })

  it('are looked at in groups as they are alone: operators, fields, codes', () => {
    expect(found([{ or: [{ field: 'name', operator: 'is' }] }]).join()).toContain('/where/0/or/0/operator')
    expect(found([{ or: [{ field: 'nmae' }] }]).join()).toContain('unknown-field /where/0/or/0/field')
  })
})
