import { describe, expect, it } from 'vitest'
import { makeBundle } from '../../../../gateway/pages/bundle'
import { toQueryBody } from '../../../../src/headless/list/request'
import { compilePage } from '../../../../src/schema'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument, EntityField } from '../../../../src/schema/generated/entity'
import type { ListPage } from '../../../../src/schema/generated/page'
import type { ListModel } from '../../../../src/schema/model'
import { contextOf } from './world'

const label = (text: string) => ({ 'x-label': { zh: text, en: text } })
const entityOf = (name: string, properties: Record<string, EntityField>): EntityDocument => ({
  formatVersion: 3,
  name,
  label: { zh: name, en: name },
  titleField: 'name',
  type: 'object',
  properties: { name: { type: 'string', ...label('Name') }, ...properties },
})
const entities = new Map(
  [
    entityOf('demo.visit', { customerId: { type: 'string', 'x-ref': 'demo.customer', ...label('Customer') } }),
    entityOf('demo.customer', {
      keeperId: { type: 'string', 'x-ref': 'demo.staff', ...label('Keeper') },
      level: { type: 'string', 'x-dictionary': 'level', ...label('Level') },
      secret: { type: 'string', ...label('Secret') },
    }),
    entityOf('demo.staff', {
      deptId: { type: 'string', 'x-ref': 'demo.department', ...label('Department') },
      salary: { type: 'string', format: 'decimal', ...label('Salary') },
    }),
    entityOf('demo.department', { area: { type: 'string', ...label('Area') } }),
  ].map((entity) => [entity.name, entity]),
)
const level: DictionaryDocument = {
  formatVersion: 3,
  name: 'level',
  label: { zh: 'l', en: 'l' },
  items: [{ code: 'a', label: { zh: 'A', en: 'A' } }],
}

function listOf(parts: Partial<ListPage>, fieldRules: Record<string, string> = {}) {
  const page: ListPage = {
    formatVersion: 3,
    kind: 'list',
    path: '/demo/visits',
    title: { zh: 'v', en: 'v' },
    permission: 'demo:visits',
    entity: 'demo.visit',
    ...parts,
  } as ListPage
  const bundle = makeBundle(page, 'schemas/demo/pages/visits.json', {
    lists: [],
    entity: (name) => entities.get(name),
    dictionary: () => level,
  })
  return { bundle, result: compilePage({ ...bundle, fieldRules }, contextOf()) }
}
function modelOf(parts: Partial<ListPage>, fieldRules?: Record<string, string>): ListModel {
  const { result } = listOf(parts, fieldRules)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.model as ListModel
}
const AREA = 'customerId.keeperId.deptId.area'

describe('Paths through several references', () => {
  it('filter, order and narrow a list, with the control of the field at their end', () => {
    const { body } = modelOf({
      filters: [{ field: 'customerId.level' }, { field: 'customerId.keeperId.deptId' }, { field: AREA }],
      sort: [{ field: AREA, order: 'asc' }],
      where: [{ or: [{ field: 'customerId.keeperId.name', operator: 'eq', value: 'x' }] }],
    })
    expect(body.filters.map(({ id, title, path, field }) => [id, title, path.length, field.kind])).toEqual([
      ['customerId.level', 'Customer · Level', 2, 'dictionary'],
      ['customerId.keeperId.deptId', 'Customer · Keeper · Department', 3, 'ref'],
      [AREA, 'Customer · Keeper · Department · Area', 4, 'string'],
    ])
    expect(body.filters[0]!.field.dictionary?.options).toHaveLength(1)
    expect(body.filters[1]!.field.ref?.path).toBe('/v2/demo/department')
    const query = { page: 1, size: 20, keyword: '', filters: { [AREA]: { operator: 'eq' as const, value: 'n' } }, sort: [] }
    expect(toQueryBody(body, query as never, 20, { scope: {} })).toMatchObject({
      where: [
        { or: [{ field: 'customerId.keeperId.name', operator: 'eq', value: 'x' }] },
        { field: AREA, operator: 'eq', value: 'n' },
      ],
      sort: [{ field: AREA, order: 'asc' }],
    })
  })

  it('bring along of each record on the way what they name, and nothing else', () => {
    const { bundle } = listOf({ filters: [{ field: AREA }] })
    expect(Object.keys(bundle.entities['demo.customer']!.properties)).toEqual(['name', 'keeperId'])
    expect(Object.keys(bundle.entities['demo.staff']!.properties)).toEqual(['name', 'deptId'])
    expect(Object.keys(bundle.entities['demo.department']!.properties)).toEqual(['name', 'area'])
  })

  it('are left out where a step is closed to the viewer', () => {
    for (const rule of ['hide', 'mask'])
      for (const field of ['demo.visit.customerId', 'demo.customer.keeperId', 'demo.staff.deptId', 'demo.department.area']) {
        const { body } = modelOf({ filters: [{ field: AREA }], sort: [{ field: AREA, order: 'asc' }] }, { [field]: rule })
        expect([body.filters, body.sort], `${field} ${rule}`).toEqual([[], []])
        expect(listOf({ where: [{ field: AREA, operator: 'notEmpty' }] }, { [field]: rule }).result.ok).toBe(false)
      }
  })

  it('go no further than three steps, and are shown one step away; a column says that it is sorted by', () => {
    const five = modelOf({ filters: [{ field: `customerId.keeperId.deptId.area.name` }], columns: [{ field: AREA }] })
    expect(five.body.filters).toEqual([])
    expect(five.body.columns).toEqual([])
    expect(five.problems.map(({ at }) => at).sort()).toEqual(['/columns/0/field', '/filters/0/field'])
    const columns = modelOf({
      columns: [{ field: 'customerId.level' }, { id: 'sorted', field: 'customerId.level', sortable: true }],
    }).body.columns
    expect(columns.map(({ sortable }) => sortable)).toEqual([false, true])
  })
})
