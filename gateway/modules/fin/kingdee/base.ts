import { sql } from 'drizzle-orm'
import { tableOf, thereIs, type EntityRecord, type LookupFunction, type OutsideVerb, type Verb } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import { newId, type Executor } from '../../../platform/database'
import { errorCodeOf, KingdeeRefuses, type KingdeeClient } from './client'
import { numbersOf } from './numbers'
import type { KingdeeModel, MappingKey } from './payload'

type Kind = 'customer' | 'supplier' | 'material'
const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')

/** What kinds of records are called in Kingdee, and the field of their id (money 6, base data). */
const FORMS: Readonly<
  Record<Kind, { formId: string; id: string; compared: readonly (readonly [field: string, own: string])[] }>
> = {
  customer: {
    formId: 'BD_Customer',
    id: 'FCUSTID',
    compared: [
      ['FName', 'FName'],
      ['FTAXREGISTERCODE', 'FTAXREGISTERCODE'],
    ],
  },
  supplier: { formId: 'BD_Supplier', id: 'FSupplierId', compared: [['FName', 'FName']] },
  material: { formId: 'BD_MATERIAL', id: 'FMATERIALID', compared: [['FName', 'FName']] },
}

/** What is sold and bought that is no traffic. */
const GOODS = [['device', '设备']] as const

/**
 * Records that Kingdee has to know: customers and suppliers with an account, and what is sold and bought. New ones are added, names and
 * numbers that changed here are taken over. @returns how many are new, and how many changed
 */
export async function gatherBase(
  db: Executor,
  products: readonly { code: string; name: string }[],
  now: Date,
): Promise<{ added: number; changed: number }> {
  const wanted: EntityRecord[] = [
    ...(await partiesOf(db, 'customer', 'crm.customer', 'fin.customerAccount', 'customer_id', 'company_entity_id')),
    ...(await partiesOf(db, 'supplier', 'srm.supplier', 'srm.supplierAccount', 'supplier_id', 'null')),
    ...[...products.map(({ code, name }) => [code, name] as const), ...GOODS].map(([code, name]) => ({
      ...{ kind: 'material', localId: code, localCode: code, localName: name },
      ...{ companyEntityId: null, currency: null, taxNo: null },
    })),
  ].map((row) => ({ id: newId(), ...row }))
  const rows = sql`jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as g(id text, kind text, "localId" text, "localCode" text, "localName" text, "companyEntityId" text, currency text, "taxNo" text)`
  const { rowCount: changed } = await db.query(
    sql`update fin_kingdee_base b set local_code = g."localCode", local_name = g."localName", tax_no = g."taxNo", updated_at = ${now.toISOString()}, version = b.version + 1
      from ${rows} where b.kind = g.kind and b.local_id = g."localId" and b.deleted_at is null
        and (b.local_code, b.local_name, coalesce(b.tax_no, '')) is distinct from (g."localCode", g."localName", coalesce(g."taxNo", ''))`,
  )
  const { rowCount: added } = await db.query(
    sql`insert into fin_kingdee_base (id, kind, local_id, local_code, local_name, company_entity_id, currency, tax_no, status, created_at, updated_at, version)
      select g.id, g.kind, g."localId", g."localCode", g."localName", g."companyEntityId", g.currency, g."taxNo", 'waiting', ${now.toISOString()}, ${now.toISOString()}, 1 from ${rows}
      where not exists (select 1 from fin_kingdee_base b where b.kind = g.kind and b.local_id = g."localId" and b.deleted_at is null)`,
  )
  return { added: added ?? 0, changed: changed ?? 0 }
}

/** Customers or suppliers with an account, each with the entity and the currency of its first one. */
async function partiesOf(
  db: Executor,
  kind: Kind,
  party: string,
  account: string,
  reference: string,
  entity: string,
): Promise<EntityRecord[]> {
  if (!(await thereIs(db, party)) || !(await thereIs(db, account))) return []
  const { rows } = await db.query<EntityRecord>(
    sql`select ${kind} as kind, p.id as "localId", p.code as "localCode", p.name as "localName", p.tax_no as "taxNo", a.entity as "companyEntityId", a.currency
      from ${sql.raw(tableOf(party))} p join (select distinct on (${sql.raw(reference)}) ${sql.raw(reference)} as party, ${sql.raw(entity)} as entity, currency
        from ${sql.raw(tableOf(account))} where deleted_at is null order by ${sql.raw(reference)}, created_at, id) a on a.party = p.id
      where p.deleted_at is null order by p.code`,
  )
  return rows
}

