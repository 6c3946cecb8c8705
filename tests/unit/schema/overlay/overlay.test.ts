import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  applyChanges,
  diffDocuments,
  joinAddress,
  mergeDocuments,
  addressOfChange,
  type Change,
} from '../../../../src/schema/overlay'

const text = fc.record({ zh: fc.string({ maxLength: 3 }), en: fc.string({ maxLength: 3 }) })
const ids = ['name', 'level', 'status', 'ownerId.name', 'a/b', 'c~d', 'idleDays', 'createdAt'] as const
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const column = fc
  .record({
    field: fc.constantFrom(...ids),
    width: optional(fc.integer({ min: 40, max: 400 })),
    hidden: optional(fc.boolean()),
    title: optional(text),
  })
  .map((entry) => JSON.parse(JSON.stringify(entry)) as { field: string })
const columns = fc.uniqueArray(column, { selector: ({ field }) => field, maxLength: 7 })
const node: fc.Arbitrary<Record<string, unknown>> = fc
  .record({
    type: fc.constantFrom('string', 'void'),
    title: optional(text),
    enum: optional(fc.array(fc.integer(), { maxLength: 3 })),
  })
  .map((entry) => JSON.parse(JSON.stringify(entry)) as Record<string, unknown>)
const form = fc
  .uniqueArray(fc.tuple(fc.constantFrom('name', 'level', 'phone', 'group'), node), { selector: ([key]) => key, maxLength: 4 })
  .map((entries) => ({ type: 'object', properties: Object.fromEntries(entries) }))
const page = fc
  .record({
    title: text,
    pageSize: optional(fc.constantFrom(10, 20, 50)),
    columns: optional(columns),
    sort: optional(
      fc.array(fc.record({ field: fc.constantFrom(...ids), order: fc.constantFrom('asc', 'desc') }), { maxLength: 2 }),
    ),
    tabs: fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c'), title: text, list: fc.record({ columns }) }), {
      selector: ({ id }) => id,
      maxLength: 3,
    }),
    schema: form,
  })
  .map((entry) => JSON.parse(JSON.stringify(entry)) as Record<string, unknown>)

/** With the order of fields, which a comparison of objects does not see. */
const ordered = (document: unknown): unknown => {
  if (Array.isArray(document)) return document.map(ordered)
  if (typeof document !== 'object' || document === null) return document
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => [
      key,
      key === 'properties' ? Object.entries(value as object) : ordered(value),
    ]),
  )
}
const meet = (a: string, b: string) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)
const bare = (change: Change) => addressOfChange(change).replace(/#order$/, '')
/** An item that is added names its neighbour, and what comes to one place has an order. */
const touched = (change: Change) => [
  bare(change),
  ...('add' in change ? [typeof change.after === 'string' ? joinAddress(change.at, change.after) : change.at] : []),
]
const independent = (one: Change, other: Change) =>
  !touched(one).some((a) => touched(other).some((b) => meet(a, b))) && !('add' in one && 'add' in other && one.at === other.at)
/** A base and two lists of changes of which neither touches what the other does. */
const apart = fc
  .tuple(page, page, page, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }))
  .map(([base, one, other, flags]) => {
    const mine = diffDocuments(base, one).filter((_, index) => flags[index % flags.length])
    const theirs = diffDocuments(base, other).filter((change) => mine.every((own) => independent(own, change)))
    return { base, mine, theirs }
  })

