import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { explicitPage } from '../../../../src/schema/explicit'
import { fieldKind } from '../../../../src/schema/formats'
import type { EntityDocument, EntityField } from '../../../../src/schema/generated/entity'
import type { PageDocument } from '../../../../src/schema/generated/page'
import { applyChanges, diffDocuments, type JsonObject } from '../../../../src/schema/overlay'
import {
  addressOf,
  idsAt,
  positionsOf,
  valueAt,
  withItem,
  withMoved,
  withValue,
} from '../../../../src/widgets/page-designer/document/address'
import { edited, redone, startHistory, undone } from '../../../../src/widgets/page-designer/document/history'
import { FIELD_KINDS, newField } from '../../../../src/widgets/page-designer/document/fieldKinds'
import { fieldItem, itemKind, namedItem } from '../../../../src/widgets/page-designer/document/items'
import { flatOutline, outlineOf, panelWords } from '../../../../src/widgets/page-designer/document/outline'
import { repaired, repairsOf } from '../../../../src/widgets/page-designer/document/repair'
import { itemActions } from '../../../../src/widgets/page-designer/editor/itemActions'
import { Labels } from '../../../../src/widgets/page-designer/language/labels'
import { wholeSchema } from '../../../support/schemas'
import { Language } from '../../../../src/widgets/page-designer/language/meta'

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8')) as unknown
const customer = wholeSchema<EntityDocument>('crm/entities/customer.json')
const entities = { 'crm.customer': customer }
const page = (name: string): JsonObject =>
  explicitPage(wholeSchema<PageDocument>(`crm/pages/${name}.json`), entities) as unknown as JsonObject
const list = page('my-client')

describe('a document by the ids of its parts', () => {
  it('is read and changed without touching what was given', () => {
    const before = structuredClone(list)
    const changed = withValue(list, 'columns/level/width', 200)
    expect(valueAt(changed, 'columns/level/width')).toBe(200)
    expect(list).toEqual(before)
    expect(diffDocuments(list, changed)).toEqual([{ at: 'columns/level/width', set: 200 }])
  })

  it('makes what an address needs on its way, and removes a member that becomes undefined', () => {
    const made = withValue(list, 'actions/add/confirm/title', { zh: '确定？', en: 'Sure?' })
    expect(valueAt(made, 'actions/add/confirm')).toEqual({ title: { zh: '确定？', en: 'Sure?' } })
    expect(valueAt(withValue(made, 'actions/add/confirm', undefined), 'actions/add')).not.toHaveProperty('confirm')
  })

  it('adds, moves and removes items; the changes that are saved give the same document again', () => {
    const added = withItem(list, 'columns', 'website', { field: 'website' }, 'level')
    const moved = withMoved(added, 'columns', 'countryCode', 0)
    const removed = withValue(moved, 'columns/tags', undefined)
    expect(idsAt(removed, 'columns')[0]).toBe('countryCode')
    expect(idsAt(removed, 'columns')).not.toContain('tags')
    expect(applyChanges(list, diffDocuments(list, removed)).document).toEqual(removed)
  })

  it('translates the pointers of the validator into addresses, and back', () => {
    const position = idsAt(list, 'columns').indexOf('level')
    expect(addressOf(list, `/columns/${position}/width`)).toBe('columns/level/width')
    expect(positionsOf(list, 'columns/level/width')).toEqual(['columns', String(position), 'width'])
    expect(addressOf(list, '/sort/0/field')).toBe('sort/0/field')
  })
})

describe('undo', () => {
  it('goes back and forth, and takes quick typing at one place as one step', () => {
    const [a, b, c, d] = [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]
    const typed = edited(edited(edited(startHistory(a), b, 'x', 0), c, 'x', 500), d, 'y', 600)
    expect(undone(typed).present).toBe(c)
    expect(undone(undone(typed)).present).toBe(a)
    expect(redone(undone(typed)).present).toBe(d)
    expect(edited(undone(typed), a, null, 700).future).toEqual([])
  })
})

