import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSchemas } from '../../../../gateway/pages'
import { makeBundle } from '../../../../gateway/pages/bundle'
import { compileFresh, compilePage } from '../../../../src/schema/compile'
import { compileEntity, restrictedFields, type FieldAccess } from '../../../../src/schema/entity'
import { explicitPage } from '../../../../src/schema/explicit'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { PageDocument } from '../../../../src/schema/generated/page'
import type { PageModel } from '../../../../src/schema/model'
import { applyChanges, type Change } from '../../../../src/schema/overlay'
import { exposureOf, newlyExposed, overexposed } from '../../../../src/schema/proof'
import { readDocuments } from '../../../../src/schema/validate'
import { walksOf } from '../../../support/walkPart'
import { bundleOf, contextOf } from '../compile/world'

const { partOf, walksAll } = walksOf(import.meta.filename)

const { accepted } = readDocuments(await readSchemas(join(import.meta.dirname, '../../../../schemas')))
const valuesOf = <T extends { name: string }>(type: string): ReadonlyMap<string, T> =>
  new Map(
    accepted
      .filter((document) => document.type === type)
      .map(({ value }) => [(value as unknown as T).name, value as unknown as T]),
  )
const entities = valuesOf<EntityDocument>('entity')
const dictionaries = valuesOf<DictionaryDocument>('dictionary')
const sources = { lists: [], entity: (name: string) => entities.get(name), dictionary: (name: string) => dictionaries.get(name) }
const models = new Map([...entities].map(([name, document]) => [name, compileEntity(document)]))
const pages = accepted.flatMap((document) =>
  document.type === 'page' ? [{ where: document.where, page: { ...(document.value as PageDocument), name: document.name } }] : [],
)

/** A viewer whose roles hide, mask, lock or leave each field, differently for each seed. */
const RULES = ['hide', 'mask', 'read', undefined] as const
const scatter = (text: string, seed: number): number =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0) + seed) % 65_521, seed)
const viewerOf = (seed: number, keys: boolean) => {
  const fieldRules: Record<string, string> = {}
  for (const [entity, { fields }] of models) {
    for (const name of fields.keys()) {
      const rule = RULES[scatter(`${entity}.${name}`, seed) % RULES.length]
      if (rule && name !== 'id') fieldRules[`${entity}.${name}`] = rule
    }
  }
  const viewer = { has: () => keys, fieldRules }
  const closed = new Map<string, FieldAccess>()
  for (const [entity, model] of models)
    for (const [name, access] of restrictedFields(model, viewer)) closed.set(`${entity}.${name}`, access)
  return {
    permissions: viewer,
    rules: Object.fromEntries(closed),
    access: (field: string): FieldAccess => closed.get(field) ?? 'write',
  }
}
const viewers = [1, 2, 3].flatMap((seed) => [viewerOf(seed, true), viewerOf(seed + 10, false)])

/** Null when the rows of the page are chosen by what the viewer may not read: then he is told so, and nothing is asked for. */
const compiled = (page: PageDocument, where: string, viewer: (typeof viewers)[number]): PageModel | null => {
  const bundle = { ...makeBundle(page, where, sources), fieldRules: viewer.rules }
  const result = compileFresh(bundle, { locale: 'zh', permissions: viewer.permissions, companyTimeZone: 'Asia/Shanghai' })
  if (result.ok) return result.model
  expect(
    result.problems.map(({ severity, at }) => [severity, at]),
    where,
  ).toEqual([['warning', '/where']])
  return null
}

/** Changes that try to show, compare and edit every field of the page's entity. */
const greedy = (page: PageDocument): Change[] => {
  const entity = 'entity' in page && page.entity !== undefined ? models.get(page.entity) : undefined
  if (!entity) return []
  const names = [...entity.fields.values()].filter(({ internal }) => !internal).map(({ name }) => name)
  const each = (at: string, item: (name: string) => object): Change[] =>
    names.map((name) => ({ at, add: { id: `greedy-${name}`, field: name, ...item(name) } }))
  if (page.kind === 'list') {
    const sortable = names.filter((name) => entity.fields.get(name)?.storage === 'stored').slice(0, 5)
    return [
      ...each('columns', () => ({ summary: 'count', hidden: false })),
      ...each('filters', () => ({})),
      { at: 'sort', set: sortable.map((field) => ({ field, order: 'asc' })) },
    ]
  }
  if (page.kind === 'detail') {
    return [
      { at: 'sections', add: { id: 'greedy', title: { zh: '全部', en: 'All' }, fields: [] } },
      ...each('sections/greedy/fields', () => ({ edit: true })),
      ...each('header/figures', () => ({})),
    ]
  }
  if (page.kind !== 'form') return []
  return names.map((name) => ({
    at: 'schema/properties',
    id: `greedy-${name}`,
    add: { $field: `${entity.name}.${name}`, 'x-pattern': 'editable', default: null },
  }))
}

