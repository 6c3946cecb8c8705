import { describe, expect, it } from 'vitest'
import { decide, type AssignClue, type AssignPerson, type AssignRule } from '../../../../../gateway/modules/csc/rules/assign'

const here: AssignPerson = { onDuty: true, countries: [], today: 0, open: 0, startsIn: 0 }
const member = (staffId: string, weight = 1, more = {}) => ({
  ...{ id: `m-${staffId}`, staffId, weight, current: 0, dailyCap: 20, openCap: 60 },
  ...more,
})
const rule = (more: Partial<AssignRule>): AssignRule => ({
  ...{ id: 'r', countries: [], products: [], sources: [], quality: [], mode: 'roundRobin', pointer: null, members: [] },
  ...more,
})
const clue: AssignClue = { countryCode: 'SG', products: ['sms'], source: 'website', quality: 'high', skip: null }
const everybody = (...names: string[]) => new Map(names.map((name) => [name, here]))
const always = { respectHours: true }

/** Hands out one after the other; `people` may change between. */
function handed(start: AssignRule, turns: readonly ReadonlyMap<string, AssignPerson>[]): string {
  let current = start
  return turns
    .map((people) => {
      const decision = decide(clue, [current], people, always)
      current = decision.rule ?? current
      return decision.staffId ?? '-'
    })
    .join(' ')
}
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

describe('how a lead finds its person (clues 9.14)', () => {
  const weights = rule({ mode: 'weight', members: [member('A', 3), member('B', 2), member('C', 1)] })

  it('weights A3 B2 C1 give A B A C B A, then the same again', () => {
    expect(handed(weights, times(12, everybody('A', 'B', 'C')))).toBe('A B A C B A A B A C B A')
  })

  it('with B away the sum is that of those present: A A C A; who comes back goes on where he stood', () => {
    expect(handed(weights, times(4, everybody('A', 'C')))).toBe('A A C A')
    const back = handed(weights, [
      ...times(1, everybody('A', 'B', 'C')),
      ...times(4, everybody('A', 'C')),
      everybody('A', 'B', 'C'),
    ])
    expect(back.split(' ').at(-1)).toBe('B')
  })

  it('in turn goes on behind the last, past those who are away', () => {
    const turns = rule({ members: [member('A'), member('B'), member('C')] })
    expect(handed(turns, [...times(2, everybody('A', 'B', 'C')), everybody('A', 'B'), everybody('A', 'B', 'C')])).toBe('A B A B')
  })

  it('the least loaded by his own cap; whoever covers the country', () => {
    const load = rule({ mode: 'leastLoad', members: [member('A', 1, { openCap: 10 }), member('B', 1, { openCap: 100 })] })
    const people = new Map([
      ['A', { ...here, open: 2 }],
      ['B', { ...here, open: 10, countries: ['SG'] }],
    ])
    expect(decide(clue, [load], people, always).staffId).toBe('B')
    const owner = rule({ mode: 'countryOwner', members: load.members })
    expect(decide({ ...clue, countryCode: 'SG' }, [owner], people, always).staffId).toBe('B')
    expect(decide({ ...clue, countryCode: 'BR' }, [owner], people, always)).toMatchObject({ staffId: null, rule: null })
  })

  it('says of everybody who was looked at what spoke against him, and asks the next rule', () => {
    const first = rule({ id: 'first', members: [member('off'), member('full'), member('busy'), member('back')] })
    const second = rule({ id: 'second', members: [member('late'), member('now')] })
    const people = new Map<string, AssignPerson>([
      ['off', { ...here, onDuty: false }],
      ['full', { ...here, today: 20 }],
      ['busy', { ...here, open: 60 }],
      ['back', here],
      ['late', { ...here, startsIn: 3_600_000 }],
      ['now', here],
    ])
    const decision = decide({ ...clue, skip: 'back' }, [first, second], people, always)
    expect(decision).toMatchObject({ staffId: 'now', ruleId: 'second' })
    expect(Object.fromEntries(decision.candidates.map(({ staffId, outcome }) => [staffId, outcome]))).toEqual({
      ...{ off: 'offDuty', full: 'dailyCap', busy: 'openCap', back: 'returned', late: 'offHours', now: 'chosen' },
    })
  })

  it('outside everybody’s hours the next to begin gets it', () => {
    const people = new Map([
      ['A', { ...here, startsIn: 7_200_000 }],
      ['B', { ...here, startsIn: 3_600_000 }],
    ])
    expect(decide(clue, [rule({ members: [member('A'), member('B')] })], people, always).staffId).toBe('B')
  })

  it('a rule is asked only for what it names', () => {
    const people = everybody('A', 'B')
    const rules = [
      rule({ id: 'br', countries: ['BR'], members: [member('A')] }),
      rule({ id: 'sms', products: ['sms'], quality: ['high', 'medium'], members: [member('B')] }),
    ]
    expect(decide(clue, rules, people, always)).toMatchObject({ staffId: 'B', ruleId: 'sms' })
    expect(decide({ ...clue, quality: 'low' }, rules, people, always).staffId).toBeNull()
  })
})