/** What a record of Kingdee needs numbers for: its organisation and its currency. */
const neededOf = (record: EntityRecord): MappingKey[] => [
  ...(text(record.companyEntityId) === '' ? [] : [{ kind: 'org' as const, localId: text(record.companyEntityId) }]),
  ...(text(record.currency) === '' ? [] : [{ kind: 'currency' as const, localId: text(record.currency) }]),
]

/** `fin.kingdeeBaseCheck`: whether Kingdee is connected, and which mappings a record waits for. */
export const kingdeeBaseCheck =
  (connected: boolean): LookupFunction =>
  async ({ db, now }, asked) => {
    const needed = asked.map(neededOf)
    const numbers = await numbersOf(db, needed.flat(), dayOf(now, db.companyTimeZone))
    return asked.map((record, index) => {
      const numberOf = numbers(text(record.companyEntityId))
      return { connected, missing: needed[index]!.filter((key) => numberOf(key) === undefined).map(({ localId }) => localId) }
    })
  }

/** `fin.kingdeeBasePrepare`: the record in Kingdee's words (money 6), and the number under which it is, or will be, known there. */
export const prepareBase: Verb = async ({ tx, now }, runs) => {
  const records = runs.map(({ subject }) => subject.record)
  const own = records.map((record): MappingKey => ({ kind: text(record.kind) as Kind, localId: text(record.localId) }))
  const numbers = await numbersOf(tx, [...records.flatMap(neededOf), ...own], dayOf(now, tx.companyTimeZone))
  return records.map((record, index) => {
    const numberOf = numbers(text(record.companyEntityId))
    const number = numberOf(own[index]!) ?? text(record.localCode)
    const payload = modelOf(record, number, (key) => numberOf(key))
    record.payload = payload
    return { number, payload }
  })
}

const named = (number: string | undefined): KingdeeModel | undefined => (number === undefined ? undefined : { FNumber: number })

function modelOf(record: EntityRecord, number: string, numberOf: (key: MappingKey) => string | undefined): KingdeeModel {
  const org = named(numberOf({ kind: 'org', localId: text(record.companyEntityId) }))
  const currency = named(numberOf({ kind: 'currency', localId: text(record.currency) }))
  const head = { FNumber: number, FName: text(record.localName), ...(org ? { FCreateOrgId: org, FUseOrgId: org } : {}) }
  const taxNo = text(record.taxNo)
  switch (record.kind) {
    case 'customer':
      return {
        ...head,
        ...(currency ? { FTRADINGCURRID: currency } : {}),
        FINVOICETITLE: text(record.localName),
        ...(taxNo === '' ? {} : { FTAXREGISTERCODE: taxNo }),
      }
    case 'supplier':
      return { ...head, ...(currency ? { FPayCurrencyId: currency } : {}) }
    default:
      // a service: nothing of it lies in stock
      return { ...head, FErpClsID: text(record.localId) === 'device' ? '1' : '6' }
  }
}

interface Asked {
  kind: Kind
  number: string
  payload: KingdeeModel
}
const askedOf = (given: EntityRecord): Asked => ({
  kind: text(given.kind) as Kind,
  number: text(given.number),
  payload: given.payload as KingdeeModel,
})

