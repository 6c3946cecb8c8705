import type { WriteContext } from '../core'
import type { EntityModel } from '../../../src/schema/entity'
import type { EntityRecord } from '../calls'

/** Tells the file store which files a written record names now, so that whoever may read the record may read them. */
export async function followFiles(
  { core, tx, context, model }: WriteContext,
  before: EntityRecord | null,
  record: EntityRecord,
): Promise<void> {
  if (!core.files) return
  const [old, now] = [filesIn(model, before), filesIn(model, record)]
  if (old.length === 0 && now.length === 0) return
  await core.files.followRecord(tx, context, { entity: model.name, recordId: String(record.id), before: old, after: now })
}

/** Ids in the file fields of a record. */
function filesIn(model: EntityModel, record: EntityRecord | null): string[] {
  if (!record) return []
  const ids = model.stored
    .filter((field) => field.kind === 'file' || field.kind === 'files')
    .flatMap((field) => [record[field.name]].flat())
    .map((value) => (typeof value === 'object' && value !== null && 'id' in value ? value.id : null))
    .filter((id) => typeof id === 'string')
  return [...new Set(ids)]
}
