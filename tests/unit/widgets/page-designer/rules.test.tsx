// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { ENGINE_VERBS } from '../../../../src/schema/effect/verbs'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { applyChanges, diffDocuments, joinAddress, type JsonObject } from '../../../../src/schema/overlay'
import { wordName } from '../../../../src/schema/overlay/words'
import { valueAt, withItem, withValue } from '../../../../src/widgets/page-designer/document/address'
import { namedItem } from '../../../../src/widgets/page-designer/document/items'
import { flatOutline, outlineOf, panelWords, type OutlineNode } from '../../../../src/widgets/page-designer/document/outline'
import {
  DesignContext,
  ProblemsContext,
  SurroundingsContext,
  type Design,
} from '../../../../src/widgets/page-designer/editor/design'
import type { ItemActions } from '../../../../src/widgets/page-designer/editor/itemActions'
import { choiceName } from '../../../../src/widgets/page-designer/language/choices'
import { explanation } from '../../../../src/widgets/page-designer/language/help'
import { Labels } from '../../../../src/widgets/page-designer/language/labels'
import { Language, type Meta } from '../../../../src/widgets/page-designer/language/meta'
import { Control } from '../../../../src/widgets/page-designer/panel/Control'
import { PropertyPanel } from '../../../../src/widgets/page-designer/panel/PropertyPanel'
import { fakeHost } from '../../../support/fakeHost'
import { rootOfEachTest } from '../../../support/reactRoot'

const root = rootOfEachTest()
beforeEach(() => {
  vi.stubGlobal('matchMedia', () =>
    Object.assign(new EventTarget(), { matches: false, addListener: () => undefined, removeListener: () => undefined }),
  )
})

const text = (en: string) => ({ zh: en, en })
const field = (label: string, more: object = {}) => ({ type: 'string', 'x-label': text(label), ...more })
const where = [{ field: 'status', value: 'pending' }]

const state = {
  name: 'orderState',
  label: text('State'),
  items: [
    { code: 'pending', label: text('Waiting') },
    { code: 'done', label: text('Done') },
  ],
} as unknown as DictionaryDocument
const line = {
  name: 'srm.line',
  label: text('Line'),
  titleField: 'name',
  type: 'object',
  properties: {
    name: field('Name'),
    orderId: field('Order', { 'x-ref': 'srm.order' }),
    amount: field('Amount', { format: 'decimal' }),
    status: field('State of the line', { 'x-dictionary': 'orderState' }),
  },
  'x-states': [
    {
      field: 'status',
      initial: 'pending',
      transitions: [
        { id: 'settle', label: text('Settle'), from: ['pending'], fields: ['amount'], inputs: { why: field('Why') } },
      ],
    },
  ],
} as unknown as EntityDocument

