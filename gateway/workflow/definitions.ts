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

/**
 * The documents of versions, by their ids: what was not read before is read by one question for all of them. A version that is gone has
 * none.
 */
export async function documentsOf(db: Executor, versionIds: readonly string[]): Promise<ReadonlyMap<string, ProcessDocument>> {
  const wanted = [...new Set(versionIds)]
  const kept = wanted.flatMap((id) => known.get(id) ?? [])
  const asked = wanted.filter((id) => !known.has(id))
  const found = asked.length === 0 ? [] : await read(db, asked)
  return new Map([...kept, ...found].map(({ versionId, document }) => [versionId, document]))
}

async function complete(db: Executor, { versionId, adminIds, state }: Row): Promise<StoredProcess> {
  const fixed = known.get(versionId) ?? (await read(db, [versionId]))[0]
  if (!fixed) throw new Error(`There is no version "${versionId}" of a process.`)
  return { ...fixed, adminIds: adminIds ?? [], enabled: state === 'enabled' }
}

type Stored = Pick<Fixed, 'processId' | 'versionId' | 'no' | 'code' | 'hash' | 'formHash'> & { document: string }

async function read(db: Executor, versionIds: readonly string[]): Promise<Fixed[]> {
  const { rows } = await db.query<Stored>(
    `select v.process_id as "processId", v.id as "versionId", v.no, p.code, v.document, v.hash, v.form_hash as "formHash"
       from wf_process_version v join wf_process p on p.id = v.process_id where v.id = any($1::text[])`,
    [versionIds],
  )
  const found = rows.map(({ document: text, ...row }): Fixed => {
    const document = JSON.parse(text) as ProcessDocument
    return { ...row, no: Number(row.no), document, entity: formEntity(document), rows: rowEntities(document) }
  })
  if (known.size + found.length > MOST_KNOWN) known.clear()
  for (const one of found) known.set(one.versionId, one)
  return found
}
