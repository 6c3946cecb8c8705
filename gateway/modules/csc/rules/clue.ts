import { addDays, dayOf, instantAt, nextWorkingDay } from '../../../platform/calendar'

/** What the score of a clue is made of. */
export interface ClueFacts {
  /** The mail address is on a company's own domain, not with a free mailer. */
  companyMail: boolean
  phone: boolean
  company: boolean
  volume: string | null
  countryCode: string | null
  source: string | null
}
export type ClueQuality = 'high' | 'medium' | 'low'

/** Countries that sales concentrates on. */
export const FOCUS_COUNTRIES = ['CN', 'HK', 'SG', 'ID', 'IN', 'AE', 'BR'] as const
const VOLUME: Readonly<Record<string, number>> = { v1: 5, v2: 15, v3: 25, v4: 25 }
const SOURCE: Readonly<Record<string, number>> = { referral: 15, exhibition: 10, website: 5 }
/** Minutes of working time until the first response, by quality, unless the rules of the assignment say otherwise. */
const SLA_MINUTES: Readonly<Record<ClueQuality, number>> = { high: 30, medium: 240, low: 1440 }
const [OPENS, CLOSES] = ['09:00', '18:00']

/** 0 to 100: how likely a clue becomes business. */
export function scoreOf(clue: ClueFacts): number {
  const focus = FOCUS_COUNTRIES.some((code) => code === clue.countryCode)
  const points =
    (clue.companyMail ? 25 : 0) +
    (clue.phone ? 15 : 0) +
    (clue.company ? 10 : 0) +
    (VOLUME[clue.volume ?? ''] ?? 0) +
    (focus ? 10 : 0) +
    (SOURCE[clue.source ?? ''] ?? 0)
  return Math.min(100, points)
}

export function qualityOf(score: number): ClueQuality {
  return score >= 70 ? 'high' : score >= 40 ? 'medium' : 'low'
}

/** The end of the time to respond: working time from 09:00 to 18:00, Monday to Friday, in the company's zone. */
export function respondBy(
  assignedAt: Date,
  quality: ClueQuality,
  timeZone: string,
  minutes: Readonly<Record<ClueQuality, number>> = SLA_MINUTES,
): Date {
  let left = minutes[quality] * 60_000
  let day = dayOf(assignedAt, timeZone)
  if (nextWorkingDay(addDays(day, -1)) !== day) day = nextWorkingDay(day)
  let from = Math.max(assignedAt.getTime(), instantAt(day, OPENS, timeZone).getTime())
  for (;;) {
    const end = instantAt(day, CLOSES, timeZone).getTime()
    if (from + left <= end) return new Date(from + left)
    left -= Math.max(0, end - from)
    day = nextWorkingDay(day)
    from = instantAt(day, OPENS, timeZone).getTime()
  }
}

/** Milliseconds until the working hours of a zone begin (09:00 to 18:00, Monday to Friday); 0 while they run. */
export function untilOpen(now: Date, timeZone: string): number {
  const today = dayOf(now, timeZone)
  const works = nextWorkingDay(addDays(today, -1)) === today
  const closes = instantAt(today, CLOSES, timeZone).getTime()
  const day = works && now.getTime() < closes ? today : nextWorkingDay(today)
  return Math.max(0, instantAt(day, OPENS, timeZone).getTime() - now.getTime())
}
