import { addDays, mondayOf, type Day } from '../../../platform/calendar'
import type { BilingualText } from '../../../../src/schema/problem'
import { numberOf } from './normalise'

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** Days that a question is about, first and last one included. */
export interface Period {
  from: Day
  to: Day
  label: BilingualText
  /** As it stands in the question. */
  text: string
  unit: Unit
}

const pad = (value: number): string => String(value).padStart(2, '0')
const parts = (day: Day): [number, number] => [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
const monthDay = (year: number, month: number): Day => {
  const months = year * 12 + month - 1
  return `${Math.floor(months / 12)}-${pad((((months % 12) + 12) % 12) + 1)}-01`
}

/** The first day of a unit, some units later or earlier. */
export function startOf(unit: Unit, day: Day, shift = 0): Day {
  const [year, month] = parts(day)
  if (unit === 'day') return addDays(day, shift)
  if (unit === 'week') return addDays(mondayOf(day), 7 * shift)
  if (unit === 'month') return monthDay(year, month + shift)
  if (unit === 'quarter') return monthDay(year, month - ((month - 1) % 3) + 3 * shift)
  return monthDay(year + shift, 1)
}

const whole = (unit: Unit, today: Day, shift: number): [Day, Day] => [
  startOf(unit, today, shift),
  addDays(startOf(unit, today, shift + 1), -1),
]

const UNITS: Readonly<Record<string, Unit>> = {
  ...{
    天: 'day',
    日: 'day',
    周: 'week',
    星期: 'week',
    礼拜: 'week',
    个月: 'month',
    月: 'month',
    季度: 'quarter',
    季: 'quarter',
    年: 'year',
  },
  ...{ day: 'day', week: 'week', month: 'month', quarter: 'quarter', year: 'year' },
}
const NUMBER = '(\\d{1,3}|[一二两三四五六七八九十百]{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve)'
const MONTHS = 'january february march april may june july august september october november december'.split(' ')

type Made = { from: Day; to: Day; unit: Unit }
interface Phrase {
  pattern: RegExp
  make(found: RegExpExecArray, today: Day): Made | undefined
}
const fixed = (pattern: RegExp, unit: Unit, shift: number): Phrase => ({
  pattern,
  make: (_, today) => {
    const [from, to] = whole(unit, today, shift)
    return { from, to, unit }
  },
})
const unitOf = (word: string | undefined): Unit | undefined => UNITS[(word ?? '').replace(/^个(?!月)/, '')]

/** The last so many units up to today: days are counted, months and years go back to the same day. */
function lastOf(count: number | undefined, unit: Unit | undefined, today: Day): Made | undefined {
  if (count === undefined || unit === undefined || count < 1) return undefined
  if (unit === 'day' || unit === 'week')
    return { from: addDays(today, 1 - count * (unit === 'day' ? 1 : 7)), to: today, unit: 'day' }
  const months = count * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12)
  const [year, month] = parts(today)
  const first = monthDay(year, month - months)
  const last = addDays(startOf('month', first, 1), -1)
  const same = `${first.slice(0, 8)}${today.slice(8)}`
  return { from: addDays(same > last ? last : same, 1), to: today, unit: 'day' }
}

function monthIn(year: string | undefined, month: number, today: Day): Made | undefined {
  if (month < 1 || month > 12) return undefined
  const [thisYear, thisMonth] = parts(today)
  const which = year === undefined ? (month > thisMonth ? thisYear - 1 : thisYear) : Number(year)
  const from = monthDay(which, month)
  return { from, to: addDays(startOf('month', from, 1), -1), unit: 'month' }
}
const isDay = (day: Day): boolean => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
const oneDay = (day: Day): Made | undefined => (isDay(day) ? { from: day, to: day, unit: 'day' } : undefined)

