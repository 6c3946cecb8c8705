import { describe, expect, it } from 'vitest'
import { describeChanges } from '../../../../src/schema/overlay'

const told = (before: unknown, after: unknown) =>
  describeChanges(before, after).map(({ kind, risk, text }) => [kind, risk, text.en, text.zh])

describe('what a change means', () => {
  it('is said in words, with what needs a second look first', () => {
    const before = {
      columns: [{ field: 'name', title: { zh: '名称', en: 'Name' } }, { field: 'level', width: 90 }, { field: 'phone' }],
      rowActions: [
        {
          id: 'release',
          label: { zh: '释放', en: 'Release' },
          permission: 'crm:release',
          confirm: { title: { zh: '？', en: '?' } },
        },
      ],
      pageSize: 20,
    }
    const after = {
      columns: [
        { field: 'name', title: { zh: '客户', en: 'Customer' } },
        { field: 'level', width: 120, hidden: true },
        { field: 'city' },
      ],
      rowActions: [{ id: 'release', label: { zh: '释放', en: 'Release' } }],
      pageSize: 50,
    }
    expect(told(before, after)).toEqual([
      ['removed', true, 'Column "phone": removed', '列“phone”：移除'],
      ['confirmRemoved', true, 'Row action "Release": no longer asks for confirmation', '行操作“释放”：不再要求确认'],
      ['permissionWidened', true, 'Row action "Release": permission widened', '行操作“释放”：权限放宽'],
      ['renamed', false, 'Column "Customer": renamed', '列“客户”：改名'],
      ['hidden', false, 'Column "level": hidden by default', '列“level”：默认隐藏'],
      ['changed', false, 'Column "level", Width: changed (90 → 120)', '列“level”的宽度：改变（90 → 120）'],
      ['added', false, 'Column "city": added', '列“city”：新增'],
      ['changed', false, 'Page size: changed (20 → 50)', '每页条数：改变（20 → 50）'],
    ])
  })

  it('tells for an entity which fields are newly required, retired or seen by more people', () => {
    const field = (more: object) => ({ type: 'string', 'x-label': { zh: '字段', en: 'Field' }, ...more })
    const before = { required: ['a'], properties: { a: field({}), b: field({ 'x-sensitive': 'k' }), c: field({ default: 1 }) } }
    const after = { required: ['b'], properties: { a: field({ 'x-retired': true }), b: field({}), c: field({ default: 2 }) } }
    expect(told(before, after).map(([kind, risk]) => [kind, risk])).toEqual([
      ['retired', true],
      ['permissionWidened', true],
      ['newlyRequired', true],
      ['defaultChanged', false],
      ['noLongerRequired', false],
    ])
  })

  it('calls a field by its label, and an order an order', () => {
    const entity = { properties: { level: { type: 'string', 'x-label': { zh: '等级', en: 'Level' } } } }
    const two = { columns: [{ field: 'level' }, { field: 'name' }] }
    const turned = { columns: [{ field: 'name' }, { field: 'level', pin: 'left' }] }
    const differences = describeChanges(two, turned, { x: entity as never })
    expect(differences.map(({ text }) => text.en)).toEqual(['Column "Level", Pin: changed', 'Columns: order changed'])
    expect(describeChanges(two, two)).toEqual([])
  })

  it('says what the records that are there get in a new field, in the words of its dictionary', () => {
    const risk = { type: 'string', 'x-dictionary': 'riskLevel', 'x-backfill': 'low', 'x-label': { zh: '风险', en: 'Risk' } }
    const items = [{ code: 'low', label: { zh: '低', en: 'Low' } }]
    const dictionaries = (name: string) => (name === 'riskLevel' ? { items } : undefined)
    const filled = describeChanges({ properties: {} }, { properties: { risk } }, {}, dictionaries).find(
      ({ kind }) => kind === 'filled',
    )
    expect(filled?.text).toEqual({
      zh: '字段“风险”：已有记录填入（低）',
      en: 'Field "Risk": filled in the records that are there (Low)',
    })
  })

  it('takes an item that goes into another part as it is for no loss', () => {
    const city = { $field: 'crm.customer.city', title: { zh: '城市', en: 'City' } }
    const group = (properties: object) => ({ type: 'void', properties })
    const form = (one: object, two: object) => ({ schema: { properties: { one: group(one), two: group(two) } } })
    expect(told(form({ city }, {}), form({}, { city }))).toEqual([
      ['relocated', false, 'Field "City": moved to another part', '字段“城市”：移到另一处'],
    ])
    const whole = { schema: { properties: { one: group({ city }) } } }
    const split = { schema: { properties: { one: group({}), two: { ...group({ city }), title: { zh: '新', en: 'New' } } } } }
    expect(told(whole, split)).toEqual([
      ['relocated', false, 'Field "City": moved to another part', '字段“城市”：移到另一处'],
      ['added', false, 'Field "New": added', '字段“新”：新增'],
    ])
    const changed = told(form({ city }, {}), form({}, { city: { ...city, required: true } }))
    expect(changed.map(([kind]) => kind)).toEqual(['removed', 'newlyRequired', 'added'])
  })
})
