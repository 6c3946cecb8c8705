import { describe, expect, it } from 'vitest'
import { weave } from '../../../../src/schema/effect/weave'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { ListenerDocument } from '../../../../src/schema/generated/listener'
import type { TemplateDocument } from '../../../../src/schema/generated/template'
import type { SourceDocument } from '../../../../src/schema/validate'
import { problemsOf } from './world'

const text = (en: string) => ({ zh: en, en })

/** An entity of another module with a state machine. */
const order = (more: object = {}): SourceDocument => ({
  where: 'schemas/shop/entities/order.json',
  type: 'entity',
  value: {
    formatVersion: 3,
    name: 'shop.order',
    label: text('Order'),
    titleField: 'note',
    type: 'object',
    properties: {
      note: { type: 'string', 'x-label': text('Note') },
      itemId: { type: 'string', 'x-ref': 'demo.item', 'x-label': text('Item') },
      status: { type: 'string', 'x-dictionary': 'itemStatus', 'x-label': text('Status'), default: 'open' },
    },
    'x-states': [
      {
        field: 'status',
        initial: 'open',
        transitions: [{ id: 'stop', label: text('Stop'), from: ['open'], to: 'closed', permission: 'demo:item:edit' }],
      },
    ],
    ...more,
  },
})

const listener = (on: string, effects: object[], module = 'shop', id = 'hear'): SourceDocument => ({
  where: `schemas/${module}/listeners/${id}.json`,
  type: 'listener',
  name: `${module}/${id}`,
  value: { formatVersion: 3, on, id, effects },
})
const template = (more: object = {}): SourceDocument => ({
  where: 'schemas/demo/templates/closed.json',
  type: 'template',
  value: { formatVersion: 3, name: 'demo.closed', entity: 'demo.item', title: text('{{ name }} is closed'), ...more },
})
const stop = {
  id: 'stop',
  do: 'transition',
  on: { entity: 'shop.order', where: [{ field: 'itemId', value: '{{ id }}' }] },
  with: { transition: 'stop' },
}
const rename = { id: 'rename', do: 'set', with: { name: 'x' } }
const found = (...documents: SourceDocument[]): string[] => problemsOf(documents).map(({ at, code }) => `${at} ${code}`)

describe('a listener', () => {
  it('names an event that is there and does what its own module may', () => {
    expect(found(order(), listener('demo.item.close', [stop]))).toEqual([])
    expect(found(order(), listener('demo.item.create', [stop]))).toEqual([])
    expect(found(order(), listener('demo.item.clsoe', [stop]))).toEqual(['/on unknown-transition'])
    expect(found(order(), listener('demo.itme.close', [stop]))).toEqual(['/on unknown-entity'])
    expect(found(order(), listener('demo.item.close', [{ ...stop, with: { transition: 'halt' } }]))).toEqual([
      '/effects/0/with/transition unknown-transition',
    ])
    expect(found(order(), listener('demo.item.close', [{ id: 'x', do: 'log', with: { text: '{{ nmae }}' } }]))).toEqual([
      '/effects/0/with/text expression-root',
    ])
    expect(found(order(), listener('demo.item.close', [{ ...stop, when: 1 }]))).toEqual(['/effects/0/when invalid-shape'])
  })

  it('changes the records of another module only as their x-accepts allows', () => {
    const [problem] = problemsOf([order(), listener('demo.item.close', [rename])])
    expect(problem).toMatchObject({ at: '/effects/0/with/name', message: { en: expect.stringContaining('x-accepts') as string } })
    expect(found(order(), listener('demo.item.close', [rename], 'demo'))).toEqual([])
    const back = (more: object) => [order({ 'x-accepts': more }), listener('demo.item.close', [stop], 'demo')] as const
    expect(found(...back({ create: true }))).toEqual(['/effects/0/with/transition field-kind-mismatch'])
    expect(found(...back({ transitions: ['stop'] }))).toEqual([])
  })

  it('has an id of its own in its module', () => {
    const one = listener('demo.item.close', [stop])
    expect(found(order(), one, { ...one, where: 'schemas/shop/listeners/other.json' })).toEqual(['/id duplicate-id'])
    expect(found(order(), one, listener('demo.item.close', [{ id: 'x', do: 'log', with: { text: 'x' } }], 'demo'))).toEqual([])
  })

  it('makes no circle with what it hears: that is refused with the path', () => {
    const close = { id: 'close', do: 'transition', on: { reference: 'itemId' }, with: { transition: 'close' } }
    const states = [
      {
        field: 'status',
        initial: 'open',
        transitions: [{ id: 'stop', label: text('Stop'), from: ['open'], to: 'closed', permission: 'demo:item:edit' }],
      },
    ]
    const problems = problemsOf([
      order({ 'x-states': states }),
      listener('demo.item.close', [stop]),
      listener('shop.order.stop', [close], 'demo', 'closeItem'),
    ])
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['effect-cycle']))
    expect(problems.find(({ where }) => where.includes('/shop/listeners/'))?.message.en).toBe(
      'Effects cause one another without end: demo.item.close -> shop/hear -> shop.order.stop -> demo/closeItem -> demo.item.close.',
    )
  })
})