/** Every word of the rules once. */
const order = {
  formatVersion: 3,
  name: 'srm.order',
  label: text('Order'),
  titleField: 'name',
  type: 'object',
  properties: {
    name: field('Name'),
    status: field('Status', { 'x-dictionary': 'orderState' }),
    dueOn: field('Due on', { format: 'date' }),
    buyerId: field('Buyer', { 'x-ref': 'sys.staff', 'x-onDelete': 'restrict' }),
    parentId: field('Parent', { 'x-ref': 'srm.line' }),
    code: field('Code', { 'x-sequence': { pattern: 'O{n:5}', per: ['buyerId'], gapless: true, at: 'accept' } }),
    lines: { type: 'array', 'x-label': text('Lines'), 'x-lines': { entity: 'srm.line', parent: 'orderId', saved: 'together' } },
    total: field('Total', { 'x-rollup': { of: 'srm.line.orderId', sum: 'amount', where, hot: true, atLeast: '{{ 0 }}' } }),
    title: field('Title', { 'x-derived': { value: '{{ name }}', in: ['pending'] } }),
  },
  'x-states': [
    {
      field: 'status',
      initial: 'pending',
      transitions: [
        {
          id: 'accept',
          label: text('Accept'),
          from: ['pending'],
          to: 'done',
          by: ['creator', { field: 'buyerId' }, { leaderOf: 'creator', levels: 2 }, { role: 'manager' }],
          not: [{ path: 'buyerId' }],
          refuse: [{ id: 'late', when: '{{ dueOn < today }}', message: text('It is too late') }],
          auto: '{{ total > 0 }}',
          fields: ['dueOn'],
          inputs: { note: field('Note') },
          required: ['note'],
          reason: 'note',
          effects: [
            { id: 'tell', do: 'notify', with: { to: ['creator'], title: text('Accepted'), closes: 'withState' } },
            { id: 'stamp', do: 'set', when: '{{ true }}', with: { dueOn: '{{ today }}' } },
            { id: 'copy', do: 'create', each: '{{ lines }}', as: 'made', with: { entity: 'srm.line', values: { name: 'A' } } },
            {
              id: 'end',
              do: 'transition',
              on: { entity: 'srm.line', where },
              with: { transition: 'settle', values: { why: 'x' } },
              whenRefused: { transition: 'settle' },
              locked: true,
            },
            { id: 'note', do: 'log', each: { reference: 'parentId' }, with: { text: 'Done' }, whenRefused: 'skip' },
          ],
        },
      ],
      enter: { done: [{ id: 'log', do: 'log', with: { text: 'Over' } }] },
    },
  ],
  'x-lookups': {
    rule: { rules: 'srm.limits', for: 'buyerId' },
    pending: { first: 'srm.line', where, sort: [{ field: 'amount', order: 'asc' }] },
    open: { count: 'srm.line', where },
    sum: { sum: 'srm.line.amount', where },
  },
  'x-limits': [{ id: 'few', per: ['buyerId'], where, most: 5, message: text('Too many') }],
  'x-unique': [{ id: 'one', fields: ['buyerId'], where, message: text('One only') }],
  'x-deadlines': [
    {
      id: 'expire',
      label: text('Over'),
      at: 'dueOn',
      plus: 'P3D',
      in: ['pending'],
      where,
      time: '02:00',
      most: '{{ 5 }}',
      transition: 'accept',
      values: { note: 'x' },
      remind: [{ id: 'soon', before: 'PT72H', effects: [{ id: 'tell', do: 'log', with: { text: 'Soon' } }] }],
    },
    { id: 'retention', at: 'dueOn', plus: 'P18M', delete: true },
  ],
  'x-editable': [{ by: ['creator'], in: ['pending'], while: '{{ true }}', fields: ['name'], message: text('No') }],
  'x-deletable': [{ by: ['owner'] }],
  'x-participants': [{ id: 'buyer', people: [{ field: 'buyerId' }], access: 'read', where, through: 'parentId' }],
  'x-accepts': { create: true, set: ['name'], transitions: ['accept'] },
  'x-forbids': [{ id: 'running', in: ['pending'], on: 'parentId', transitions: ['settle'], message: text('It runs') }],
  'x-effective': { from: 'dueOn', until: 'dueOn', key: ['buyerId'], while: where, insert: 'refuse' },
  'x-use': [{ id: 'own', feature: 'ownership', with: { pool: 'sea' } }],
} as unknown as JsonObject

const ACTIONS = { destinations: () => [], choose: () => undefined } as unknown as ItemActions
const designOf = (document: JsonObject, edited: JsonObject[] = []): Design => ({
  document,
  language: new Language('entity', document),
  labels: new Labels(document, { 'srm.order': document as unknown as EntityDocument, 'srm.line': line }, 'en'),
  entities: [
    { name: 'srm.line', label: text('Line') },
    { name: 'srm.order', label: text('Order') },
  ],
  dictionaries: { orderState: state },
  dictionaryNames: [],
  permissions: [],
  roles: [{ code: 'manager', name: text('Managers') }],
  base: null,
  edit: (next) => edited.push(next),
  change: (at, value) => edited.push(withValue(document, at, value)),
})
const draw = (design: Design, node: React.ReactNode): void =>
  act(() =>
    root.current.render(
      <HostProvider value={fakeHost({ locale: 'en' })}>
        <SurroundingsContext value={design}>
          <DesignContext value={design}>{node}</DesignContext>
        </SurroundingsContext>
      </HostProvider>,
    ),
  )
