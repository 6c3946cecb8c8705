import dayjs, { type Dayjs } from 'dayjs'
import utc from 'dayjs/plugin/utc'
import { formatOf, fromWallClock, isDay, readTime, toInstant, wallClock } from '../../schema/formats'
import type { Locale } from '../../schema/problem'
import { MORNING, spokenDay } from './spoken'

dayjs.extend(utc)
const WALL = 'YYYY-MM-DDTHH:mm:ss'
const COMPACT_TIME = /^(\d{2})(\d{2})$/
const STORED_TIME = /^\d{2}:\d{2}/

/** A kind of moment that a picker gives: how it is kept, read from what somebody typed, and handed to the calendar. */
export interface Notation {
  /** What the picker writes into its box. */
  format: string
  /** The kept form of a typed text; undefined: it cannot be read. */
  read(text: string): string | undefined
  /** null: there is none, or what is there is a text that could not be read. */
  toCalendar(value: unknown): Dayjs | null
  fromCalendar(moment: Dayjs): string
}

const readAs =
  (kind: 'date' | 'dateTime', timeZone: string) =>
  (text: string): string | undefined => {
    const parsed = formatOf(kind).parse(text.normalize('NFKC'), {}, { locale: 'en', timeZone })
    return 'value' in parsed && typeof parsed.value === 'string' ? parsed.value : undefined
  }

/** Days, kept as YYYY-MM-DD. */
export const DAYS: Notation = {
  format: 'YYYY-MM-DD',
  read: readAs('date', 'UTC'),
  toCalendar: (value) => (isDay(value) ? dayjs(value) : null),
  fromCalendar: (moment) => moment.format('YYYY-MM-DD'),
}

/** Days that may be said as people say them, too: tomorrow, 下周一. */
export const daysFrom = (today: () => string): Notation => ({
  ...DAYS,
  read: (text) => DAYS.read(text) ?? spokenDay(text, today()),
})

/** Times of day, kept as HH:mm. */
export const TIMES: Notation = {
  format: 'HH:mm',
  read: (text) => {
    const plain = text.normalize('NFKC').trim()
    return readTime(plain.replace(COMPACT_TIME, '$1:$2'))?.slice(0, 5)
  },
  toCalendar: (value) => (typeof value === 'string' && STORED_TIME.test(value) ? dayjs(`2000-01-01T${value.slice(0, 5)}`) : null),
  fromCalendar: (moment) => moment.format('HH:mm'),
}

const SPOKEN_TIME = /^(.*?)\s*(\d{1,2}:\d{2})$/u

/** Instants, typed and shown by the clock of a time zone and kept in UTC; with `today` also as people say them: tomorrow, 明天 14:30. */
export const instantsOf = (timeZone: string, today?: () => string): Notation => ({
  format: 'YYYY-MM-DD HH:mm',
  read: (text) => {
    const read = readAs('dateTime', timeZone)
    const plain = read(text)
    if (plain !== undefined || !today) return plain
    const [, spoken = text, time = MORNING] = SPOKEN_TIME.exec(text.normalize('NFKC').trim()) ?? []
    const day = spokenDay(spoken, today())
    return day === undefined ? undefined : read(`${day} ${time}`)
  },
  toCalendar: (value) => {
    const instant = toInstant(value)
    return instant === undefined ? null : dayjs(wallClock(instant, timeZone).format(WALL))
  },
  fromCalendar: (moment) => new Date(fromWallClock(dayjs.utc(moment.format(WALL)), timeZone)).toISOString(),
})

/** Text that somebody typed into a picker and that could not be read: it stands in the place of the value. */
export const isUnread = (value: unknown, notation: Notation): value is string =>
  typeof value === 'string' && value !== '' && notation.toCalendar(value) === null

/** Why a picker's value cannot be used, in one sentence; null when it can. */
export const unreadReason = (value: unknown, kind: 'date' | 'dateTime', locale: Locale): string | null =>
  formatOf(kind).validate(value, {}, { locale, timeZone: 'UTC' })?.[locale] ?? null

/** Rule of an antd form: a text that could not be read is said to be none and keeps the form from being sent. */
export const readable = (kind: 'date' | 'dateTime', locale: Locale) => ({
  validator: (_rule: unknown, value: unknown): Promise<void> => {
    const reason = unreadReason(value, kind, locale)
    return reason === null ? Promise.resolve() : Promise.reject(new Error(reason))
  },
})
