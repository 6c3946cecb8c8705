import { describe, expect, it } from 'vitest'
import { problemsOf, valueOf } from './world'

const ITEM = 'schemas/demo/entities/item.json'
const text = { zh: '不行', en: 'No' }

/** What is wrong with the small portal's entity with these words: where, which problem, in English. */
const wrongWith = (words: Record<string, unknown>): string[] =>
  problemsOf([{ where: ITEM, type: 'entity', value: { ...valueOf(ITEM), ...words } }]).map(({ at, code }) => `${at} ${code}`)

describe('x-unique', () => {
  const unique = (where: unknown[]) => wrongWith({ 'x-unique': [{ id: 'one', fields: ['parentId'], where }] })

  it('takes conditions that an index can hold', () => {
    expect(
      unique([
        { field: 'status', operator: 'in', value: ['open', 'closed'] },
        { field: 'price', operator: 'notEmpty' },
      ]),
    ).toEqual([])
  })

  it('refuses what the database cannot hold: other operators, expressions, codes and fields that are not there', () => {
    expect(unique([{ field: 'status', operator: 'gte', value: 'open' }])).toEqual([
      '/x-unique/0/where/0/operator field-kind-mismatch',
    ])
    expect(unique([{ field: 'name', value: '{{ today }}' }])).toEqual(['/x-unique/0/where/0/value field-kind-mismatch'])
    expect(unique([{ field: 'status', value: 'opne' }])).toEqual(['/x-unique/0/where/0/value field-kind-mismatch'])
    expect(unique([{ field: 'nmae', value: 'x' }])).toEqual(['/x-unique/0/where/0/field unknown-field'])
  })

  it('needs an id for each', () => {
    const key = { id: 'one', fields: ['name'] }
    expect(wrongWith({ 'x-unique': [key, key] })).toEqual(['/x-unique/1/id duplicate-id'])
  })
})

describe('x-limits', () => {
  const limits = (limit: object) =>
    wrongWith({ 'x-limits': [{ id: 'held', per: ['parentId'], most: 3, message: text, ...limit }] })

  it('reads the record, its look-ups and what was counted', () => {
    const lookups = { rules: { count: 'demo.item', where: [{ field: 'status', value: 'open' }] } }
    const limit = { id: 'held', per: ['parentId'], most: '{{ rules + 1 }}', message: { zh: '{{ count }}', en: '{{ most }}' } }
    expect(wrongWith({ 'x-lookups': lookups, 'x-limits': [limit] })).toEqual([])
  })

  it('refuses names that are not there, and conditions that differ from row to row', () => {
    expect(limits({ per: ['parnetId'] })).toEqual(['/x-limits/0/per/0 unknown-field'])
    expect(limits({ most: '{{ wander.most }}' })).toEqual(['/x-limits/0/most expression-root'])
    expect(limits({ where: [{ field: 'name', value: '{{ currency }}' }] })).toEqual(['/x-limits/0/where/0/value expression-root'])
    expect(limits({ message: { zh: '{{ mots }}', en: 'x' } })).toEqual(['/x-limits/0/message/zh expression-root'])
  })
})

describe('x-onDelete', () => {
  const onDelete = (field: object, required: string[] = []) => {
    const item = valueOf(ITEM) as { properties: object; required: string[] }
    const label = { 'x-label': { zh: '字段', en: 'Field' } }
    return wrongWith({
      properties: { ...item.properties, other: { type: 'string', ...label, ...field } },
      required: ['name', ...required],
    })
  }

  it('stands on references', () => {
    expect(onDelete({ 'x-ref': 'demo.item', 'x-onDelete': 'cascade' })).toEqual([])
    expect(onDelete({ 'x-onDelete': 'restrict' })).toEqual(['/properties/other/x-onDelete field-kind-mismatch'])
  })

  it('never deletes for one of a list, nor empties what is required', () => {
    const list = { type: 'array', items: { type: 'string' }, 'x-ref': 'demo.item' }
    expect(onDelete({ ...list, 'x-onDelete': 'cascade' })).toEqual(['/properties/other/x-onDelete field-kind-mismatch'])
    expect(onDelete({ ...list, 'x-onDelete': 'clear' })).toEqual([])
    expect(onDelete({ 'x-ref': 'demo.item', 'x-onDelete': 'clear' }, ['other'])).toEqual([
      '/properties/other/x-onDelete field-kind-mismatch',
    ])
  })
})

describe('x-effective', () => {
  const effective = (word: object, fields: object = {}) => {
    const item = valueOf(ITEM) as { properties: object }
    const field = (format: string) => ({ type: 'string', format, 'x-label': { zh: '时间', en: 'Time' } })
    const properties = { ...item.properties, from: field('date'), until: field('date'), at: field('date-time'), ...fields }
    return wrongWith({ properties, 'x-effective': { from: 'from', until: 'until', key: ['parentId'], ...word } })
  }

  it('holds between two days or two moments', () => {
    expect(effective({ insert: 'endPrevious', while: [{ field: 'status', value: 'open' }] })).toEqual([])
    expect(effective({ until: 'at' })).toEqual(['/x-effective/until field-kind-mismatch'])
    expect(effective({ from: 'name' })).toEqual(['/x-effective/from field-kind-mismatch'])
  })

  it('has a key of plain values and conditions that the database holds', () => {
    expect(effective({ key: ['parentId', 'at'] })).toEqual(['/x-effective/key/1 field-kind-mismatch'])
    expect(effective({ key: ['parnetId'] })).toEqual(['/x-effective/key/0 unknown-field'])
    expect(effective({ while: [{ field: 'from', operator: 'gte', value: '{{ today }}' }] })).toEqual([
      '/x-effective/while/0/operator field-kind-mismatch',
      '/x-effective/while/0/value field-kind-mismatch',
    ])
  })
})

describe('x-participants', () => {
  const participants = (entry: object) => wrongWith({ 'x-participants': [{ id: 'one', access: 'read', ...entry }] })

  it('are people, keys, or records through which it goes', () => {
    expect(participants({ people: ['creator'] })).toEqual([])
    expect(participants({ through: 'parentId', where: [{ field: 'parentId.status', value: 'open' }] })).toEqual([])
    expect(participants({ permission: 'demo:item:edit' })).toEqual([])
    expect(participants({ people: [{ path: 'parentId.createdBy' }] })).toEqual([])
    expect(participants({})).toEqual(['/x-participants/0 field-kind-mismatch'])
  })

  it('are named by fields that there are, of people', () => {
    expect(participants({ people: [{ field: 'name' }] })).toEqual(['/x-participants/0/people/0 field-kind-mismatch'])
    expect(participants({ people: ['user'] })).toEqual(['/x-participants/0/people/0 field-kind-mismatch'])
    expect(participants({ people: [{ path: 'parentId.creator' }] })).toEqual(['/x-participants/0/people/0 unknown-field'])
    expect(participants({ through: 'name' })).toEqual(['/x-participants/0/through field-kind-mismatch'])
    expect(participants({ through: { rows: 'demo.itme', field: 'x', same: 'parentId' } })).toEqual([
      '/x-participants/0/through/rows unknown-entity',
    ])
    expect(participants({ permission: 'demo:item:nobody' })).toEqual(['/x-participants/0/permission unknown-permission'])
    expect(participants({ people: ['creator'], where: [{ field: 'parentId.status', value: 'opne' }] })).toEqual([
      '/x-participants/0/where/0/value field-kind-mismatch',
    ])
  })
})
