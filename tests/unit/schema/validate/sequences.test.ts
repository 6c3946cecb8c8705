import { describe, expect, it } from 'vitest'
import type { EntityField } from '../../../../src/schema/generated/entity'
import { validateDocuments } from '../../../../src/schema/validate'

const label = { 'x-label': { zh: '值', en: 'Value' } }
const problems = (sequence: EntityField['x-sequence']) =>
  validateDocuments([
    {
      where: 'schemas/demo/entities/bill.json',
      type: 'entity',
      value: {
        formatVersion: 3,
        name: 'demo.bill',
        label: { zh: '账单', en: 'Bill' },
        titleField: 'code',
        type: 'object',
        properties: { code: { type: 'string', 'x-sequence': sequence, ...label }, company: { type: 'string', ...label } },
      },
    },
  ]).map(({ code, at, message }) => ({ code, at, message: message.en }))

describe('A series of numbers', () => {
  it('is fine by fields and periods that its pattern shows', () => {
    expect(problems('B{yy}{n:5}')).toEqual([])
    expect(problems({ pattern: 'B{yyyy}{mm}-{n:5}', per: ['company', 'year', 'month'], gapless: true })).toEqual([])
  })

  it('needs a pattern with one counter', () => {
    const [problem] = problems('B{yy}')
    expect(problem).toMatchObject({ code: 'field-kind-mismatch', at: '/properties/code/x-sequence' })
    expect(problem?.message).toContain('exactly one counter')
  })

  it('names fields that are there, periods that its pattern shows, and a transition of its entity', () => {
    expect(problems({ pattern: 'B{n:5}', per: ['compny', 'year', 'month'], at: 'issue' })).toEqual([
      expect.objectContaining({ code: 'unknown-transition', at: '/properties/code/x-sequence/at' }),
      expect.objectContaining({ code: 'unknown-field', at: '/properties/code/x-sequence/per/0' }),
      expect.objectContaining({ code: 'field-kind-mismatch', at: '/properties/code/x-sequence/per/1' }),
      expect.objectContaining({ code: 'field-kind-mismatch', at: '/properties/code/x-sequence/per/2' }),
    ])
  })
})
