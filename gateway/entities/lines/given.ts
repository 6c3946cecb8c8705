import type { EntityModel } from '../../../src/schema/entity'
import type { RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import type { EntityRecord } from '../calls'
import type { InputProblem } from '../errors'
import { fieldForbidden, fieldProblem } from '../refusalTexts'
import { mayRead } from '../query/queriedTable'

/** Rows of one field of a record. */
export const MOST_LINES = 20_000

/** Takes the lines out of the values of a save: they are rows, no value of the record. Refuses who may not see or change them. */
export function splitLines(
  context: RequestContext,
  model: EntityModel,
  values: EntityRecord,
  find: (entity: string) => EntityModel,
  trusted: boolean,
): { values: EntityRecord; lines: ReadonlyMap<string, readonly EntityRecord[]>; problems: InputProblem[] } {
  const lines = new Map<string, readonly EntityRecord[]>()
  if (model.lines.length === 0) return { values, lines, problems: [] }
  const rest = { ...values }
  const problems: InputProblem[] = []
  for (const field of model.lines) {
    if (!(field.name in rest)) continue
    const given = rest[field.name] ?? []
    delete rest[field.name]
    if (!trusted && (accessOf(model, context).of(field.name) !== 'write' || !mayRead(context, find(field.rows.entity))))
      throw fieldForbidden(field)
    const most = Math.min(MOST_LINES, field.field.maxItems ?? MOST_LINES)
    const isRow = (row: unknown): row is EntityRecord => typeof row === 'object' && row !== null && !Array.isArray(row)
    if (!Array.isArray(given) || !given.every(isRow)) {
      problems.push(fieldProblem('format', field))
    } else if (given.length > most) {
      problems.push(fieldProblem('maxItems', field, most))
    } else lines.set(field.name, given)
  }
  return { values: rest, lines, problems }
}
