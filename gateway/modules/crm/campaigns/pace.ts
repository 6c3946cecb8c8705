import { addDays, dayOf, startOfDay } from '../../../platform/calendar'

const HOUR = 3_600_000

/** What decides when a campaign ends. */
interface Pace {
  /** Mails that are still to be handed over. */
  left: number
  perHour: number
  /** Mails that campaigns may send from the mailbox on a whole day, and today. */
  share: number
  today: number
  now: Date
  /** Of the mailbox: its day begins there. */
  timeZone: string
}

/** When a campaign will be through, if nothing stops it: its rate by the hour within its share of each day. */
export function expectedEnd({ left, perHour, share, today, now, timeZone }: Pace): Date {
  let [at, room, open] = [now, today, left]
  for (;;) {
    const tomorrow = new Date(startOfDay(addDays(dayOf(at, timeZone), 1), timeZone))
    const hours = (tomorrow.getTime() - at.getTime()) / HOUR
    const sent = Math.min(open, room, Math.floor(hours * perHour))
    open -= sent
    if (open <= 0 || share <= 0) return new Date(at.getTime() + (sent / perHour) * HOUR)
    at = tomorrow
    room = share
  }
}
