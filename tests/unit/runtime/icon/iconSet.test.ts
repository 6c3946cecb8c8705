import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ICONS } from '../../../../src/runtime/icon/iconSet'

const ROOT = join(import.meta.dirname, '../../../../schemas')

it('Every icon that a document names can be drawn, and so can those that operations bring along', () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.json') && !file.startsWith('meta'),
  )
  const named = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/"icon": "([^"]+)"/g)].map(([, name = '']) => `${name} in ${file}`),
  )
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((entry) => !Object.hasOwn(ICONS, entry.split(' ')[0] ?? ''))).toEqual([])
  for (const name of ['edit', 'delete', 'undo', 'export', 'import']) expect(ICONS).toHaveProperty(name)
})
