import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readReleasedSchemas } from '../../../../gateway/pages'
import { createSchemaRegistry } from '../../../../gateway/pages/registry'
import { tryForm, tryTransitions } from '../../../../gateway/pages/changes/tryForm'
import { serviceNames } from '../../../../gateway/services'
import { compilePage } from '../../../../src/schema/compile'
import type { FieldKind } from '../../../../src/schema/model'

it('finds nothing wrong with the forms of the release', async () => {
  const folder = join(import.meta.dirname, '../../../../schemas')
  const registry = createSchemaRegistry(await readReleasedSchemas(folder, { validation: { services: serviceNames() } }))
  const forms = registry.pages.flatMap((page) => {
    if (page.document.kind !== 'form') return []
    const result = compilePage(registry.bundle(page), {
      locale: 'en',
      permissions: { has: () => true },
      companyTimeZone: 'Asia/Shanghai',
    })
    return result.ok && result.model.kind === 'form' ? [result.model] : []
  })
  expect(forms.length).toBeGreaterThan(30)
  const found = forms.flatMap((form) => tryForm(form, registry.entity(form.entity ?? ''), 'Asia/Shanghai'))
  expect(found).toEqual([])
})

it('tries the forms that transitions of a page ask with, and names the action whose form fails', async () => {
  const folder = join(import.meta.dirname, '../../../../schemas')
  const registry = createSchemaRegistry(await readReleasedSchemas(folder, { validation: { services: serviceNames() } }))
  const page = registry.page('crm/my-client')
  const result =
    page &&
    compilePage(registry.bundle(page), { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' })
  if (!result?.ok || result.model.kind !== 'list') throw new Error('no list')
  expect(tryTransitions(result.model, 'Asia/Shanghai')).toEqual([])
  const actions = [...result.model.body.rowActions, ...result.model.body.bulkActions]
  const asking = actions.find(({ effect }) => effect.type === 'transition' && effect.transition.fields.length > 0)
  if (asking?.effect.type !== 'transition') throw new Error('no transition asks for anything')
  const { effect } = asking
  const broken = effect.transition.fields.map((field) => ({ ...field, kind: 'unheardOf' as FieldKind }))
  const model = {
    ...result.model,
    body: {
      ...result.model.body,
      rowActions: [{ ...asking, effect: { ...effect, transition: { ...effect.transition, fields: broken } } }],
      bulkActions: [],
    },
  }
  const [problem] = tryTransitions(model, 'Asia/Shanghai')
  expect(problem).toMatchObject({ severity: 'error', at: asking.source.at })
  expect(problem?.message.en).toContain(`"${asking.label}": The form fails when it is opened`)
})
