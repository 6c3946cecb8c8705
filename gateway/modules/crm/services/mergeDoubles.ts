import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, ModelField } from '../../../../src/schema/entity'
import type { Entities, EntityRecord } from '../../../entities'
import type { Transaction } from '../../../platform/database'
import { ServiceError, type Text } from '../../../platform/http'

/** A merge as far as rows of other entities are concerned. */
export interface Merge {
  tx: Transaction
  entities: Entities
  /** The customer that stays, and those that go. */
  targetId: string
  loserIds: readonly string[]
  reason: string
  now: Date
}

const sums = (...columns: readonly string[]): string =>
  columns.map((column) => `${column} = coalesce(o.${column}, 0) + coalesce(c.${column}, 0)`).join(', ')
/** From what still changes to what is settled: of two commissions the one that is less far keeps what can be withdrawn. */
const SETTLING = `array['earning', 'locked', 'requested', 'paid']`

/** What is known of a contact besides its name and address; fields and columns have the same names. */
const CONTACT_FACTS = ['title', 'department', 'role', 'phone', 'mobile', 'im', 'remark']

/** How two rows of figures (they have no history) become one: `o` is the one that stays, `c` the one that goes. */
const JOINED: Readonly<Record<string, string>> = {
  'fin.customerMonth': `${sums('revenue', 'profit', 'messages')}, overdue_days = greatest(o.overdue_days, c.overdue_days)`,
  'biz.commission': `${sums('revenue', 'profit', 'earned', 'withdrawn')},
    status = case when array_position(${SETTLING}, c.status) < array_position(${SETTLING}, o.status) then c.status else o.status end`,
}

/**
 * Before what the target has already goes with a record: figures of the same month are added up, and what is known of the same contact
 * fills what was empty, so that nothing is lost. `same` are the other columns by which two rows are the same thing.
 */
export async function joinDoubles(
  merge: Merge,
  { model, field, same }: { model: EntityModel; field: ModelField; same: readonly string[] },
  loserId: string,
): Promise<void> {
  const { tx, targetId } = merge
  if (same.length === 0) return
  const table = sql.identifier(model.table)
  const column = sql.identifier(field.column)
  const pairs: SQL = sql`c.${column} = ${loserId} and c.deleted_at is null and o.${column} = ${targetId} and o.deleted_at is null
    and ${sql.join(
      same.map((name) => sql`o.${sql.identifier(name)} = c.${sql.identifier(name)}`),
      sql` and `,
    )}`
  if (model.name === 'crm.contact') await joinContacts(merge, pairs)
  const set = JOINED[model.name]
  if (set !== undefined)
    await tx.query(sql`update ${table} o set ${sql.raw(set)}, version = o.version + 1 from ${table} c where ${pairs}`)
}

/** The contact that stays knows what either knew; what was said to the one that goes was said to it. */
async function joinContacts({ tx, entities, reason }: Merge, pairs: SQL): Promise<void> {
  const known = CONTACT_FACTS.map((name) => `coalesce(o.${name}, c.${name}) as ${name}`).join(', ')
  const { rows } = await tx.query<{ id: string; gone: string } & EntityRecord>(
    sql`select o.id, c.id as gone, ${sql.raw(known)} from crm_contact o, crm_contact c where ${pairs}`,
  )
  const options = { reason, keepTime: true }
  await entities.changeMany('crm.contact', new Map(rows.map(({ id, gone: _, ...facts }) => [id, facts])), options)
  for (const { id, gone } of rows) {
    const { rows: talks } = await tx.query<{ id: string }>(
      `select id from crm_follow_up where contact_id = $1 and deleted_at is null`,
      [gone],
    )
    await entities.changeMany('crm.followUp', new Map(talks.map((talk) => [talk.id, { contactId: id }])), options)
    const { rows: visits } = await tx.query<{ id: string; contactIds: string[] }>(
      `select id, contact_ids as "contactIds" from crm_visit where contact_ids ? $1 and deleted_at is null`,
      [gone],
    )
    const met = (ids: readonly string[]): string[] => ids.map((one) => (one === gone ? id : one))
    await entities.changeMany(
      'crm.visit',
      new Map(visits.map((visit) => [visit.id, { contactIds: met(visit.contactIds) }])),
      options,
    )
  }
}

/** Open to-dos about a record that goes are about the one that stays; one that stands there already is not asked for twice. */
export async function moveTodos(tx: Transaction, targetId: string, loserId: string, at: string): Promise<void> {
  const open = (id: string): string =>
    `subject_entity = 'crm.customer' and subject_id = ${id} and status = 'open' and deleted_at is null`
  await tx.query(
    `update sys_todo t set subject_id = $1, link = replace(t.link, $2, $1), unique_key = replace(t.unique_key, $2, $1), updated_at = $3, version = t.version + 1
     where ${open('$2')} and not exists (select from sys_todo o where o.unique_key = replace(t.unique_key, $2, $1) and o.deleted_at is null)`,
    [targetId, loserId, at],
  )
  await tx.query(
    `update sys_todo set status = 'dropped', done_at = $2, updated_at = $2, version = version + 1 where ${open('$1')}`,
    [loserId, at],
  )
}

/** Files hang on the record that stays, so that whoever may read it may read them. */
export const moveFiles = (tx: Transaction, targetId: string, loserId: string): Promise<unknown> =>
  tx.query(`update sys_file set record_id = $1 where entity = 'crm.customer' and record_id = $2`, [targetId, loserId])

const refused = (message: Text): ServiceError => new ServiceError('transitionRefused', { message, data: { transition: 'merge' } })

/** The files of all records, each once. @throws ServiceError 10010007 when they are more than a customer can have */
export function joinedFiles(records: readonly EntityRecord[], most: number): unknown[] {
  const files = new Map<string, unknown>()
  for (const { attachments } of records)
    for (const file of Array.isArray(attachments) ? (attachments as { id?: unknown }[]) : [])
      files.set(typeof file.id === 'string' ? file.id : JSON.stringify(file), file)
  if (files.size > most)
    throw refused({
      zh: `合并后有 ${files.size} 个附件，最多 ${most} 个。请先删除一些。`,
      en: `Together they have ${files.size} files, and a customer has at most ${most}. Remove some first.`,
    })
  return [...files.values()]
}

/**
 * An online account belongs to one customer, and a balance is not given up by a merge. A rejected application is no account: it makes
 * room for the one that is.
 */
export async function refuseTwoAccounts({ tx, entities, targetId, loserIds, reason, now }: Merge): Promise<void> {
  const { rows } = await tx.query<{ id: string; rejected: boolean }>(
    `select id, status = 'rejected' as rejected from crm_buka_account where customer_id = any($1::text[]) and deleted_at is null`,
    [[targetId, ...loserIds]],
  )
  const accounts = rows.filter(({ rejected }) => !rejected).length
  const rejected = rows
    .filter((row) => row.rejected)
    .map(({ id }): [string, EntityRecord] => [id, { deletedAt: now.toISOString() }])
  if (accounts === 1) await entities.changeMany('crm.bukaAccount', new Map(rejected), { reason })
  if (accounts > 1)
    throw refused({
      zh: '多个客户各有 Buka 账号，账号不能合并，客户保持不变。如确为不同客户，请标记为“不是重复”。',
      en: 'More than one of them has a Buka account, and accounts cannot be merged: the customers stay as they are. If they are different ones, mark them as "Not a duplicate".',
    })
}
