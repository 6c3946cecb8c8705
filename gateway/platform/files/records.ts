import { newId } from '../database'
import type { Executor } from '../database'
import { ServiceError } from '../http'
import type { RequestContext } from '../http'

/** A stored file (sys.file). */
export interface StoredFile {
  id: string
  name: string
  size: number
  mimeType: string
  storageKey: string
  createdBy: string | null
  /** What it hangs on; null = nothing yet. */
  entity: string | null
  recordId: string | null
}

/** What an upload answers, and what a record's file field holds. */
export interface FileAnswer {
  id: string
  name: string
  size: number
  type: string
}

const COLUMNS = `id, name, size, mime_type as "mimeType", storage_key as "storageKey", created_by as "createdBy", entity, record_id as "recordId"`

export async function readFileRow(db: Executor, id: string): Promise<StoredFile | undefined> {
  const { rows } = await db.query<StoredFile>(`select ${COLUMNS} from sys_file where id = $1 and deleted_at is null`, [id])
  return rows[0]
}

export async function insertFileRow(
  db: Executor,
  file: {
    name: string
    size: number
    mimeType: string
    sha256: string
    storageKey: string
    staffId: string | null
    now: Date
    /** The id that it was promised. */
    id?: string
  },
): Promise<FileAnswer> {
  const id = file.id ?? newId()
  const at = file.now.toISOString()
  await db.query(
    `insert into sys_file (id, created_at, created_by, updated_at, updated_by, version, name, size, mime_type, sha256, storage_key)
     values ($1, $2, $3, $2, $3, 1, $4, $5, $6, $7, $8)`,
    [id, at, file.staffId, file.name, file.size, file.mimeType, file.sha256, file.storageKey],
  )
  return { id, name: file.name, size: file.size, type: file.mimeType }
}

/** A file that the gateway made for a record; false where one of this id is there. */
export async function insertHungFile(
  db: Executor,
  file: Omit<Parameters<typeof insertFileRow>[1], 'id'> & { id: string; entity: string; recordId: string },
): Promise<boolean> {
  const { id, entity, recordId, staffId, name, size, mimeType, sha256, storageKey } = file
  const { rowCount } = await db.query(
    `insert into sys_file (id, created_at, created_by, updated_at, updated_by, version, name, size, mime_type, sha256, storage_key, entity, record_id)
     values ($1, $2, $3, $2, $3, 1, $4, $5, $6, $7, $8, $9, $10) on conflict (id) do nothing`,
    [id, file.now.toISOString(), staffId, name, size, mimeType, sha256, storageKey, entity, recordId],
  )
  return rowCount > 0
}

/**
 * Hangs files on a record, in the transaction of its write, and lets go of those that it does not name any more. A caller may
 * hang up his own uploads that hang nowhere yet; files of the record stay.
 * @throws ServiceError fileRefused when a file is not there or belongs to something else.
 */
export async function followRecord(
  db: Executor,
  context: RequestContext,
  change: { entity: string; recordId: string; before: readonly string[]; after: readonly string[] },
): Promise<void> {
  const { entity, recordId } = change
  const added = change.after.filter((id) => !change.before.includes(id))
  const removed = change.before.filter((id) => !change.after.includes(id))
  if (added.length > 0) {
    const { rows } = await db.query<{ id: string }>(
      `update sys_file set entity = $2, record_id = $3, updated_at = $4 where id = any($1::text[]) and deleted_at is null
         and ((entity is null and ($5 or created_by = $6)) or (entity = $2 and record_id = $3)) returning id`,
      [added, entity, recordId, context.now.toISOString(), context.kind === 'system', context.user.staffId],
    )
    if (rows.length < new Set(added).size) {
      throw new ServiceError('fileRefused', {
        message: {
          zh: '附件不存在、已过期或属于其他记录，请重新上传。',
          en: 'An attachment does not exist any more or belongs to another record. Please upload it again.',
        },
      })
    }
  }
  // Their bytes go with the clean-up of what hangs nowhere.
  if (removed.length > 0) {
    await db.query(
      `update sys_file set entity = null, record_id = null, updated_at = $4 where id = any($1::text[]) and entity = $2 and record_id = $3`,
      [removed, entity, recordId, context.now.toISOString()],
    )
  }
}

/** Hangs a person's own uploads that hang nowhere on a record; others stay where they are. */
export async function hangFiles(
  db: Executor,
  staffId: string,
  { entity, recordId }: { entity: string; recordId: string },
  ids: readonly string[],
): Promise<void> {
  await db.query(
    `update sys_file set entity = $1, record_id = $2 where id = any($3::text[]) and created_by = $4 and entity is null and deleted_at is null`,
    [entity, recordId, [...ids], staffId],
  )
}

/** Lets go of the files of a record that is one no more; answers those of them that are there. */
export async function releaseFiles(db: Executor, entity: string, recordId: string): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `update sys_file set entity = null, record_id = null where entity = $1 and record_id = $2 and deleted_at is null returning id`,
    [entity, recordId],
  )
  return new Set(rows.map(({ id }) => id))
}