describe('the outline', () => {
  const outline = (document: JsonObject) =>
    outlineOf(document, new Language('page', document), new Labels(document, entities, 'en'))

  it('of a list holds its columns, filters and actions by their labels, in their order', () => {
    const columns = outline(list).children.find(({ address }) => address === 'columns')
    expect(columns?.children.map(({ address }) => address)).toEqual(idsAt(list, 'columns').map((id) => `columns/${id}`))
    expect(columns?.children.find(({ address }) => address === 'columns/level')?.label).toBe(
      customer.properties.level?.['x-label'].en,
    )
    expect(columns?.children.find(({ address }) => address === 'columns/industry')?.hidden).toBe(true)
  })

  it('of a detail reaches the lists of its tabs and the actions of its header', () => {
    const addresses = flatOutline(outline(page('my-client-details'))).map(({ address }) => address)
    expect(addresses).toContain('header/actions/followUp')
    expect(addresses.some((address) => /^tabs\/[^/]+\/list\/columns\/[^/]+$/.test(address))).toBe(true)
  })

  it('of a form shows the fields right below their groups', () => {
    const found = flatOutline(outline(page('customer'))).filter(({ kind }) => kind === 'item')
    expect(found.some(({ address }) => /^schema\/properties\/\w+\/properties\/name$/.test(address))).toBe(true)
  })

  it('makes anew only what an edit touched; another entity names all anew', () => {
    const language = new Language('page', list)
    const columns = (document: JsonObject) => {
      const nodes = outlineOf(document, language, new Labels(document, entities, 'en')).children
      return nodes.find(({ address }) => address === 'columns')?.children ?? []
    }
    const before = columns(list)
    const after = columns(withValue(list, 'columns/level/title', { zh: '层级', en: 'Rank' }))
    const changed = after.filter((node, index) => node !== before[index])
    expect(changed.map(({ address, label }) => [address, label])).toEqual([['columns/level', 'Rank']])
    expect(columns(withValue(list, 'entity', 'none.such')).find(({ address }) => address === 'columns/level')?.label).toBe(
      'level',
    )
  })

  it('names an address in the words of the tree; what is gone keeps its id', () => {
    const labels = new Labels(list, entities, 'en')
    expect(labels.address('columns/level/title')).toBe('Columns / Level / Title')
    expect(labels.address('columns/gone/title')).toBe('Columns / gone / Title')
    expect(new Labels(page('customer'), entities, 'zh').address('schema/properties/basic/properties/name/x-required')).toMatch(
      /^表单字段 .* \/ 基本信息 .* \/ 客户名称 \/ /,
    )
  })

  it('takes documents that are none without falling over', () => {
    for (const document of [
      {},
      { kind: 'list', columns: 5 },
      { kind: 'form', schema: [1, { properties: null }] },
      { kind: 'list', columns: [null] },
    ])
      expect(() => outline(document as JsonObject)).not.toThrow()
  })
})

describe('the panel', () => {
  it('shows every word that the meta-schema knows of a part, so that a new word needs no code', () => {
    const words = panelWords(list, new Language('page', list), 'columns/level').map(([name]) => name)
    expect(words).toEqual(expect.arrayContaining(['title', 'width', 'pin', 'hidden', 'sortable', 'summary', 'permission']))
    const meta = read('schemas/meta/page.json') as { $defs: { Column: { properties: object } } }
    expect(words).toEqual(Object.keys(meta.$defs.Column.properties))
  })

  it('leaves the parts of the outline and the head of the file out', () => {
    const words = panelWords(list, new Language('page', list), '').map(([name]) => name)
    expect(words).toEqual(expect.arrayContaining(['title', 'sort', 'pageSize', 'summary', 'keyword']))
    expect(words).not.toEqual(expect.arrayContaining(['columns']))
    expect(words).not.toContain('kind')
  })

  it('works the same for entities and dictionaries', () => {
    const language = new Language('entity', customer)
    expect(panelWords(customer, language, 'properties/level').map(([name]) => name)).toEqual(
      expect.arrayContaining(['x-label', 'x-list', 'x-dictionary']),
    )
    const dictionary = read('schemas/dictionaries/customerLevel.json') as JsonObject
    const items = outlineOf(dictionary, new Language('dictionary', dictionary), new Labels(dictionary, {}, 'zh')).children
    expect(items.find(({ address }) => address === 'items')?.children.length).toBeGreaterThan(0)
  })
})

