import { describe, expect, it } from 'vitest'
import { compose } from '../../../../gateway/pages/changes/compose'
import { makeWhole } from '../../../../src/schema/feature'
import { readDocuments, type SourceDocument } from '../../../../src/schema/validate'
import { valueOf, world, worldContext } from '../validate/world'

const text = (en: string) => ({ zh: en, en })
const ITEMS = 'schemas/demo/pages/items.json'
const ENTITY = String(valueOf('schemas/demo/entities/item.json').name)
const base = {
  ...{ formatVersion: 3, kind: 'list', path: '/demo/items', title: text('Items'), entity: ENTITY, pageSize: 50 },
  columns: [{ field: 'name', width: 200 }, { field: 'status' }, { field: 'createdAt', hidden: true }],
  rowActions: [{ id: 'open', label: text('Open'), open: '/demo/items?id={{ row.id }}', icon: 'eye' }],
}
const library = (pages: Record<string, unknown> = { 'demo/items': base }) => ({
  features: new Map(),
  pages: new Map(Object.entries(pages)),
})
const whole = (page: object, pages?: Record<string, unknown>) =>
  makeWhole({ like: 'demo/items', ...page }, library(pages), 'page')

const old = (value: object): SourceDocument => ({
  where: 'schemas/demo/pages/old-items.json',
  type: 'page',
  name: 'demo/old-items',
  value: { formatVersion: 3, like: 'demo/items', path: null, title: text('Old items'), ...value },
})
const read = (value: object) => {
  const rest = world.documents.filter(({ where }) => where !== ITEMS)
  const items: SourceDocument = { where: ITEMS, type: 'page', name: 'demo/items', value: base }
  const { accepted, problems } = readDocuments([...rest, items, old(value)], worldContext)
  return {
    page: accepted.find(({ name }) => name === 'demo/old-items')?.value,
    problems: problems.filter(({ where }) => where.includes('old-items')),
  }
}

describe('a page that is like another one', () => {
  it('is that page but for what it says: members by name, null leaves one out, lists of what it names', () => {
    const { document, problems } = whole({
      pageSize: null,
      title: text('Old items'),
      columns: [{ field: 'status', width: 90 }, { field: 'updatedAt' }, { field: 'name' }],
    })
    expect(problems).toEqual([])
    expect(document).toEqual({
      ...{ formatVersion: 3, kind: 'list', path: '/demo/items', title: text('Old items'), entity: ENTITY },
      columns: [{ field: 'status', width: 90 }, { field: 'updatedAt' }, { field: 'name', width: 200 }],
      rowActions: base.rowActions,
    })
  })

  it('changes items of a list by their id and keeps the others, in their order', () => {
    const { document, problems } = whole({ columns: { createdAt: { hidden: false }, status: null } })
    expect(document.columns).toEqual([
      { field: 'name', width: 200 },
      { field: 'createdAt', hidden: false },
    ])
    expect(problems).toEqual([])
    expect(whole({ columns: { stauts: null } }).problems).toMatchObject([{ at: '/columns/stauts', unknown: 'item' }])
  })

  it('may be like one that is like a third, never like itself', () => {
    const middle = { like: 'demo/items', columns: [{ field: 'name' }] }
    const { document } = whole({ like: 'demo/middle', pageSize: 20 }, { 'demo/items': base, 'demo/middle': middle })
    expect(document).toMatchObject({ kind: 'list', pageSize: 20, columns: [{ field: 'name', width: 200 }] })
    expect(whole({}, { 'demo/items': { like: 'demo/items' } }).problems).toMatchObject([{ at: '/like', unknown: 'page' }])
    expect(read({ like: 'demo/itemss' }).problems).toMatchObject([{ code: 'unknown-page', at: '/like', hint: 'demo/items' }])
  })

  it('is read whole; what is wrong stands where it says it, or at the page that it is like', () => {
    expect(read({}).page).toMatchObject({ kind: 'list', entity: ENTITY, columns: base.columns })
    expect(read({}).problems).toEqual([])
    const [own] = read({ columns: [{ field: 'status' }, { field: 'stauts' }] }).problems
    expect(own).toMatchObject({ code: 'unknown-field', at: '/columns/1/field' })
    const [byId] = read({ rowActions: { open: { open: '/demo/nowhere' } } }).problems
    expect(byId).toMatchObject({ code: 'unknown-route', at: '/rowActions/open/open' })
    const [ofBase] = read({ kind: 'detail' }).problems
    expect(ofBase!.at).toBe('/like')
    expect(ofBase!.message.en).toMatch(/^The page "demo\/items" \(\/\w+/)
  })

  it('is addressed whole by the changes of admins, who may make one too', () => {
    const items = { where: ITEMS, type: 'page' as const, name: 'demo/items', value: base }
    const made = { formatVersion: 3, like: 'demo/items', path: null, columns: { status: null } }
    const { documents } = compose([items], [{ target: 'page:demo/made', role: '', changes: [{ at: '', set: made }] }])
    expect(documents.find(({ name }) => name === 'demo/made')?.value).toEqual({
      ...{ formatVersion: 3, kind: 'list', title: text('Items'), entity: ENTITY, pageSize: 50, rowActions: base.rowActions },
      columns: [
        { field: 'name', width: 200 },
        { field: 'createdAt', hidden: true },
      ],
    })
  })
})
