import type { EntityEngine } from '../../../entities'
import type { RequestContext } from '../../../platform/http'

/** What a part of a report is made of, as `entity.field`. */
export interface PartSources {
  /** What its rows are grouped and counted by. */
  by?: readonly string[]
  /** What single figures need besides. */
  of?: Readonly<Record<string, readonly string[]>>
}

/**
 * A report as its reader may see it: field rules hold for figures as for rows. Without the rows of a part that is grouped by a field
 * which he does not see in clear, and without the figures that are made of one.
 */
export function readableReport<Report extends Readonly<Record<string, readonly object[]>>>(
  engine: EntityEngine,
  context: RequestContext,
  report: Report,
  parts: Readonly<Record<keyof Report, PartSources>>,
): Record<keyof Report, object[]> {
  const closed = (fields: readonly string[] = []): boolean => fields.some((field) => !engine.readable(context, field))
  const told = Object.entries(report).map(([name, rows]): [string, object[]] => {
    const { by, of = {} } = parts[name] ?? {}
    if (closed(by)) return [name, []]
    const left = new Set(Object.keys(of).filter((figure) => closed(of[figure])))
    return [name, left.size === 0 ? [...rows] : rows.map((row) => without(row, left))]
  })
  return Object.fromEntries(told) as Record<keyof Report, object[]>
}

const without = (row: object, figures: ReadonlySet<string>): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !figures.has(name)))
