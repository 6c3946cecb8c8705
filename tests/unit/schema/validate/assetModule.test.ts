import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSchemas } from '../../../../gateway/pages'
import { formatProblem } from '../../../../src/schema'
import { readDocuments } from '../../../../src/schema/validate'
import '../../../../src/schema/validate/process'

const ROOT = join(import.meta.dirname, '../../../..')
const shipped = (await readSchemas(join(ROOT, 'schemas'))).filter(
  ({ where, type }) => type === 'dictionary' || where.startsWith('schemas/sys/'),
)
const asset = await readSchemas(join(ROOT, 'tests/fixtures/cases/asset-module'))

/** What the check says of the module; `change` says one file in other words. */
const said = (
  change: { file: string; from: string; to: string } = { file: '', from: '', to: '' },
  around = shipped,
): string[] => {
  const changed = asset.map((one) => {
    if (change.file === '' || !one.where.endsWith(change.file)) return one
    const { text = '' } = one
    expect(text).toContain(change.from)
    return { ...one, text: text.replaceAll(change.from, change.to) }
  })
  const own = new Set(asset.map(({ where }) => where))
  return readDocuments([...around, ...changed])
    .problems.filter(({ where }) => own.has(where))
    .map((problem) => formatProblem(problem))
}

it('the case asset-module: a module written from the documentation is accepted as it stands', () => {
  expect(asset.map(({ type }) => type).toSorted()).toEqual([
    'dictionary',
    'dictionary',
    'dictionary',
    'entity',
    'entity',
    'entity',
    'module',
    'page',
    'process',
    'roles',
  ])
  expect(said()).toEqual([])
})

it('a process stands in a group that its module adds to the dictionary, and in none that nobody has', () => {
  const own = { file: 'processes/assetPurchase.json', from: '"group": "ops"', to: '"group": "assets"' }
  expect(said(own).join('\n')).toMatch(/\/group.*"processGroup" has no value "assets"/)
  const added = shipped.map((one) =>
    one.where.endsWith('/processGroup.json')
      ? {
          ...one,
          text: one.text!.replace('"items": [', '"items": [{ "code": "assets", "label": { "zh": "资产", "en": "Assets" } },'),
        }
      : one,
  )
  expect(said(own, added)).toEqual([])
})

it('a name in its effect that nobody gives is refused with the place', () => {
  const file = 'entities/assignment.json'
  expect(said({ file, from: 'map(lines,', to: 'map(rows,' }).join('\n')).toMatch(/effects\/0\/on\/where\/0\/value.*"rows"/)
})

it('one module is looked at alone, against everything that it names elsewhere', () => {
  const wrong = asset.map((one) =>
    one.where.endsWith('/module.json') || one.type === 'dictionary' ? { ...one, text: one.text!.replace('"zh"', '"xx"') } : one,
  )
  const found = readDocuments([...shipped, ...wrong], { only: (where) => where.startsWith('schemas/asset/') }).problems
  expect(new Set(found.map(({ where }) => where))).toContain('schemas/asset/module.json')
  expect(found.filter(({ where }) => !where.startsWith('schemas/asset/'))).toEqual([])
})