const PHRASES: readonly Phrase[] = [
  {
    pattern: /(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?\s*(?:到|至|~|-|to|until)\s*(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?/,
    make: ([, a, b, c, d, e, f]) => {
      const from = `${a}-${pad(Number(b))}-${pad(Number(c))}`
      const to = `${d}-${pad(Number(e))}-${pad(Number(f))}`
      return isDay(from) && isDay(to) && from <= to ? { from, to, unit: 'day' } : undefined
    },
  },
  {
    pattern: /(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})[日号]?/,
    make: ([, y, m, d]) => oneDay(`${y}-${pad(Number(m))}-${pad(Number(d))}`),
  },
  { pattern: /(\d{4})年\s*第?([一二三四1-4])季度/, make: ([, y, q], today) => quarterIn(y, q, today) },
  {
    pattern: /(?:第)?([一二三四1-4])季度|\bq([1-4])\b(?:\s*(\d{4}))?/,
    make: ([, zh, en, y], today) => quarterIn(y, zh ?? en, today),
  },
  { pattern: /(\d{4})[-/年](\d{1,2})月?(?!\d)/, make: ([, y, m], today) => monthIn(y, Number(m), today) },
  {
    pattern: new RegExp(`(?:自|从)?${NUMBER}月(?:份)?(?:以来|至今|到现在|起)`),
    make: ([, m], today) => {
      const month = monthIn(undefined, numberOf(m ?? '') ?? 0, today)
      return month && { from: month.from, to: today, unit: 'month' }
    },
  },
  {
    pattern: new RegExp(`since (${MONTHS.join('|')})(?: (\\d{4}))?`),
    make: ([, m, y], today) => {
      const month = monthIn(y, MONTHS.indexOf(m ?? '') + 1, today)
      return month && { from: month.from, to: today, unit: 'month' }
    },
  },
  {
    pattern: new RegExp(`(?:近|最近|过去|前)\\s*${NUMBER}\\s*(天|日|个?星期|个?周|周|个月|月|个?季度|年)`),
    make: ([, count, unit], today) => lastOf(numberOf(count ?? ''), unitOf(unit), today),
  },
  {
    pattern: new RegExp(`(?:in |over |during )?(?:the )?(?:last|past|previous|recent) ${NUMBER} (day|week|month|quarter|year)s?`),
    make: ([, count, unit], today) => lastOf(numberOf(count ?? ''), unitOf(unit), today),
  },
  fixed(/今天|今日|当天|\btoday\b/, 'day', 0),
  fixed(/前天|the day before yesterday/, 'day', -2),
  fixed(/昨天|昨日|\byesterday\b/, 'day', -1),
  fixed(/明天|明日|\btomorrow\b/, 'day', 1),
  fixed(/上上(?:个)?(?:周|星期|礼拜)/, 'week', -2),
  fixed(/上(?:个|一)?(?:周|星期|礼拜)|(?:the )?(?:last|previous) week/, 'week', -1),
  fixed(/本周|这(?:个)?(?:周|星期|礼拜)|\bthis week\b/, 'week', 0),
  fixed(/下(?:个)?(?:周|星期|礼拜)|\bnext week\b/, 'week', 1),
  fixed(/上上(?:个)?月|the month before last/, 'month', -2),
  fixed(/上(?:个|一个|一)?月(?:份)?|(?:the )?(?:last|previous) month/, 'month', -1),
  fixed(/本月|这个月|当月|这月|\bthis month\b|month to date|\bmtd\b/, 'month', 0),
  fixed(/下(?:个)?月|\bnext month\b/, 'month', 1),
  fixed(/上上(?:个)?季度/, 'quarter', -2),
  fixed(/上(?:个|一个|一)?季度?|(?:the )?(?:last|previous) quarter/, 'quarter', -1),
  fixed(/本季度?|这(?:个)?季度?|当季|\bthis quarter\b/, 'quarter', 0),
  fixed(/前年|the year before last/, 'year', -2),
  fixed(/去年(?!同期)|上一年|(?:the )?(?:last|previous) year/, 'year', -1),
  fixed(/今年|本年|\bthis year\b|year to date|\bytd\b/, 'year', 0),
  { pattern: /(\d{4})年|\bin (20\d{2})\b/, make: ([, zh, en]) => yearIn(zh ?? en) },
  {
    pattern: new RegExp(`(?:in )?\\b(${MONTHS.join('|')})\\b(?: (\\d{4}))?`),
    make: ([, m, y], today) => monthIn(y, MONTHS.indexOf(m ?? '') + 1, today),
  },
  {
    pattern: new RegExp(`(?<!近|前|过去|最近)${NUMBER}月(?:份)?`),
    make: ([, m], today) => monthIn(undefined, numberOf(m ?? '') ?? 0, today),
  },
  { pattern: /最近|近期|近来|\brecently\b|\blately\b/, make: (_, today) => lastOf(30, 'day', today) },
]

function quarterIn(year: string | undefined, which: string | undefined, today: Day): Made | undefined {
  const quarter = numberOf(which ?? '')
  if (quarter === undefined) return undefined
  const from = monthDay(year === undefined ? parts(today)[0] : Number(year), quarter * 3 - 2)
  return { from, to: addDays(startOf('quarter', from, 1), -1), unit: 'quarter' }
}
function yearIn(year: string | undefined): Made | undefined {
  const from = monthDay(Number(year), 1)
  return { from, to: addDays(startOf('year', from, 1), -1), unit: 'year' }
}

/** The first period that a normalised question names, by the company's day. */
export function periodOf(question: string, today: Day): Period | undefined {
  for (const { pattern, make } of PHRASES) {
    const found = pattern.exec(question)
    const made = found && make(found, today)
    if (!found || !made) continue
    return { ...made, text: found[0], label: labelOf(made) }
  }
  return undefined
}

function labelOf({ from, to, unit }: Made): BilingualText {
  if (from === to) return { zh: from, en: from }
  if (unit === 'month' && from.slice(0, 7) === to.slice(0, 7))
    return { zh: `${from.slice(0, 4)}年${Number(from.slice(5, 7))}月`, en: from.slice(0, 7) }
  return { zh: `${from} 至 ${to}`, en: `${from} to ${to}` }
}