describe('changes by stable ids', () => {
  it('make the wanted document of the base, whatever the two are', () => {
    fc.assert(
      fc.property(page, page, (base, wanted) => {
        const { document, outcomes } = applyChanges(base, diffDocuments(base, wanted))
        expect(ordered(document)).toEqual(ordered(wanted))
        expect(outcomes.every((outcome) => outcome === 'kept')).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('change nothing when there are none, and leave the given document alone', () => {
    fc.assert(
      fc.property(page, page, (base, wanted) => {
        const before = JSON.stringify(base)
        expect(applyChanges(base, []).document).toEqual(base)
        expect(diffDocuments(base, base)).toEqual([])
        applyChanges(base, diffDocuments(base, wanted))
        expect(JSON.stringify(base)).toBe(before)
      }),
    )
  })

  it('come back as they were from the document that they made', () => {
    fc.assert(
      fc.property(page, page, (base, wanted) => {
        const changes = diffDocuments(base, wanted)
        expect(diffDocuments(base, applyChanges(base, changes).document)).toEqual(changes)
      }),
    )
  })

  it('mean the same in any order of the list', () => {
    fc.assert(
      fc.property(page, page, fc.infiniteStream(fc.nat()), (base, wanted, numbers) => {
        const changes = diffDocuments(base, wanted)
        const shuffled = changes.map((change) => ({ change, key: numbers.next().value })).sort((a, b) => a.key - b.key)
        expect(
          ordered(
            applyChanges(
              base,
              shuffled.map(({ change }) => change),
            ).document,
          ),
        ).toEqual(ordered(wanted))
      }),
    )
  })

  it('commute when they are independent', () => {
    fc.assert(
      fc.property(apart, ({ base, mine: a, theirs: b }) => {
        const together = ordered(applyChanges(base, [...a, ...b]).document)
        expect(ordered(applyChanges(applyChanges(base, a).document, b).document)).toEqual(together)
        expect(ordered(applyChanges(applyChanges(base, b).document, a).document)).toEqual(together)
      }),
      { numRuns: 500 },
    )
  })

  it('stay when the base is changed elsewhere', () => {
    fc.assert(
      fc.property(apart, ({ base, mine, theirs }) => {
        const release = applyChanges(base, theirs).document
        const { document, outcomes } = applyChanges(release, mine)
        const effective = mine.filter((_, index) => applyChanges(base, mine).outcomes[index] === 'kept')
        expect(outcomes).not.toContain('orphaned')
        expect(diffDocuments(release, document).map(bare)).toEqual(expect.arrayContaining(effective.map(bare)))
      }),
      { numRuns: 500 },
    )
  })

  it('are reported as orphans or as redundant, and never fail, on a base without what they change', () => {
    const base = { columns: [{ field: 'name', width: 200 }], title: { zh: '甲', en: 'A' } }
    const changes: Change[] = [
      { at: 'columns/level/width', set: 120 },
      { at: 'columns/name/width', set: 200 },
      { at: 'columns/status', remove: true },
      { at: 'columns', add: { field: 'industry' }, after: 'level' },
      { at: 'columns', order: ['industry', 'name'] },
      { at: 'tabs/contacts/title', set: { zh: '乙', en: 'B' } },
      { at: 'title/en', set: 'Renamed' },
    ]
    const { document, outcomes } = applyChanges(base, changes)
    expect(outcomes).toEqual(['orphaned', 'redundant', 'redundant', 'kept', 'kept', 'orphaned', 'kept'])
    expect(document).toEqual({
      columns: [{ field: 'industry' }, { field: 'name', width: 200 }],
      title: { zh: '甲', en: 'Renamed' },
    })
  })

  it('never reach a prototype', () => {
    const hostile: Change[] = [
      { at: '__proto__/polluted', set: true },
      { at: 'constructor/prototype/polluted', set: true },
      { at: 'schema/properties', add: {}, id: '__proto__' },
      { at: 'title/__proto__', set: { polluted: true } },
    ]
    const { outcomes, document } = applyChanges({ title: {}, schema: { properties: {} } }, hostile)
    expect(outcomes).toEqual(['orphaned', 'orphaned', 'orphaned', 'orphaned'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.getPrototypeOf((document as { title: object }).title)).toBe(Object.prototype)
  })
})

describe('a three-way merge', () => {
  it('keeps both people’s work and asks about nothing when they changed different places', () => {
    fc.assert(
      fc.property(apart, ({ base, mine, theirs }) => {
        const [one, other] = [mine, theirs].map((changes) => applyChanges(base, changes).document)
        const { document, conflicts } = mergeDocuments(base, one, other)
        expect(conflicts).toEqual([])
        expect(ordered(document)).toEqual(ordered(applyChanges(base, [...mine, ...theirs]).document))
      }),
      { numRuns: 500 },
    )
  })

  it('gives theirs, or mine, whole when every conflict is decided for one of the two', () => {
    fc.assert(
      fc.property(page, page, (ancestor, mine) => {
        expect(mergeDocuments(ancestor, mine, mine).conflicts).toEqual([])
        expect(ordered(mergeDocuments(ancestor, mine, ancestor).document)).toEqual(ordered(mine))
        expect(ordered(mergeDocuments(ancestor, ancestor, mine).document)).toEqual(ordered(mine))
      }),
    )
  })

  it('asks about a place that both changed, and about one that one removed and the other changed', () => {
    const ancestor = { columns: [{ field: 'name', width: 100 }, { field: 'level' }], pageSize: 20 }
    const mine = {
      columns: [
        { field: 'name', width: 150 },
        { field: 'level', width: 90 },
      ],
      pageSize: 50,
    }
    const theirs = { columns: [{ field: 'name', width: 180 }], pageSize: 50 }
    const { document, conflicts } = mergeDocuments(ancestor, mine, theirs)
    expect(conflicts.map(({ at }) => at).sort()).toEqual(['columns/level', 'columns/name/width'])
    expect(document).toEqual(theirs)
    const decided = mergeDocuments(ancestor, mine, theirs, { mine: new Set(['columns/level']) })
    expect(decided.document).toEqual({
      columns: [
        { field: 'name', width: 180 },
        { field: 'level', width: 90 },
      ],
      pageSize: 50,
    })
  })
})

describe('the order of fields is content', () => {
  const names = fc.shuffledSubarray(['item', 'qty', 'price', 'sum', 'remark', 'unit'], { minLength: 2 })
  const table = (columns: readonly string[]) => ({
    type: 'array',
    items: { type: 'object', properties: Object.fromEntries(columns.map((name) => [name, { type: 'string' }])) },
  })
  const formOf = (columns: readonly string[]) => ({
    schema: { type: 'object', properties: { name: { type: 'string' }, lines: table(columns) } },
  })
  const orderIn = (document: unknown) =>
    Object.keys((document as ReturnType<typeof formOf>).schema.properties.lines.items.properties)
  const apart = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  it('through differences, their application and a merge, also where nothing but the order is new', () => {
    fc.assert(
      fc.property(names, names, (before, wanted) => {
        const [from, to] = [formOf(before), formOf(wanted)]
        expect(orderIn(applyChanges(from, apart(diffDocuments(from, to)) as Change[]).document)).toEqual(wanted)
        expect(orderIn(applyChanges(null, apart(diffDocuments(null, to)) as Change[]).document)).toEqual(wanted)
        const whole: Change = { at: 'schema/properties/lines', set: table(wanted) }
        expect(orderIn(applyChanges(from, [whole]).document)).toEqual(wanted)
        expect(orderIn(mergeDocuments(from, to, from).document)).toEqual(wanted)
        expect(orderIn(mergeDocuments(from, from, to).document)).toEqual(wanted)
      }),
    )
  })
})
