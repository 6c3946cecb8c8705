import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ACTS } from './acts'
import { BEGIN, COMPANY } from './company'
import { reckon } from './reckon'

const expected: unknown = JSON.parse(readFileSync(new URL('./expected.json', import.meta.url), 'utf8'))
const figures = reckon(COMPANY, ACTS, BEGIN.slice(0, 10))

describe('the reckoning of the play', () => {
  it('comes to the figures that are committed', () => {
    expect(figures).toEqual(expected)
  })

  it('leaves nothing without an explanation', () => {
    for (const [line, { difference }] of Object.entries(figures.reconcile.figures))
      expect([line, difference]).toEqual([line, '0'])
  })

  it('names the line of the guide for each group of figures', () => {
    for (const { guide, figures: rows } of Object.values(figures)) {
      expect(guide.length).toBeGreaterThan(0)
      expect(Object.keys(rows).length).toBeGreaterThan(0)
    }
  })
})
