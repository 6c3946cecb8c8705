import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../..')
const PICTURES = join(ROOT, 'docs/images/admin')
const TESTS = join(ROOT, 'tests/e2e/admin')
/** Pictures are read over the net by people who look something up. */
const MOST_BYTES = 70_000

const page = readFileSync(join(ROOT, 'docs/admin.md'), 'utf8')
const sections = page.split(/^### /m).slice(1)
const numbered = (texts: Iterable<RegExpMatchArray>): string[] => [...texts].map((found) => found[1] ?? '').sort()
const tested = numbered(
  readdirSync(TESTS).flatMap((file) => [...readFileSync(join(TESTS, file), 'utf8').matchAll(/^test\('Change (\d\d): /gm)]),
)

describe('The everyday changes of an admin', () => {
  it('are thirty or more, each once, each told on the page and done by a browser test', () => {
    const told = numbered(sections.flatMap((section) => [...section.matchAll(/^(\d\d) /g)]))
    expect(tested.length).toBeGreaterThanOrEqual(30)
    expect(new Set(tested).size).toBe(tested.length)
    expect(told).toEqual(tested)
  })

  it('have a picture each, named by the number, in their section, and small', () => {
    for (const section of sections) {
      const number = section.slice(0, 2)
      expect(section).toContain(`](images/admin/${number}.jpg)`)
    }
    const pictures = readdirSync(PICTURES).sort()
    expect(pictures).toEqual(tested.map((number) => `${number}.jpg`))
    const large = pictures.filter((picture) => statSync(join(PICTURES, picture)).size > MOST_BYTES)
    expect(large).toEqual([])
  })

  it('say in more than a line where to click and what others see', () => {
    const short = sections.filter((section) => section.replace(/!\[.*/s, '').length < 150).map((section) => section.slice(0, 2))
    expect(short).toEqual([])
  })
})
