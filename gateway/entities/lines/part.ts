import type { WriteContext } from '../core'
import { sql } from 'drizzle-orm'
import type { LinesField } from '../../../src/schema/entity'
import type { Transaction } from '../../platform/database'
import type { EntityRecord, LinesPartAnswer, LinesPartRequest } from '../calls'
import type { Core } from '../core'
import { badRequest, refusal, unknownName, type InputProblem } from '../errors'
import { columnSql, tableSql } from '../tables'
import { auditWrite } from '../write/audit'
import { consequences } from '../write/consequences'
import { existing } from '../write/existing'
import { writerOf } from '../write/newRecord'
import { updateRow } from '../write/row'
import { checkDraft, requireOperation } from '../write/save'
import { stale } from '../write/stale'
import { MOST_LINES, splitLines } from './given'
import { planLines } from './plan'
import { lineModel } from './stored'
import { changesOfLines, differingLines, writeLines } from './write'

/**
 * Saves a part of the lines of a large sheet: rows with an id change, others come after the last one, those of other parts stay. Each
 * part is a version of the record. The last one says how many lines there have to be; then the rules of the record read all of them.
 */
export async function saveLinesPart(
  write: WriteContext,
  name: string,
  { id, version, rows, removed = [], total }: LinesPartRequest,
): Promise<LinesPartAnswer> {
  const { core, tx, context, model } = write
  const { locale } = context
  const field = model.lines.find((each) => each.name === name && each.rows.saved === 'inParts')
  if (!field)
    throw badRequest(
      locale,
      unknownName(
        { zh: '明细字段', en: 'field of lines' },
        name,
        model.lines.map((each) => each.name),
      ),
    )
  requireOperation(context, model, 'edit')
  const before = await existing(write, id, false)
  if (version !== before.version) throw await stale(write, before, version)
  const split = splitLines(context, model, { [name]: rows }, (entity) => core.registry.model(entity), false)
  const problems: InputProblem[] = [...split.problems]
  const record: EntityRecord = { ...before }
  const part = { removed, last: (await sizeOf(core, tx, field, id)).last }
  const asCaller = { core, tx, context, trusted: false }
  const planned = await planLines(asCaller, model, [{ before, record, given: split.lines, path: '', problems, part }])
  if (problems.length > 0) throw refusal('validationFailed', locale, problems)
  // in the order of the request: the record has them in theirs
  const ids = planned.flatMap((lines) => lines.rows.map((row) => String(row.record.id)))
  delete record[name]
  if (differingLines(planned, id).length > 0) {
    const stamp = { updatedAt: context.now.toISOString(), updatedBy: writerOf(context), version: Number(before.version) + 1 }
    Object.assign(record, stamp)
    await updateRow(tx, locale, model, id, stamp)
    await consequences(write, [{ before, after: record }])
    await writeLines(asCaller, planned)
    await auditWrite(core.registry, tx, context, model, 'update', before, record, undefined, changesOfLines(planned, id))
  }
  const size = await sizeOf(core, tx, field, id)
  if (size.total > MOST_LINES || (total !== undefined && total !== size.total))
    throw refusal('validationFailed', locale, [countProblem(field, size.total, total ?? MOST_LINES)])
  if (total !== undefined) await checkDraft(write, { before, record, problems }, { given: new Set(), lines: [name] })
  return { version: Number(record.version), total: size.total, ids }
}

function countProblem({ name, label }: LinesField, found: number, wanted: number): InputProblem {
  const message = {
    zh: `“${label.zh}”应有 ${wanted} 行，实际有 ${found} 行。`,
    en: `"${label.en}" should have ${wanted} lines and has ${found}.`,
  }
  return { field: name, rule: 'count', message }
}

/** How many lines a record has in a field, and the place of the last one. */
async function sizeOf(core: Core, tx: Transaction, field: LinesField, id: string): Promise<{ total: number; last: number }> {
  const model = lineModel(core.registry, field)
  const column = (name: string) => columnSql('t', model.fields.get(name)!)
  const { rows } = await tx.query<{ total: number; last: number | null }>(
    sql`select count(*) as "total", max(${column('position')}) as "last" from ${tableSql(model, 't')} where ${column(field.rows.parent)} = ${id} and ${column('deletedAt')} is null`,
  )
  return { total: Number(rows[0]?.total ?? 0), last: Number(rows[0]?.last ?? 0) }
}
