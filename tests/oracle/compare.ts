import Decimal from 'decimal.js'
import { GUIDE } from './guide'
import type { Figures, Row } from './figures'

/** Worth in CNY follows from rounding per posting: it agrees to the cent; everything else agrees exactly. */
const WORTH = new Set(['base'])

interface Difference {
  what: string
  expected: string
  guide: string
  found: string
}

/** Whatever differs between what must be and what is, with the lines of the guide that say so. */
export function differences(expected: Figures, found: Record<keyof typeof GUIDE, Record<string, Row>>): Difference[] {
  const all: Difference[] = []
  for (const group of Object.keys(GUIDE) as (keyof typeof GUIDE)[]) {
    const [must, is] = [expected[group].figures, found[group]]
    for (const key of new Set([...Object.keys(must), ...Object.keys(is)])) {
      const [wanted, given] = [must[key] ?? {}, is[key] ?? {}]
      for (const field of new Set([...Object.keys(wanted), ...Object.keys(given)])) {
        const [a, b] = [wanted[field] ?? '', given[field] ?? '']
        if (same(a, b, group === 'revaluation' || WORTH.has(field))) continue
        all.push({ what: `${group}: ${key} · ${field}`, expected: a, guide: GUIDE[group][0] ?? '', found: b })
      }
    }
  }
  return all
}

/** `what | expected (guide line) | found`, one difference a line. */
export function table(rows: Difference[]): string {
  return rows
    .map(({ what, expected, guide, found }) => `${what} | ${expected || '—'} (${guide.slice(0, 60)}) | ${found || '—'}`)
    .join('\n')
}

function same(a: string, b: string, worth: boolean): boolean {
  if (a === b) return true
  const [x, y] = [a || '0', b || '0'].map((text) => (/^-?\d+(\.\d+)?$/.test(text) ? new Decimal(text) : null))
  if (!x || !y) return false
  return worth ? x.minus(y).abs().lt(0.005) : x.eq(y)
}