/** What Kingdee has under the number, with what differs of it; null when it has nothing. */
async function lookUp(
  client: KingdeeClient,
  { kind, number, payload }: Asked,
  signal: AbortSignal,
): Promise<(EntityRecord & { remoteStatus: string }) | null> {
  const { formId, id, compared } = FORMS[kind]
  const rows = await client.query(
    {
      FormId: formId,
      FieldKeys: [id, 'FNumber', 'FDocumentStatus', ...compared.map(([field]) => field)].join(','),
      FilterString: `FNumber = '${number.replaceAll("'", "''")}'`,
      Limit: 1,
    },
    signal,
  )
  const [row] = rows
  if (!row) return null
  const [kingdeeId, kingdeeNo, remoteStatus, ...values] = row.map(text)
  const differing = compared.flatMap(([field, own], index) => {
    const ours = text(payload[own])
    return ours === '' || ours === values[index] ? [] : [`${field}: ${ours} ≠ ${values[index] || '-'}`]
  })
  return {
    ...{ kingdeeId, kingdeeNo, kingdeeName: values[0] ?? null, remoteStatus: remoteStatus || 'A' },
    differences: differing.join('; ').slice(0, 1000) || null,
  }
}

const answered = (found: EntityRecord | null, attempt: number, refusal?: string): EntityRecord => ({
  ...{ kingdeeId: found?.kingdeeId ?? null, kingdeeNo: found?.kingdeeNo ?? null, kingdeeName: found?.kingdeeName ?? null },
  differences: found?.differences ?? null,
  errorCode: refusal === undefined ? null : errorCodeOf(refusal),
  lastError: refusal === undefined ? null : refusal.slice(0, 500),
  ...{ attempts: attempt, nextAttemptAt: null },
})

const notConnected = (): never => {
  throw new Error('NET: KINGDEE_URL is not set')
}

/**
 * `fin.kingdeeBasePush`: makes the record in Kingdee, or gives the one of this number what differs, then submits and audits it. It is
 * looked up first, so that none is made twice. Throws for NET and AUTH alone, which are asked again.
 */
export const pushBase =
  (client: KingdeeClient | undefined): OutsideVerb =>
  async ({ with: given, attempt, signal }) => {
    const kingdee = client ?? notConnected()
    const asked = askedOf(given)
    const { formId, id } = FORMS[asked.kind]
    let found: (EntityRecord & { remoteStatus: string }) | null = null
    try {
      found = await lookUp(kingdee, asked, signal)
      if (!found || text(found.differences) !== '') {
        const model = found ? { ...asked.payload, [id]: Number(found.kingdeeId) } : asked.payload
        await kingdee.save(formId, model, signal)
      }
      if (found?.remoteStatus !== 'C') {
        if (found?.remoteStatus !== 'B') await kingdee.submit(formId, asked.number, signal)
        await kingdee.audit(formId, asked.number, signal)
      }
      return answered(await lookUp(kingdee, asked, signal), attempt)
    } catch (error) {
      if (!(error instanceof KingdeeRefuses)) throw error
      return answered(found, attempt, error.message)
    }
  }

/** `fin.kingdeeBaseLook`: what Kingdee has under the number now, and what differs. */
export const lookAtBase =
  (client: KingdeeClient | undefined): OutsideVerb =>
  async ({ with: given, attempt, signal }) => {
    const found = await lookUp(client ?? notConnected(), askedOf(given), signal)
    return found ? answered(found, attempt) : answered(null, attempt, '金蝶中没有该编码 / Kingdee has nothing of this number')
  }

/** `fin.kingdeeBaseMap`: the number of a record stands among the mappings, so that documents that wait for it go on. */
export const mapBase: Verb<'fin.kingdeeBase'> = async ({ entities }, runs) => {
  for (const { subject } of runs) {
    const { kind, localId, localName, kingdeeNo, kingdeeName } = subject.record
    const [known] = await entities.list('fin.kingdeeMapping', {
      where: [
        { field: 'mapKind', operator: 'eq', value: text(kind) },
        { field: 'localId', operator: 'eq', value: text(localId) },
        { field: 'companyEntityId', operator: 'empty' },
      ],
      limit: 1,
    })
    if (known?.kingdeeNo === kingdeeNo) continue
    const values = { kingdeeNo, kingdeeName }
    await entities.save(
      'fin.kingdeeMapping',
      known ? { id: known.id, ...values } : { mapKind: kind, localId, localName, ...values },
    )
  }
}