const outline = ({ document, language, labels }: Design): OutlineNode[] => flatOutline(outlineOf(document, language, labels))
const controls = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.sb-design-control')]
const labelOf = (control: Element): string => control.querySelector(':scope > .sb-design-label')?.textContent ?? ''
/** Controls in which JSON is typed, by their labels; a pair of a name and a value is one of them. */
const typedAsJson = (): string[] =>
  [...document.querySelectorAll('.ant-select-auto-complete textarea')].map((box) => {
    const control = box.closest('.sb-design-control')
    return control ? labelOf(control) : ''
  })
/** What the control of a word offers. */
const offered = (at: string, name = at.split('/').at(-1) ?? '', word?: Meta): string[] => {
  const design = designOf(order)
  const value = valueAt(order, at)
  draw(
    design,
    <Control at={at} name={name} word={word ?? design.language.at(at) ?? {}} value={value} onChange={() => undefined} />,
  )
  act(() => document.querySelector('.ant-select-selector')?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })))
  return [...document.querySelectorAll('.ant-select-item-option-content')].map(({ textContent }) => textContent ?? '')
}

describe('The rules of an entity', () => {
  it('are parts of the outline: what has an id can be chosen, ordered and taken out', () => {
    const parts = outline(designOf(order)).map(({ address }) => address)
    const accept = 'x-states/status/transitions/accept'
    expect(parts).toEqual(
      expect.arrayContaining([
        accept,
        `${accept}/refuse/late`,
        `${accept}/inputs/note`,
        `${accept}/effects/tell`,
        'x-lookups/pending',
        'x-limits/few',
        'x-unique/one',
        'x-deadlines/expire',
        'x-deadlines/expire/remind/soon',
        'x-deadlines/expire/remind/soon/effects/tell',
        'x-participants/buyer',
        'x-forbids/running',
        'x-use/own',
      ]),
    )
    const named = outline(designOf(order)).find(({ address }) => address === `${accept}/effects/tell`)
    expect([named?.label, named?.id]).toEqual(['Notify', 'tell'])
  })

  it('have a control for each of their words: JSON is typed only where values are free', { timeout: 60_000 }, () => {
    const design = designOf(order)
    const seen = new Set<string>()
    for (const { address, kind } of outline(design)) {
      if (kind === 'list') continue
      const ofField = /(?:^|\/)(?:properties|inputs)\//.test(address)
      const given = valueAt(order, address)
      // Of a field what says where its value comes from, of the rest everything.
      const words = panelWords(order, design.language, address).filter(
        ([word]) => !ofField || (word.startsWith('x-') && Object.hasOwn(given as object, word)),
      )
      const whole = design.language.at(address)
      const shown = whole?.oneOf ? [['', whole] as const] : words
      draw(
        design,
        shown.map(([name, word]) => {
          const at = name === '' ? address : joinAddress(address, name)
          return <Control key={at} at={at} name={name} word={word} value={valueAt(order, at)} onChange={() => undefined} />
        }),
      )
      for (const label of typedAsJson()) seen.add(`${address || 'entity'}: ${label}`)
    }
    expect([...seen].filter((one) => !/: (?:Values|With|Ownership)$/.test(one))).toEqual([])
  })

  it('are called by names in both languages', () => {
    const words = new Set<string>()
    const collect = (meta: unknown): void => {
      if (typeof meta !== 'object' || meta === null) return
      if ('properties' in meta && typeof meta.properties === 'object')
        for (const word of Object.keys(meta.properties ?? {})) words.add(word)
      Object.values(meta).forEach(collect)
    }
    collect(JSON.parse(readFileSync('schemas/meta/entity.json', 'utf8')))
    collect(ENGINE_VERBS.map((verb) => verb.with))
    const head = ['$schema', 'formatVersion', 'name', 'additionalProperties', 'minProperties', 'propertyNames']
    const unnamed = [...words].filter((word) => !head.includes(word) && wordName(word, 'zh', `x-any/${word}`) === word)
    expect(unnamed).toEqual([])
  })

  it('of verbs are explained and named in Chinese', () => {
    const told: string[] = []
    const collect = (meta: unknown): void => {
      if (typeof meta !== 'object' || meta === null) return
      if (
        'description' in meta &&
        typeof meta.description === 'string' &&
        explanation(meta.description, 'zh') === meta.description
      )
        told.push(meta.description)
      if ('enum' in meta && Array.isArray(meta.enum))
        told.push(...(meta.enum as string[]).filter((choice) => choiceName(choice, 'zh') === choice))
      Object.values(meta).forEach(collect)
    }
    collect(ENGINE_VERBS.map((verb) => verb.with))
    expect(told).toEqual([])
  })

  it('change by ids: a refusal that is added does not touch the other parts', () => {
    const list = 'x-states/status/transitions/accept/refuse'
    const language = new Language('entity', order)
    const item = namedItem(language, list, 'refuse', 'closed')
    expect(item).toEqual({ id: 'closed', when: '', message: { zh: 'closed', en: 'closed' } })
    const next = withItem(order, list, 'closed', item)
    const changes = diffDocuments(order, next)
    expect(changes).toEqual([{ at: list, add: item, after: 'late' }])
    const released = withValue(order, 'x-states/status/transitions/accept/refuse/late/when', '{{ false }}')
    expect(valueAt(applyChanges(released, changes).document, `${list}/late/when`)).toBe('{{ false }}')
  })

  it.each([
    ['x-states/status/transitions', 'transitions', { id: 'next', label: text('next'), from: [] }],
    ['x-states/status/transitions/accept/effects', 'effects', { id: 'next', do: '', with: {} }],
    ['x-deadlines', 'x-deadlines', { id: 'next', at: '', label: text('next') }],
    ['x-limits', 'x-limits', { id: 'next', per: [], most: 0, message: text('next') }],
    ['x-unique', 'x-unique', { id: 'next', fields: [] }],
    ['x-participants', 'x-participants', { id: 'next', access: 'read' }],
    ['x-rules', 'x-rules', { id: 'next', when: '', message: text('next') }],
    ['x-lookups', 'x-lookups', { rules: '' }],
  ])('begin with everything that the language asks for: %s', (list, name, item) => {
    expect(namedItem(new Language('entity', order), list, name, 'next')).toEqual(item)
  })
})

