import { sql } from 'drizzle-orm'
import { codeNamed, ServiceError, type CodeName, type Text } from '../../platform/http'
import type { EntityRecord } from '../calls'
import { textArray } from '../clause'
import type { WriteContext } from '../core'
import { storedColumns } from '../read/record'
import type { Forbidding } from '../registry'
import { columnSql, tableSql } from '../tables'
import { prepare } from './prepare'
import { evaluateDeep, evaluateText, scopeOf, subjectOf, textsIn } from './subject'

/** Why a record does not take a transition. */
export interface Refused {
  /** Which of the rules says so: the id of a refusal, else state, by, not, forbidden. */
  id: string
  message: Text
  code: CodeName
  /** What the answer carries besides. */
  data?: EntityRecord
}

/** What is about to be done with records; `any`: whatever a running record forbids. */
export type Doing = 'create' | 'delete' | 'any' | { transition: string }

/** Why running records forbid something to records, all asked at once (`x-forbids`). */
export async function forbiddenTo(
  write: WriteContext,
  doing: Doing,
  records: readonly EntityRecord[],
): Promise<ReadonlyMap<EntityRecord, Refused>> {
  const refused = new Map<EntityRecord, Refused>()
  for (const forbidding of write.core.registry.forbidding(write.model.name)) {
    const left = records.filter((record) => !refused.has(record) && typeof record[forbidding.by] === 'string')
    if (left.length === 0 || !forbids(forbidding, doing)) continue
    const running = await runningOn({ ...write, model: forbidding.model }, forbidding, left)
    for (const record of left) {
      const held = running.get(String(record[forbidding.by]))
      if (held && held.by !== record.id) refused.set(record, held.refused)
    }
  }
  return refused
}

/** @throws ServiceError what a running record forbids to the first of them */
export async function requireFree(write: WriteContext, doing: Doing, records: readonly EntityRecord[]): Promise<void> {
  const [first] = (await forbiddenTo(write, doing, records)).values()
  if (first) throw forbiddenError(first)
}

/** What a running record forbids, as an answer. */
export const forbiddenError = ({ id, message, code, data }: Refused): ServiceError =>
  new ServiceError(code, { message, data, rule: id })

function forbids({ transitions, create, delete: deleting }: Forbidding, doing: Doing): boolean {
  if (doing === 'create') return create
  if (doing === 'delete') return deleting
  return doing === 'any' || transitions === 'all' || transitions.includes(doing.transition)
}

/** By what is held: a running record that holds it, and what is told of it. */
async function runningOn(
  write: WriteContext,
  { model, forbid, by }: Forbidding,
  records: readonly EntityRecord[],
): Promise<ReadonlyMap<string, { by: string; refused: Refused }>> {
  const state = model.machines[0]
  const on = model.fields.get(forbid.on)
  if (!state || !on) return new Map()
  const held = [...new Set(records.map((record) => String(record[by])))]
  // what it does itself is not forbidden to it
  const doing = (write.context.causes ?? []).flatMap(({ entity, ids }) => (entity === model.name ? ids : []))
  const { rows } = await write.tx.query<EntityRecord>(
    sql`select distinct on (${columnSql('t', on)}) ${storedColumns(model, 't')} from ${tableSql(model, 't')} where ${columnSql('t', on)} = any(${textArray(held)}) and ${columnSql('t', model.fields.get(state.field)!)} = any(${textArray(forbid.in)}) and ${columnSql('t', { column: 'id' })} <> all(${textArray(doing)}) and ${columnSql('t', { column: 'deleted_at' })} is null`,
  )
  const subjects = rows.map((row) => subjectOf(row))
  await prepare(write, subjects, textsIn([forbid.message, forbid.values]))
  return new Map(
    subjects.map((subject) => {
      const scope = scopeOf(write, subject)
      const refused: Refused = {
        id: 'forbidden',
        message: evaluateText(write, forbid.message, scope),
        code: codeNamed(forbid.code, 'transitionRefused'),
        ...(forbid.values ? { data: evaluateDeep(write, forbid.values, scope) as EntityRecord } : {}),
      }
      return [String(subject.record[forbid.on]), { by: String(subject.record.id), refused }]
    }),
  )
}
