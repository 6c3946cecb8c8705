import type { EntityModel } from '../../../src/schema/entity'
import type { Transaction } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import type { Core } from '../core'
import type { EntityRecord } from '../types'
import { nextNumbers } from '../write/numbers'
import { saveRecord } from '../write/save'
import type { CommitProgress, ImportStore, StoredImport, StoredRow } from './importStore'
import type { ImportOptions, ImportResult } from './importTypes'

const BATCH = 200

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
  for (;;) {
    onProgress?.(Math.min(1, (result.created + result.refusedTotal) / Math.max(1, stored.valid)))
    signal?.throwIfAborted()
    const rows = await store.nextRows(stored.id, BATCH)
    if (rows.length === 0) break
    const numbers = await numbersFor(core, context, model, rows.length)
    result = await core.database.transaction(async (tx) => {
      const refused: ImportResult['refused'] = []
      for (const [index, row] of rows.entries()) {
        const message = await saveImported(core, tx, context, model, row, numbers[index]!, stored.fileName)
        if (message !== null) refused.push({ row: row.row, message })
      }
      const next: CommitProgress = {
        created: result.created + rows.length - refused.length,
        refusedTotal: result.refusedTotal + refused.length,
        finished: false,
      }
      // the progress stands in the transaction of the rows: a commit that broke off goes on where it was
      await store.advance(tx, stored.id, { until: rows.at(-1)!.row, refused, result: next })
      return next
    })
  }
  const finished = { ...result, finished: true }
  await store.note(core.database, stored.id, finished)
  return finished
}

/** Null when saved, else why not. */
export async function saveImported(
  core: Core,
  tx: Transaction,
  context: RequestContext,
  model: EntityModel,
  row: Pick<StoredRow, 'values'>,
  numbers: EntityRecord,
  fileName: string,
): Promise<string | null> {
  try {
    await tx.transaction((inner) =>
      saveRecord(core, inner, context, model, row.values, { origin: 'import', numbers, reason: fileName.slice(0, 200) }),
    )
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error.messageIn(context.locale)
    throw error
  }
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
