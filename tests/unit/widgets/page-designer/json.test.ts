import { CompletionContext } from '@codemirror/autocomplete'
import { json } from '@codemirror/lang-json'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { JsonObject } from '../../../../src/schema/overlay'
import type { Design } from '../../../../src/widgets/page-designer/editor/design'
import { completeJson } from '../../../../src/widgets/page-designer/json/complete'
import { cursorAt, rangeOf } from '../../../../src/widgets/page-designer/json/cursor'
import { Labels } from '../../../../src/widgets/page-designer/language/labels'
import { Language } from '../../../../src/widgets/page-designer/language/meta'

/** A text with the cursor at `|`. */
const at = (text: string): { state: EditorState; position: number } => {
  const position = text.indexOf('|')
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: [json()] })
  ensureSyntaxTree(state, state.doc.length, 60_000)
  return { state, position }
}

describe('a place in the text', () => {
  it.each([
    ['{"kind": "li|st"}', ['kind'], false],
    ['{"columns": [{"field": "a"}, {"wi|"}]}', ['columns', '1'], true],
    ['{"columns": [{"field": "a", "pin": "|"}]}', ['columns', '0', 'pin'], false],
    ['{"columns": [{"field": "a", |}]}', ['columns', '0'], true],
    ['{"sort": [{"order": |}]}', ['sort', '0', 'order'], false],
    ['{|}', [], true],
  ])('%s is known by its keys and positions', (text, steps, naming) => {
    const { state, position } = at(text)
    expect(cursorAt(state, position)).toMatchObject({ steps, naming })
  })

  it('is found again by the pointer of a problem', () => {
    const { state } = at('{"columns": [{"field": "a"}, {"field": "b", "width": 5}]}|')
    const range = rangeOf(state, ['columns', '1', 'width'])
    expect(range && state.sliceDoc(range.from, range.to)).toBe('5')
    expect(rangeOf(state, ['columns', '7'])).toBeUndefined()
  })
})

describe('completion', () => {
  const document: JsonObject = { kind: 'list', entity: 'crm.customer', columns: [{ field: 'level' }] }
  const customer = {
    formatVersion: 3,
    name: 'crm.customer',
    label: { zh: '客户', en: 'Customer' },
    titleField: 'name',
    type: 'object',
    properties: { website: { type: 'string', 'x-label': { zh: '官网', en: 'Website' } } },
  } as EntityDocument
  const design: Design = {
    document,
    language: new Language('page', document),
    labels: new Labels(document, { 'crm.customer': customer }, 'en'),
    entities: [{ name: 'crm.customer', label: customer.label }],
    dictionaries: {},
    permissions: ['crm:customer:edit'],
    dictionaryNames: [],
    base: null,
    edit: () => undefined,
    change: () => undefined,
  }
  const offered = (text: string): string[] => {
    const { state, position } = at(text)
    const found = completeJson(() => design, 'en')(new CompletionContext(state, position, true))
    return found?.options.map(({ label }) => label) ?? []
  }

  it('offers the words of the language that are not there yet', () => {
    const words = offered('{"columns": [{"field": "level", |}]}')
    expect(words).toEqual(expect.arrayContaining(['"width"', '"pin"']))
    expect(words).not.toContain('"field"')
  })
  it('offers the functions of expressions inside of one', () => {
    expect(offered('{"columns": [{"tone": "{{ s|"}]}')).toEqual(expect.arrayContaining(['sum', 'workingDays', 'capitals']))
    expect(offered('{"columns": [{"tone": "{{ row.s|"}]}')).toEqual([])
    expect(offered('{"columns": [{"tone": "{{ row.s }}|"}]}')).not.toContain('sum')
  })
  it('offers the values of a word, the fields of the entity, entities and permissions', () => {
    expect(offered('{"columns": [{"pin": |}]}')).toEqual(['"left"', '"right"'])
    expect(offered('{"columns": [{"hidden": |}]}')).toEqual(['true', 'false'])
    expect(offered('{"columns": [{"field": "|"}]}')).toContain('"website"')
    expect(offered('{"entity": |}')).toEqual(['"crm.customer"'])
    expect(offered('{"columns": [{"permission": |}]}')).toEqual(['"crm:customer:edit"'])
  })
})
