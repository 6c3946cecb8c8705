import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateDocuments, type SourceDocument } from '../../../../src/schema/validate'
import { pageAs, problemsOf, valueOf, world, worldContext } from './world'
import { timeTaken } from '../../../support/timeTaken'

const codesOf = (value: unknown): string[] => problemsOf([pageAs(value)]).map(({ code }) => code)
const list = (more: object = {}): object => ({
  formatVersion: 3,
  kind: 'list',
  path: '/demo/items',
  title: { zh: '物品', en: 'Items' },
  entity: 'demo.item',
  columns: [{ field: 'name' }],
  ...more,
})

describe('Hostile documents', () => {
  it('refuses a document in memory that refers to itself', () => {
    const document: Record<string, unknown> = { ...list() }
    document.columns = [document]
    expect(codesOf(document)).toEqual(['invalid-shape'])
  })

  it('refuses a document nested a hundred thousand levels deep without exhausting the stack', () => {
    let value: unknown = 'x'
    for (let depth = 0; depth < 100_000; depth += 1) value = { inner: value }
    expect(codesOf(list({ columns: value }))).toEqual(['too-large'])
  })

  it('refuses a text of more than four megabytes before reading it', () => {
    const document: SourceDocument = {
      where: 'schemas/demo/pages/x.json',
      type: 'page',
      text: `"${'x'.repeat(5 * 1024 * 1024)}"`,
    }
    expect(problemsOf([document]).map(({ code }) => code)).toEqual(['too-large'])
  })

  it('refuses more values than anybody can mean', () => {
    expect(codesOf(list({ columns: Array.from({ length: 250_000 }, () => 1) }))).toEqual(['too-large'])
  })

  it.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s and pollutes nothing', (key) => {
    const document = JSON.parse(`{"formatVersion": 3,"kind":"list","${key}":{"polluted":true}}`) as unknown
    expect(codesOf(document)).toEqual(['invalid-shape'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('never runs a getter, a toJSON or a function of a document', () => {
    let ran = false
    const trap = (): never => {
      ran = true
      throw new Error('ran')
    }
    const document = { ...list() }
    Object.defineProperty(document, 'permission', { enumerable: true, get: trap })
    expect(codesOf(document)).toEqual(['invalid-shape'])
    expect(codesOf(list({ toJSON: trap }))).toEqual(['forbidden-code'])
    expect(ran).toBe(false)
  })

  it('survives a proxy that throws from every trap', () => {
    const thrower = new Proxy(
      {},
      {
        get: (_target, trap) => () => {
          throw new Error(String(trap))
        },
      },
    )
    expect(codesOf(new Proxy({}, thrower))).toEqual(['invalid-shape'])
  })

  it.each([[null], [undefined], [1], ['text'], [[]], [new Date(0)], [Symbol('x')], [10n], [new Map()]])(
    'refuses %s as a page',
    (value) => {
      expect(codesOf(value).length).toBeGreaterThan(0)
    },
  )

  it('finds a circle in a chain of ten thousand linked fields quickly', () => {
    const count = 5000
    const properties = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `f${index}`,
        { type: 'string', 'x-value': `{{ $values.f${(index + 1) % count} }}` },
      ]),
    )
    let codes: string[] = []
    const took = timeTaken(() => {
      codes = codesOf({
        formatVersion: 3,
        kind: 'form',
        title: { zh: '表单', en: 'Form' },
        entity: 'demo.item',
        schema: { type: 'object', properties },
      })
    })
    expect(codes).toContain('linkage-cycle')
    expect(codes).toContain('cost-budget')
    expect(took).toBeLessThan(5000)
  })

  it('never throws for any JSON in place of any document', () => {
    const types = fc.constantFrom<SourceDocument['type']>('entity', 'page', 'module', 'dictionary', 'calls')
    fc.assert(
      fc.property(types, fc.jsonValue(), (type, value) => {
        const problems = validateDocuments([...world.documents, { where: 'schemas/x.json', type, value }], worldContext)
        expect(problems.length).toBeGreaterThan(0)
      }),
    )
  })

  it('never throws for right documents with any value in any place', () => {
    const places = world.documents.flatMap((document, index) => pathsOf(document.value).map((path) => ({ index, path })))
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.oneof(fc.jsonValue(), fc.constantFrom('{{ a.b( }}', '{{ x => x }}', '__proto__', '', -1)),
        ({ index, path }, value) => {
          const documents = structuredClone(world.documents)
          put(documents[index] as object, ['value', ...path], value)
          const problems = validateDocuments(documents, worldContext)
          for (const problem of problems) expect(problem.message.zh && problem.message.en).toBeTruthy()
        },
      ),
      { numRuns: 400 },
    )
  })

  it('finds a misspelt name wherever a name of the small portal stands', () => {
    const where = 'schemas/demo/entities/item.json'
    for (const [path, value] of [
      [['titleField'], 'nmae'],
      [['required', '0'], 'nmae'],
      [['properties', 'parentId', 'x-ref'], 'demo.itm'],
      [['properties', 'status', 'x-dictionary'], 'itemStatsu'],
      [['properties', 'price', 'x-money'], 'curency'],
      [['x-permissions', 'add'], 'demo:item:edt'],
      [['x-states', '0', 'transitions', '0', 'from', '0'], 'opn'],
      [['x-states', '0', 'field'], 'statu'],
      [['x-states', '0', 'transitions', '0', 'reason'], 'nmae'],
    ] as const) {
      const spoilt = valueOf(where)
      put(spoilt, path, value)
      const found = problemsOf([{ where, type: 'entity', value: spoilt }]).filter((problem) => problem.value === value)
      expect(
        found.map(({ at }) => at),
        path.join('/'),
      ).toEqual([`/${path.join('/')}`])
      expect(found[0]?.hint, path.join('/')).toBeTruthy()
    }
  })
})

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))]
}

function put(target: object, path: readonly string[], value: unknown): void {
  let at = target as Record<string, unknown>
  for (const step of path.slice(0, -1)) at = at[step] as Record<string, unknown>
  const last = path.at(-1)
  if (last !== undefined) at[last] = value
}
