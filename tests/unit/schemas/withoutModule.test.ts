import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readSchemas } from '../../../gateway/pages'
import { MODULES } from '../../../gateway/modules/generated'
import { serviceNames } from '../../../gateway/services'
import { formatProblem } from '../../../src/schema'
import type { ModuleDocument } from '../../../src/schema/generated/module'
import { readDocuments, type SourceDocument } from '../../../src/schema/validate'
import { walksOf } from '../../support/walkPart'

const { partOf } = walksOf(import.meta.filename)

let documents: readonly SourceDocument[]
const needs = new Map<string, readonly string[]>()
beforeAll(async () => {
  documents = await readSchemas(resolve('schemas'))
  for (const { type, text = '' } of documents) {
    if (type !== 'module') continue
    const module = JSON.parse(text) as ModuleDocument
    needs.set(module.name, module.needs ?? [])
  }
})

/** Every domain with a folder of code. */
const DOMAINS = ['ai', 'biz', 'crm', 'csc', 'ew', 'fin', 'mail', 'ops', 'qm', 'rpt', 'srm', 'toolbox']
const isWalked = partOf('without a module', 1 / 8)
const some = DOMAINS.filter(isWalked)
const walked = some.length > 0 ? some : DOMAINS.slice(0, 1)

/** A module with those that need it, and those that need these. */
function withDependants(name: string): ReadonlySet<string> {
  const gone = new Set([name])
  for (const left of gone) for (const [other, needed] of needs) if (needed.includes(left)) gone.add(other)
  return gone
}

describe('The documents without a domain and what needs it', () => {
  it('are those of every module with a folder of code', () => {
    expect(MODULES).toHaveLength(DOMAINS.length)
    for (const name of DOMAINS) expect(existsSync(`gateway/modules/${name}/index.ts`), name).toBe(true)
    expect([...withDependants('csc')]).toEqual(['csc'])
    expect(withDependants('fin').has('crm')).toBe(false)
    expect([...withDependants('srm')].sort()).toEqual(['ew', 'ops', 'qm', 'srm'])
  })

  it.each(walked)('have no errors: %s', (name) => {
    const gone = withDependants(name)
    const left = documents.filter(({ where }) => !gone.has(where.split('/')[1] ?? ''))
    expect(left.length).toBeLessThan(documents.length)
    const { problems } = readDocuments(left, { services: serviceNames() })
    expect(problems.filter(({ severity }) => severity === 'error').map((problem) => formatProblem(problem))).toEqual([])
  })
})
