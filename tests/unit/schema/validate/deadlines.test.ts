import { describe, expect, it } from 'vitest'
import { problemsOf, valueOf } from './world'

const WHERE = 'schemas/demo/entities/item.json'

/** What is wrong with a deadline of the small entity, as `place: sentence`. */
function told(...deadlines: readonly object[]): string[] {
  const entity = valueOf(WHERE)
  const properties = entity.properties as Record<string, unknown>
  const label = { 'x-label': { zh: '时', en: 'Time' } }
  const value = {
    ...entity,
    properties: {
      ...properties,
      dueAt: { type: 'string', format: 'date-time', ...label },
      dueOn: { type: 'string', format: 'date', ...label },
    },
    'x-deadlines': deadlines,
  }
  return problemsOf([{ where: WHERE, type: 'entity', value }]).map(({ code, at, message }) => `${code} ${at}: ${message.en}`)
}

describe('A deadline', () => {
  it('is right when it stands on a stored date or moment and does one thing, or only reminds', () => {
    const effects = [{ id: 'tell', do: 'notify', with: { to: ['creator'], title: { zh: '到期', en: 'Due' } } }]
    expect(
      told(
        { id: 'a', at: 'dueAt', plus: 'PT72H', in: ['open'], transition: 'close' },
        { id: 'b', at: 'dueOn', time: '02:00', most: 100, transition: 'close', where: [{ field: 'name', operator: 'notEmpty' }] },
        { id: 'c', at: 'createdAt', plus: 'P18M', delete: true },
        { id: 'd', at: 'dueOn', remind: [{ id: 'soon', before: 'P3D', effects }] },
      ),
    ).toEqual([])
  })

  it.each([
    [{ at: 'gone', transition: 'close' }, 'unknown-field /x-deadlines/0/at: The entity "demo.item" has no field "gone".'],
    [
      { at: 'name', transition: 'close' },
      'field-kind-mismatch /x-deadlines/0/at: "name" is not a stored date or moment: nothing can be due by it.',
    ],
    [
      { at: 'dueAt', time: '02:00', transition: 'close' },
      'field-kind-mismatch /x-deadlines/0/time: "dueAt" has a time of its own: "time" is for dates.',
    ],
    [
      { at: 'dueOn', plus: 'PT5H', transition: 'close' },
      'field-kind-mismatch /x-deadlines/0/plus: A date counts in days, and "PT5H" has hours or minutes.',
    ],
    [{ at: 'dueAt', transition: 'open' }, 'unknown-transition /x-deadlines/0/transition: There is no transition "open".'],
    [
      { at: 'dueAt', in: ['closed'], transition: 'close' },
      'unknown-state /x-deadlines/0/in/0: The transition "close" is not possible in the state "closed".',
    ],
    [
      { at: 'dueAt', in: ['opne'], delete: true },
      'unknown-state /x-deadlines/0/in/0: The dictionary "itemStatus" has no value "opne". Did you mean "open"?',
    ],
    [
      { at: 'dueAt', transition: 'close', delete: true },
      'field-kind-mismatch /x-deadlines/0/delete: A deadline takes a transition or deletes, not both.',
    ],
    [
      { at: 'dueAt' },
      'field-kind-mismatch /x-deadlines/0: Nothing happens at this deadline: give it a transition, a deletion or a reminder.',
    ],
    [
      { at: 'createdAt', delete: true },
      'field-kind-mismatch /x-deadlines/0/plus: It keeps nothing: every record would be deleted as soon as it is made.',
    ],
    [
      { at: 'dueAt', transition: 'close', values: { note: 'x' } },
      'unknown-field /x-deadlines/0/values/note: The entity "demo.item.close" has no field "note".',
    ],
    [{ at: 'dueAt', plus: 'P{{ name }}D', transition: 'close' }, 'expression-root /x-deadlines/0/plus: There is no "name" here.'],
  ])('that makes no sense is told: %j', (deadline, sentence) => expect(told({ id: 'one', ...deadline })).toEqual([sentence]))

  it('has an id of its own', () =>
    expect(told({ id: 'a', at: 'dueAt', transition: 'close' }, { id: 'a', at: 'dueOn', transition: 'close' })).toEqual([
      'duplicate-id /x-deadlines/1/id: The id "a" is used twice.',
    ]))
})
