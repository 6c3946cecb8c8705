import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { wholeSchema } from '../../support/schemas'

interface Page {
  kind: string
  path?: string
  filters?: { field: string; id?: string }[]
  entity?: string
  source?: string
  measures?: { id: string; entity?: string; open?: string }[]
  blocks?: { id: string; open?: string }[]
}
const root = join(import.meta.dirname, '../../../schemas/crm/pages')
const pages = readdirSync(root).map((file) => wholeSchema<Page>(`crm/pages/${file}`))
const filtersOf = (page: Page | undefined): string[] => (page?.filters ?? []).map(({ id, field }) => id ?? field)

describe('reports of customer relations', () => {
  const reports = pages.filter((page) => page.kind === 'report')

  it('lead from numbers only to lists that know every filter of the report and of the address', () => {
    const sourced = reports.filter(({ source }) => source !== undefined)
    expect(sourced.length).toBeGreaterThan(0)
    for (const report of sourced) {
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

  it('lead from what they count to lists of what is counted', () => {
    const asked = reports.filter(({ source }) => source === undefined)
    expect(asked.length).toBeGreaterThanOrEqual(2)
    for (const report of asked)
      for (const { id, entity = report.entity, open } of report.measures ?? []) {
        if (open === undefined) continue
        const list = pages.find((page) => page.kind === 'list' && page.path === open.split('?')[0])
        expect(list?.entity, id).toBe(entity)
      }
  })
})
