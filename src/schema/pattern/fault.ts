import type { BilingualText } from '../problem'
import { translatePattern, type PatternFault } from './translate'

const SENTENCES: Readonly<Record<PatternFault, BilingualText>> = {
  syntax: { zh: '不是有效的正则表达式。', en: 'It is no regular expression.' },
  'look-around': { zh: '不能用前后查找。', en: 'Look-around cannot be used.' },
  'back-reference': { zh: '不能用反向引用。', en: 'Back references cannot be used.' },
  property: {
    zh: '只能用 Unicode 大类（如 \\p{L}、\\p{Nd}）和常用文字（如 \\p{Script=Han}）。',
    en: 'Only general categories such as \\p{L} or \\p{Nd} and common scripts such as \\p{Script=Han} can be used.',
  },
  'too-large': {
    zh: '太大：最多 500 个字符，嵌套的重复相乘不超过 1000 次，全部重复合计不超过 5000 个字符。',
    en: 'It is too large: at most 500 characters, 1,000 repetitions where one stands inside another, and 5,000 repeated characters in all.',
  },
}

/** Why a pattern cannot be used, or undefined. Never throws. */
export function patternFault(pattern: string): { fault: PatternFault; sentence: BilingualText } | undefined {
  const translation = translatePattern(pattern)
  return 'fault' in translation ? { fault: translation.fault, sentence: SENTENCES[translation.fault] } : undefined
}
