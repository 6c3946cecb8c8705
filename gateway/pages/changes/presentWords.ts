import { migrateChanges, migrateTarget } from '../../../src/schema/migrate'
import type { Change } from '../../../src/schema/overlay'
import type { SqlStep, Transaction } from '../../platform/database'

interface Row {
  tuple: string
  target: string
  changes: readonly Change[]
}

/** Drafts and revisions say what they said before, in the words that the language has now. */
async function renameWords(tx: Transaction): Promise<void> {
  for (const table of ['schema_draft', 'schema_revision']) {
    const { rows } = await tx.query<Row>(`select ctid::text as tuple, target, changes from ${table}`)
    const renamed = rows.flatMap(({ tuple, target, changes }) => {
      const [to, next] = [migrateTarget(target), migrateChanges(target, changes)]
      return to === target && JSON.stringify(next) === JSON.stringify(changes) ? [] : [{ tuple, target: to, changes: next }]
    })
    if (renamed.length === 0) continue
    await tx.query(
      `update ${table} t set target = r.target, changes = r.changes from json_to_recordset($1::json) as r(tuple text, target text, changes json) where t.ctid = r.tuple::tid`,
      [JSON.stringify(renamed)],
    )
  }
}

/** What has to be done once for the changes of admins when the language changes. */
export const schemaSteps: readonly SqlStep[] = [{ id: '2026-11-words-of-format-3', run: renameWords }]
