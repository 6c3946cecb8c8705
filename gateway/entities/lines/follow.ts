import type { EntityModel } from '../../../src/schema/entity'
import type { Transaction } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'
import { writerOf } from '../write/newRecord'
import { updateRows } from '../write/row'
import { byParent, lineModel, storedLines } from './stored'

interface WrittenHead {
  before: EntityRecord | null
  after: EntityRecord
}
interface Followed {
  model: EntityModel
  written: { before: EntityRecord; after: EntityRecord }[]
}

const deletion = (record: EntityRecord): unknown => record.deletedAt ?? null

/**
 * Lines go with the record that they belong to, and those that went with it come back with it: by the moment of both. Answers what was
 * written, whose own consequences follow.
 */
export async function followDeletion(
  { core, tx, context, model }: { core: Core; tx: Transaction; context: RequestContext; model: EntityModel },
  written: readonly WrittenHead[],
): Promise<Followed[]> {
  const followed: Followed[] = []
  const heads = written.flatMap(({ before, after }) =>
    before && deletion(before) !== deletion(after) ? [{ before, after }] : [],
  )
  if (heads.length === 0) return followed
  for (const field of model.lines) {
    const lines = lineModel(core.registry, field)
    const own: Followed = { model: lines, written: [] }
    for (const restored of [false, true]) {
      const concerned = heads.filter(({ after }) => (deletion(after) === null) === restored)
      const ids = concerned.map(({ after }) => String(after.id))
      const rows = byParent(field, await storedLines(core.registry, tx, field, ids, { lock: true, deleted: restored }))
      for (const head of concerned)
        for (const row of rows.get(String(head.after.id)) ?? []) {
          if (restored && deletion(row) !== deletion(head.before)) continue
          const { deletedAt, deletedBy } = head.after
          own.written.push({
            before: row,
            after: {
              ...row,
              deletedAt: deletedAt ?? null,
              deletedBy: deletedBy ?? null,
              updatedAt: context.now.toISOString(),
              updatedBy: writerOf(context),
              version: Number(row.version) + 1,
            },
          })
        }
    }
    const names = ['deletedAt', 'deletedBy', 'updatedAt', 'updatedBy', 'version']
    await updateRows(
      tx,
      context.locale,
      lines,
      names,
      own.written.map(({ after }) => after),
    )
    followed.push(own)
  }
  return followed
}
