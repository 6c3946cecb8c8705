import type { BulkSave, EntityService, SaveHook } from '../../../entities'

/** What a service adds to new records, and what it has to read for that. */
export interface BatchWork<Known> {
  /** Reads for all records of a batch, in a number of statements that does not grow with them. */
  read(hooks: readonly SaveHook[]): Promise<Known>
  /** Fills in one new record. */
  fill(hook: SaveHook, known: Known): void
  /** When the new records are written. */
  written?(hooks: readonly SaveHook[]): Promise<void>
}

/** A service that fills in records when they come in, one or many at once; what changes them later is left alone. */
export function batchService<Known>({ read, fill, written }: BatchWork<Known>): EntityService {
  const bulk = (): BulkSave => {
    let known: Known
    return {
      prepare: async (hooks) => {
        known = await read(hooks)
      },
      beforeSave: (hook) => {
        fill(hook, known)
      },
      accepted: () => undefined,
      afterSave: async (hooks) => written?.(hooks),
    }
  }
  return {
    async beforeSave(hook) {
      if (hook.before === null) fill(hook, await read([hook]))
    },
    async afterSave(hook) {
      if (hook.before === null) await written?.([hook])
    },
    bulk,
  }
}
