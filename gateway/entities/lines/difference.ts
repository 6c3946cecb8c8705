import type { EntityRecord } from '../calls'
import type { FieldChange } from '../read/changes'
import { sameValue } from '../sameValue'

/** A line on one side of a difference: all that was in it, or of a changed one the cells that differ. */
export interface ToldLine {
  id: string
  position: number
  /** What it is called by, whether that differs or not. */
  title: unknown
  values: EntityRecord
}

/**
 * What differs between two states of the lines of a record. `before` holds the removed and the changed ones, `after` the changed and
 * the added ones: a line that stands on both sides was changed.
 */
export interface LinesDifference {
  before: ToldLine[]
  after: ToldLine[]
  /** Lines that stayed stand in another order. */
  moved: boolean
}

/** The fields of a line that a difference tells, and the one that it is called by. */
export interface ToldFields {
  names: readonly string[]
  title: string
}

const filled = (values: EntityRecord): EntityRecord =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

/** Compares the lines of a record before and after. Pure. */
export function differenceOf(
  { names, title }: ToldFields,
  before: readonly EntityRecord[],
  after: readonly EntityRecord[],
): LinesDifference {
  const line = (row: EntityRecord, index: number, told: readonly string[]): ToldLine => ({
    id: String(row.id),
    position: Number(row.position ?? index + 1),
    title: row[title] ?? null,
    values: Object.fromEntries(told.map((name) => [name, row[name] ?? null])),
  })
  const whole = (row: EntityRecord, index: number): ToldLine => {
    const told = line(row, index, names)
    return { ...told, values: filled(told.values) }
  }
  const was = new Map(before.map((row, index) => [row.id, { row, index }]))
  const is = new Set(after.map(({ id }) => id))
  const difference: LinesDifference = { before: [], after: [], moved: false }
  for (const [index, row] of before.entries()) if (!is.has(row.id)) difference.before.push(whole(row, index))
  let last = -1
  for (const [index, row] of after.entries()) {
    const old = was.get(row.id)
    if (!old) {
      difference.after.push(whole(row, index))
      continue
    }
    if (old.index < last) difference.moved = true
    last = old.index
    const changed = names.filter((name) => !sameValue(old.row[name], row[name]))
    if (changed.length === 0) continue
    difference.before.push(line(old.row, old.index, changed))
    difference.after.push(line(row, index, changed))
  }
  return difference
}

export const isDifferent = ({ before, after, moved }: LinesDifference): boolean => moved || before.length > 0 || after.length > 0

/** What two differences that follow each other come to. Pure. */
export function mergeDifferences(first: LinesDifference, second: LinesDifference): LinesDifference {
  const sides = (difference: LinesDifference) => ({
    before: new Map(difference.before.map((line) => [line.id, line])),
    after: new Map(difference.after.map((line) => [line.id, line])),
  })
  const [a, b] = [sides(first), sides(second)]
  const merged: LinesDifference = { before: [], after: [], moved: first.moved || second.moved }
  for (const id of new Set([...a.before.keys(), ...a.after.keys(), ...b.before.keys(), ...b.after.keys()])) {
    const isNew = ({ before, after }: typeof a): boolean => after.has(id) && !before.has(id)
    const added = isNew(a) || (!a.before.has(id) && isNew(b))
    const removed = [a, b].some(({ before, after }) => before.has(id) && !after.has(id))
    if (added && removed) continue
    const [old, middle, between, now] = [a.before.get(id), a.after.get(id), b.before.get(id), b.after.get(id)]
    const before = old || between ? { ...between, ...old, values: { ...between?.values, ...old?.values } } : undefined
    const after = now || middle ? { ...middle, ...now, values: { ...middle?.values, ...now?.values } } : undefined
    if (removed) {
      merged.before.push({ ...(before as ToldLine), values: filled(before!.values) })
      continue
    }
    if (added) {
      merged.after.push({ ...(after as ToldLine), values: filled(after!.values) })
      continue
    }
    const names = Object.keys(after!.values).filter((name) => !sameValue(before!.values[name], after!.values[name]))
    if (names.length === 0) continue
    const only = (line: Partial<ToldLine>): ToldLine => ({
      ...(line as ToldLine),
      values: Object.fromEntries(names.map((name) => [name, line.values![name] ?? null])),
    })
    merged.before.push(only(before!))
    merged.after.push(only(after!))
  }
  return merged
}

/** Lines that one entry of the history tells of each side. */
const MOST_TOLD = 200

/** A difference as a change of the head's field; of very many lines the first are told, and how many more there are. */
export function changeOfLines(field: string, { before, after, moved }: LinesDifference): FieldChange {
  const more = Math.max(0, before.length - MOST_TOLD, after.length - MOST_TOLD)
  return {
    field,
    before: before.slice(0, MOST_TOLD),
    after: after.slice(0, MOST_TOLD),
    ...(moved ? { moved } : {}),
    ...(more > 0 ? { more } : {}),
  }
}

/** The difference that a change of the history holds. */
export const differenceIn = ({ before, after, moved }: FieldChange): LinesDifference => ({
  before: (before ?? []) as ToldLine[],
  after: (after ?? []) as ToldLine[],
  moved: moved === true,
})
