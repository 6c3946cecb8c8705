import { readFileSync } from 'node:fs'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSchemaRegistry } from '../../../gateway/pages'
import { serviceNames } from '../../../gateway/services'

const base = JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/problems-base.json'), 'utf8')) as {
  documents: { where: string; value: Record<string, unknown> }[]
}
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'services-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('knows the names of all services without a database', () => {
  const names = serviceNames()
  for (const name of ['crm.customer', 'ownership.claim', 'sys.staff', 'sys.staff.goOnLeave'])
    expect([...names.keys()]).toContain(name)
})

it('refuses to start with an entity that names a service which nobody registered, and says what was probably meant', async () => {
  for (const { where, value } of base.documents) {
    const path = join(folder, where.replace(/^schemas\//, ''))
    await mkdir(join(path, '..'), { recursive: true })
    const entity = where.includes('/entities/') ? { ...value, 'x-service': 'crm.custmer' } : value
    await writeFile(path, JSON.stringify(entity))
  }
  await expect(openSchemaRegistry(folder, { validation: { services: serviceNames() } })).rejects.toThrow(
    /unknown-service[\s\S]*crm\.custmer[\s\S]*crm\.customer/,
  )
})
