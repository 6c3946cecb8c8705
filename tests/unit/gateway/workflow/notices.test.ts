import { describe, expect, it } from 'vitest'
import { quietUntil } from '../../../../gateway/workflow/notices/quiet'
import { filled, unknownPlaceholders } from '../../../../gateway/workflow/notices/templates'

describe('quiet hours', () => {
  const until = (at: string, from = '22:00', to = '08:00'): string | undefined =>
    quietUntil(new Date(at), from, to, 'Asia/Shanghai')?.toISOString()

  it('go over midnight in the company zone; the end is not quiet any more', () => {
    expect(until('2026-03-01T13:59:59Z')).toBeUndefined()
    expect(until('2026-03-01T14:00:00Z')).toBe('2026-03-02T00:00:00.000Z')
    expect(until('2026-03-01T18:30:20Z')).toBe('2026-03-02T00:00:00.000Z')
    expect(until('2026-03-01T23:59:59Z')).toBe('2026-03-02T00:00:00.000Z')
    expect(until('2026-03-02T00:00:00Z')).toBeUndefined()
  })

  it('may lie within a day, and be none at all', () => {
    expect(until('2026-03-01T04:30:00Z', '12:00', '13:00')).toBe('2026-03-01T05:00:00.000Z')
    expect(until('2026-03-01T05:00:00Z', '12:00', '13:00')).toBeUndefined()
    expect(until('2026-03-01T05:00:00Z', '08:00', '08:00')).toBeUndefined()
  })
})

describe('templates', () => {
  it('fill in what is known and write - for the rest', () => {
    expect(filled('{applicant}: {amount}, {hours} h, {nothing}', { applicant: 'Wang', amount: '', hours: 0 })).toBe(
      'Wang: -, 0 h, -',
    )
  })
  it('name what nobody fills in', () => {
    expect(unknownPlaceholders('{code} {codes} {by}')).toEqual(['codes'])
  })
})
