import { sql } from 'drizzle-orm'
import { tableOf, type EntityRecord, type LookupFunction } from '../../entities'
import type { Executor } from '../../platform/database'
import { ServiceError } from '../../platform/http'
import type { FinContext } from './facts'

/** Documents of lines of a bank statement: of money that came in, and of money that we sent. A bank may give both the same reference. */
const DOCUMENTS = {
  in: ['fin.recharge', 'fin.unclaimedReceipt', 'fin.paymentRefund'],
  out: ['fin.payment'],
} as const

/** A line of the statement of a bank account; `id`: the document that asks. */
interface BankLine {
  bankAccountId: string
  bankRef: string
  id?: string
}

interface UsedBy {
  entity: string
  id: string
  code: string
}

/** The document that stands for each line already: not itself, and none that was reversed; null where there is none. */
async function documentsOf(db: Executor, side: keyof typeof DOCUMENTS, lines: readonly BankLine[]): Promise<(UsedBy | null)[]> {
  const asked = lines.map(({ bankAccountId, bankRef, id }, place) => ({
    place,
    bank: bankAccountId,
    ref: bankRef,
    own: id ?? '',
  }))
  const parts = DOCUMENTS[side].map(
    (entity) =>
      sql`select g.place, ${entity}::text as entity, d.id, d.code from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as g(place int, bank text, ref text, own text)
        join ${sql.raw(tableOf(entity))} d on d.bank_account_id = g.bank and d.bank_ref = g.ref and d.id <> g.own
        where g.ref <> '' and d.status <> 'reversed' and d.deleted_at is null`,
  )
  const { rows } = await db.query<UsedBy & { place: number }>(
    sql`select distinct on (place) place, entity, id, code from (${sql.join(parts, sql` union all `)}) x order by place, code`,
  )
  const found = new Map(rows.map(({ place, ...by }) => [Number(place), by]))
  return lines.map((_, place) => found.get(place) ?? null)
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** `fin.bankReference`: the document (`entity`, `id`, `code`) that has a reference of money that came in (`bankAccountId`, `bankRef`); never `id` itself. */
export const bankReference: LookupFunction = ({ db }, asked) =>
  documentsOf(
    db,
    'in',
    asked.map((row: EntityRecord) => ({ bankAccountId: text(row.bankAccountId), bankRef: text(row.bankRef), id: text(row.id) })),
  )

/**
 * Refuses a bank reference that another document has, also one that is written at this moment (money 8.6: warning 10060059 with its code).
 * @throws ServiceError 10060059 naming that document
 */
export async function freeBankRef({ tx }: Pick<FinContext, 'tx'>, side: keyof typeof DOCUMENTS, line: BankLine): Promise<void> {
  const { bankAccountId, bankRef } = line
  if (bankRef === '') return
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('fin.bankRef'), hashtext(${`${side} ${bankAccountId} ${bankRef}`}))`)
  const [used] = await documentsOf(tx, side, [line])
  if (!used) return
  throw new ServiceError('factsChanged', {
    message: {
      zh: `银行流水号 ${bankRef} 已用于 ${used.code}，请核对后重新提交。`,
      en: `The bank reference ${bankRef} was used by ${used.code}. Please check it and submit again.`,
    },
    data: { field: 'bankRef', value: bankRef, entity: used.entity, id: used.id, code: used.code },
  })
}