describe('a template', () => {
  const tell = (more: object) => listener('demo.item.close', [{ id: 'tell', do: 'notify', with: { to: ['creator'], ...more } }])

  it('says in both languages what an effect of its entity tells', () => {
    expect(found(template(), tell({ template: 'demo.closed' }))).toEqual([])
    expect(found(template({ title: { zh: '关闭' } }))).toEqual(['/title/en missing-translation'])
    expect(found(template({ titel: text('x') }))).toEqual(['/titel invalid-shape'])
    expect(found(template({ entity: 'demo.itme' }))).toEqual(['/entity unknown-entity'])
    expect(found(template({ link: '/item?id={{ idd }}' }))).toEqual(['/link expression-root'])
    expect(found(template({ type: '9' }))).toEqual(['/type invalid-shape'])
  })

  it('is named by effects of that entity alone, which otherwise say it themselves', () => {
    expect(found(template(), tell({ template: 'demo.closde' }))).toEqual(['/effects/0/with/template unknown-template'])
    expect(found(tell({}))).toEqual(['/effects/0/with field-kind-mismatch'])
    const other = listener('shop.order.stop', [{ id: 'tell', do: 'notify', with: { to: ['creator'], template: 'demo.closed' } }])
    expect(found(order(), template(), other)).toEqual(['/effects/0/with/template field-kind-mismatch'])
  })
})

describe('an entity as the gateway acts on it', () => {
  const entity = order().value as EntityDocument
  const templates = new Map([
    [
      'shop.stopped',
      { formatVersion: 3, name: 'shop.stopped', entity: 'shop.order', title: text('Stopped'), todo: false } as TemplateDocument,
    ],
  ])
  const hears = (on: string, effects: object[]) => ({
    module: 'demo',
    document: { formatVersion: 3, on, id: 'hear', effects } as ListenerDocument,
  })

  it('is the same object where nothing is added', () => {
    expect(weave(entity, { templates, listeners: [hears('demo.item.close', [stop])] })).toBe(entity)
  })

  it('does what listeners do after its own effects, under ids that name them, with the texts of templates', () => {
    const tell = { id: 'tell', do: 'notify', with: { to: ['creator'], template: 'shop.stopped', todo: true } }
    const woven = weave(entity, {
      templates,
      listeners: [hears('shop.order.stop', [tell]), hears('shop.order.change', [rename])],
    })
    expect(woven['x-states']?.[0]?.transitions[0]?.effects).toEqual([
      { ...tell, id: 'demo.hear.tell', with: { title: text('Stopped'), ...tell.with } },
    ])
    expect(woven['x-effects']).toEqual({ change: [{ ...rename, id: 'demo.hear.rename' }] })
    expect(entity['x-effects']).toBeUndefined()
  })
})
