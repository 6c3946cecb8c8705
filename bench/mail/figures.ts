import { percentile } from '../gatewayServer'

/** A measured figure beside its bar. */
export interface Figure {
  measure: string
  value: number
  bar?: number
  unit: string
  /** At least as much, instead of at most. */
  isLeast?: boolean
  beside?: string
}

/** The 95th percentile of times beside their median. */
export const p95 = (measure: string, times: readonly number[], bar?: number): Figure => ({
  measure,
  value: percentile(times, 0.95),
  unit: 'ms p95',
  beside: `p50 ${percentile(times, 0.5).toFixed(1)}, max ${Math.max(...times).toFixed(1)}, n ${times.length}`,
  ...(bar === undefined ? {} : { bar }),
})

export const isMet = ({ value, bar, isLeast = false }: Figure): boolean =>
  bar === undefined || (isLeast ? value >= bar : value <= bar)

export const told = (figures: readonly Figure[]): void => {
  console.table(
    figures.map((figure) => ({
      measure: figure.measure,
      value: Number(figure.value.toFixed(1)),
      unit: figure.unit,
      bar: figure.bar ?? '',
      '': isMet(figure) ? '' : 'MISSED',
      beside: figure.beside ?? '',
    })),
  )
}

/** How long a call takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Waits until something holds. @throws Error when it does not in time */
export async function until(what: string, holds: () => Promise<boolean>, seconds: number, every = 200): Promise<void> {
  const end = Date.now() + seconds * 1_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Not within ${seconds} s: ${what}`)
    await new Promise((wake) => setTimeout(wake, every))
  }
}
