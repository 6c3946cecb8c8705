import { afterEach, describe, expect, it } from 'vitest'
import { ProjectCopy } from '../../../support/projectCopy'

const copies: ProjectCopy[] = []
afterEach(() => {
  for (const copy of copies.splice(0)) copy.remove()
})

/** The project without both folders of some modules. */
function without(modules: readonly string[]): ProjectCopy {
  const copy = new ProjectCopy()
  copies.push(copy)
  for (const module of modules) copy.withoutModule(module)
  return copy
}

describe('The portal without a module, when both its folders are deleted', () => {
  it.each([['fin, biz, qm, ops, ew and rpt'], ['crm, csc, fin, biz, srm, qm, ops, ew, rpt, mail and toolbox']])(
    'is checked and starts without %s',
    async (names) => {
      const copy = without(names.split(/, | and /))
      await copy.script('scripts/generate.ts')
      expect(await copy.script('scripts/check-schemas.ts', { orFail: false })).toContain(' 0 errors, ')
      await expect(copy.started(async (address) => (await fetch(`${address}/ready`)).status)).resolves.toBe(200)
    },
  )

  it('says what a module needs that is not there', async () => {
    await expect(without(['crm']).script('scripts/generate.ts')).rejects.toThrow(
      'The module "csc" needs the module "crm", which is not there.',
    )
  })
})