describe('Names in rules', () => {
  const accept = 'x-states/status/transitions/accept'
  const end = `${accept}/effects/end`

  it.each([
    ['x-deadlines/expire/in', ['Waiting · pending', 'Done · done']],
    ['x-deadlines/expire/transition', ['Accept · accept']],
    [`${accept}/reason`, ['Due on · dueOn', 'Note · note']],
    ['x-lookups/pending/first', ['Line · srm.line', 'Order · srm.order']],
    ['x-forbids/running/transitions', ['Settle · settle']],
    ['properties/lines/x-lines/parent', ['Order · orderId']],
    ['properties/total/x-rollup/of', ['Line · Order · srm.line.orderId']],
    ['x-accepts/transitions', ['Accept · accept']],
  ])('are those that can stand there: %s', (at, names) => {
    const found = offered(at)
    expect(found.filter((name) => names.includes(name)).sort()).toEqual([...names].sort())
    expect(found).toHaveLength(names.length)
  })

  it('are dates where a moment is meant', () => {
    const found = offered('x-deadlines/expire/at')
    expect(found).toContain('Due on · dueOn')
    expect(found).not.toContain('Name · name')
  })

  it('belong to the records that a look-up, a rollup or an effect speaks of', () => {
    const { labels } = designOf(order)
    const entityOf = (at: string): string | undefined => labels.entityNameAt(at)
    expect(entityOf('x-lookups/pending/where/0/field')).toBe('srm.line')
    expect(entityOf('x-lookups/sum/where/0/field')).toBe('srm.line')
    expect(entityOf('properties/total/x-rollup/sum')).toBe('srm.line')
    expect(entityOf('properties/total/x-rollup/of')).toBe('srm.order')
    expect(entityOf('properties/lines/x-lines/parent')).toBe('srm.line')
    expect(entityOf(`${end}/with/transition`)).toBe('srm.line')
    expect(entityOf(`${end}/on/where/0/field`)).toBe('srm.line')
    expect(entityOf(`${accept}/effects/stamp/with`)).toBe('srm.order')
    expect(entityOf(`${accept}/effects/note/each/where`)).toBe('srm.line')
    expect(labels.fieldsAround(`${accept}/effects/copy/with/values`).map(({ name }) => name)).toContain('amount')
  })

  it('of verbs are what the verb takes, with its people and its text', () => {
    const design = designOf(order)
    const node = outline(design).find(({ address }) => address === `${accept}/effects/tell`)
    if (!node) throw new Error('There is no effect.')
    draw(design, <PropertyPanel node={node} actions={ACTIONS} />)
    const labels = controls().map(labelOf)
    expect(labels).toEqual(expect.arrayContaining(['Does', 'With', 'To', 'Title', 'Leads to', 'Closes']))
    expect(document.body.textContent).toContain('Who made it')
  })
})

