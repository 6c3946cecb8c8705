import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSchemas } from '../../../../gateway/pages'
import { formatProblem } from '../../../../src/schema'
import { EFFECT_WORDS } from '../../../../src/schema/compile'
import type { EntityDocument, Transition } from '../../../../src/schema/generated/entity'
import type { Action } from '../../../../src/schema/generated/page'
import { isObject } from '../../../../src/schema/overlay'
import { readDocuments, type SourceDocument } from '../../../../src/schema/validate'
import { pageAs, problemsOf, valueOf } from './world'

const ENTITY = 'schemas/demo/entities/item.json'

/** The list page with one action of rows, and the entity with more said of the transition. */
const found = (action: object, transition: object = {}): (readonly [string, unknown])[] => {
  const entity = valueOf(ENTITY)
  const [machine] = entity['x-states'] as { transitions: object[] }[]
  Object.assign(machine?.transitions[0] ?? {}, transition)
  const page = {
    formatVersion: 3,
    kind: 'list',
    path: '/demo/items',
    title: { zh: '物品', en: 'Items' },
    permission: 'demo:items',
    entity: 'demo.item',
    columns: [{ field: 'name' }],
    rowActions: [action],
  }
  const documents: SourceDocument[] = [pageAs(page), { where: ENTITY, type: 'entity', value: entity }]
  return problemsOf(documents).map(({ code, at }) => [code, at] as const)
}

describe('A page that repeats what the entity says of a transition', () => {
  const repeated = [['restated-state', '/rowActions/0/visible']]

  it.each(["{{ row.status === 'open' }}", "{{ row.status !== 'closed' }}", "{{ includes(['open'], row.status) && row.name }}"])(
    'is told so: %s',
    (visible) => {
      expect(found({ id: 'close', visible })).toEqual(repeated)
      expect(found({ id: 'shut', transition: 'close', visible })).toEqual(repeated)
    },
  )

  it.each(["{{ row.status === 'closed' }}", "{{ row.status === 'open' || row.name }}", '{{ row.name }}', '{{ true }}'])(
    'is left alone when it says something else: %s',
    (visible) => expect(found({ id: 'close', visible })).toEqual([]),
  )

  it('is left alone when the action does something else under the name of a transition', () => {
    expect(found({ id: 'close', open: '/demo/items', visible: "{{ row.status === 'open' }}" })).toEqual([])
  })

  it('is told so of the people and of the refusals that the entity names', () => {
    const mine = { id: 'close', visible: '{{ row.createdBy === user.staffId }}' }
    expect(found(mine)).toEqual([])
    expect(found(mine, { by: ['creator'] })).toEqual(repeated)
    expect(found(mine, { by: ['creator', 'owner'] })).toEqual([])
    expect(found({ id: 'close', visible: '{{ row.createdBy !== user.staffId }}' }, { not: ['creator'] })).toEqual(repeated)
    const refuse = [{ id: 'unnamed', when: '{{ !name }}', message: { zh: '没有名称', en: 'It has no name' } }]
    const disabled = { id: 'close', disabled: '{{ !row.name }}', disabledReason: { zh: '没有名称', en: 'No name' } }
    expect(found(disabled)).toEqual([])
    expect(found(disabled, { refuse })).toEqual([['restated-state', '/rowActions/0/disabled']])
  })
})

describe('The pages of the portal', async () => {
  const documents = await readSchemas(join(import.meta.dirname, '../../../../schemas'))
  const { accepted, problems } = readDocuments(documents)
  const entities = new Map(
    accepted.flatMap(({ type, value }) => (type === 'entity' ? [[(value as EntityDocument).name, value as EntityDocument]] : [])),
  )

  /** Every action that takes a transition, with that transition, wherever it stands. */
  const taken = (value: unknown, around?: EntityDocument): { action: Action; transition: Transition }[] => {
    if (!isObject(value)) return Array.isArray(value) ? value.flatMap((one) => taken(one, around)) : []
    const entity = (typeof value.entity === 'string' ? entities.get(value.entity) : undefined) ?? around
    const transitions = entity?.['x-states']?.flatMap((machine) => machine.transitions) ?? []
    return Object.entries(value).flatMap(([key, inner]) => [
      ...(['actions', 'rowActions', 'bulkActions'].includes(key) && Array.isArray(inner)
        ? (inner as unknown as Action[]).flatMap((action) => {
            const id = action.transition ?? (EFFECT_WORDS.some((word) => word in action) ? undefined : action.id)
            const transition = transitions.find((one) => one.id === id)
            return transition ? [{ action, transition }] : []
          })
        : []),
      ...taken(inner, entity),
    ])
  }
  const actions = accepted.filter(({ type }) => type === 'page').flatMap(({ value }) => taken(value))

  it('repeat no state, person or refusal of a transition', () => {
    expect(problems.filter(({ code }) => code === 'restated-state').map((problem) => formatProblem(problem))).toEqual([])
  })

  it('name a transition by its id, and leave its label, icon, key, question and answer to the entity', () => {
    expect(actions.length).toBeGreaterThan(130)
    for (const { action, transition } of actions) {
      expect(action).not.toHaveProperty('transition')
      for (const word of ['label', 'icon', 'permission', 'danger', 'success'] as const)
        if (action[word] !== undefined) expect([action.id, word, action[word]]).not.toEqual([action.id, word, transition[word]])
    }
  })
})
