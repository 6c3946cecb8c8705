import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Problem } from '../../../../src/schema'
import type { SourceDocument } from '../../../../src/schema/validate'
import { problemsOf, readFixture } from './world'

const ROOT = join(import.meta.dirname, '../../../..')
const fixtures = readdirSync(join(ROOT, 'tests/fixtures/problems')).map((file) => file.replace('.json', ''))

/** The codes as they are written down in the type. */
const codes = (): string[] => {
  const text = readFileSync(join(ROOT, 'src/schema/problem.ts'), 'utf8')
  const union = /export type ProblemCode =([\s\S]*?)\n\n/.exec(text)?.[1] ?? ''
  return [...union.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code ?? '')
}

interface Fixture {
  documents: SourceDocument[]
  expected: Problem[]
}

describe('Every problem that the validator knows', () => {
  it('has one bad fixture, and no fixture is left over', () => {
    expect(codes().length).toBeGreaterThan(30)
    expect([...fixtures].sort()).toEqual([...codes()].sort())
  })

  it('finds nothing wrong with the small portal that the fixtures spoil', () => expect(problemsOf([])).toEqual([]))

  it.each(codes())('%s: the fixture gives exactly its expected problems', (code) => {
    const { documents, expected } = readFixture<Fixture>(`problems/${code}.json`)
    expect(expected.map((problem) => problem.code)).toContain(code)
    expect(problemsOf(documents)).toEqual(expected)
  })

  it('says what, where and why in both languages, with a full stop', () => {
    for (const code of codes()) {
      for (const { where, message } of readFixture<Fixture>(`problems/${code}.json`).expected) {
        expect(where).toMatch(/^schemas\//)
        expect(message.zh).toMatch(/[\u4e00-\u9fff]/)
        expect(message.en).toMatch(/[a-z]/)
      }
    }
  })

  it('has a paragraph and an example in docs/problems.md', () => {
    const text = readFileSync(join(ROOT, 'docs/problems.md'), 'utf8')
    const sections = text.split(/^## /m).slice(1)
    const documented = sections.map((section) => section.split('\n', 1)[0]?.trim())
    expect(documented.sort()).toEqual([...codes()].sort())
    for (const section of sections) {
      expect(section, section.slice(0, 40)).toMatch(/```json[c]?\n/)
      expect(section.length, section.slice(0, 40)).toBeGreaterThan(150)
    }
  })
})
