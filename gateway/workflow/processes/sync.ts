import type { ProcessDocument } from '../../../src/schema/generated/process'
import { hashOf } from '../../../src/schema/process'
import { systemContext } from '../../platform/http'
import type { Entities } from '../../entities'
import type { Executor } from '../../platform/database'
import type { WorkflowParts } from '../parts'
import { SHIPPED_ROLES } from '../roles/shipped'
import { publish } from './publish'

/** What the start of a gateway did with the processes that are shipped. */
export interface Synchronised {
  added: string[]
  renewed: string[]
  /** Changed by administrators: left as they are, marked that a newer one is shipped. */
  left: string[]
}

/** Processes as they are shipped, without what editors alone read. */
const shippedIn = (schemas: WorkflowParts['schemas']): ProcessDocument[] =>
  schemas.files.flatMap(({ type, value }) => {
    if (type !== 'process') return []
    const { $schema: _editors, ...document } = value as ProcessDocument
    return [document]
  })

/**
 * Brings the shipped processes into the database: a new one with its first version, a changed one with the next, unless administrators
 * have published a version of their own. Several gateways may start at once: one does it, the others find it done.
 */
export async function synchronise({
  engine,
  schemas,
  now,
}: Pick<WorkflowParts, 'engine' | 'schemas' | 'now'>): Promise<Synchronised> {
  const done: Synchronised = { added: [], renewed: [], left: [] }
  const context = systemContext({ now: now() })
  await engine.transaction(context, async (entities, tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('shipped approval processes'))`)
    await addRoles(entities, tx)
    const { rows } = await tx.query<{ id: string; code: string; source: string; shipped: string | null; newer: boolean | null }>(
      `select id, code, source, shipped_hash as "shipped", newer_shipped as "newer" from wf_process where deleted_at is null`,
    )
    const stored = new Map(rows.map((row) => [row.code, row]))
    for (const document of shippedIn(schemas)) {
      const hash = hashOf(document)
      const process = stored.get(document.name)
      if (process?.shipped === hash) continue
      if (process && process.source !== 'file') {
        await entities.save('wf.process', { id: process.id, shippedHash: hash, newerShipped: true })
        done.left.push(document.name)
        continue
      }
      const { id } = await publish({ entities, context }, { document, source: 'file' })
      await entities.save('wf.process', { id, shippedHash: hash, newerShipped: false })
      done[process ? 'renewed' : 'added'].push(document.name)
    }
  })
  return done
}

/** A role that an administrator has deleted does not come back. */
async function addRoles(entities: Entities, tx: Executor): Promise<void> {
  const { rows } = await tx.query<{ code: string }>('select code from wf_role')
  const known = new Set(rows.map(({ code }) => code))
  for (const [index, { code, name }] of SHIPPED_ROLES.entries())
    if (!known.has(code)) await entities.save('wf.role', { code, nameZh: name.zh, nameEn: name.en, sort: index + 1 })
}
