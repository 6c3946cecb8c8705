import { compilePage } from '../../../../src/schema'
import { describe, expect, it } from 'vitest'
import { bundleOf, contextOf, detail, order } from './world'

const scope = { today: '2025-03-01', now: '2025-03-01T00:00:00Z', user: {}, query: { id: '42' }, locale: 'en' }
const title = { zh: '标题', en: 'Title' }

describe('A detail page', () => {
  it('reads the record that the address names, with the call of the entity, and shows its log', () => {
    const model = detail()
    expect(model.record(scope)).toBe('42')
    expect(model.viewCall).toEqual({ method: 'GET', path: '/v2/demo/order/view/{id}' })
    expect(model.timeline).toBe(true)
    expect(model.titleField).toBe('code')
    expect(Object.keys(model.fields)).toEqual(expect.arrayContaining(['id', 'createdAt', 'ownerId', 'name']))
    expect(Object.keys(model.fields)).not.toContain('matchKey')
  })

  it('knows the list that its records come from', () => {
    expect(detail().list).toBeUndefined()
    expect(detail({ activeMenu: '/demo/orders' }).list).toBe('/demo/orders')
  })

  it('lays out states, figures, warnings and sections of three columns', () => {
    const model = detail({
      header: {
        state: ['status'],
        figures: [{ field: 'lateDays', tone: "{{ value > 3 ? 'error' : null }}" }],
        warnings: [
          {
            id: 'late',
            when: '{{ record.lateDays > 0 }}',
            message: { zh: '逾期 {{ record.lateDays }} 天', en: '{{ record.lateDays }} days late' },
          },
        ],
      },
      sections: [
        {
          id: 'basic',
          title,
          fields: [
            { field: 'name', edit: true },
            { field: 'code', edit: true },
            { field: 'currency', edit: true },
            { field: 'supplierId.code', edit: true },
          ],
        },
      ],
    })
    expect(model.states[0]).toMatchObject({ id: 'status', cell: 'dictionary' })
    expect(model.figures[0]?.tone?.({ ...scope, record: {}, value: 4 })).toBe('error')
    expect(model.warnings[0]?.when({ ...scope, record: { lateDays: 1 } })).toBe(true)
    expect(model.warnings[0]?.type).toBe('warning')
    expect(model.warnings[0]?.message({ ...scope, record: { lateDays: 3 } })).toBe('3 days late')
    expect(model.sections[0]?.columns).toBe(3)
    // Only what the person may type: not the number that the server gives, not what is set once, not another entity's field.
    expect(model.sections[0]?.items.map(({ edit }) => edit)).toEqual([true, false, false, false])
  })

  it('offers editing only to whoever holds the key', () => {
    const page = {
      editForm: 'demo/order',
      sections: [{ id: 'basic', title, edit: 'demo/order', fields: [{ field: 'name', edit: true }] }],
    }
    const reader = detail(page, { permissions: new Set() })
    expect([reader.editForm, reader.sections[0]?.edit, reader.sections[0]?.items[0]?.edit]).toEqual([undefined, undefined, false])
    const editor = detail(page, { permissions: new Set(['demo:order:edit']) })
    expect([editor.editForm, editor.sections[0]?.edit, editor.sections[0]?.items[0]?.edit]).toEqual([
      'demo/order',
      'demo/order',
      true,
    ])
  })

  it('has tabs of lists, widgets and sections that read the record', () => {
    const model = detail(
      {
        tabs: [
          {
            id: 'list',
            title,
            count: true,
            list: { entity: 'demo.supplier', where: [{ field: 'id', value: '{{ record.supplierId }}' }] },
          },
          { id: 'widget', title, widget: 'demo.gauge', values: { id: '{{ record.id }}' } },
          { id: 'sections', title, sections: [{ id: 'a', title }] },
          { id: 'nothing', title },
          { id: 'list', title, widget: 'x' },
          { id: 'secret', title, widget: 'x', permission: 'demo:secret' },
        ],
      },
      { permissions: new Set() },
    )
    const [list, widget, sections, ...rest] = model.tabs
    expect(rest).toEqual([])
    expect(list?.content.type === 'list' && list.content.list.where({ ...scope, record: { supplierId: '9' } })).toEqual([
      { field: 'id', operator: 'contains', value: '9' },
    ])
    expect(list?.content.type === 'list' && list.content.list.path).toBe('/v2/demo/vendors')
    expect(widget?.content.type === 'widget' && widget.content.values({ ...scope, record: { id: '1' } })).toEqual({ id: '1' })
    expect(sections?.content.type).toBe('sections')
    expect(model.problems.map(({ code, at }) => [code, at])).toEqual([
      ['invalid-shape', '/tabs/3'],
      ['duplicate-id', '/tabs/4'],
    ])
  })

  it('has a box for the next row of a tab with what its first action that opens a form gives, for those who have that action', () => {
    const page = {
      tabs: [
        {
          id: 'list',
          title,
          timeline: true,
          entry: 'demo/note',
          list: {
            entity: 'demo.supplier',
            actions: [
              { id: 'copy', label: title, copy: 'x' },
              { id: 'add', label: title, form: 'demo/supplier', values: { of: '{{ record.id }}' }, permission: 'demo:add' },
            ],
          },
        },
      ],
    }
    const entry = detail(page, { permissions: new Set(['demo:add']) }).tabs[0]?.entry
    expect([entry?.form, entry?.action.id]).toEqual(['demo/note', 'add'])
    expect(entry?.values({ ...scope, record: { id: '7' } })).toEqual({ of: '7' })
    expect(detail(page, { permissions: new Set() }).tabs[0]?.entry).toBeUndefined()
  })

  it('knows the transition that takes a step of one click back, if the viewer has it', () => {
    const move = (id: string, from: string[], to: string, more: object = {}) => ({ id, label: title, from, to, ...more })
    const transitions = [
      move('hold', ['open'], 'held'),
      move('resume', ['held'], 'open', { permission: 'demo:resume' }),
      move('close', ['open', 'held'], 'closed'),
      move('reopen', ['closed'], 'open', { confirm: title }),
      move('takeBack', ['closed'], 'open', { back: "{{ 'held' }}" }),
    ]
    const page = { formatVersion: 3, title, path: '/demo/orders', rest: false, kind: 'detail', entity: 'demo.order' } as const
    const undo = (permissions: { has(key: string): boolean }) => {
      const bundle = bundleOf({ ...page, header: { actions: ['hold', 'close'].map((id) => ({ id })) } })
      const states = [{ field: 'status', initial: 'open', transitions }]
      const result = compilePage(
        { ...bundle, entities: { ...bundle.entities, 'demo.order': { ...order, 'x-states': states } } },
        contextOf({ permissions }),
      )
      if (!result.ok || result.model.kind !== 'detail') throw new Error(JSON.stringify(result))
      return result.model.actions.map(({ effect }) => (effect.type === 'transition' ? effect.transition.undo : null))
    }
    expect(undo({ has: () => true })).toEqual([{ open: 'resume' }, { open: 'takeBack', held: 'takeBack' }])
    expect(undo({ has: () => false })[0]).toBeUndefined()
  })

  it('goes back after deleting', () => {
    const model = detail({
      header: {
        actions: [
          { id: 'delete', operation: 'delete' },
          { id: 'copy', label: title, copy: '{{ record.code }}' },
        ],
      },
    })
    expect(model.actions.map(({ after }) => after)).toEqual(['back', 'none'])
  })

  it('keeps the rest when one section names a widget that is not there', () => {
    const model = detail(
      {
        sections: [
          { id: 'a', title, widget: 'demo.gone' },
          { id: 'b', title },
        ],
      },
      { knownWidgets: new Set() },
    )
    expect(model.sections.map(({ id }) => id)).toEqual(['b'])
    expect(model.problems).toMatchObject([
      { code: 'unknown-widget', at: '/sections/0/widget', where: 'schemas/demo/pages/test.json' },
    ])
  })
})