describe('new items', () => {
  const language = new Language('page', list)
  it('show a field, or have a name of their own with what the language asks for', () => {
    expect(itemKind(language, 'columns', 'columns')).toBe('field')
    expect(itemKind(language, 'actions', 'actions')).toBe('named')
    expect(fieldItem(language, 'columns', 'columns', 'website', 'crm.customer')).toEqual({ field: 'website' })
    expect(namedItem(language, 'views', 'views', 'mine')).toEqual({ id: 'mine', title: { zh: 'mine', en: 'mine' } })
    const form = page('customer')
    const forms = new Language('page', form)
    expect(fieldItem(forms, 'schema/properties', 'properties', 'website', 'crm.customer')).toEqual({
      $field: 'crm.customer.website',
    })
    expect(namedItem(forms, 'schema/properties', 'properties', 'when')).toEqual({
      type: 'void',
      title: { zh: 'when', en: 'when' },
      'x-component': 'Group',
      properties: {},
    })
  })

  describe('that stand in a part', () => {
    const actionsOf = (start: JsonObject) => {
      const state = { document: start, chosen: '' }
      const actions = itemActions({
        document: () => state.document,
        edit: (next) => (state.document = next),
        choose: (at) => (state.chosen = at),
        language: new Language('page', start),
        labels: () => new Labels(state.document, entities, 'en'),
      })
      return { state, actions }
    }
    const [basic, contact] = ['schema/properties/basic/properties', 'schema/properties/contact/properties']
    const form = withValue(withValue(page('customer'), 'schema/properties/contact', { type: 'void' }), `${contact}/phone`, {
      $field: 'crm.customer.phone',
    })
    const whole = valueAt(form, `${basic}/website`)

    it('go into another one that is open, before or behind its items, and can be chosen there at once', () => {
      const { state, actions } = actionsOf(form)
      actions.put(`${basic}/website`, 'schema/properties/contact', 'inside')
      expect([state.chosen, idsAt(state.document, contact)]).toEqual([`${contact}/website`, ['website', 'phone']])
      expect(valueAt(state.document, `${contact}/website`)).toEqual(whole)
      expect(idsAt(state.document, basic)).not.toContain('website')
      actions.put(`${basic}/city`, `${contact}/phone`, 'behind')
      actions.put(`${basic}/name`, `${contact}/phone`, 'before')
      expect(idsAt(state.document, contact)).toEqual(['website', 'name', 'phone', 'city'])
      expect(applyChanges(form, diffDocuments(form, state.document)).document).toEqual(state.document)
    })

    it('go by the menu to the end of any part that could hold them, and to no field, no part of their own and no other entity', () => {
      const { state, actions } = actionsOf(form)
      const lists = actions.destinations(`${basic}/website`).map(({ list }) => list)
      expect(lists).toContain(contact)
      expect(lists).not.toContain(basic)
      expect(lists.filter((list) => list.endsWith('/name/properties'))).toEqual([])
      actions.moveInto(`${basic}/website`, contact)
      expect(idsAt(state.document, contact)).toEqual(['phone', 'website'])
      expect(actions.destinations('schema/properties/contact').map(({ list }) => list)).not.toContain(contact)
      expect(actions.fits('schema/properties/contact', `${contact}/phone`, 'behind')).toBe(false)
      const detail = actionsOf(page('my-client-details')).actions
      const column = flatOutline(
        outlineOf(
          page('my-client-details'),
          new Language('page', page('my-client-details')),
          new Labels(page('my-client-details'), entities, 'en'),
        ),
      ).find(({ word, kind }) => word === 'columns' && kind === 'item')
      expect(detail.destinations(column?.address ?? '')).toEqual([])
    })

    it('get another id where theirs is taken', () => {
      const taken = withValue(form, `${contact}/website`, { $field: 'crm.customer.website' })
      const { state, actions } = actionsOf(taken)
      actions.moveInto(`${basic}/website`, contact)
      expect([state.chosen, idsAt(state.document, contact)]).toEqual([`${contact}/website2`, ['phone', 'website', 'website2']])
    })
  })

  it('are ordered, copied, hidden and removed by mouse and keyboard alike', () => {
    let document = list
    let chosen = ''
    const actions = itemActions({
      document: () => document,
      edit: (next) => (document = next),
      choose: (at) => (chosen = at),
      language,
      labels: () => new Labels(document, entities, 'en'),
    })
    const first = idsAt(list, 'columns')
    actions.move(`columns/${first[1]}`, -1)
    expect(idsAt(document, 'columns').slice(0, 2)).toEqual([first[1], first[0]])
    actions.put('columns/countryCode', `columns/${first[0]}`, 'behind')
    expect(idsAt(document, 'columns').slice(0, 3)).toEqual([first[1], first[0], 'countryCode'])
    actions.put('columns/countryCode', 'columns', 'inside')
    expect(idsAt(document, 'columns').slice(0, 3)).toEqual(['countryCode', first[1], first[0]])
    actions.toggleHidden('columns/level')
    expect(valueAt(document, 'columns/level/hidden')).toBe(true)
    actions.duplicate('actions/today')
    expect(chosen).toBe('actions/today2')
    actions.remove('actions/today')
    expect(idsAt(document, 'actions')).not.toContain('today')
    expect(chosen).toBe('actions/today2')
  })
})

describe('A change whose place is gone', () => {
  const document = { columns: [{ field: 'name' }, { field: 'level', width: 80 }] }
  const orphan = { at: 'columns/grade/width', set: 120 }

  it('can be given another item of the same list', () => {
    expect(repairsOf(document, orphan)).toEqual({ list: 'columns', missing: 'grade', ids: ['name', 'level'] })
    expect(repaired(document, orphan, 'level')).toEqual({ at: 'columns/level/width', set: 120 })
    expect(repairsOf(document, { at: 'nothing/here', remove: true }).ids).toEqual([])
  })
})

describe('A new field of an entity', () => {
  it.each(FIELD_KINDS.map(({ id }) => [id]))('of the kind %s is a field of that kind', (kind) => {
    const field = newField(kind, { zh: '甲', en: 'A' })
    expect(fieldKind(field as unknown as EntityField)).toBe(kind)
  })
})
