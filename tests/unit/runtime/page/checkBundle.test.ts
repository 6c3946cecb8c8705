import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSchemaRegistry, type SchemaRegistry } from '../../../../gateway/pages'
import { checkBundle, sortFindings } from '../../../../src/runtime/page/checkBundle'
import type { PageBundle } from '../../../../src/headless/host'
import { registerWidgets } from '../../../../src/runtime/widget'
import { widgets } from '../../../../src/widgets'

let registry: SchemaRegistry
const bundleOf = (name: string): PageBundle => {
  const page = registry.page(name)
  if (!page) throw new Error(name)
  return structuredClone(registry.bundle(page))
}

beforeAll(async () => {
  registerWidgets(...widgets)
  registry = await openSchemaRegistry(join(import.meta.dirname, '../../../../schemas'))
})

describe('The validator at load', () => {
  it('finds nothing wrong with any page as the gateway sends it', () => {
    expect(registry.pages.length).toBeGreaterThan(20)
    for (const page of registry.pages) expect(checkBundle(registry.bundle(page)), page.name).toEqual([])
  })

  it('finds what compiling alone lets through, with page, pointer, reason and hint', () => {
    const bundle = bundleOf('crm/my-client')
    const page = { ...bundle.page, empty: { text: { zh: '无', en: 'None' }, action: 'ad' } } as PageBundle['page']
    const { blocks, others } = sortFindings(checkBundle({ ...bundle, page, revision: 'spoilt' }), [])
    expect(blocks).toMatchObject([{ code: 'unknown-action', where: bundle.where, at: '/empty/action' }])
    expect(others).toEqual([])
  })

  it('keeps the answer of a revision', () => {
    const bundle = bundleOf('crm/my-client')
    expect(checkBundle(bundle)).toBe(checkBundle({ ...bundle, page: { ...bundle.page } }))
  })

  it('leaves out what the page shows already; what concerns no block goes to the console', () => {
    const problem = (code: 'unknown-field' | 'unknown-route' | 'cost-budget', at: string, severity: 'error' | 'warning') => ({
      code,
      at,
      severity,
      where: 'page',
      message: { zh: '', en: '' },
    })
    const told = problem('unknown-field', '/columns/1', 'error')
    const title = problem('unknown-route', '/titleFrom', 'error')
    const costly = problem('cost-budget', '/columns', 'warning')
    const section = problem('unknown-field', '/sections/0', 'error')
    expect(sortFindings([told, title, costly, section], [told])).toEqual({ blocks: [section], others: [title, costly] })
  })
})
