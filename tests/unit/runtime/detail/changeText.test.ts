import { describe, expect, it } from 'vitest'
import { structuredChange } from '../../../../src/runtime/detail/changeText'
import { detailTexts } from '../../../../src/runtime/detail/texts'

describe('the change of a structured field in the timeline', () => {
  const thresholds = [
    { id: 'revenue', met: true },
    { id: 'margin', met: false },
  ]

  it('says how many entries there are instead of their JSON', () => {
    expect(structuredChange(null, thresholds, detailTexts.en)).toEqual(['empty', '2 entries'])
    expect(structuredChange(thresholds, [thresholds[0]], detailTexts.zh)).toEqual(['2 项', '1 项'])
    expect(structuredChange({ a: 1, b: null }, {}, detailTexts.en)).toEqual(['1 entry', 'empty'])
  })

  it('says that they are others when both sides have as many', () => {
    expect(structuredChange(thresholds, [{ id: 'points' }, { id: 'profit' }], detailTexts.en)).toEqual([
      '2 entries',
      'other entries',
    ])
  })
})
