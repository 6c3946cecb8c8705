import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBundle } from '../../../../gateway/pages/bundle'
import { readSchemas } from '../../../../gateway/pages'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { PageDocument } from '../../../../src/schema/generated/page'
import { compilePage, formatProblem } from '../../../../src/schema'
import { readDocuments, validateDocuments } from '../../../../src/schema/validate'
import type { AcceptedDocument } from '../../../../src/schema/validate/accepted'
import { walksOf } from '../../../support/walkPart'

const { partOf } = walksOf(import.meta.filename)

const documents = await readSchemas(join(import.meta.dirname, '../../../../schemas'))
const { problems, accepted } = readDocuments(documents)

const valuesOf = <T extends { name: string }>(type: AcceptedDocument['type']): ReadonlyMap<string, T> =>
  new Map(
    accepted
      .filter((document) => document.type === type)
      .map(({ value }) => [(value as unknown as T).name, value as unknown as T]),
  )
const entities = valuesOf<EntityDocument>('entity')
const dictionaries = valuesOf<DictionaryDocument>('dictionary')
const sources = { lists: [], entity: (name: string) => entities.get(name), dictionary: (name: string) => dictionaries.get(name) }
const pages = accepted.filter((document) => document.type === 'page')

/** `npm run check:schemas` compiles all of them, too. */
const isWalked = partOf('pages', 1 / 3)
const walked = pages.filter(({ where }) => isWalked(where))

/** What the gateway's bundle call answers for the page, as it comes out of the network. */
const bundleOf = (page: (typeof pages)[number]) =>
  JSON.parse(JSON.stringify(makeBundle({ ...(page.value as PageDocument), name: page.name }, page.where, sources))) as ReturnType<
    typeof makeBundle
  >

/** Words of a model that are shown to people. */
const SHOWN = new Set(['label', 'title', 'entityLabel', 'help', 'description', 'placeholder', 'text', 'message', 'success'])
/** customerId, add, crm.customer.name, SMPP_ADDRESS: words of a program. Abbreviations (ASR, SWIFT) and names have capitals only, or first. */
const OF_A_PROGRAM = /^(?:[a-z]\w*|[a-z]\w*(?:[.:]\w+)+|[A-Z]{2,}(?:_[A-Z\d]+)+)$/

/** What a compiled page says with words of a program. */
function rawWords(model: object): string[] {
  const found = new Set<string>()
  const seen = new Set<object>()
  const walk = (value: unknown, key: string): void => {
    if (typeof value === 'string' && SHOWN.has(key) && OF_A_PROGRAM.test(value)) found.add(`${key}: ${value}`)
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    for (const [name, inner] of Object.entries(value)) walk(inner, Array.isArray(value) ? key : name)
  }
  walk(model, '')
  return [...found]
}

describe('The schemas of the portal', () => {
  it('are all read, and have no errors', () => {
    expect(accepted.length).toBe(documents.length)
    expect(problems.filter(({ severity }) => severity === 'error').map((problem) => formatProblem(problem))).toEqual([])
  })

  it.each(walked.map(({ where }) => where))('%s compiles from its bundle in both languages with nothing left out', (where) => {
    const page = pages.find((document) => document.where === where)
    if (!page) throw new Error(where)
    for (const locale of ['zh', 'en'] as const) {
      for (const has of [() => true, () => false]) {
        const result = compilePage(bundleOf(page), { locale, permissions: { has }, companyTimeZone: 'Asia/Shanghai' })
        expect(result.ok ? result.model.problems : result.problems).toEqual([])
        // what is an English word in small letters can be a label in English; in Chinese it is a word of the program
        if (result.ok && locale === 'zh') expect(rawWords(result.model)).toEqual([])
      }
    }
  })

  it('are right for a browser that has one bundle and nothing else', () => {
    for (const page of walked) {
      const bundle = bundleOf(page)
      const known = [
        ...Object.values(bundle.entities).map((value) => ({
          type: 'entity' as const,
          where: `entity:${value.name}`,
          value,
          characters: 0,
        })),
        ...Object.values(bundle.dictionaries).map((value) => ({
          type: 'dictionary' as const,
          where: `dictionary:${value.name}`,
          value,
          characters: 0,
        })),
      ]
      const source = { type: 'page' as const, where: bundle.where, name: page.name, value: bundle.page }
      expect(validateDocuments([source], { known, partial: true }), page.where).toEqual([])
    }
  })
})
