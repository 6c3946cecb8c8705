import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileFresh, compilePage, type CompileBundle } from '../../../../src/schema/compile'
import type { EntityDocument, EntityField } from '../../../../src/schema/generated/entity'
import type { PageDocument } from '../../../../src/schema/generated/page'
import { wholeSchema } from '../../../support/schemas'
import type { DetailModel, FormModel, ListModel } from '../../../../src/schema/model'

const read = wholeSchema
const context = { locale: 'en', companyTimeZone: 'Asia/Shanghai' } as const
const slogan: EntityField = { type: 'string', maxLength: 80, 'x-label': { zh: '口号', en: 'Slogan' } }

/** A page of the portal over its entities, with a field more in the customer. */
function compiled<T>(page: string, field: EntityField | undefined, change: object = {}, may = (_: string): boolean => true): T {
  const customer = read<EntityDocument>('crm/entities/customer.json')
  const bundle: CompileBundle = {
    page: { ...read<PageDocument>(`crm/pages/${page}.json`), ...change },
    where: `schemas/crm/pages/${page}.json`,
    revision: JSON.stringify([page, field, change]),
    entities: Object.fromEntries(
      [
        { ...customer, properties: { ...customer.properties, ...(field ? { slogan: field } : {}) } },
        ...['crm/entities', 'fin/entities', 'biz/entities'].flatMap((folder) =>
          readdirSync(join('schemas', folder))
            .filter((file) => file !== 'customer.json')
            .map((file) => read<EntityDocument>(`${folder}/${file}`)),
        ),
      ].map((entity) => [entity.name, entity]),
    ),
    dictionaries: {},
  }
  const result = compilePage(bundle, { ...context, permissions: { has: may } })
  expect(compileFresh(bundle, { ...context, permissions: { has: may } }).ok).toBe(true)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  expect(result.model.problems).toEqual([])
  return result.model as T
}

describe('a field that no page names', () => {
  test('is the last column and a further filter of a list when it is marked for them', () => {
    const { body } = compiled<ListModel>('my-client', { ...slogan, 'x-list': true, 'x-filter': true })
    expect(body.columns.at(-1)).toMatchObject({ id: 'slogan', title: 'Slogan', hidden: false })
    expect(body.filters.at(-1)).toMatchObject({ id: 'slogan', more: true })
    const without = compiled<ListModel>('my-client', slogan).body
    expect(without.columns.map(({ id }) => id)).not.toContain('slogan')
    expect(without.filters.map(({ id }) => id)).not.toContain('slogan')
  })

  test('stands in a section of its own at the end of a detail', () => {
    const { sections } = compiled<DetailModel>('my-client-details', slogan)
    expect(sections.at(-1)).toMatchObject({ id: 'otherFields', title: 'Other' })
    expect(sections.at(-1)?.items.map(({ id }) => id)).toEqual(['slogan'])
    expect(compiled<DetailModel>('my-client-details', undefined).sections.map(({ id }) => id)).not.toContain('otherFields')
  })

  test('stands in a group at the end of a form, unless nobody can type it', () => {
    const other = ({ schema }: FormModel) => Object.keys(schema.properties?.['otherFields']?.properties ?? {})
    expect(other(compiled<FormModel>('customer', slogan))).toEqual(['slogan'])
    expect(other(compiled<FormModel>('customer', { ...slogan, readOnly: true }))).toEqual([])
    expect(other(compiled<FormModel>('customer', undefined))).toEqual([])
  })

  test('is left out where the field or the page says so', () => {
    const marked = { ...slogan, 'x-list': true, 'x-filter': true }
    const names = (model: unknown): boolean => JSON.stringify(model).includes('slogan')
    for (const page of ['my-client', 'my-client-details', 'customer']) {
      const { fields: _, ...shown } = compiled<Record<string, unknown>>(page, { ...marked, 'x-rest': false })
      expect(names(shown), page).toBe(false)
      const { fields: __, ...told } = compiled<Record<string, unknown>>(page, marked, { rest: false })
      expect(names(told), page).toBe(false)
    }
  })

  test('is no filter where the list has fixed its value', () => {
    const { body } = compiled<ListModel>('my-client', undefined)
    expect(body.filters.map(({ id }) => id)).not.toContain('holding')
    expect(body.filters.map(({ id }) => id)).not.toContain('partyType')
  })

  test('is neither column nor filter of a tab whose rows all have the same value', () => {
    const { tabs } = compiled<DetailModel>('my-client-details', undefined)
    const lists = tabs.flatMap(({ content }) => (content.type === 'list' ? [content.list] : []))
    expect(lists.length).toBeGreaterThan(5)
    for (const { columns, filters } of lists) {
      expect(columns.length).toBeGreaterThan(2)
      expect([...columns, ...filters].map(({ id }) => id)).not.toContain('customerId')
    }
  })
})

test('R043 a field that the viewer sees masked is shown, and neither summed, sorted nor filtered by', () => {
  const all = compiled<ListModel>('my-client', undefined).body
  const less = compiled<ListModel>('my-client', undefined, {}, (key) => key !== 'crm:customer:viewProfit').body
  const revenue = (body: ListModel['body']) => body.columns.find(({ id }) => id === 'revenue30')
  expect(revenue(all)).toMatchObject({ sortable: true, summary: 'sum' })
  expect(revenue(less)).toMatchObject({ sortable: false })
  expect(revenue(less)?.summary).toBeUndefined()
  expect(all.filters.map(({ id }) => id)).toContain('revenue30')
  expect(less.filters.map(({ id }) => id)).not.toContain('revenue30')
})
