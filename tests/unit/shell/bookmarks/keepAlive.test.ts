import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keep, KEPT_PAGES } from '../../../../src/shell/bookmarks/keepAlive'

const keys = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`)

describe('pages kept in memory (R214)', () => {
  it('keeps up to twelve and then names the longest unused one', () => {
    const all = keys(12)
    expect(keep(all, 'p3', new Set(all), new Set()).overflow).toBeNull()
    const more = keep(all, 'new', new Set([...all, 'new']), new Set())
    expect(more).toMatchObject({ overflow: 'p11', ask: false })
    expect(more.keys[0]).toBe('new')
  })

  it('passes over pages with unsaved input, and asks when there are only such pages', () => {
    const all = keys(12)
    const open = new Set([...all, 'new'])
    expect(keep(all, 'new', open, new Set(['p11', 'p10']))).toMatchObject({ overflow: 'p9', ask: false })
    expect(keep(all, 'new', open, new Set(all))).toMatchObject({ overflow: 'p11', ask: true })
    expect(keep(all, 'new', open, new Set(all), new Set(['p11']))).toMatchObject({ overflow: 'p10', ask: true })
    expect(keep(all, 'new', open, new Set(all), new Set(all))).toMatchObject({ overflow: null, ask: false })
  })

  it('never names the active page, never forgets an open one, and forgets closed ones', () => {
    const list = fc.uniqueArray(
      fc.nat(30).map((n) => `p${n}`),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(list, fc.nat(30), list, list, (recent, active, open, unsaved) => {
        const result = keep(recent, `p${active}`, new Set(open), new Set(unsaved))
        expect(result.overflow).not.toBe(`p${active}`)
        expect(result.keys).toEqual([`p${active}`, ...recent.filter((key) => key !== `p${active}` && open.includes(key))])
        if (result.keys.length <= KEPT_PAGES) expect(result.overflow).toBeNull()
        if (result.overflow !== null && !result.ask) expect(unsaved).not.toContain(result.overflow)
      }),
    )
  })
})
