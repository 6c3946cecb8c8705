import type { FormModel, FormNodeModel, Scope } from '../../../../src/schema/model'
import { createEngine } from '../../../../src/headless/form/engine'
import type { FormEngine } from '../../../../src/headless/form/engine'
import { planForm } from '../../../../src/headless/form/plan'
import { validatorOf } from '../../../../src/headless/form/validate'

export const object = (properties: Record<string, FormNodeModel>): FormNodeModel => ({ type: 'object', properties })

export const engineOf = (
  schema: FormNodeModel,
  values: Record<string, unknown> = {},
  more: { defaults?: boolean; scope?: Scope; readPretty?: boolean } = {},
): FormEngine =>
  createEngine({
    plan: planForm(schema),
    schema,
    values,
    scope: more.scope ?? {},
    validator: validatorOf('en', 'Asia/Shanghai'),
    ...(more.defaults === undefined ? {} : { defaults: more.defaults }),
    ...(more.readPretty === undefined ? {} : { readPretty: more.readPretty }),
  })

export const formModel = (more: Partial<FormModel> = {}): FormModel => ({
  kind: 'form',
  id: 'test/form',
  title: 'Form',
  locale: 'en',
  revision: 'r1',
  source: { where: 'test.json', at: '' },
  problems: [],
  schema: object({}),
  layout: { columns: 1, labels: 'top', anchors: false },
  record: () => undefined,
  initial: () => ({}),
  submit: { call: { method: 'POST', path: '/v2/test/thing/save' }, label: 'Save', success: 'Saved', idempotent: true },
  draft: true,
  readPretty: false,
  ...more,
})
