import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import { wholeSchema } from '../../support/schemas'

const root = join(import.meta.dirname, '../../../schemas')
const importable = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json') && file.split(/[\\/]/).at(-2) === 'entities')
  .map((file) => wholeSchema<EntityDocument>(file))
  .filter((entity) => entity['x-permissions']?.import !== undefined)

it('No two columns of the template of an import are called alike: the file that is filled in would be refused', () => {
  expect(importable.length).toBeGreaterThan(20)
  const alike = importable.flatMap(({ name, properties }) =>
    (['zh', 'en'] as const).flatMap((language) => {
      const fields = Object.entries(properties).filter(([, field]) => field['x-label'] && !field.readOnly && !field['x-internal'])
      const labels = fields.map(([, field]) => (field['x-label'] as Record<'zh' | 'en', string>)[language])
      return labels.filter((label, at) => labels.indexOf(label) !== at).map((label) => `${name}: ${label}`)
    }),
  )
  expect(alike).toEqual([])
})
