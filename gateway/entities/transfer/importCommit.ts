import type { EntityModel } from '../../../src/schema/entity'
import type { RequestContext } from '../../platform/http'
import type { Core } from '../core'
import type { EntityRecord } from '../types'
import { nextNumbers } from '../write/numbers'
import { NewRecords } from '../write/saveMany'
import type { CommitProgress, ImportStore, StoredImport } from './importStore'
import type { ImportOptions, ImportResult } from './importTypes'

const BATCH = 400

/** Saves the rows of a checked import that were not saved yet, batch by batch; each batch and its progress are one transaction. */
export async function commitRows(
  core: Core,
  store: ImportStore,
  context: RequestContext,
  model: EntityModel,
  stored: StoredImport & { valid: number },
  { onProgress, signal }: ImportOptions,
): Promise<CommitProgress> {
  let result: CommitProgress = {
    created: stored.result?.created ?? 0,
    refusedTotal: stored.result?.refusedTotal ?? 0,
    finished: false,
  }
  const records = new NewRecords(core, context, model, { origin: 'import', reason: stored.fileName.slice(0, 200) })
  let done = 0
  for (;;) {
    onProgress?.(Math.min(1, (result.created + result.refusedTotal) / Math.max(1, stored.valid)))
    signal?.throwIfAborted()
    const rows = await store.nextRows(stored.id, BATCH, done)
    if (rows.length === 0) break
    const numbers = await numbersFor(core, context, model, rows.length)
    result = await core.database.transaction(async (tx) => {
      const refusals = await records.save(
        tx,
        rows.map(({ values }, index) => ({ values, numbers: numbers[index]! })),
      )
      const refused: ImportResult['refused'] = [...refusals]
        .map(([index, error]) => ({ row: rows[index]!.row, message: error.messageIn(context.locale) }))
        .sort((a, b) => a.row - b.row)
      const next: CommitProgress = {
        created: result.created + rows.length - refused.length,
        refusedTotal: result.refusedTotal + refused.length,
        finished: false,
      }
      // the progress stands in the transaction of the rows: a commit that broke off goes on where it was
      await store.advance(tx, stored.id, { until: rows.at(-1)!.row, refused, result: next })
      return next
    })
    done = rows.at(-1)!.row
  }
  const finished = { ...result, finished: true }
  await store.note(core.database, stored.id, finished)
  return finished
}

/** The numbers of so many new records, taken before their transaction. */
async function numbersFor(core: Core, context: RequestContext, model: EntityModel, count: number): Promise<EntityRecord[]> {
  const records: EntityRecord[] = Array.from({ length: count }, () => ({}))
  for (const field of model.stored) {
    const given = await nextNumbers(core.database, model, field, core.registry.dayOf(context.now), field.sequence ? count : 0)
    for (const [index, number] of given.entries()) records[index]![field.name] = number
  }
  return records
}
