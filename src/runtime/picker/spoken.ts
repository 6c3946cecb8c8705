import dayjs, { type Dayjs } from 'dayjs'
import type { Locale } from '../../schema/problem'

const WEEKDAYS_EN = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const WEEKDAYS_ZH = '日一二三四五六'
const NUMBERS_ZH = '零一二三四五六七八九十'
const NEAR: Readonly<Record<string, number>> = {
  ...{ today: 0, tomorrow: 1, yesterday: -1, 'day after tomorrow': 2 },
  ...{ 今天: 0, 今日: 0, 明天: 1, 明日: 1, 后天: 2, 大后天: 3, 昨天: -1, 昨日: -1, 前天: -2 },
}
const SPANS: Readonly<Record<string, 'day' | 'week' | 'month'>> = {
  ...{ day: 'day', week: 'week', month: 'month' },
  ...{ 天: 'day', 日: 'day', 周: 'week', 个星期: 'week', 星期: 'week', 个月: 'month' },
}
const LATER = [
  /^in (\d{1,3}|a|an|one|two|three) (day|week|month)s?$/u,
  /^(\d{1,3}) (day|week|month)s? (?:later|from now)$/u,
  /^([\d一二两三四五六七八九十]{1,3})(天|日|周|个星期|星期|个月)(?:之?后)$/u,
]
const EARLIER = [
  /^(\d{1,3}) (day|week|month)s? ago$/u,
  /^([\d一二两三四五六七八九十]{1,3})(天|日|周|个星期|星期|个月)(?:之?前)$/u,
]
const STEP = /^([+-])(\d{1,3})$/u
const WORDS: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, 两: 2 }

const countOf = (text: string): number => {
  if (/^\d+$/u.test(text)) return Number(text)
  return WORDS[text] ?? (text.length === 1 ? NUMBERS_ZH.indexOf(text) : Number.NaN)
}

/** The number of a weekday, 0 for Sunday; -1 for none. */
const weekdayOf = (text: string): number => {
  const zh = /^(?:周|星期|礼拜)([日天一二三四五六])$/u.exec(text)?.[1]
  if (zh !== undefined) return WEEKDAYS_ZH.indexOf(zh === '天' ? '日' : zh)
  return text.length < 3 ? -1 : WEEKDAYS_EN.findIndex((name) => name.startsWith(text))
}

/** That weekday of the week that begins `weeks` Mondays from now. */
const inWeek = (today: Dayjs, weekday: number, weeks: number): Dayjs =>
  today.subtract((today.day() + 6) % 7, 'day').add(weeks * 7 + ((weekday + 6) % 7), 'day')

function near(text: string, today: Dayjs): Dayjs | undefined {
  const days = NEAR[text]
  if (days !== undefined) return today.add(days, 'day')
  const step = STEP.exec(text)
  if (step) return today.add(Number(`${step[1]}${step[2]}`), 'day')
  for (const [patterns, sign] of [
    [LATER, 1],
    [EARLIER, -1],
  ] as const)
    for (const pattern of patterns) {
      const [, count = '', span = ''] = pattern.exec(text) ?? []
      const unit = SPANS[span]
      if (unit && countOf(count) >= 0) return today.add(sign * countOf(count), unit)
    }
  if (text === 'end of month' || text === 'month end' || text === '月底') return today.endOf('month')
  const [, following, name = ''] = /^(next |下个?(?=周|星期|礼拜))?(.+)$/u.exec(text) ?? []
  const weekday = weekdayOf(name)
  if (weekday < 0) return undefined
  if (following !== undefined) return inWeek(today, weekday, 1)
  // a weekday by itself is the next one that comes
  return today.add((weekday - today.day() + 7) % 7 || 7, 'day')
}

/**
 * A day as people say it, in either language: tomorrow, in 3 days, next Monday, +3, 明天, 三天后, 下周一, 月底. Undefined for what is none.
 * @param today YYYY-MM-DD
 */
export function spokenDay(text: string, today: string): string | undefined {
  const plain = text.normalize('NFKC').trim().toLowerCase().replace(/\s+/gu, ' ')
  return near(plain, dayjs(today))?.format('YYYY-MM-DD')
}

/** The hour of a day that was said without one. */
export const MORNING = '09:00'

const OFFERED = [
  { text: 'tomorrow', zh: '明天', en: 'Tomorrow' },
  { text: '+3', zh: '3天后', en: 'In 3 days' },
  { text: 'next monday', zh: '下周一', en: 'Next Monday' },
  { text: '+14', zh: '两周后', en: 'In 2 weeks' },
  { text: 'end of month', zh: '月底', en: 'End of month' },
] as const

/** The days that a calendar offers by name: those within what may be chosen. */
export function offeredDays(
  today: string,
  locale: Locale,
  { min, max }: { min?: string; max?: string } = {},
): { label: string; day: string }[] {
  return OFFERED.map(({ text, ...label }) => ({ label: label[locale], day: spokenDay(text, today) ?? today })).filter(
    ({ day }) => (min === undefined || day >= min) && (max === undefined || day <= max),
  )
}
