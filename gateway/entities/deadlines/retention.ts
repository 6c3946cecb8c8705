import { sql } from 'drizzle-orm'
import type { EntityModel } from '../../../src/schema/entity'
import { textArray } from '../clause'
import type { EntityRecord } from '../calls'
import { AUDIT_ENTITY } from '../read/changes'
import { columnSql, tableSql } from '../tables'
import { consequences } from '../write/consequences'
import { followFiles } from '../write/files'
import type { DeadlineContext } from './plan'

/** Deletes rows for good, with their files and their history: what was kept for so long and no longer. */
export async function removeForGood(
  { core, tx, context }: DeadlineContext,
  model: EntityModel,
  rows: readonly EntityRecord[],
): Promise<void> {
  const live = rows.filter(({ deletedAt }) => deletedAt === null)
  const service = core.registry.serviceOf(model)
  for (const record of service?.beforeDelete ? live : [])
    await service?.beforeDelete?.({ tx, context, now: context.now, entities: core.entities(tx, context), model, record })
  const ids = rows.map(({ id }) => String(id))
  await tx.query(sql`delete from ${tableSql(model, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray(ids)})`)
  for (const row of rows) await followFiles({ core, tx, context, model }, row, { ...without(model, row), id: row.id })
  const deletedAt = context.now.toISOString()
  await consequences(
    { core, tx, context, model },
    live.map((before) => ({ before, after: { ...before, deletedAt } })),
  )
  const log = model.audited ? core.registry.find(AUDIT_ENTITY) : undefined
  if (log)
    await tx.query(
      sql`delete from ${tableSql(log, 't')} where ${columnSql('t', log.fields.get('entity')!)} = ${model.name} and ${columnSql('t', log.fields.get('recordId')!)} = any(${textArray(ids)})`,
    )
  tx.afterCommit(() => {
    for (const id of ids) core.references.forget(model.name, id)
  })
}

/** The record without its files. */
const without = (model: EntityModel, row: EntityRecord): EntityRecord =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !['file', 'files'].includes(model.fields.get(name)?.kind ?? '')))
