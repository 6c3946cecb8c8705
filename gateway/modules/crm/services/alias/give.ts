import type { Entities, Verb } from '../../../../entities'
import type { Transaction } from '../../../../platform/database'
import { ruleFor } from '../../../../rules'
import { freeAliases, lockAliases } from './names'

/** Customers get their alias with the first deal or account, once; later it changes by an alias change record only (CRM rule 9.8). */
export async function giveAliases(entities: Entities, tx: Transaction, customerIds: readonly string[], now: Date): Promise<void> {
  const without = (lock: boolean) =>
    entities.list('crm.customer', {
      where: [
        { field: 'id', operator: 'in', value: [...new Set(customerIds)] },
        { field: 'alias', operator: 'empty' },
      ],
      sort: [{ field: 'id', order: 'asc' }],
      lock,
    })
  if ((await without(false)).length === 0) return
  await lockAliases(tx)
  const customers = await without(true)
  const { alphabet } = await ruleFor(tx, 'crm.alias', now)
  const aliases = await freeAliases(
    tx,
    customers.map(({ countryCode }) => countryCode),
    alphabet,
  )
  await entities.changeMany('crm.customer', new Map(customers.map(({ id }, index) => [id, { alias: aliases[index] }])))
}

/** Effect: the customer that `customerId` names gets its alias. */
export const giveAlias: Verb = ({ entities, tx, now }, runs) =>
  giveAliases(
    entities,
    tx,
    runs.map((run) => String(run.with.customerId)),
    now,
  )
