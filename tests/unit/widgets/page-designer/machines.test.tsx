// @vitest-environment jsdom
import { act, type ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { JsonObject } from '../../../../src/schema/overlay'
import { readDocuments } from '../../../../src/schema/validate'
import { valueAt, withValue } from '../../../../src/widgets/page-designer/document/address'
import { flatOutline, outlineOf, type OutlineNode } from '../../../../src/widgets/page-designer/document/outline'
import { DesignContext, SurroundingsContext, type Design } from '../../../../src/widgets/page-designer/editor/design'
import type { ItemActions } from '../../../../src/widgets/page-designer/editor/itemActions'
import { Labels } from '../../../../src/widgets/page-designer/language/labels'
import { Language } from '../../../../src/widgets/page-designer/language/meta'
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
const state = {
  name: 'dealState',
  label: text('State'),
  items: [
    { code: 'open', label: text('Open') },
    { code: 'won', label: text('Won') },
  ],
} as unknown as DictionaryDocument
const rule = (id: string) => ({ id, when: '{{ false }}', message: text(id) })
const deal = {
  formatVersion: 3,
  name: 'crm.deal',
  label: text('Deal'),
  titleField: 'name',
  type: 'object',
  properties: {
    name: { type: 'string', 'x-label': text('Name') },
    status: { type: 'string', 'x-label': text('Status'), 'x-dictionary': 'dealState' },
  },
  'x-states': [
    {
      field: 'status',
      initial: 'open',
      transitions: [{ id: 'win', label: text('Win'), from: ['open'], to: 'won', fields: ['name'] }],
    },
  ],
  'x-rules': [rule('first'), rule('second')],
} as unknown as EntityDocument & JsonObject

const ACTIONS = { destinations: () => [] } as unknown as ItemActions
/** What is known around a document; `edited` collects what becomes of it. */
const designOf = (document: JsonObject, kind: 'entity' | 'page', edited: JsonObject[] = []): Design => ({
  document,
  language: new Language(kind, document),
  labels: new Labels(document, { 'crm.deal': deal }, 'en'),
  entities: [],
  dictionaries: { dealState: state },
  dictionaryNames: [],
  permissions: [],
  base: null,
  edit: (next) => edited.push(next),
  change: (at, value) => edited.push(withValue(document, at, value)),
})
const draw = (design: Design, node: ReactNode): void =>
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
const nodeAt = (design: Design, at: string): OutlineNode => outline(design).find(({ address }) => address === at)!
/** What the control of a word offers. */
const offered = (design: Design, at: string): string[] => {
  const name = at.split('/').at(-1) ?? ''
  const word = design.language.at(at) ?? {}
  draw(design, <Control at={at} name={name} word={word} value={valueAt(design.document, at)} onChange={() => undefined} />)
  act(() => document.querySelector('.ant-select-selector')?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })))
  return [...document.querySelectorAll('.ant-select-item-option-content')].map(({ textContent }) => textContent ?? '')
}

describe('the rules of an entity', () => {
  it('stay in sight when one loses its id or takes that of another', () => {
    for (const id of ['', 'second']) {
      const broken = withValue(deal, 'x-rules/first/id', id)
      const rules = outline(designOf(broken, 'entity')).filter(({ word, kind }) => word === 'x-rules' && kind === 'item')
      expect(rules).toHaveLength(2)
    }
  })

  it('keep their ids until another one can stand there', () => {
    const edited: JsonObject[] = []
    const design = designOf(deal, 'entity', edited)
    const chosen: string[] = []
    const actions = { ...ACTIONS, choose: (at: string) => void chosen.push(at) }
    draw(design, <PropertyPanel node={nodeAt(design, 'x-rules/first')} actions={actions} />)
    const box = [...document.querySelectorAll<HTMLInputElement>('input')].find(({ value }) => value === 'first')!
    const type = (given: string): void =>
      act(() => {
        box.focus()
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, given)
        box.dispatchEvent(new Event('input', { bubbles: true }))
      })
    type('')
    act(() => box.blur())
    type('second')
    act(() => box.blur())
    expect(edited).toEqual([])
    expect(document.querySelector('[role="alert"]')?.textContent).toBe(
      'An id cannot be empty, nor the same as another one of its list.',
    )
    type('third')
    act(() => box.blur())
    expect(edited.map((next) => (next['x-rules'] as { id: string }[]).map(({ id }) => id))).toEqual([['third', 'second']])
    expect(chosen).toEqual(['x-rules/third'])
  })
})

describe('a transition', () => {
  const at = 'x-states/status/transitions/win'

  it('leads from states to a state: what the dictionary of its field holds', () => {
    const design = designOf(deal, 'entity')
    for (const word of [`${at}/from`, `${at}/to`, 'x-states/status/initial'])
      expect(offered(design, word), word).toEqual(['Open · open', 'Won · won'])
  })

  it('asks for fields by their names: they are no parts of the outline', () => {
    const design = designOf(deal, 'entity')
    expect(outline(design).map(({ address }) => address)).not.toContain(`${at}/fields`)
    expect(offered(design, `${at}/fields`)).toContain('Name · name')
  })

  it('of an action is one of the transitions of the entity', () => {
    const page = { kind: 'list', entity: 'crm.deal', columns: [], rowActions: [{ id: 'win', transition: 'win' }] }
    expect(offered(designOf(page, 'page'), 'rowActions/win/transition')).toEqual(['Win · win'])
  })
})

describe('a column', () => {
  it('is hidden by default or taken out, and the panel says which is which', () => {
    const page = { kind: 'list', entity: 'crm.deal', columns: [{ field: 'name' }] }
    const design = designOf(page, 'page')
    draw(design, <PropertyPanel node={nodeAt(design, 'columns/name')} actions={ACTIONS} />)
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('.ant-space button')]
    const told = Object.fromEntries(buttons.map(({ textContent, title }) => [textContent, title]))
    expect(told).toMatchObject({
      'Hide by default': 'It does not show at first; everybody can still turn it on in the column settings.',
      'Take out of the list': 'Nobody can turn it on any more.',
    })
  })
})

describe('an entity with a fault', () => {
  it('is told of its fault alone: whoever refers to it is right that it is there', () => {
    const faulty = { ...deal, 'x-rules': [{ id: 'first', when: 7 }] }
    const child = {
      ...deal,
      name: 'crm.dealStep',
      properties: {
        name: { type: 'string', 'x-label': text('Name') },
        dealId: { type: 'string', 'x-ref': 'crm.deal', 'x-label': text('Deal') },
      },
      'x-states': [],
      'x-rules': [],
    }
    const { problems } = readDocuments(
      [
        { where: 'entity:crm.deal', type: 'entity', value: faulty },
        { where: 'entity:crm.dealStep', type: 'entity', value: child },
      ],
      { partial: true },
    )
    expect([...new Set(problems.map(({ where }) => where))]).toEqual(['entity:crm.deal'])
  })
})
