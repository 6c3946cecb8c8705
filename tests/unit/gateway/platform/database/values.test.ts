import { describe, expect, it } from 'vitest'
import { readTimestamptz } from '../../../../../gateway/platform/database/values'

describe('readTimestamptz', () => {
  it.each([
    ['2026-11-21 03:20:49+00', '2026-11-21T03:20:49.000Z'],
    ['2026-11-21 03:20:49.1+00', '2026-11-21T03:20:49.100Z'],
    ['2026-11-21 03:20:49.123456+00', '2026-11-21T03:20:49.123456Z'],
    ['2026-11-21 11:20:49.5+08', '2026-11-21T03:20:49.500Z'],
    ['infinity', 'infinity'],
  ])('writes %s as %s', (text, iso) => {
    expect(readTimestamptz(text)).toBe(iso)
  })
})
