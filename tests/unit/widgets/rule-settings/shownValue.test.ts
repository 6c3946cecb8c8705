import { beforeAll, describe, expect, it } from 'vitest'
import { ready } from '../../../../src/schema/formats'
import { listChange, shownTarget, shownValue, subjectName } from '../../../../src/widgets/rule-settings/shownValue'

beforeAll(() => ready('country'))

const words = {
  '': { choices: { block: { zh: '禁止', en: 'Block' } } },
  from: { title: { zh: '从', en: 'From' } },
  points: { title: { zh: '得分', en: 'Points' } },
  kind: { title: { zh: '类型', en: 'Kind' }, choices: { freeMail: { zh: '公共邮箱', en: 'Free mail' } } },
  country: { countries: true as const },
}

describe('a parameter of a rule as people read it', () => {
  it('groups thousands and names the numbers of an entry', () => {
    expect(shownValue(500_000, 'zh', words)).toBe('500,000')
    expect(shownValue([{ from: 10_000, points: 35 }], 'en', words)).toBe('From 10,000 · Points 35')
  })

  it('says codes in the words of the form, also inside of entries, and countries by their names', () => {
    expect(shownValue('block', 'zh', words)).toBe('禁止')
    expect(shownValue({ domain: 'gmail.com', kind: 'freeMail', note: null }, 'en', words)).toBe('gmail.com · Free mail')
    expect(shownValue({ country: ['CN', 'XX'] }, 'en', words)).toBe('China; XX')
  })

  it('names whom an exception holds for, and what a subject of the rule is called', () => {
    const exception = { id: '1', until: null, reason: null, ended: false, diff: [] }
    expect(shownTarget({ ...exception, targetType: 'country', target: 'CN' }, 'en')).toBe('China')
    expect(subjectName({ id: 'level', label: { zh: '客户等级', en: 'Customer level' }, choices: [] }, 'zh')).toBe('客户等级')
    expect(subjectName({ id: 'staff' }, 'en', 'one')).toBe('A person')
    expect(shownTarget({ ...exception, targetType: 'staff', target: 'Ada Lin (S0001)' }, 'en')).toBe('Ada Lin (S0001)')
  })

  it('has a word for yes, no and nothing', () => {
    expect([true, false, null, []].map((value) => shownValue(value, 'en'))).toEqual(['Yes', 'No', '—', '—'])
  })
})

describe('the change of a list', () => {
  it('is what went and what came, whatever the order of members', () => {
    const before = [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ]
    const after = [
      { b: 2, a: 1 },
      { a: 5, b: 6 },
    ]
    expect(listChange(before, after)).toEqual({ gone: [{ a: 3, b: 4 }], added: [{ a: 5, b: 6 }] })
  })

  it('is none of something else', () => {
    expect(listChange(1, 2)).toBeNull()
    expect(listChange(null, [1])).toBeNull()
  })
})
