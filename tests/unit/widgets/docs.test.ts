import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { widgetPage } from '../../../scripts/widgetPage'

describe('docs/widgets.md', () => {
  it('says what the definitions say: run npx tsx scripts/widget-docs.ts after a change', () => {
    expect(readFileSync('docs/widgets.md', 'utf8')).toBe(widgetPage())
  })
})
