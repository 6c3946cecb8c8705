import { describe, expect, it } from 'vitest'
import { findPatternFault } from '../../../../src/schema/validate'

describe('findPatternFault', () => {
  it.each([
    '^[A-Z]{2}\\d{5}$',
    '^\\d+$',
    '^[a-z]+-\\d+$',
    '^(?:A|B)[0-9]{3}$',
    '^[^@]+@\\d+$',
    '^[\\u4e00-\\u9fff]+$',
    'a?b*c',
    '^https?:',
  ])('accepts %s', (pattern) => expect(findPatternFault(pattern)).toBeUndefined())

  it.each([
    ['^(a+)+$', 'nested-repetition'],
    ['^(?:[a-z]*)*$', 'nested-repetition'],
    ['^((ab)+c?)+$', 'nested-repetition'],
    ['^(?:a|a)+$', 'nested-repetition'],
    ['^(?:\\w|\\d)*$', 'nested-repetition'],
    ['^\\d+\\d+$', 'overlapping-repetitions'],
    ['^.*x.*$', 'overlapping-repetitions'],
    ['^\\w+a?\\w+$', 'overlapping-repetitions'],
    ['^(?=a)a$', 'look-around'],
    ['^(?<!a)b$', 'look-around'],
    ['^(a)\\1$', 'back-reference'],
    ['^[a-z', 'syntax'],
    ['(', 'syntax'],
  ])('refuses %s: %s', (pattern, fault) => expect(findPatternFault(pattern)).toBe(fault))
})
