import { describe, expect, it } from 'vitest'
import { exportBody } from '../../../../src/runtime/list/exportBody'
import { makeBundle } from '../../../../gateway/pages/bundle'
import { compilePage } from '../../../../src/schema/compile'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { PageDocument } from '../../../../src/schema/generated/page'
import type { FormModel } from '../../../../src/schema/model'
import { dictionaries } from '../../../fixtures/entities/documents'
import { orderDocuments } from '../../../fixtures/entities/orders'

const title = { zh: '订单', en: 'Order' }
const page = (kind: 'form' | 'detail'): PageDocument =>
  kind === 'form'
    ? { formatVersion: 3, kind, path: '/test/order', title, entity: 'test.order', schema: { type: 'object', properties: {} } }
    : { formatVersion: 3, kind, path: '/test/order-detail', title, entity: 'test.order', sections: [] }

const compiled = (
  kind: 'form' | 'detail',
  entities: readonly EntityDocument[],
  fieldRules: Readonly<Record<string, string>> = {},
) => {
  const bundle = makeBundle(page(kind), 'test.json', {
    lists: [],
    entity: (name) => entities.find((entity) => entity.name === name),
    dictionary: (name) => dictionaries.find((dictionary) => dictionary.name === name),
  })
  const result = compilePage(
    { ...bundle, fieldRules },
    { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' },
  )
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.model
}
const columnsOf = (model: unknown): string[] =>
  Object.keys((model as FormModel).schema.properties?.lines?.items?.properties ?? {})

/** The one file that a new field of line items touches: the entity of the lines. */
const withField = (name: string): EntityDocument[] =>
  orderDocuments.map((entity) =>
    entity.name === 'test.orderLine'
      ? {
          ...entity,
          properties: {
            ...entity.properties,
            [name]: { type: 'string', 'x-list': true, 'x-label': { zh: '颜色', en: 'Colour' } },
          },
        }
      : entity,
  )

describe('a field of line items', () => {
  it('stands in the form and on the detail with one file touched, on pages that name nothing', () => {
    expect(columnsOf(compiled('form', orderDocuments))).toEqual(['name', 'productId', 'quantity', 'price'])
    expect(columnsOf(compiled('form', withField('colour')))).toEqual(['name', 'productId', 'quantity', 'price', 'colour'])
    const detail = compiled('detail', withField('colour'))
    if (detail.kind !== 'detail') throw new Error('not a detail')
    const items = detail.sections.flatMap((section) => section.items)
    const lines = items.find((item) => item.field?.name === 'lines')
    expect(lines?.field?.lines?.columns.map(({ name }) => name)).toEqual(['name', 'productId', 'quantity', 'price', 'colour'])
  })

  it('is left out for whom a rule hides it, and locked for whom it may only be read', () => {
    const rules = { 'test.orderLine.price': 'hide', 'test.orderLine.quantity': 'read' }
    const model = compiled('form', orderDocuments, rules)
    expect(columnsOf(model)).toEqual(['name', 'productId', 'quantity'])
    const items = (model as FormModel).schema.properties?.lines?.items?.properties
    expect(items?.quantity?.['x-pattern']).toBe('readPretty')
  })

  it('is neither filtered by nor a column of a list', () => {
    const list: PageDocument = { formatVersion: 3, kind: 'list', path: '/test/orders', title, entity: 'test.order' }
    const bundle = makeBundle(list, 'test.json', {
      lists: [],
      entity: (name) => orderDocuments.find((entity) => entity.name === name),
      dictionary: () => undefined,
    })
    const result = compilePage(bundle, { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' })
    if (!result.ok || result.model.kind !== 'list') throw new Error(JSON.stringify(result))
    const { filters, columns, lines } = result.model.body
    expect([...filters, ...columns].map(({ id }) => id)).not.toContain('lines')
    // an export may take them along
    expect(lines?.name).toBe('lines')
    const body = exportBody({ pageNo: 1, pageSize: 20 }, columns, 'csv', { lines })
    expect(body.columns.map(({ field }) => field)).toEqual([
      'ownerId',
      'code',
      'lines.name',
      'lines.productId',
      'lines.quantity',
      'lines.price',
    ])
  })
})
