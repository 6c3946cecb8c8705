import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc'
import { fromWallClock, isDay } from '../../../schema/formats/time'
import type { TextContext } from './registry'

dayjs.extend(utc)

/** Days as spreadsheets write them: 2025-3-1, 2025/03/01, 2025年3月1日, 20250301. Day before month is not guessed. */
const DAY = /^(\d{4})(?:[-/.年](\d{1,2})[-/.月](\d{1,2})日?|(\d{2})(\d{2}))$/
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/

export const parseDay = (text: string): string | undefined => {
  const found = DAY.exec(text.trim())
  if (!found) return undefined
  const day = `${found[1]}-${(found[2] ?? found[4] ?? '').padStart(2, '0')}-${(found[3] ?? found[5] ?? '').padStart(2, '0')}`
  return isDay(day) ? day : undefined
}

/** A day and a time of the viewer's clock as an instant in UTC. */
export const parseInstant = (text: string, { timeZone }: TextContext): string | undefined => {
  const [first = '', second = '00:00'] = text.trim().split(/[ T]+/)
  const day = parseDay(first)
  const time = TIME.exec(second)
  if (!day || !time) return undefined
  const clock = `${(time[1] ?? '').padStart(2, '0')}:${time[2]}:${time[3] ?? '00'}`
  const wall = dayjs.utc(`${day}T${clock}Z`)
  return wall.isValid() ? new Date(fromWallClock(wall, timeZone)).toISOString() : undefined
}
