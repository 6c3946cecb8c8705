import { dayOf } from '../platform/calendar'
import type { DemoWorld } from './types'

/** What one unit of a currency is worth in CNY, about. */
const CNY: Readonly<Record<string, number>> = { USD: 7.1, EUR: 7.7, GBP: 9, HKD: 0.91, SGD: 5.3, JPY: 0.047 }
const MONTHS = 24

/** Performance rates of every month of the last two years, which results are counted with. */
export function makeRates({ random, now, timeZone, rows }: DemoWorld): void {
  const chance = random.fork('rates')
  const [year = 0, month = 0] = dayOf(now, timeZone).split('-').map(Number)
  rows['sys.exchangeRate'] = Object.entries(CNY).flatMap(([base, rate]) =>
    Array.from({ length: MONTHS + 1 }, (_, back) => ({
      id: `xr-${base}-${back}`,
      base,
      quote: 'CNY',
      date: new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 10),
      rate: (rate * (0.985 + 0.03 * chance.next())).toFixed(6),
      kind: 'performance',
      status: 'live',
      createdAt: now.toISOString(),
      createdBy: '',
    })),
  )
}
