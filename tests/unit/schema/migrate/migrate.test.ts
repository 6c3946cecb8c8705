import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { migrateChanges, migrateDocument, migrateTarget, MIGRATIONS, PRESENT_VERSION } from '../../../../src/schema/migrate'
import { validateDocuments } from '../../../../src/schema/validate'

const FIXTURES = join(import.meta.dirname, '../../../fixtures/migrations')
const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as Record<string, unknown>
/** `0-page` for 0-page.before.json. */
const pairs = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.before.json'))
  .map((name) => name.replace('.before.json', ''))

describe('Migrations', () => {
  it('lead in steps of one from the first version to the present one, each with a pair of fixtures', () => {
    expect(MIGRATIONS.map(({ from }) => from)).toEqual(Array.from({ length: PRESENT_VERSION }, (_, index) => index))
    for (const { from, summary } of MIGRATIONS) {
      expect(
        pairs.some((pair) => pair.startsWith(`${from}-`)),
        `a fixture pair for ${from}`,
      ).toBe(true)
      expect(summary.zh && summary.en).toBeTruthy()
    }
  })

  it.each(pairs)('%s comes out as expected, and its source stays as it was', (pair) => {
    const [version = '', type = ''] = pair.split('-')
    const before = read(`${pair}.before.json`)
    const copy = structuredClone(before)
    expect(migrateDocument(type, before)).toEqual({ ok: true, value: read(`${pair}.after.json`), from: Number(version) })
    expect(before).toEqual(copy)
  })

  it.each(pairs)('%s has the shape of the present language afterwards', (pair) => {
    const type = pair.split('-')[1] as 'entity' | 'page' | 'rules'
    const problems = validateDocuments([{ where: 'schemas/x.json', type, value: read(`${pair}.before.json`) }], { partial: true })
    expect(problems.filter(({ code }) => code === 'invalid-shape' || code === 'unsupported-format-version')).toEqual([])
  })

  it('gives a present document back as it is', () => {
    const document = read('0-page.after.json')
    const result = migrateDocument('page', document)
    expect(result.ok && result.value).toBe(document)
  })

  it.each([[4], [-1], [0.5], ['1'], [null], [undefined]])('refuses the version %s with a sentence', (formatVersion) => {
    const result = migrateDocument('page', { formatVersion })
    expect(result.ok).toBe(false)
    if (!result.ok) expect(result.message.en).toMatch(/formatVersion|format version/)
  })

  it('bring the changes of admins to the words of today, too', () => {
    const name = { type: 'string', 'x-immutable': true }
    const effect = 'x-states/status/transitions/close/effects'
    expect(
      migrateChanges('entity:demo.item', [
        { at: 'properties/size/x-backfill', set: 3 },
        { at: 'properties/name/x-immutable', remove: true },
        { at: 'properties', add: name, id: 'code' },
        { at: `${effect}/over/do`, set: 'settle' },
        { at: `${effect}/say/with/apart`, set: true },
      ]),
    ).toEqual([
      { at: 'properties/size/x-backfill', set: 3 },
      { at: 'properties/name/x-immutable', remove: true },
      { at: 'properties', add: { type: 'string', 'x-immutable': true }, id: 'code' },
      { at: `${effect}/over/do`, set: 'close' },
      { at: `${effect}/say/with/separately`, set: true },
    ])
    expect(migrateChanges('page:crm/a', [{ at: 'submit/call', set: 'POST /v2/sys/rule/test/crm.a' }])).toEqual([
      { at: 'submit/call', set: 'POST /v2/sys/rule/test/crm.a' },
    ])
    expect(['page:crm/bench-duplicate', 'page:crm/leads'].map(migrateTarget)).toEqual([
      'page:crm/test-duplicate',
      'page:crm/leads',
    ])
  })

  it('never throws for an old document of any content', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom('entity', 'page', 'module', 'dictionary', 'rules', 'feature'),
        (document, type) => {
          expect(migrateDocument(type, { ...document, kind: 'detail', formatVersion: 0 }).ok).toBe(true)
        },
      ),
    )
  })
})
