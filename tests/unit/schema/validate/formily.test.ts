import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tryForm } from '../../../../gateway/pages/changes/tryForm'
import { compilePage, formatProblem } from '../../../../src/schema'
import type { FormPage } from '../../../../src/schema/generated/page'
import type { FormNodeModel } from '../../../../src/schema/model'
import { pageAs, problemsOf, readFixture } from './world'

/** Schemas as people write them who read Formily's documentation; the browser draws and plays them in tests/e2e/formily.spec.ts. */
const names = readdirSync(join(import.meta.dirname, '../../../fixtures/formily')).map((file) => file.replace('.json', ''))

const pageOf = (name: string): FormPage => ({
  formatVersion: 3,
  kind: 'form',
  path: '/demo/formily',
  title: { zh: '表单', en: 'Form' },
  permission: 'demo:items',
  submit: { call: 'POST /v2/demo/item/save' },
  schema: readFixture<{ schema: FormPage['schema'] }>(`formily/${name}.json`).schema,
})

it.each(names)('%s passes the check of the gateway, compiles, and can be filled in without a browser', (name) => {
  const page = pageOf(name)
  const errors = problemsOf([pageAs(page)]).filter(({ severity, code }) => severity === 'error' && code !== 'unknown-call')
  expect(errors.map((problem) => formatProblem(problem))).toEqual([])
  const result = compilePage(
    { page: { ...page, name: 'demo/formily' }, where: 'formily.json', revision: name, entities: {}, dictionaries: {} },
    { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' },
  )
  if (!result.ok || result.model.kind !== 'form') throw new Error(JSON.stringify(result))
  expect(result.model.problems).toEqual([])
  expect(tryForm(result.model, undefined, 'Asia/Shanghai')).toEqual([])
})

/** The errors of a form with this field, in English. */
const errorsOf = (field: FormPage['schema'], more: Record<string, FormPage['schema']> = {}): string[] =>
  problemsOf([pageAs({ ...pageOf('grid'), schema: { type: 'object', properties: { a: field, ...more } } })])
    .filter(({ severity, code }) => severity === 'error' && code !== 'unknown-call')
    .map(({ at, message }) => `${at} ${message.en}`)

/** What a browser gets of these fields. */
const compiled = (properties: Record<string, FormPage['schema']>, revision: string): Record<string, FormNodeModel> => {
  const page = { ...pageOf('grid'), name: 'demo/formily', schema: { type: 'object', properties } }
  const result = compilePage(
    { page, where: 'formily.json', revision, entities: {}, dictionaries: {} },
    { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' },
  )
  if (!result.ok || result.model.kind !== 'form') throw new Error(JSON.stringify(result))
  return result.model.schema.properties ?? {}
}

it('leaves out the models that a page of Formily makes in its code for tabs, steps and folds; a title heads a tab', () => {
  const pane = { type: 'void', title: 'One', 'x-component': 'FormTab.TabPane', properties: { b: { type: 'string' } } }
  const settings = { formTab: '{{formTab}}', tabPosition: 'left' }
  const tabs = { type: 'void', 'x-component': 'FormTab', 'x-component-props': settings, properties: { pane } }
  expect(errorsOf(tabs)).toEqual([])
  const { a } = compiled({ a: tabs }, 'tabs')
  expect(a?.['x-component-props']).toEqual({ tabPosition: 'left' })
  expect(a?.properties?.pane?.['x-component-props']).toEqual({ tab: 'One' })
})

it('takes columns of a table to choose from also in its entries', () => {
  const column = { type: 'void', title: 'Name', 'x-component': 'SelectTable.Column' }
  expect(
    errorsOf({ type: 'array', 'x-component': 'SelectTable', items: { type: 'object', properties: { name: column } } }),
  ).toEqual([])
})

it('takes fields that drive one another only while somebody types into them', () => {
  const drives = (target: string): FormPage['schema'] => ({
    type: 'number',
    'x-component': 'NumberPicker',
    'x-reactions': { target, effects: ['onFieldInputValueChange'], fulfill: { state: { value: '{{ $self.value * 2 }}' } } },
  })
  expect(errorsOf(drives('b'), { b: drives('a') })).toEqual([])
})

it('refuses words of rules, formats and linkages that nobody would read', () => {
  const long = { max: 5, message: { zh: '长', en: 'Long' } }
  expect(errorsOf({ type: 'string', format: 'email', 'x-validator': ['zip', long] })).toEqual([])
  expect(errorsOf({ type: 'string', 'x-validator': { ownRule: true } })).toEqual([
    '/schema/properties/a/x-validator/ownRule There is no rule "ownRule".',
  ])
  expect(errorsOf({ type: 'string', format: 'ownFormat', 'x-validator': ['ownFormat', { format: 'emial' }] })).toEqual([
    '/schema/properties/a/format There is no format "ownFormat": write it as a pattern.',
    '/schema/properties/a/x-validator/0 There is no format "ownFormat": write it as a pattern.',
    '/schema/properties/a/x-validator/1/format There is no format "emial": write it as a pattern. Did you mean "email"?',
  ])
  expect(errorsOf({ type: 'string', 'x-reactions': [{ fullfill: {} }, { fulfill: { states: {} } }] })).toEqual([
    '/schema/properties/a/x-reactions/0/fullfill A linkage has no "fullfill". Did you mean "fulfill"?',
    '/schema/properties/a/x-reactions/1/fulfill/states A linkage has no "states". Did you mean "state"?',
  ])
})

it('checks the format that a node names as one more of its rules', () => {
  const { a } = compiled({ a: { type: 'string', format: 'email', 'x-validator': 'zip' } }, 'format')
  expect(a?.['x-validator']).toEqual(['zip', { format: 'email' }])
})

it.each([
  [
    'a part that uses itself',
    { a: { $ref: '#/definitions/a' } },
    '/schema/properties/a/properties/b/$ref',
    /names no definition, or the one/,
  ],
  [
    'a part that nobody described',
    { a: { $ref: '#/definitions/z' } },
    '/schema/properties/a/$ref',
    /names no definition, or the one/,
  ],
  [
    'variants that are parts',
    { a: { type: 'object', oneOf: [{ properties: {} }] } },
    '/schema/properties/a/oneOf',
    /let a field choose the kind/,
  ],
] as const)('%s is refused with what to write instead', (_, properties, at, sentence) => {
  const definitions = { a: { type: 'object', properties: { b: { $ref: '#/definitions/a' } } } }
  const page = { ...pageOf(names[0] ?? ''), schema: { type: 'object', definitions, properties } }
  const found = problemsOf([pageAs(page)]).find((problem) => problem.at === at)
  expect(found?.message.en).toMatch(sentence)
})
