import { describe, expect, it } from 'vitest'
import { problemsOf, valueOf } from './world'

const ITEM = 'schemas/demo/entities/item.json'
const text = { zh: '不行', en: 'No' }

/** What is wrong with the small portal's entity when a transition says these words: where below it, and which problem. */
const wrongWith = (words: Record<string, unknown>, more: Record<string, unknown> = {}): string[] => {
  const transition = { id: 'close', label: text, from: ['open'], to: 'closed', ...words }
  const states = [{ field: 'status', initial: 'open', transitions: [transition] }]
  return problemsOf([{ where: ITEM, type: 'entity', value: { ...valueOf(ITEM), 'x-states': states, ...more } }]).map(
    ({ at, code }) => `${at.replace('/x-states/0/transitions/0', '')} ${code}`,
  )
}
const effect = (words: Record<string, unknown>): string[] => wrongWith({ effects: [{ id: 'one', with: {}, ...words }] })

describe('what an entity does', () => {
  it('may read the record, what was before, the input, look-ups, results of effects before it and fields behind references', () => {
    const lookups = { others: { count: 'demo.item', where: [{ field: 'parentId', value: '{{ id }}' }] } }
    expect(
      wrongWith(
        {
          by: ['creator', { field: 'parentId' }],
          refuse: [{ id: 'some', when: '{{ others > 0 && before.name !== input.name && parentId.name }}', message: text }],
          effects: [
            { id: 'made', do: 'create', with: { entity: 'demo.item', values: { name: '{{ name }}' } }, as: 'made' },
            { id: 'named', do: 'set', when: '{{ made.id }}', with: { name: '{{ made.name }}' } },
          ],
        },
        { 'x-lookups': lookups },
      ),
    ).toEqual([])
  })

  it('refuses names that are not there: fields behind references, look-ups, people, conditions', () => {
    expect(wrongWith({ refuse: [{ id: 'a', when: '{{ parentId.nmae }}', message: text }] })).toEqual([
      '/refuse/0/when unknown-field',
    ])
    expect(wrongWith({ refuse: [{ id: 'a', when: '{{ others > 1 }}', message: text }] })).toEqual([
      '/refuse/0/when expression-root',
    ])
    expect(wrongWith({ back: '{{ wasin }}' })).toEqual(['/back expression-root'])
    expect(wrongWith({ by: [{ field: 'name' }] })).toEqual(['/by/0/field field-kind-mismatch'])
    expect(wrongWith({ not: [{ path: 'parentId.onwer' }] })).toEqual(['/not/0/path unknown-field'])
    const lookups = {
      others: { count: 'demo.itme', where: [] },
      more: { first: 'demo.item', where: [{ field: 'nmae', value: 1 }] },
    }
    expect(wrongWith({}, { 'x-lookups': lookups })).toEqual([
      '/x-lookups/more/where/0/field unknown-field',
      '/x-lookups/others/count unknown-entity',
    ])
  })

  it('refuses effects that their verb does not take, states that would be set, and transitions that are not there', () => {
    expect(effect({ do: 'stamp' })).toEqual(['/effects/0/do unknown-verb'])
    expect(effect({ do: 'set', with: { status: 'closed' } })).toEqual(['/effects/0/with/status field-kind-mismatch'])
    expect(effect({ do: 'set', with: { nmae: 'x' } })).toEqual(['/effects/0/with/nmae unknown-field'])
    expect(effect({ do: 'create', with: { entity: 'demo.item' } })).toEqual(['/effects/0/with/values field-kind-mismatch'])
    expect(effect({ do: 'transition', with: { transition: 'close' } })).toEqual(['/effects/0 field-kind-mismatch'])
    expect(effect({ do: 'transition', on: { reference: 'parentId' }, with: { transition: 'shut' } })).toEqual([
      '/effects/0/with/transition unknown-transition',
    ])
    expect(effect({ do: 'notify', with: { to: [{ field: 'name' }], title: text } })).toEqual([
      '/effects/0/with/to/0/field field-kind-mismatch',
    ])
    expect(effect({ do: 'fin.post', with: { amount: 1 } })).toEqual([])
  })

  it('lets verbs of modules reach outside later, once a record, with transitions that are there', () => {
    const later = { retry: ['PT1M', 'PT{{ name }}M'], done: 'close', failed: 'close', link: '/item?id={{ id }}' }
    expect(effect({ do: 'mail.send', later })).toEqual([])
    expect(effect({ do: 'set', with: { name: 'x' }, later })).toEqual(['/effects/0/later field-kind-mismatch'])
    expect(effect({ do: 'mail.send', later: { done: 'clsoe' } })).toEqual(['/effects/0/later/done unknown-transition'])
    expect(effect({ do: 'mail.send', later: { again: 'clsoe' } })).toEqual(['/effects/0/later/again unknown-transition'])
    expect(effect({ do: 'mail.send', later: { inTurn: { key: '{{ idd }}', place: '{{ id }}' } } })).toEqual([
      '/effects/0/later/inTurn/key expression-root',
    ])
    expect(effect({ do: 'mail.send', later: { link: '/item?id={{ idd }}' } })).toEqual(['/effects/0/later/link expression-root'])
    expect(effect({ do: 'mail.send', each: '{{ [1, 2] }}', later: { retry: ['PT1M'] } })).toEqual([])
    expect(effect({ do: 'mail.send', each: '{{ [1, 2] }}', later: { failed: 'close' } })).toEqual([
      '/effects/0/later/failed field-kind-mismatch',
    ])
  })

  it('refuses a feature that there is not, and grants in states and fields that are not there', () => {
    expect(wrongWith({}, { 'x-use': [{ id: 'own', feature: 'ownership', with: {} }] })).toEqual([
      '/x-use/0/feature unknown-service',
    ])
    expect(wrongWith({}, { 'x-editable': [{ in: ['opne'], fields: ['nmae'] }] })).toEqual([
      '/x-editable/0/fields/0 unknown-field',
      '/x-editable/0/in/0 unknown-state',
    ])
  })
})
