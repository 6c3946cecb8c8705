import { describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../../src/schema/validate'
import { problemsOf } from './world'

const LIMIT = {
  formatVersion: 3,
  key: 'demo.limit',
  page: 'demo/item',
  permission: 'demo:item:edit',
  subjects: ['staff', { id: 'state', dictionary: 'itemStatus' }],
  defaults: { name: 'x' },
}
const rules = (more: object = {}): SourceDocument => ({
  where: 'schemas/demo/rules/limit.json',
  type: 'rules',
  value: { ...LIMIT, ...more },
})
const found = (...documents: SourceDocument[]): string[] => problemsOf(documents).map(({ at, code }) => `${at} ${code}`)

describe('a rule set', () => {
  it('names a form, a key and dictionaries that are there', () => {
    expect(found(rules())).toEqual([])
    expect(
      found(rules({ page: 'demo/items', test: 'demo/itme', permission: 'demo:itm', subjects: [{ id: 'a', dictionary: 'b' }] })),
    ).toEqual([
      '/page unknown-page',
      '/permission unknown-permission',
      '/subjects/0/dictionary unknown-dictionary',
      '/test unknown-page',
    ])
    expect(found(rules({ subjects: ['staff', 'staff'] }))).toEqual(['/subjects/1 duplicate-id'])
    expect(found(rules({ subjects: ['people'] }))).toEqual(['/subjects/0 invalid-shape'])
  })

  it('has a default for each parameter that its form asks for, and for no other', () => {
    expect(found(rules({ defaults: { nmae: 'x' } }))).toEqual(['/defaults invalid-shape', '/defaults/nmae unknown-field'])
  })

  it('has a key of its own', () => {
    expect(found(rules(), { ...rules(), where: 'schemas/demo/rules/other.json' })).toEqual(['/key duplicate-id'])
  })
})
