import { Exact, exactText, toExact } from '../../schema/formats'
import type { Row } from '../row'

/** Rows of the same dimensions together, with the sums of the measures as exact decimal text. */
export interface Group {
  /** Values of the dimensions, in order. */
  keys: readonly unknown[]
  /** Absent: no row of the group has a value. */
  sums: Readonly<Record<string, string | undefined>>
  /** The first row: what a drill-down reads. */
  row: Row
  rows: readonly Row[]
}

/** Exact sum of a member of the rows; undefined when none of them has a value. */
export const sumOf = (rows: readonly Row[], name: string): string | undefined => {
  const values = rows.flatMap((row) => toExact(row[name]) ?? [])
  return values.length === 0 ? undefined : exactText(values.reduce((sum, value) => sum.plus(value), new Exact(0)))
}

/** Groups rows by dimensions and adds the measures up exactly; groups keep the order in which they first appear. */
export const groupRows = (rows: readonly Row[], dimensions: readonly string[], measures: readonly string[]): Group[] => {
  const groups = new Map<string, { keys: readonly unknown[]; rows: Row[] }>()
  for (const row of rows) {
    const keys = dimensions.map((name) => row[name] ?? null)
    const id = JSON.stringify(keys)
    const group = groups.get(id)
    if (group) group.rows.push(row)
    else groups.set(id, { keys, rows: [row] })
  }
  return [...groups.values()].map(({ keys, rows: own }) => ({
    keys,
    row: own[0] ?? {},
    rows: own,
    sums: Object.fromEntries(measures.map((name) => [name, sumOf(own, name)])),
  }))
}

/** The members of a list of rows by the value of one of them, in order of appearance. */
export const partsBy = (rows: readonly Row[], name: string): [string, Row[]][] => {
  const parts = new Map<string, Row[]>()
  for (const row of rows) {
    const value = row[name]
    const key = typeof value === 'string' ? value : ''
    parts.set(key, [...(parts.get(key) ?? []), row])
  }
  return [...parts]
}
