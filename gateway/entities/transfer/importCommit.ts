import type { EntityModel } from '../../../src/schema/entity'
import type { RequestContext } from '../../platform/http'
import { Growth } from '../../platform/database'
import type { Core } from '../core'
import type { EntityRecord } from '../types'
import { nextNumbers } from '../write/numbers'
import { NewRecords, type NewRecordRead } from '../write/saveMany'
import type { CommitProgress, ImportStore, StoredImport, StoredRow } from './importStore'
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
  const batchAfter = async (row: number): Promise<Batch> => {
    const rows = await store.nextRows(stored.id, BATCH, row)
    const numbers = await numbersFor(core, context, model, rows.length)
    return { rows, read: await records.read(rows.map(({ values }, index) => ({ values, numbers: numbers[index]! }))) }
  }
  const growth = new Growth(core.database, model.table)
  let next: Promise<Batch> | undefined
  let done = 0
  for (;;) {
    onProgress?.(Math.min(1, (result.created + result.refusedTotal) / Math.max(1, stored.valid)))
    signal?.throwIfAborted()
    const { rows, read } = await (next ?? batchAfter(done))
    if (rows.length === 0) break
    done = rows.at(-1)!.row
    next = undefined
    // while the database writes a batch, the next one is read; a single connection is the transaction's own
    const readAhead = (): void => {
      if (core.database.kind === 'pglite' || next) return
      next = batchAfter(done)
      // who waits for it hears of its failure, unless the commit broke off before
      next.catch(() => undefined)
    }
    result = await core.database.transaction(async (tx) => {
      const refusals = await records.save(tx, read, readAhead)
      const refused: ImportResult['refused'] = [...refusals]
        .map(([index, error]) => ({ row: rows[index]!.row, message: error.messageIn(context.locale) }))
        .sort((a, b) => a.row - b.row)
      const progress: CommitProgress = {
        created: result.created + rows.length - refused.length,
        refusedTotal: result.refusedTotal + refused.length,
        finished: false,
      }
      // the progress stands in the transaction of the rows: a commit that broke off goes on where it was
      await store.advance(tx, stored.id, { until: done, refused, result: progress })
      return progress
    })
    await growth.add(rows.length)
  }
  const finished = { ...result, finished: true }
  await store.note(core.database, stored.id, finished)
  return finished
}

interface Batch {
  rows: readonly StoredRow[]
  read: readonly NewRecordRead[]
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
