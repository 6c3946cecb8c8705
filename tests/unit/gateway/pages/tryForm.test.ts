import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readReleasedSchemas } from '../../../../gateway/pages'
import { createSchemaRegistry } from '../../../../gateway/pages/registry'
import { tryForm } from '../../../../gateway/pages/changes/tryForm'
import { serviceNames } from '../../../../gateway/services'
import { compilePage } from '../../../../src/schema/compile'

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
