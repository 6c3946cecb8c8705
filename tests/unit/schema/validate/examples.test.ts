import { describe, expect, it } from 'vitest'
import { problemsOf, valueOf } from './world'

const WHERE = 'schemas/demo/entities/item.json'
const clock = '2026-03-02T10:00:00+08:00'

/** What is wrong with an example of the small entity, as `place: sentence`. */
const told = (...examples: readonly object[]): string[] =>
  problemsOf([{ where: WHERE, type: 'entity', value: { ...valueOf(WHERE), 'x-tests': examples } }]).map(
    ({ code, at, message }) => `${code} ${at}: ${message.en}`,
  )

describe('An example', () => {
  it('is right when it names fields, transitions and records that are there', () => {
    expect(
      told({
        id: 'closes',
        clock,
        given: { other: { values: { name: 'Other', status: 'open' } } },
        do: [{ save: { name: 'New' } }, { transition: 'close' }, { record: 'other', transition: 'close' }, { clock }],
        expect: [{ values: { status: 'closed' } }, { entity: 'demo.item', match: { name: 'New' }, records: 1 }],
      }),
    ).toEqual([])
  })

  it.each([
    [
      { do: [{ save: { nam: 'x' } }] },
      'unknown-field /x-tests/0/do/0/save/nam: The entity "demo.item" has no field "nam". Did you mean "name"?',
    ],
    [
      { do: [{ save: { name: 'x' } }, { transition: 'clos' }] },
      'unknown-transition /x-tests/0/do/1/transition: The entity "demo.item" has no transition "clos". Did you mean "close"?',
    ],
    [
      { do: [{ save: { name: 'x' } }, { transition: 'close', values: { name: 'y' } }] },
      'unknown-field /x-tests/0/do/1/values/name: The transition "close" does not take "name".',
    ],
    [
      { do: [{ record: 'gone', transition: 'close' }] },
      'unknown-field /x-tests/0/do/0/record: The example has no record "gone".',
    ],
    [{ do: [{ user: 'anna', save: { name: 'x' } }] }, 'unknown-field /x-tests/0/do/0/user: The example has no record "anna".'],
    [
      { do: [{ save: { name: 'x' } }], expect: [{ entity: 'demo.thing', match: {} }] },
      'unknown-entity /x-tests/0/expect/0/entity: There is no entity "demo.thing".',
    ],
    [
      { given: { one: { values: { size: 1 } } }, do: [{ clock }] },
      'unknown-field /x-tests/0/given/one/values/size: The entity "demo.item" has no field "size".',
    ],
  ])('%j is refused with a sentence', (example, sentence) => expect(told({ id: 'a', clock, ...example })).toEqual([sentence]))
})
