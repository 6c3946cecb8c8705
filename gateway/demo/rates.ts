import { monthStart } from '../modules/crm'
import { dayOf } from '../platform/calendar'
import type { Chapter } from './handovers'

/** What one unit of a currency is worth in CNY, about. */
const CNY: Readonly<Record<string, number>> = { USD: 7.1, EUR: 7.7, GBP: 9, HKD: 0.91, SGD: 5.3, JPY: 0.047 }
const MONTHS = 24

/** Performance rates of every month of the last two years, which results are counted with. */
export function makeRates({ random, now, timeZone, further }: Chapter): void {
  const today = dayOf(now, timeZone)
  further['sys.exchangeRate'] = Object.entries(CNY).flatMap(([base, rate]) =>
    Array.from({ length: MONTHS + 1 }, (_, back) => ({
      id: `xr-${base}-${back}`,
      base,
      quote: 'CNY',
      date: monthStart(today, back),
      rate: (rate * (0.985 + 0.03 * random.next())).toFixed(6),
      kind: 'performance',
      createdAt: now.toISOString(),
      createdBy: '',
    })),
  )
}
