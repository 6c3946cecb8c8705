import type { EntityDocument } from '../../src/schema/generated/entity'
import type { ProcessDocument } from '../../src/schema/generated/process'
import { formEntity, rowEntities } from '../../src/schema/process'
import type { Executor } from '../platform/database'

/** A process as one of its versions says it. */
export interface StoredProcess {
  readonly processId: string
  readonly versionId: string
  /** Number of the version. */
  readonly no: number
  readonly code: string
  /** With the form as it was in that version; never changed. */
  readonly document: ProcessDocument
  /** Of the whole document, and of its form alone. */
  readonly hash: string
  readonly formHash: string
  /** The form as an entity, for values, rules and expressions. */
  readonly entity: EntityDocument
  /** The rows of its fields, an entity each. */
  readonly rows: readonly EntityDocument[]
  /** Staff who administer it, now. */
  readonly adminIds: readonly string[]
  /** New applications can be started, now. */
  readonly enabled: boolean
}

type Fixed = Omit<StoredProcess, 'adminIds' | 'enabled'>

interface Row {
  processId: string
  versionId: string
  adminIds: string[] | null
  state: string
}

/** Versions never change: each is read once. */
const known = new Map<string, Fixed>()
const MOST_KNOWN = 500

const HEAD = `select p.id as "processId", v.id as "versionId", p.admin_ids as "adminIds", p.state
  from wf_process_version v join wf_process p on p.id = v.process_id and p.deleted_at is null`

/**
 * The process that an application was started with, by the id of its version.
 * @throws Error when there is no such version: applications keep theirs
 */
export async function processOf(db: Executor, versionId: string): Promise<StoredProcess> {
  const { rows } = await db.query<Row>(`${HEAD} where v.id = $1`, [versionId])
  if (!rows[0]) throw new Error(`There is no version "${versionId}" of a process.`)
  return complete(db, rows[0])
}

/** The version of a process that new applications take, by its id or code; disabled ones too. Null: there is none. */
export async function currentProcess(db: Executor, named: { id?: string; code?: string }): Promise<StoredProcess | null> {
  const { rows } = await db.query<Row>(`${HEAD} and p.current_version_id = v.id where p.id = $1 or p.code = $2`, [
    named.id ?? null,
    named.code ?? null,
  ])
  return rows[0] ? complete(db, rows[0]) : null
}

async function complete(db: Executor, row: Row): Promise<StoredProcess> {
  const fixed = known.get(row.versionId) ?? (await read(db, row))
  return { ...fixed, adminIds: row.adminIds ?? [], enabled: row.state === 'enabled' }
}

async function read(db: Executor, { processId, versionId }: Row): Promise<Fixed> {
  const { rows } = await db.query<{ no: number; code: string; document: string; hash: string; formHash: string }>(
    `select v.no, p.code, v.document, v.hash, v.form_hash as "formHash" from wf_process_version v join wf_process p on p.id = v.process_id
      where v.id = $1`,
    [versionId],
  )
  const { document: text, ...row } = rows[0]!
  const document = JSON.parse(text) as ProcessDocument
  const fixed: Fixed = {
    processId,
    versionId,
    ...row,
    no: Number(row.no),
    document,
    entity: formEntity(document),
    rows: rowEntities(document),
  }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(versionId, fixed)
  return fixed
}
