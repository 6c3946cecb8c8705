import type { EntityModel } from '../../../src/schema/entity'
import type { Transaction } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import type { Core } from '../core'
import type { EntityRecord } from '../calls'

/** Tells the file store which files a written record names now, so that whoever may read the record may read them. */
export async function followFiles(
  core: Core,
  tx: Transaction,
  context: RequestContext,
  model: EntityModel,
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
