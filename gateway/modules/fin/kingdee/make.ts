import { sql } from 'drizzle-orm'
import { tableOf, thereIs, type EntityRecord, type HookContext } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { ratesOn } from '../ledger/rates'
import type { PricedLeg } from '../ledger/types'
import { Exact } from '../../../../src/schema/formats'
import { cancelling, DOCUMENT_TYPES, documentsOf, stockLines, type KingdeeDraft, type PostedAct } from './documents'
import { sourceOf } from './numbers'

type Making = Pick<HookContext, 'tx' | 'now' | 'entities'>

/** A posting that was just written: makes its documents, or takes back those of the posting that it reverses. */
export async function documentsOfPosting({ tx, entities }: Making, act: Omit<PostedAct, 'prepaid'>): Promise<void> {
  if (act.reversesId) return cancelDocuments(entities, act.reversesId, { ...act, postingId: act.id })
  if (!DOCUMENT_TYPES.includes(act.type)) return
  await createDocuments(entities, documentsOf({ ...act, prepaid: await prepaidOf(tx, act.legs) }))
}

/** Ids of the accounts that pay in advance. */
export const prepaidAmong = (accounts: readonly EntityRecord[]): ReadonlySet<string> =>
  new Set(accounts.flatMap(({ id, payMode }) => (payMode === 'prepaid' ? [String(id)] : [])))

/** Which accounts of the legs pay in advance. */
async function prepaidOf(db: Executor, legs: readonly PricedLeg[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const [kind, entity] of [
    ['customer', 'fin.customerAccount'],
    ['supplier', 'srm.supplierAccount'],
  ] as const) {
    const ids = legs.filter(({ account }) => account.kind === kind).map(({ account }) => account.id)
    if (ids.length === 0 || !(await thereIs(db, entity))) continue
    const { rows } = await db.query<{ id: string }>(
      sql`select id from ${sql.raw(tableOf(entity))} where pay_mode = 'prepaid' and id = any(${sql.param(ids)}::text[])`,
    )
    for (const { id } of rows) found.add(id)
  }
  return found
}

/** The fields of a new document. */
export const fieldsOf = (draft: KingdeeDraft): EntityRecord => {
  const { formId, sourceKey, sourceType, sourceId, sourceCode, postingId, companyEntityId } = draft
  const { customerId, supplierId, partyId, bankAccountId, settleKey, billTypeKey, bizDate, currency, rate } = draft
  const { amount, fee, bankAmount, baseAmount, taxRate, memo, entries } = draft
  return {
    ...{ formId, sourceKey, sourceType, sourceId, sourceCode, postingId, companyEntityId },
    ...{ customerId, supplierId, partyId, bankAccountId, settleKey, billTypeKey, bizDate, currency, rate },
    ...{ amount, fee, bankAmount, baseAmount, taxRate, memo, entries: [...entries] },
  }
}

async function createDocuments(entities: HookContext['entities'], drafts: readonly KingdeeDraft[]): Promise<void> {
  if (drafts.length > 0) await entities.createMany('fin.kingdeeDoc', drafts.map(fieldsOf))
}

const UNSENT = ['pending', 'blocked', 'failed', 'skipped']

/** Documents of a posting, or of a bill, are not right any more: what Kingdee has is taken back by a document of its own, the rest is left out. */
async function cancelDocuments(
  entities: HookContext['entities'],
  reversedId: string,
  by: Pick<KingdeeDraft, 'bizDate' | 'postingId'> & { memo?: string | null | undefined },
  field: 'postingId' | 'sourceId' = 'postingId',
): Promise<void> {
  const docs = await entities.list('fin.kingdeeDoc', {
    where: [
      { field, operator: 'eq', value: reversedId },
      { field: 'status', operator: 'ne', value: 'reversed' },
    ],
    lock: true,
  })
  const unsent = docs.filter(({ status, kingdeeId }) => UNSENT.includes(status) && !kingdeeId).map(({ id }) => id)
  const sent = docs.filter(({ id }) => !unsent.includes(id))
  await entities.transitions('fin.kingdeeDoc', unsent, 'cancel')
  await entities.transitions(
    'fin.kingdeeDoc',
    sent.map(({ id }) => id),
    'reverse',
  )
  await createDocuments(
    entities,
    sent.map((doc) =>
      cancelling(
        {
          ...sourceOf(doc),
          ...{ sourceKey: '', sourceType: doc.sourceType, sourceId: doc.sourceId, postingId: null },
        },
        {
          sourceKey: `rev:${doc.id}`,
          postingId: by.postingId,
          bizDate: by.bizDate,
          memo: by.memo ?? null,
        },
      ),
    ),
  )
}

