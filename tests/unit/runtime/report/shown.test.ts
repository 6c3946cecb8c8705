import { describe, expect, it } from 'vitest'
import { groupRows } from '../../../../src/headless/report/group'
import { shownBy, withFilters } from '../../../../src/headless/report/shown'
import { ready } from '../../../../src/schema/formats'
import { fakeHost } from '../../../support/fakeHost'

const measure = (id: string) => ({ id, title: id })

describe('groups of a report', () => {
  it('add up exactly, and tell nothing where no row has a value', () => {
    const [group] = groupRows(
      [
        { a: '0.1', b: null },
        { a: '0.2', b: null },
      ],
      [],
      [measure('a'), measure('b')],
    )
    expect(group?.figures).toEqual({ a: [{ value: '0.3' }], b: [] })
  })

  it('keep the rows of the same dimensions together in order', () => {
    const groups = groupRows(
      [
        { d: 'x', n: 1 },
        { d: 'y', n: 2 },
        { d: 'x', n: 3 },
      ],
      ['d'],
      [measure('n')],
    )
    expect(groups.map(({ keys, figures }) => [keys[0], figures.n?.[0]?.value])).toEqual([
      ['x', '4'],
      ['y', '2'],
    ])
  })
})

describe('the address behind a number', () => {
  const filters = {
    product: { operator: 'in' as const, value: ['sms'] },
    period: { operator: 'between' as const, value: ['2026-01-01', null] },
  }

  it('takes the filters of the report along', () => {
    const params = new URLSearchParams(withFilters('/list?view=all&f.stage=in:s1', filters).split('?')[1])
    expect(Object.fromEntries(params)).toEqual({
      view: 'all',
      'f.stage': 'in:s1',
      'f.product': 'in:sms',
      'f.period': 'between:2026-01-01,',
    })
  })

  it('leaves out what it names itself or keeps out; an empty one says nothing', () => {
    expect(withFilters('/list?f.period=-&f.product=in:voice', filters)).toBe('/list?f.product=in%3Avoice')
    expect(withFilters('/list?f.period=-&f.product=', filters)).toBe('/list?f.product=in%3Asms')
    expect(withFilters('/list', {})).toBe('/list')
  })
})

describe('what stands for a value of a dimension', () => {
  it('is the word and the colour of the dictionary, and the name of a country as lists call it', async () => {
    await ready('country')
    const dictionary = [{ code: 'growing', label: 'Growing', color: 'green' }]
    const model = {
      measures: [],
      dimensions: [
        { id: 'state', title: 'State', dictionary },
        { id: 'country', title: 'Country', format: 'country' },
      ],
    } as unknown as Parameters<typeof shownBy>[0]
    const shown = shownBy(model, fakeHost(), {}, {})
    const named = (id: string, value: string) => shown.dimension(id, { keys: [value], figures: {}, row: {} }, 0)
    expect([named('state', 'growing'), shown.colour('state', 'growing')]).toEqual(['Growing', 'green'])
    expect(shown.colour('state', 'unknown')).toBeUndefined()
    expect(named('country', 'HK')).toBe('Hong Kong')
  })
})