describe('Values in rules', () => {
  /** The control of a word, and what becomes of it. */
  const control = (at: string, value: unknown): unknown[] => {
    const given: unknown[] = []
    const design = designOf(order)
    draw(
      design,
      <Control
        at={at}
        name={at.split('/').at(-1) ?? ''}
        word={design.language.at(at) ?? {}}
        value={value}
        onChange={(next) => given.push(next)}
      />,
    )
    return given
  }
  const open = (): void =>
    act(() => {
      document.querySelector('.ant-select-selector')?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
    })
  const pick = (label: string): void =>
    act(() => {
      const options = [...document.querySelectorAll<HTMLElement>('.ant-select-item-option')]
      options.find(({ textContent }) => textContent === label)?.click()
    })

  it('of several forms are of the one that is chosen', () => {
    const given = control('x-limits/few/most', 5)
    open()
    pick('Expression')
    expect(given).toEqual([undefined])
    const lookups = control('x-lookups/pending', undefined)
    open()
    pick('Number of records')
    expect(lookups).toEqual([{ count: '', where: [] }])
  })

  it('of durations are a number and a unit', () => {
    const given = control('x-deadlines/expire/plus', 'P3D')
    expect(document.querySelector<HTMLInputElement>('.ant-input-number-input')?.value).toBe('3')
    open()
    pick('hours')
    expect(given).toEqual(['PT3H'])
  })

  it('that are wrong say so at their control', () => {
    const at = 'x-deadlines/expire/at'
    const design = designOf(order)
    const problem = {
      code: 'unknown-field',
      severity: 'error',
      where: '',
      at: '',
      message: text('There is no such field.'),
    } as const
    draw(
      design,
      <ProblemsContext value={new Map([[at, [problem]]])}>
        <Control at={at} name="at" word={design.language.at(at) ?? {}} value="nothing" onChange={() => undefined} />
      </ProblemsContext>,
    )
    expect(document.querySelector('[role="alert"]')?.textContent).toBe('There is no such field.')
  })
})
