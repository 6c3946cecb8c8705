import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { EntityRecord, Verb } from '../../../entities'
import { newId } from '../../../platform/database'
import { dayOf } from '../../../platform/calendar'
import { fileStem } from './file'
import { numbersOf, sourceOf, type MissingMapping } from './numbers'
import { deliverBill, withdrawBill } from './make'
import { neededMappings, payloadOf } from './payload'

const today = (now: Date, timeZone: string): string => dayOf(now, timeZone)

/**
 * `fin.kingdeePrepare`: works out what documents are in Kingdee's words, with the mappings of today, and keeps it with its hash; `file`
 * names the workbook that they go into. Answers the payload of each.
 */
export const prepareDocuments: Verb = async ({ tx, now }, runs) => {
  const docs = runs.map(({ subject }) => sourceOf(subject.record))
  const day = today(now, tx.companyTimeZone)
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

/** `fin.kingdeeNeed`: what documents wait for stands among the mappings without a number (`missing`), where finance fills it in. */
export const needMappings: Verb = async ({ tx, entities, context, now }, runs) => {
  const missing = new Map<string, MissingMapping>()
  for (const { with: given } of runs)
    for (const one of Array.isArray(given.missing) ? (given.missing as MissingMapping[]) : []) missing.set(`${one.kind}:${one.localId}`, one) // prettier-ignore
  await addMappings({ tx, entities, staffId: context.user.staffId, now }, [...missing.values()])
}

/** Adds mappings without a number, those that are there are left. Answers how many are new. */
export async function addMappings(
  { tx, entities, staffId, now }: Pick<Parameters<Verb>[0], 'tx' | 'entities' | 'now'> & { staffId: string },
  wanted: readonly MissingMapping[],
): Promise<number> {
  if (wanted.length === 0) return 0
  const { rows } = await tx.query<{ key: string }>(
    sql`select map_kind || ':' || local_id as key from fin_kingdee_mapping where map_kind || ':' || local_id = any(${sql.param(wanted.map(({ kind, localId }) => `${kind}:${localId}`))}::text[]) and deleted_at is null`,
  )
  const known = new Set(rows.map(({ key }) => key))
  const fresh = wanted.filter(({ kind, localId }) => !known.has(`${kind}:${localId}`))
  await entities.insertMany(
    'fin.kingdeeMapping',
    fresh.map(({ kind, localId, name }): EntityRecord => ({
      ...{ id: newId(), mapKind: kind, localId, localName: name, kingdeeNo: null },
      ...{ createdAt: now.toISOString(), createdBy: staffId || null },
    })),
  )
  return fresh.length
}

/** `fin.kingdeeRelease`: a mapping got its number: what waited for it goes on. */
export const releaseDocuments: Verb = async ({ tx, entities }, runs) => {
  const keys = runs.map(({ subject: { record } }) => ({
    key: `${String(record.mapKind)}:${String(record.localId)}`,
    entity: (record.companyEntityId as string | null) ?? null,
  }))
  const { rows } = await tx.query<{ id: string }>(
    sql`select d.id from fin_kingdee_doc d where d.status = 'blocked' and d.deleted_at is null and exists (
      select 1 from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k(key text, entity text), jsonb_array_elements(d.missing) m
      where (m->>'kind') || ':' || (m->>'localId') in (k.key) or ((m->>'kind') = 'material' and k.key = 'material:' || split_part(m->>'localId', ':', 1)))`,
  )
  await entities.transitions('fin.kingdeeDoc', rows.map(({ id }) => id), 'unblock') // prettier-ignore
}

/** `fin.kingdeeBill`: a bill is issued (its listener), or made void again (`void`). */
export const billDocuments: Verb = async (hook, runs) => {
  const day = today(hook.now, hook.tx.companyTimeZone)
  for (const { subject, with: given } of runs)
    if (given.void === true) await withdrawBill(hook, subject.record, day)
    else await deliverBill(hook, subject.record, String(subject.record.periodTo ?? day).slice(0, 10))
}
