import type { ColumnModel } from '../../schema/model'

export type Density = 'normal' | 'compact'

/** What a user changed about a list, kept as `list:<page id>`. Columns are named by id, never by position. */
export interface ListSettings {
  order?: readonly string[]
  hidden?: Readonly<Record<string, boolean>>
  widths?: Readonly<Record<string, number>>
  pins?: Readonly<Record<string, 'left' | 'right' | 'none'>>
  density?: Density
  pageSize?: number
}

const MIN_WIDTH = 48
const MAX_WIDTH = 1200

/** A width that a column may have, in whole pixels. */
export const clampWidth = (width: number): number => Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)))

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
const pick = <T>(value: unknown, accept: (entry: unknown) => entry is T): Record<string, T> =>
  Object.fromEntries(Object.entries(record(value)).filter((entry): entry is [string, T] => accept(entry[1])))

/** Reads stored settings; anything that is not as expected is left out, because an older or newer release wrote it. */
export const readSettings = (stored: unknown): ListSettings => {
  const { order, hidden, widths, pins, density, pageSize } = record(stored)
  return {
    ...(Array.isArray(order) ? { order: order.filter((id): id is string => typeof id === 'string') } : {}),
    hidden: pick(hidden, (value): value is boolean => typeof value === 'boolean'),
    widths: pick(widths, (value): value is number => typeof value === 'number' && Number.isFinite(value)),
    pins: pick(pins, (value): value is 'left' | 'right' | 'none' => value === 'left' || value === 'right' || value === 'none'),
    ...(density === 'compact' || density === 'normal' ? { density } : {}),
    ...(typeof pageSize === 'number' && Number.isInteger(pageSize) && pageSize > 0 && pageSize <= 1000 ? { pageSize } : {}),
  }
}

/**
 * All columns in the order of the user, with the user's width, pin and visibility. Unknown ids are ignored; a column that is
 * newer than the settings stands after the one that it follows in the page.
 */
export const arrange = (columns: readonly ColumnModel[], settings: ListSettings): ColumnModel[] => {
  const known = new Map(columns.map((column) => [column.id, column]))
  const ids = [...new Set(settings.order ?? [])].filter((id) => known.has(id))
  if (ids.length === 0) ids.push(...known.keys())
  columns.forEach((column, index) => {
    if (ids.includes(column.id)) return
    const before = columns[index - 1]
    ids.splice(before ? ids.indexOf(before.id) + 1 : 0, 0, column.id)
  })
  return ids.flatMap((id) => {
    const column = known.get(id)
    if (!column) return []
    const pin = settings.pins?.[id]
    const { pin: given, ...rest } = column
    const pinned = pin === undefined ? given : pin === 'none' ? undefined : pin
    return [
      {
        ...rest,
        ...(pinned ? { pin: pinned } : {}),
        hidden: settings.hidden?.[id] ?? column.hidden,
        width: clampWidth(settings.widths?.[id] ?? column.width),
      },
    ]
  })
}

/** The columns to draw: pinned ones outside, hidden ones gone. At least one column stays, or the list would be empty. */
export const shownColumns = (columns: readonly ColumnModel[], settings: ListSettings): ColumnModel[] => {
  const arranged = arrange(columns, settings)
  const shown = arranged.filter((column) => !column.hidden)
  const visible = shown.length > 0 ? shown : arranged.slice(0, 1)
  return [
    ...visible.filter((column) => column.pin === 'left'),
    ...visible.filter((column) => !column.pin),
    ...visible.filter((column) => column.pin === 'right'),
  ]
}
