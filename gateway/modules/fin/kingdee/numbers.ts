import { sql } from 'drizzle-orm'
import { tableOf, thereIs, type EntityRecord, type LookupFunction } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import type { KingdeeForm, KingdeeLine } from './documents'
import { keysOf, neededMappings, type MapKind, type MappingKey, type NumberOf, type PayloadSource } from './payload'

const BOOK_CURRENCY = 'CNY'

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
const textOrNull = (value: unknown): string | null => text(value) || null

/** A stored document as its form in Kingdee is made of it. */
export const sourceOf = (record: EntityRecord): PayloadSource => ({
  code: text(record.code),
  formId: text(record.formId) as KingdeeForm,
  sourceCode: textOrNull(record.sourceCode),
  companyEntityId: text(record.companyEntityId),
  customerId: textOrNull(record.customerId),
  supplierId: textOrNull(record.supplierId),
  partyId: textOrNull(record.partyId),
  bankAccountId: textOrNull(record.bankAccountId),
  settleKey: textOrNull(record.settleKey),
  billTypeKey: text(record.billTypeKey),
  bizDate: text(record.bizDate).slice(0, 10),
  currency: text(record.currency),
  bookCurrency: BOOK_CURRENCY,
  rate: text(record.rate) || '1',
  amount: text(record.amount) || '0',
  fee: text(record.fee) || '0',
  bankAmount: text(record.bankAmount) || '0',
  baseAmount: text(record.baseAmount) || '0',
  taxRate: textOrNull(record.taxRate),
  memo: textOrNull(record.memo),
  entries: (Array.isArray(record.entries) ? record.entries : []) as KingdeeLine[],
})

/** Numbers that a record of ours holds itself; a mapping holds before them. */
const OWN_NUMBERS = {
  org: { entity: 'sys.companyEntity', id: 'id', number: 'kingdee_org' },
  bank: { entity: 'sys.bankAccount', id: 'id', number: 'kingdee_no' },
  customer: { entity: 'crm.customer', id: 'id', number: 'erp_code' },
} as const

/** What people call something of ours. */
const NAMES: readonly (readonly [kind: MapKind, entity: string])[] = [
  ['org', 'sys.companyEntity'],
  ['bank', 'sys.bankAccount'],
  ['customer', 'crm.customer'],
  ['supplier', 'srm.supplier'],
  ['supplier', 'srm.equipmentSupplier'],
]

const keyText = ({ kind, localId }: MappingKey): string => `${kind}:${localId}`

/** Kingdee's numbers of some keys, for each company entity: its own mapping, that of all entities, the number that the record holds. */
export async function numbersOf(db: Executor, keys: readonly MappingKey[], day: string): Promise<(entityId: string) => NumberOf> {
  const asked = [...new Set(keys.flatMap(keysOf).map(keyText))]
  const { rows } = await db.query<{ key: string; entity: string; number: string }>(
    sql`select m.map_kind || ':' || m.local_id as key, coalesce(m.company_entity_id, '') as entity, m.kingdee_no as number from fin_kingdee_mapping m
      where m.map_kind || ':' || m.local_id = any(${sql.param(asked)}::text[]) and m.kingdee_no <> '' and (m.valid_from is null or m.valid_from <= ${day}::date) and m.deleted_at is null`,
  )
  const mapped = new Map(rows.map(({ key, entity, number }) => [`${entity}/${key}`, number]))
  const own = new Map<string, string>()
  for (const [kind, { entity, id, number }] of Object.entries(OWN_NUMBERS)) {
    const ids = keys.filter((key) => key.kind === kind).map(({ localId }) => localId)
    if (ids.length === 0) continue
    const found = await db.query<{ id: string; number: string }>(
      sql`select t.${sql.raw(id)} as id, t.${sql.raw(number)} as number from ${sql.raw(tableOf(entity))} t where t.${sql.raw(id)} = any(${sql.param(ids)}::text[]) and t.${sql.raw(number)} <> ''`,
    )
    for (const row of found.rows) own.set(`${kind}:${row.id}`, row.number)
  }
  return (entityId) => (key) => {
    const name = keyText(key)
    return mapped.get(`${entityId}/${name}`) ?? mapped.get(`/${name}`) ?? own.get(name)
  }
}

/** What is missing of a document: a key, and what people call it. */
export interface MissingMapping extends MappingKey {
  name: string
}

/** What is missing of each document before it can be pushed. */
export async function missingOf(db: Executor, docs: readonly PayloadSource[], day: string): Promise<MissingMapping[][]> {
  const needed = docs.map(neededMappings)
  const numbers = await numbersOf(db, needed.flat(), day)
  const missing = docs.map((doc, index) =>
    needed[index]!.filter((key) => keysOf(key).every((one) => numbers(doc.companyEntityId)(one) === undefined)),
  )
  const names = await namesOf(db, missing.flat())
  return missing.map((keys) => keys.map((key) => ({ ...key, name: names.get(keyText(key)) ?? key.localId })))
}

/** What people call the things behind some keys. */
export async function namesOf(db: Executor, keys: readonly MappingKey[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const [kind, entity] of NAMES) {
    const ids = keys.filter((key) => key.kind === kind).map(({ localId }) => localId)
    if (ids.length === 0 || !(await thereIs(db, entity))) continue
    const { rows } = await db.query<{ id: string; name: string }>(
      sql`select id, name from ${sql.raw(tableOf(entity))} where id = any(${sql.param(ids)}::text[])`,
    )
    for (const row of rows) found.set(`${kind}:${row.id}`, row.name)
  }
  return found
}

/** `fin.kingdeeCheck`: whether Kingdee is connected, and what is missing of documents (`with` takes the fields of one). */
export const kingdeeCheck =
  (connected: boolean): LookupFunction =>
  async ({ db, now }, asked) => {
    const missing = await missingOf(db, asked.map(sourceOf), dayOf(now, db.companyTimeZone))
    return missing.map((keys) => ({ connected, missing: keys, first: keys[0] ?? null }))
  }
