import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tryForm } from '../../../../gateway/pages/changes/tryForm'
import { compilePage, formatProblem } from '../../../../src/schema'
import type { FormPage } from '../../../../src/schema/generated/page'
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
    { page: { ...page, name: 'demo/formily' }, where: 'formily.json', revision: 'r1', entities: {}, dictionaries: {} },
    { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' },
  )
  if (!result.ok || result.model.kind !== 'form') throw new Error(JSON.stringify(result))
  expect(result.model.problems).toEqual([])
  expect(tryForm(result.model, undefined, 'Asia/Shanghai')).toEqual([])
})
