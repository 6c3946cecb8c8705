import { sql } from 'drizzle-orm'
import { transitionsOf, type FoundTransition } from '../../../src/schema/entity'
import type { EntityRecord } from '../calls'
import { textArray } from '../clause'
import { storedColumns } from '../read/record'
import { columnSql, tableSql } from '../tables'
import { FOR_CHANGE } from '../write/existing'
import type { WriteContext, Written } from '../core'
import { moveRecords } from '../write/moveRecords'
import { causedBy, trusted } from './cause'
import { prepare } from './prepare'
import { evaluate, scopeOf, subjectOf } from './subject'

/**
 * Takes the transitions that follow the data (`auto`): each whose condition holds for a record that was written, once a record and
 * write; its refusals hold, and where it is binding they refuse the write. A record that is itself on the way through a transition is left to the end of that one.
 */
export async function takeAutomatic(write: WriteContext, written: readonly Written[]): Promise<void> {
  const { model, context } = write
  const automatic = transitionsOf(model).filter(({ transition }) => transition.auto !== undefined)
  if (automatic.length === 0) return
  for (const found of automatic) {
    const ids = written
      .filter(({ after }) => !after.deletedAt && !isUnderWay(write, String(after.id), found))
      .map(({ after }) => String(after.id))
    const rows = await lockedRows(write, found, [...new Set(ids)])
    const subjects = rows.map((row) => subjectOf(row))
    const { auto, binding, id } = found.transition
    await prepare(write, subjects, [auto!])
    const due = subjects.filter((subject) => Boolean(evaluate(write, auto, scopeOf(write, subject))))
    if (due.length === 0) continue
    const taking = due.map(({ record }) => String(record.id))
    const cause = { entity: model.name, ids: taking, transition: id, effect: 'auto' }
    const within = { ...write, context: causedBy(trusted(context), cause) }
    const { refused } = await moveRecords(
      within,
      due.map(({ record }) => record),
      { transition: id, field: found.machine.field, values: () => ({}) },
    )
    const [why] = refused.values()
    if (why && binding) throw why.error
  }
}

/** The record goes through a transition already, or took this one because of the same write. */
function isUnderWay({ context, model }: WriteContext, id: string, { transition }: FoundTransition): boolean {
  return (context.causes ?? []).some(
    (cause) =>
      cause.entity === model.name && cause.ids.includes(id) && (cause.effect !== 'auto' || cause.transition === transition.id),
  )
}

/** Rows in one of the states that the transition leaves, as they are now. */
async function lockedRows(
  { tx, model }: WriteContext,
  { machine, transition }: FoundTransition,
  ids: readonly string[],
): Promise<EntityRecord[]> {
  if (ids.length === 0) return []
  const state = columnSql('t', model.fields.get(machine.field)!)
  const { rows } = await tx.query<EntityRecord>(
    sql`select ${storedColumns(model, 't')} from ${tableSql(model, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray(ids)}) and ${state} = any(${textArray(transition.from)}) and ${columnSql('t', { column: 'deleted_at' })} is null order by ${columnSql('t', { column: 'id' })} ${FOR_CHANGE}`,
  )
  return rows
}
