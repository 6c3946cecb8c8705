import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { longForm, spelledOut } from '../../../src/schema/shorthand'
import { isObject } from '../../../src/schema/overlay'
import { validateDocuments } from '../../../src/schema/validate'

const meta = JSON.parse(readFileSync(join(import.meta.dirname, '../../../schemas/meta/page.json'), 'utf8')) as unknown

/** Names of what may be written by names alone, as the meta-schema says. */
function shortIn(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => shortIn(item, name))
  if (!isObject(value)) return []
  const own = isObject(value.items) && JSON.stringify(value.items).includes('#/$defs/NameAlone"}') ? [name] : []
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, child]) =>
      shortIn(child, ['anyOf', 'items', 'properties'].includes(key) && isSchema(child) ? name : key),
    ),
  ]
}
const isSchema = (child: unknown): boolean =>
  Array.isArray(child) ||
  (isObject(child) && ('$ref' in child || 'type' in child || 'anyOf' in child) && typeof (child.type ?? '') === 'string')

const page = (said: object) => ({ formatVersion: 3, title: { zh: '页', en: 'Page' }, entity: 'crm.customer', ...said })

describe('A page in short', () => {
  it('is read as if everything were written out, wherever the meta-schema takes a name alone', () => {
    const names = [...new Set(shortIn(meta))].filter((name) => name !== 'properties' && name !== 'schema')
    expect(names).toEqual(
      expect.arrayContaining(['fields', 'filters', 'columns', 'figures', 'actions', 'rowActions', 'bulkActions']),
    )
    for (const name of names) {
      const [whole] = [spelledOut(page({ [name]: ['one', { id: 'two', field: 'two' }] })) as Record<string, object[]>]
      expect(Object.values(whole[name]?.[0] ?? {}), name).toEqual(['one'])
      expect(whole[name]?.[1]).toEqual({ id: 'two', field: 'two' })
    }
  })

  it('leaves what is no item of a page: values, conditions, settings of widgets, views and steps', () => {
    const said = page({
      views: [{ id: 'a', show: ['name'] }],
      where: [{ field: 'level', operator: 'in', value: ['A'] }],
      props: { fields: ['a'], filters: ['b'] },
      header: { state: ['status'], actions: [{ id: 'go', values: { columns: ['c'] } }] },
    })
    expect(spelledOut(said)).toEqual(said)
  })

  it('names fields of a form, in groups too', () => {
    const group = { type: 'object', properties: { base: { type: 'void', properties: ['code'] }, note: { type: 'string' } } }
    expect(spelledOut(page({ kind: 'form', schema: ['name'] }))).toMatchObject({
      schema: { type: 'object', properties: { name: { $field: 'crm.customer.name' } } },
    })
    expect(spelledOut(page({ kind: 'form', schema: group }))).toMatchObject({
      schema: { properties: { base: { properties: { code: { $field: 'crm.customer.code' } } }, note: { type: 'string' } } },
    })
  })

  it('is told of a name that is none where it stands', () => {
    const entity = {
      ...{ formatVersion: 3, name: 'crm.customer', label: { zh: '客户', en: 'Customer' }, type: 'object', titleField: 'name' },
      properties: { name: { type: 'string', maxLength: 80, 'x-label': { zh: '名称', en: 'Name' } } },
    }
    const problems = validateDocuments([
      { type: 'entity', where: 'schemas/crm/entities/customer.json', value: entity },
      {
        ...{ type: 'page', where: 'schemas/crm/pages/customers.json', name: 'crm/customers' },
        value: page({ kind: 'list', path: '/crm/customers', filters: ['name', 'nmae'] }),
      },
    ])
    expect(problems.filter(({ at }) => at.startsWith('/filters'))).toMatchObject([{ code: 'unknown-field', value: 'nmae' }])
  })
})

describe('The language written out', () => {
  it('knows no names alone', () => {
    expect(JSON.stringify(meta)).toContain('NameAlone')
    expect(JSON.stringify(longForm(meta))).not.toContain('NameAlone')
  })
})
