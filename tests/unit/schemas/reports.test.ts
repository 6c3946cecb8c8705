import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Page {
  kind: string
  path?: string
  filters?: { field: string; id?: string }[]
  measures?: { id: string; open?: string }[]
  blocks?: { id: string; open?: string }[]
}
const root = join(import.meta.dirname, '../../../schemas/crm/pages')
const pages = readdirSync(root).map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Page)
const filtersOf = (page: Page | undefined): string[] => (page?.filters ?? []).map(({ id, field }) => id ?? field)

describe('reports of customer relations', () => {
  const reports = pages.filter((page) => page.kind === 'report')

  it('lead from numbers only to lists that know every filter of the report and of the address', () => {
    expect(reports.length).toBeGreaterThanOrEqual(3)
    for (const report of reports) {
      const addresses = [...(report.measures ?? []), ...(report.blocks ?? [])].flatMap(({ open }) => open ?? [])
      expect(addresses.length).toBeGreaterThan(0)
      for (const address of addresses) {
        const [path, search = ''] = address.split('?', 2)
        const list = pages.find((page) => page.kind === 'list' && page.path === path)
        const known = filtersOf(list)
        const named = [...search.matchAll(/(?:^|&)f\.(\w+)=/g)].map((match) => match[1] ?? '')
        expect(known, address).toEqual(expect.arrayContaining([...new Set([...filtersOf(report), ...named])]))
      }
    }
  })
})