describe('what a page does with fields', () => {
  const page = {
    formatVersion: 3,
    kind: 'list',
    title: { zh: '订单', en: 'Orders' },
    path: '/demo/orders',
    entity: 'demo.order',
    rest: false,
    columns: [{ field: 'code' }, { field: 'amount', summary: 'sum' }, { field: 'supplierId.name' }],
    filters: [{ field: 'dueOn' }],
    sort: [{ field: 'dueOn', order: 'asc' }],
    views: [{ id: 'open', title: { zh: '进行中', en: 'Open' }, where: [{ field: 'status', value: 'open' }] }],
  } as unknown as PageDocument
  const exposed = (fieldRules: Record<string, string>) => {
    const result = compilePage({ ...bundleOf(page), fieldRules }, contextOf())
    if (!result.ok) throw new Error(JSON.stringify(result.problems))
    return exposureOf(result.model)
  }

  it('is read off the compiled page: asked for, compared, shown', () => {
    const found = exposed({})
    expect(found.get('demo.order.amount')).toMatchObject({
      requested: true,
      compared: true,
      shown: true,
      masked: false,
      editable: false,
    })
    expect(found.get('demo.order.dueOn')).toMatchObject({ compared: true, shown: false })
    expect(found.get('demo.order.status')).toMatchObject({ compared: true })
    expect(found.get('demo.supplier.name')).toMatchObject({ shown: true })
    expect(found.get('demo.order.currency')).toBeUndefined()
  })

  it('is nothing for a hidden field, and no comparison for a masked one', () => {
    const rules = {
      'demo.order.amount': 'hide',
      'demo.order.dueOn': 'mask',
      'demo.order.status': 'hide',
      'demo.supplier.name': 'hide',
    }
    expect([...exposed(rules).keys()]).toEqual(['demo.order.code'])
    expect(exposed({ 'demo.order.amount': 'mask' }).get('demo.order.amount')).toMatchObject({
      shown: true,
      masked: true,
      compared: false,
    })
  })

  it('is told as a difference between two releases', () => {
    const [hidden, open] = [exposed({ 'demo.order.amount': 'mask' }), exposed({})]
    expect(newlyExposed(hidden, open)).toEqual({ visible: ['demo.order.amount'], editable: [] })
    expect(newlyExposed(open, hidden)).toEqual({ visible: [], editable: [] })
  })

  it('is found out when it is too much', () => {
    expect(overexposed(exposed({}), (field) => (field === 'demo.order.amount' ? 'hide' : 'write'))).toEqual([
      'demo.order.amount: requested',
      'demo.order.amount: compared',
      'demo.order.amount: shown',
    ])
  })
})

const SHARE = 1 / 4
const isWalked = partOf('exposure', SHARE)
const walked = pages.filter(({ where }) => isWalked(where))
/** What the whole walk meets at least, of a part half of what would be its share. */
const least = (ofAll: number): number => (walksAll ? ofAll : (ofAll * SHARE) / 2)

describe('every released page', () => {
  it('exposes no field beyond what the rules of a role allow, whatever they are', () => {
    expect(pages.length).toBeGreaterThan(60)
    let restricted = 0
    for (const { page, where } of walked) {
      for (const viewer of viewers) {
        const model = compiled(page, where, viewer)
        if (!model) continue
        const exposure = exposureOf(model)
        expect(overexposed(exposure, viewer.access), where).toEqual([])
        restricted += [...exposure.keys()].filter((field) => viewer.access(field) !== 'write').length
      }
    }
    // masked and read-only fields are there: the test would prove nothing if the pages were empty
    expect(restricted).toBeGreaterThan(least(300))
  }, 60_000)

  it('exposes no more when an overlay tries to show, compare and edit everything', () => {
    let tried = 0
    for (const { page, where } of walked) {
      const changes = greedy(page)
      if (changes.length === 0) continue
      const { document } = applyChanges(explicitPage(page, Object.fromEntries(entities)), changes)
      const open = compiled(document, where, { ...viewerOf(0, true), rules: {} })
      tried += open ? exposureOf(open).size : 0
      for (const viewer of viewers.slice(0, 3)) {
        const model = compiled(document, where, viewer)
        if (model) expect(overexposed(exposureOf(model), viewer.access), where).toEqual([])
      }
    }
    expect(tried).toBeGreaterThan(least(1000))
  })
})