/** A bill that was issued is delivered (money 6: one sales delivery order a bill); a bill of 0 or below delivers nothing. */
export async function deliverBill({ tx, entities }: Making, bill: EntityRecord, bizDate: string): Promise<void> {
  const total = String(bill.total ?? '0')
  if (!new Exact(total).gt(0)) return
  const currency = String(bill.currency)
  const { rows } = await tx.query<{ product: string; countryCode: string | null; units: string; amount: string }>(
    sql`select product, country_code as "countryCode", sum(units)::text as units, sum(amount)::text as amount from fin_bill_line where bill_id = ${bill.id} and deleted_at is null group by 1, 2 order by 1, 2`,
  )
  const { rows: accounts } = await tx.query<{ product: string; companyEntityId: string | null; taxRate: string | null }>(
    sql`select case product when 'otp' then 'otpSms' else product end as product, company_entity_id as "companyEntityId", tax_rate::text as "taxRate" from fin_customer_account where id = ${bill.accountId}`,
  )
  const account = accounts[0]
  const companyEntityId = (bill.companyEntityId as string | null) ?? account?.companyEntityId ?? ''
  if (companyEntityId === '') return
  const lines = rows.length > 0 ? rows : [{ product: account?.product ?? 'sms', countryCode: null, units: '1', amount: total }]
  const rate = (await ratesOn(tx, [currency], bizDate)).get(currency)!
  await createDocuments(entities, [
    {
      formId: 'SAL_OutStock',
      ...{ sourceKey: `bill:${String(bill.id)}`, sourceType: 'bill', sourceId: String(bill.id), sourceCode: String(bill.code) },
      ...{
        postingId: null,
        companyEntityId,
        customerId: String(bill.customerId),
        supplierId: null,
        partyId: String(bill.customerId),
      },
      ...{ bankAccountId: null, settleKey: null, billTypeKey: 'SAL_OutStock', bizDate, currency, rate },
      ...{ amount: total, fee: '0', bankAmount: '0', baseAmount: new Exact(total).times(rate).toFixed(6) },
      ...{ taxRate: account?.taxRate ?? null, memo: null, entries: stockLines(lines, { total, currency }) },
    },
  ])
}

/** A bill that was made void is not delivered. */
export const withdrawBill = ({ entities }: Pick<Making, 'entities'>, bill: EntityRecord, bizDate: string): Promise<void> =>
  cancelDocuments(entities, String(bill.id), { bizDate, postingId: null, memo: String(bill.code) }, 'sourceId')

/** What traffic of a month cost at a supplier is received (money 5: monthly cost per supplier). Answers how many documents were made. */
export async function receivePurchases({ tx, entities }: Making, month: string): Promise<number> {
  const { rows } = await tx.query<{
    accountId: string
    supplierId: string | null
    companyEntityId: string
    currency: string
    product: string | null
    amount: string
    base: string
    lastDay: string
  }>(
    sql`select e.account_id as "accountId", e.supplier_id as "supplierId", e.company_entity_id as "companyEntityId", e.currency, e.product, sum(-e.signed_amount)::text as amount, sum(case e.direction when 'credit' then e.base_amount else -e.base_amount end)::text as base,
        (date_trunc('month', ${month}::date) + interval '1 month - 1 day')::date::text as "lastDay"
      from fin_ledger_entry e where e.account_kind = 'supplier' and e.type in ('cost', 'costAdjust') and e.biz_date >= ${month}::date and e.biz_date < ${month}::date + interval '1 month'
        and not exists (select 1 from fin_kingdee_doc d where d.source_key = 'cost:' || e.account_id || ':' || e.company_entity_id || ':' || ${month.slice(0, 7)} and d.deleted_at is null)
      group by 1, 2, 3, 4, 5 having sum(-e.signed_amount) > 0 order by 1, 3, 5`,
  )
  const bySupplier = new Map<string, typeof rows>()
  for (const row of rows) {
    const key = `cost:${row.accountId}:${row.companyEntityId}:${month.slice(0, 7)}`
    bySupplier.set(key, [...(bySupplier.get(key) ?? []), row])
  }
  const sum = (own: typeof rows, of: 'amount' | 'base'): Exact => own.reduce((all, row) => all.plus(row[of]), new Exact(0))
  const drafts = [...bySupplier].map(([sourceKey, own]): KingdeeDraft => {
    const { supplierId, companyEntityId, currency, lastDay, accountId } = own[0]!
    const amount = sum(own, 'amount')
    const base = sum(own, 'base')
    return {
      formId: 'STK_InStock',
      ...{ sourceKey, sourceType: 'usageBatch', sourceId: `${accountId}:${month}`, sourceCode: month.slice(0, 7) },
      ...{
        postingId: null,
        companyEntityId,
        customerId: null,
        supplierId,
        partyId: supplierId ?? accountId,
        bankAccountId: null,
        settleKey: null,
      },
      ...{ billTypeKey: 'STK_InStock', bizDate: lastDay, currency, rate: base.dividedBy(amount).toFixed(8) },
      ...{ amount: amount.toFixed(6), fee: '0', bankAmount: '0', baseAmount: base.toFixed(6), taxRate: null, memo: null },
      entries: stockLines(
        own.map((row) => ({ product: row.product ?? 'sms', countryCode: null, units: '1', amount: row.amount })),
        { total: amount.toFixed(6), currency },
      ),
    }
  })
  await createDocuments(entities, drafts)
  return drafts.length
}
