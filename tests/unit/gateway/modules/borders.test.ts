import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bordersCrossed, moduleFiles } from '../../../../scripts/moduleBorders'
import type { ModuleDocument } from '../../../../src/schema/generated/module'
import { wholeSchema } from '../../../support/schemas'

const ENTITIES = ['crm.customer', 'fin.customerMonth', 'srm.supplier', 'sys.staff']
const crossed = (text: string, ...modules: Parameters<typeof bordersCrossed>[2][number][]): string[] =>
  bordersCrossed([{ path: 'gateway/modules/crm/job.ts', text }], ENTITIES, modules)

describe('the code of a module', () => {
  it('names no other one’s tables: not even those of the platform, of its own all', () => {
    expect(crossed('`select id from crm_customer`')).toEqual([])
    expect(crossed('\n`select month from fin_customer_month m join sys_staff s`', { name: 'crm', needs: ['fin'] })).toEqual([
      `gateway/modules/crm/job.ts:2 names the table "fin_customer_month" of another module: take it from the entity, tableOf('fin.customerMonth').`,
      `gateway/modules/crm/job.ts:2 names the table "sys_staff" of another module: take it from the entity, tableOf('sys.staff').`,
    ])
  })

  it('takes tables from entities of modules that it needs or uses', () => {
    const reads =
      "`${tableOf('fin.customerMonth')} ${tableOf('srm.supplier')} ${tableOf('sys.staff')} ${tableOf('crm.customer')}`"
    expect(crossed(reads, { name: 'crm', needs: ['fin'], uses: ['srm'] })).toEqual([])
    expect(crossed(reads, { name: 'crm', needs: ['fin'] })).toEqual([
      'gateway/modules/crm/job.ts:1 reads "srm.supplier": name "srm" in "needs" or "uses" of schemas/crm/module.json.',
    ])
    expect(crossed("tableOf('fin.month')", { name: 'crm', needs: ['fin'] })).toEqual([
      'gateway/modules/crm/job.ts:1 asks for the table of "fin.month": there is no such entity.',
    ])
  })

  it('reads what a module would have that it uses and that is not there', () => {
    const reads = "`${tableOf('qm.supplierRate')}`"
    expect(crossed(reads, { name: 'crm', uses: ['qm'] })).toEqual([])
    expect(crossed(reads, { name: 'crm' })).toEqual([
      'gateway/modules/crm/job.ts:1 asks for the table of "qm.supplierRate": there is no such entity.',
    ])
  })

  it('keeps to that in every module that is there', () => {
    const inFolders = (file: RegExp): string[] =>
      readdirSync('schemas', { recursive: true, encoding: 'utf8' }).filter((path) => file.test(path))
    const entities = inFolders(/^[^/]+\/entities\/[^/]+\.json$/).map((path) => wholeSchema<{ name: string }>(path).name)
    const modules = inFolders(/^[^/]+\/module\.json$/).map((path) => wholeSchema<ModuleDocument>(path))
    expect(bordersCrossed(moduleFiles('.'), entities, modules)).toEqual([])
  })
})
