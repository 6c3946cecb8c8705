import { Exact, exactText, toExact } from '../../schema/formats'
import type { Row } from '../row'

/** Rows of the same dimensions together, with the sums of the measures as exact decimal text. */
export interface Group {
  /** Values of the dimensions, in order. */
  keys: readonly unknown[]
  sums: Readonly<Record<string, string>>
  /** The first row: what a drill-down reads. */
  row: Row
}

/** Groups rows by dimensions and adds the measures up exactly; groups keep the order in which they first appear. */
export const groupRows = (rows: readonly Row[], dimensions: readonly string[], measures: readonly string[]): Group[] => {
  const groups = new Map<string, { keys: readonly unknown[]; sums: Record<string, Exact>; row: Row }>()
  for (const row of rows) {
    const keys = dimensions.map((name) => row[name] ?? null)
    const id = JSON.stringify(keys)
    let group = groups.get(id)
    if (!group) {
      group = { keys, sums: Object.fromEntries(measures.map((name) => [name, new Exact(0)])), row }
      groups.set(id, group)
    }
    for (const name of measures) group.sums[name] = (group.sums[name] ?? new Exact(0)).plus(toExact(row[name]) ?? 0)
  }
  return [...groups.values()].map(({ keys, sums, row }) => ({
    keys,
    row,
    sums: Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, exactText(sum)])),
  }))
}
