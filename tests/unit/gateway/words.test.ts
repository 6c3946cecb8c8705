import { describe, expect, it } from 'vitest'
import { findHits, wordFault, type Word } from '../../../gateway/words'

const word = (text: string, matchType = 'contains', more: Partial<Word> = {}): Word => ({
  id: text,
  word: text,
  matchType,
  ...more,
})
const found = (text: string, ...words: Word[]): string[] => findHits(text, words).map((hit) => hit.found)

describe('sensitive words', () => {
  it.each([
    ['full-width letters', 'Win ＣＡＳＩＮＯ now', word('casino'), ['ＣＡＳＩＮＯ']],
    ['upper case in the word', 'big casino', word('CASINO'), ['casino']],
    ['ligatures', 'the oﬃce', word('office'), ['oﬃce']],
    ['accents typed apart', 'cafe\u0301 bar', word('café'), ['cafe\u0301']],
    ['several places', 'bet, bet', word('bet'), ['bet', 'bet']],
    ['a part of a longer word', 'better', word('bet'), ['bet']],
    ['a whole word only', 'better bet', word('bet', 'exact'), ['bet']],
    ['a whole word of Chinese', '立即贷款吧', word('贷款', 'exact'), ['贷款']],
    ['an expression', 'call 400-820 now', word('4\\d{2}-?\\d{3}', 'regex'), ['400-820']],
    ['an expression in capitals', 'free LOAN', word('FREE\\s+LOAN', 'regex'), ['free LOAN']],
  ])('finds %s', (_, text, wanted, places) => {
    expect(found(text, wanted)).toEqual(places)
  })

  it('says where in the text as it was written', () => {
    expect(findHits('x ﬁn x', [word('fin')])[0]).toMatchObject({ start: 2, end: 4, found: 'ﬁn' })
  })

  it('asks only the words of the country and the product', () => {
    const words = [word('loan', 'contains', { countries: ['IN'] }), word('free', 'contains', { products: ['mail'] })]
    expect(findHits('free loan', words, { country: 'DE', product: 'sms' })).toEqual([])
    expect(findHits('free loan', words, { country: 'IN' })).toHaveLength(2)
  })

  it.each([
    ['(a+)+$', null],
    ['(?=a)b', 'look-around'],
    ['(a)\\1', 'back-reference'],
    ['(a', 'syntax'],
    ['a*', 'empty'],
    ['(?:a{1000}){9}', 'too-large'],
  ])('the expression %s: %s', (pattern, fault) => {
    expect(wordFault(word(pattern, 'regex'))).toBe(fault)
  })

  it('takes a time that grows with the text for an expression that would backtrack', () => {
    const begun = performance.now()
    expect(found(`${'a'.repeat(5_000)}!`, word('(a+)+b', 'regex'))).toEqual([])
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})
