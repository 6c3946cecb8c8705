import { describe, expect, it } from 'vitest'
import { changesThatMatter, formValues } from '../../../src/schema/formRevision'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { FormPage } from '../../../src/schema/generated/page'

const text = (zh: string) => ({ zh, en: zh })
const entity: EntityDocument = {
  formatVersion: 3,
  name: 'crm.thing',
  label: text('物'),
  titleField: 'name',
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', 'x-label': text('名称') },
    phone: { type: 'string', 'x-label': text('电话') },
    level: { type: 'string', 'x-label': text('等级') },
  },
}
const page = (properties: FormPage['schema']['properties']): FormPage => ({
  formatVersion: 3,
  kind: 'form',
  title: text('表单'),
  entity: 'crm.thing',
  rest: false,
  schema: { type: 'object', properties },
})
const all = { name: { $field: 'crm.thing.name' }, phone: { $field: 'crm.thing.phone' }, level: { $field: 'crm.thing.level' } }
const values = (form: FormPage, known = entity, fieldRules = {}) =>
  formValues({ page: form, entities: { 'crm.thing': known }, fieldRules })
const before = values(page(all))

describe('a form that was released anew while somebody filled it in', () => {
  it('has its fields with label and whether they are required, through groups and from the entity', () => {
    const grouped = page({ group: { type: 'void', properties: all } })
    expect(values(grouped)).toEqual(before)
    expect(before).toMatchObject({ name: { label: text('名称'), required: true }, phone: { required: false, editable: true } })
  })

  it('matters when a field went that was filled in, and not when it was empty', () => {
    const now = values(page({ name: all.name, level: all.level }))
    expect(changesThatMatter(before, now, { name: '甲', phone: '1' }, true)).toEqual([
      { field: 'phone', kind: 'removed', label: text('电话') },
    ])
    expect(changesThatMatter(before, now, { name: '甲', phone: '' }, true)).toEqual([])
  })

  it('matters when a field that is missing became required; a record keeps what nobody touched', () => {
    const now = values(page({ ...all, level: { ...all.level, required: true } }))
    expect(changesThatMatter(before, now, { name: '甲' }, true)).toMatchObject([{ field: 'level', kind: 'required' }])
    expect(changesThatMatter(before, now, { name: '甲', level: 'A' }, true)).toEqual([])
    expect(changesThatMatter(before, now, { id: '1', name: '乙' }, false)).toEqual([])
    expect(changesThatMatter(before, now, { id: '1', level: null }, false)).toMatchObject([{ kind: 'required' }])
  })

  it('matters when a field was retired, hidden by a rule or locked', () => {
    const retired = { ...entity, properties: { ...entity.properties, phone: { ...entity.properties.phone!, 'x-retired': true } } }
    const body = { name: '甲', phone: '1' }
    expect(changesThatMatter(before, values(page(all), retired), body, true)).toMatchObject([{ field: 'phone', kind: 'removed' }])
    const rules = (rule: string) => values(page(all), entity, { 'crm.thing.phone': rule })
    expect(changesThatMatter(before, rules('hide'), body, true)).toMatchObject([{ kind: 'removed' }])
    expect(changesThatMatter(before, rules('read'), body, true)).toMatchObject([{ kind: 'locked' }])
  })

  it('does not matter when labels, order or optional fields change', () => {
    const now = values(
      page({ level: { ...all.level, title: text('级别') }, phone: all.phone, name: all.name, extra: { type: 'string' } }),
    )
    expect(changesThatMatter(before, now, { name: '甲', phone: '1' }, true)).toEqual([])
  })
})
