import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import { tableOf, type EntityRecord, type EntityService, type LookupFunction, type SaveHook } from '../../../entities'
import { nextNames, suffixRule } from './names'

const ITEM = 'srm.accountTransferItem'
const ids = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** `srm.nextName`: what an account (`id`, `name`, `transfers`) is called after its next transfer. */
export const nextName: LookupFunction = async ({ db, now }, asked) => {
  const accounts = asked.map(({ id, name, transfers }) => ({
    id: String(id),
    name: typeof name === 'string' ? name : '',
    transfers: Number(transfers ?? 0),
  }))
  const names = await nextNames(db, accounts, await suffixRule(db, now))
  return accounts.map(({ id }) => names.get(id) ?? null)
}

/** The accounts of a draft are its items: with names and balances of now, so that they are seen before it is submitted. */
export const accountTransfers: EntityService<'srm.accountTransfer'> = {
  beforeSave({ record, before, context }) {
    if (before || context.kind === 'system') return
    record.ownerId ??= context.user.staffId
  },
  async afterSave(hook) {
    if (hook.record.status === 'draft' && (hook.given.has('accountIds') || hook.given.has('balanceMode'))) await sameItems(hook)
  },
}

async function sameItems({ entities, record }: SaveHook<'srm.accountTransfer'>): Promise<void> {
  const transferId = record.id
  const stored = await entities.list(ITEM, { where: [{ field: 'transferId', operator: 'eq', value: transferId }] })
  const wanted = new Set(ids(record.accountIds))
  const there = new Set(stored.map(({ accountId }) => accountId))
  for (const { id, accountId } of stored) if (!wanted.has(accountId)) await entities.remove(ITEM, id)
  const { balanceMode } = record
  await entities.changeMany(ITEM, new Map(stored.map(({ id }) => [id, { balanceMode }])))
  await entities.createMany(
    ITEM,
    [...wanted].filter((accountId) => !there.has(accountId)).map((accountId) => ({ transferId, accountId, balanceMode })),
  )
}

/** Items tell the balance of now, and what it changed by since the document was submitted. */
export const accountTransferItems: EntityService<'srm.accountTransferItem'> = {
  async computeFields(records, { db }) {
    const accounts = [...new Set(records.map(({ accountId }) => String(accountId)))]
    const { rows } = await db.query<{ id: string; balance: string | null }>(
      sql`select id, balance::text as balance from ${sql.raw(tableOf('srm.supplierAccount'))} where id = any(${sql.param(accounts)}::text[])`,
    )
    const balances = new Map(rows.map(({ id, balance }) => [id, new Exact(balance ?? '0')]))
    for (const record of records) {
      const now = record.result === 'waiting' || record.result === 'failed' ? balances.get(String(record.accountId)) : undefined
      record.balanceNow = now ? exactText(now) : null
      record.balanceChange = now ? exactText(now.minus(amountOf(record))) : null
    }
  },
}

const amountOf = ({ balanceAtSubmit }: EntityRecord): string =>
  typeof balanceAtSubmit === 'string' || typeof balanceAtSubmit === 'number' ? String(balanceAtSubmit) : '0'
