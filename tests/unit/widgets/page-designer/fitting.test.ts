import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src/schema/overlay'
import { panelWords } from '../../../../src/widgets/page-designer/document/outline'
import { ALL_COMPONENTS } from '../../../../src/widgets/page-designer/form/components'
import { isFitting } from '../../../../src/widgets/page-designer/form/fitting'
import { settingChoice, settingsOf } from '../../../../src/widgets/page-designer/form/settings'
import { valueAt } from '../../../../src/widgets/page-designer/document/address'
import { Language } from '../../../../src/widgets/page-designer/language/meta'

describe('the settings of a part are those of its kind', () => {
  const shown = (document: JsonObject, kind: 'page' | 'entity', at: string): string[] => {
    const language = new Language(kind, document)
    const { def } = language.at(at) ?? {}
    const part = valueAt(document, at) as JsonObject
    return panelWords(document, language, at).flatMap(([word]) => (isFitting(word, def, part, at) ? [word] : []))
  }
  const entity = (field: JsonObject): string[] =>
    shown({ name: 'demo.thing', properties: { it: field } }, 'entity', 'properties/it')
  const node = (given: JsonObject): string[] =>
    shown({ kind: 'form', schema: { type: 'object', properties: { it: given } } }, 'page', 'schema/properties/it')

  it('a number has bounds and no currency, an amount has both', () => {
    expect(entity({ type: 'integer' })).toEqual(expect.arrayContaining(['minimum', 'maximum']))
    expect(entity({ type: 'integer' })).not.toEqual(expect.arrayContaining(['x-money']))
    expect(entity({ type: 'integer' })).not.toContain('maxLength')
    expect(entity({ type: 'string', format: 'money', 'x-money': 'CNY' })).toEqual(expect.arrayContaining(['x-money', 'x-scale']))
    expect(entity({ type: 'string', 'x-ref': 'demo.other' })).toContain('x-refFilter')
    expect(entity({ type: 'boolean' })).not.toContain('x-dictionary')
  })

  it('what stands there already is shown, whether it fits or not', () => {
    expect(entity({ type: 'integer', 'x-money': 'CNY' })).toContain('x-money')
  })

  it('a group holds no value, a field of the entity has its choices from there, a text has none', () => {
    expect(node({ type: 'void', 'x-component': 'FormTab' })).not.toContain('required')
    expect(node({ $field: 'demo.thing.kind' })).not.toContain('enum')
    expect(node({ type: 'string', 'x-component': 'Input' })).not.toContain('enum')
    expect(node({ type: 'string', 'x-component': 'Select' })).toContain('enum')
    expect(node({ type: 'string', 'x-component': 'Input' })).toEqual(
      expect.arrayContaining(['required', 'x-required', 'x-visible', 'x-reactions', 'x-component-props']),
    )
  })

  it('options are asked first where they come from, then what that source knows', () => {
    const words = Object.keys(new Language('page', { kind: 'form' }).definition('Options').properties ?? {})
    const of = (options: JsonObject): string[] => words.filter((word) => isFitting(word, 'Options', options, ''))
    expect(of({})).toEqual(['dictionary', 'entity', 'call', 'rows'])
    expect(of({ dictionary: 'grade' })).toEqual(['dictionary', 'when'])
    expect(of({ entity: 'demo.thing' })).toEqual(['entity', 'where', 'sort', 'label', 'value', 'parent', 'optional'])
    expect(of({ rows: 'people' })).toEqual(['rows', 'when', 'label', 'value', 'parent'])
    expect(of({ call: 'GET /v2/demo/ping', sort: [] })).toContain('sort')
  })

  it('every setting of a component has a name in both languages, and so has each of its choices', () => {
    const all = ALL_COMPONENTS.flatMap(({ name }) => settingsOf(name))
    expect(all.length).toBeGreaterThan(100)
    for (const { name, label, kind } of all) {
      expect(label.zh, name).toMatch(/[一-鿿]/)
      expect(label.en, name).toMatch(/^[A-Z]/)
      if (Array.isArray(kind)) for (const choice of kind as string[]) expect(settingChoice(choice).zh, choice).not.toBe(choice)
    }
  })
})
