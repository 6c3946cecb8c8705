import type { EntityModel } from '../../../src/schema/entity'
import type { RequestContext, ServiceError } from '../../platform/http'
import { Growth } from '../../platform/database'
import type { Core } from '../core'
import { refusalsOf } from '../errors'
import type { EntityRecord } from '../calls'
import { nextNumbers } from '../write/numbers'
import { NewRecords, type NewRecordRead } from '../write/saveMany'
import type { CommitProgress, ImportStore, StoredImport, StoredRow } from './importStore'
import { MOST_TOLD, type ImportOptions, type RowNote } from './importTypes'

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
    warned: stored.result?.warned ?? [],
    warnedTotal: stored.result?.warnedTotal ?? 0,
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
      const told = await records.save(tx, read, readAhead)
      const refused = notes(rows, told.refused, (error) => namingFields(error, model, context.locale))
      const warned = notes(rows, told.warned, (messages) => messages.map((message) => message[context.locale]).join('; '))
      const progress: CommitProgress = {
        created: result.created + rows.length - refused.length,
        refusedTotal: result.refusedTotal + refused.length,
        warned: [...result.warned, ...warned].slice(0, MOST_TOLD),
        warnedTotal: result.warnedTotal + warned.length,
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

/** Why a row was refused, each sentence with the name of the field that it is about. */
function namingFields(error: ServiceError, model: EntityModel, locale: RequestContext['locale']): string {
  return refusalsOf(error, locale)
    .map(({ field, message }) => {
      const label = field === null ? undefined : model.fields.get(field)?.label[locale]
      return label === undefined || message.includes(label) ? message : `${label}: ${message}`
    })
    .join('; ')
}

/** What is told of some of the rows, in the order of the file. */
export const notes = <Told>(
  rows: readonly { row: number }[],
  told: ReadonlyMap<number, Told>,
  inWords: (told: Told) => string,
): RowNote[] => [...told].map(([index, one]) => ({ row: rows[index]!.row, message: inWords(one) })).sort((a, b) => a.row - b.row)

interface Batch {
  rows: readonly StoredRow[]
  read: readonly NewRecordRead[]
}

/** The numbers of so many new records, taken before their transaction. */
async function numbersFor(core: Core, context: RequestContext, model: EntityModel, count: number): Promise<EntityRecord[]> {
  const records: EntityRecord[] = Array.from({ length: count }, () => ({}))
  for (const field of model.stored) {
    const given = await nextNumbers(core.database, model, field, core.registry.dayOf(context.now), count)
    for (const [index, number] of given.entries()) records[index]![field.name] = number
  }
  return records
}
