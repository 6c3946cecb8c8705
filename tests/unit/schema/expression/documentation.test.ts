import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FUNCTIONS } from '../../../../src/schema/expression'
import { expressionPage } from '../../../../src/schema/expression/documentation'

it('the reference page names every function and is not stale (npx tsx scripts/expression-docs.ts)', () => {
  const page = readFileSync(new URL('../../../../docs/expressions.md', import.meta.url), 'utf8')
  expect(page).toBe(expressionPage())
  for (const { signature } of FUNCTIONS.values()) expect(page).toContain(`\`${signature}\``)
})
