import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { EntityRecord } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { ModuleVerb } from '../../module'
import { fileStem } from '../kingdee/file'
import { numbersOf, sourceOf } from '../kingdee/numbers'
import { neededMappings, payloadOf } from '../kingdee/payload'

/**
 * `fin.kingdeePrepare`: works out what documents are in Kingdee's words, with the mappings of today, and keeps it with its hash; `file`
 * names the workbook that they go into. Answers the payload of each.
 */
export const verb: ModuleVerb = async ({ tx, now }, runs) => {
  const docs = runs.map(({ subject }) => sourceOf(subject.record))
  const day = dayOf(now, tx.companyTimeZone)
  const numbers = await numbersOf(tx, docs.flatMap(neededMappings), day)
  const names = new Map<string, string>()
  const fileOf = async (stem: string): Promise<string> => {
    const known = names.get(stem)
    if (known !== undefined) return known
    const { rows } = await tx.query<{ files: number }>(
      sql`select count(distinct export_file)::int as files from fin_kingdee_doc where starts_with(export_file, ${`${stem}_`})`,
    )
    const name = `${stem}_${String((rows[0]?.files ?? 0) + 1).padStart(3, '0')}.xlsx`
    names.set(stem, name)
    return name
  }
  const made: EntityRecord[] = []
  for (const [index, { subject, with: given }] of runs.entries()) {
    const doc = docs[index]!
    const numberOf = numbers(doc.companyEntityId)
    const payload = payloadOf(doc, numberOf)
    const orgNo = numberOf({ kind: 'org', localId: doc.companyEntityId }) ?? null
    Object.assign(subject.record, {
      payload,
      orgNo,
      payloadHash: createHash('sha256').update(JSON.stringify(payload)).digest('hex'),
      ...(given.file === true ? { exportFile: await fileOf(fileStem(doc, orgNo ?? '')) } : {}),
    })
    made.push({ payload })
  }
  return made
}
