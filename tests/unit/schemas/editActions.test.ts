import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSchemaRegistry } from '../../../gateway/pages'
import type { Action } from '../../../src/schema/generated/page'

it('an action that edits a record opens its form with that record, on every list, tab and record page', async () => {
  const registry = await openSchemaRegistry(join(import.meta.dirname, '../../../schemas'))
  const edits: [where: string, action: Action][] = []
  const keep = (where: string, actions: readonly Action[] = []): void => {
    for (const action of actions) if (action.id === 'edit' && action.form !== undefined) edits.push([where, action])
  }
  for (const page of registry.pages) {
    const document = registry.bundle(page).page
    if (document.kind === 'list') keep(page.name, document.rowActions)
    if (document.kind !== 'detail') continue
    keep(page.name, document.header?.actions)
    for (const { id, list } of document.tabs ?? []) keep(`${page.name}#${id}`, list?.rowActions)
  }
  expect(edits.length).toBeGreaterThan(100)
  expect(edits.filter(([, { values }]) => !/^\{\{ (?:row|record)\.\w+ \}\}$/.test(String(values?.id)))).toEqual([])
})
