import { describe, expect, it } from 'vitest'
import { askedTerms } from '../../../gateway/modules/ai/help/ranking'
import { COMMON_QUESTIONS } from '../../../gateway/modules/ai/questions'
import { canonical, languageOf, Lexicon, normalise, numberOf } from '../../../gateway/modules/ai/language/normalise'
import { periodOf } from '../../../gateway/modules/ai/language/time'
import { told } from '../../../gateway/modules/ai/facts/words'
import { marked } from '../../../gateway/modules/ai/model/figures'

/** A Tuesday. */
const TODAY = '2026-12-01'
const days = (question: string): string => {
  const period = periodOf(normalise(question), TODAY)
  return period ? `${period.from} ${period.to}` : 'none'
}

describe('the language of questions', () => {
  it('is the same in full and half width, traditional and simplified', () => {
    expect(normalise('我上個月的收入ＵＳＤ？')).toBe('我上个月的收入usd')
    expect([languageOf('上个月 revenue'), languageOf('revenue')]).toEqual(['zh', 'en'])
    expect(['五', '十五', '三十', '两', '12', 'three', '收'].map(numberOf)).toEqual([5, 15, 30, 2, 12, 3, undefined])
    expect(canonical('Overdue Bills')).toBe(canonical('overdue bill'))
  })

  it.each([
    ['今天', '2026-12-01 2026-12-01'],
    ['昨天发了多少', '2026-11-30 2026-11-30'],
    ['本周', '2026-11-30 2026-12-06'],
    ['上周', '2026-11-23 2026-11-29'],
    ['这个月', '2026-12-01 2026-12-31'],
    ['上个月的收入', '2026-11-01 2026-11-30'],
    ['近90天', '2026-09-03 2026-12-01'],
    ['最近三个月', '2026-09-02 2026-12-01'],
    ['上季度', '2026-07-01 2026-09-30'],
    ['今年第一季度', '2026-01-01 2026-03-31'],
    ['去年', '2025-01-01 2025-12-31'],
    ['2026年10月', '2026-10-01 2026-10-31'],
    ['十月份的收入', '2026-10-01 2026-10-31'],
    ['三月以来', '2026-03-01 2026-12-01'],
    ['2026-10-05 到 2026-10-09', '2026-10-05 2026-10-09'],
    ['revenue this week', '2026-11-30 2026-12-06'],
    ['last month', '2026-11-01 2026-11-30'],
    ['in the last 30 days', '2026-11-02 2026-12-01'],
    ['past two weeks', '2026-11-18 2026-12-01'],
    ['since March', '2026-03-01 2026-12-01'],
    ['in October', '2026-10-01 2026-10-31'],
    ['Q3 2026', '2026-07-01 2026-09-30'],
    ['this quarter', '2026-10-01 2026-12-31'],
    ['year to date', '2026-01-01 2026-12-31'],
    ['多少个客户', 'none'],
  ])('knows the days of %s', (question, expected) => {
    expect(days(question)).toBe(expected)
  })

  it('finds the longest words, and words of Latin script only where they stand alone', () => {
    const lexicon = new Lexicon<string>()
    for (const word of ['收入', '销售收入', 'rate', 'delivery rate', 'cost']) lexicon.add(word, word)
    const found = (text: string): string[] => lexicon.find(canonical(text)).map(({ entry }) => entry)
    expect(found('上个月销售收入')).toEqual(['销售收入'])
    expect(found('delivery rates and costs')).toEqual(['delivery rate', 'cost'])
    expect(found('separate costume')).toEqual([])
  })

  it('leaves out what only makes a sentence a question', () => {
    expect(askedTerms('今天怎么导入的')).toEqual(['导入'])
    expect(askedTerms('How do I import files today?')).toEqual(askedTerms('import file'))
  })

  it('tells amounts with the decimals of their currency, and prices of a unit as exact as they are', () => {
    expect(told({ kind: 'money' }, { USD: '3098.8', CNY: '600', JPY: '1200.4' }, 'en')).toBe(
      '3,098.80 USD, 600.00 CNY, 1,200 JPY',
    )
    expect(told({ kind: 'money' }, '0.0045', 'en')).toBe('0.0045 USD')
    expect(told({ kind: 'money' }, undefined, 'zh')).toBe('0.00 USD')
    expect(told({ kind: 'percent' }, '0.1234', 'zh')).toBe('12.34%')
  })

  it('marks figures that neither the question nor a tool gave', () => {
    const known = ['{"total":1234.567,"n":12}', 'top 5 in 2026-11']
    expect(marked('1. 收入 1,234.57，12 个，另有 99 个 (2026-11)。', known, '!')).toBe(
      '1. 收入 1,234.57，12 个，另有 99! 个 (2026-11)。',
    )
  })

  it('R346 has at least 120 common questions within the length that may be asked', () => {
    expect(COMMON_QUESTIONS.length).toBeGreaterThanOrEqual(120)
    for (const { zh, en } of COMMON_QUESTIONS)
      expect([zh.length <= 100 && zh !== '', en.length <= 100 && en !== '']).toEqual([true, true])
    expect(new Set(COMMON_QUESTIONS.map(({ en }) => en)).size).toBe(COMMON_QUESTIONS.length)
  })
})
