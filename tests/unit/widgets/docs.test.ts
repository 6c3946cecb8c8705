import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { widgetPage } from '../../../scripts/widgetPage'
import { widgets } from '../../../src/widgets'

describe('docs/widgets.md', () => {
  it('says what the definitions say: run npx tsx scripts/widget-docs.ts after a change', () => {
    expect(readFileSync('docs/widgets.md', 'utf8')).toBe(widgetPage())
  })
})

describe('docs/decisions/0005-what-became-a-widget.md', () => {
  it('gives every widget its reason, and none that is gone', () => {
    const rows = readFileSync('docs/decisions/0005-what-became-a-widget.md', 'utf8').split('\n')
    const first = rows.filter((row) => row.startsWith('| `')).map((row) => row.split('|')[1] ?? '')
    const told = first.flatMap((cell) =>
      [...cell.matchAll(/`((?:crm|csc|form|home|mail|message|page|process|report|sys|toolbox|wf)\.[a-zA-Z]+)`/g)].map(([, name]) => name),
    )
    expect(told.toSorted()).toEqual(widgets.map(({ name }) => name).toSorted())
  })
})
