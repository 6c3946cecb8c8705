import { tableOf } from '../../../entities'
import type { Executor } from '../../../platform/database'

/** Hangs the sender's own uploads that hang nowhere on a mail that waits, so that they are there if it is taken back. */
export const hangUploads = (db: Executor, staffId: string, outgoingId: string, fileIds: readonly string[]) =>
  db.query(
    `update ${tableOf('sys.file')} set entity = 'mail.outgoing', record_id = $1 where id = any($2::text[]) and created_by = $3 and entity is null and deleted_at is null`,
    [outgoingId, [...fileIds], staffId],
  )

/** Lets go of the files of a draft or a mail that is one no more; answers those of them that are there. */
export async function releaseUploads(db: Executor, entity: 'mail.draft' | 'mail.outgoing', id: string): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `update ${tableOf('sys.file')} set entity = null, record_id = null where entity = $1 and record_id = $2 and deleted_at is null returning id`,
    [entity, id],
  )
  return new Set(rows.map(({ id: fileId }) => fileId))
}
