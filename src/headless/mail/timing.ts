import { dayClock, fromWallClock } from '../../schema/formats'

/** The moment at which clocks in a zone show a time of a day, whatever happens to them that night: for mail that is timed by whoever reads it. */
export function timedAt(day: string, clock: string, timeZone: string): string {
  const [hours = '0', minutes = '0'] = clock.split(':')
  return new Date(fromWallClock(dayClock(day).hour(Number(hours)).minute(Number(minutes)), timeZone)).toISOString()
}
