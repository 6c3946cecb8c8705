import type { Entities, Verb } from '../../../../entities'
import type { Transaction } from '../../../../platform/database'
import { ruleFor } from '../../../../rules'
import { freeAlias, lockAliases } from './names'

/** A customer gets its alias with the first deal or account, once; later it changes by an alias change record only (CRM rule 9.8). */
export async function giveAlias(entities: Entities, tx: Transaction, customerId: string, now: Date): Promise<void> {
  const known = await entities.find('crm.customer', customerId)
  if (!known || known.alias) return
  await lockAliases(tx)
  const customer = await entities.find('crm.customer', customerId, { lock: true })
  if (!customer || customer.alias) return
  const { alphabet } = await ruleFor(tx, 'crm.alias', now)
  const alias = await freeAlias(tx, String(customer.countryCode), alphabet)
  await entities.save('crm.customer', { id: customerId, alias })
}

/** Effect: the customer that `customerId` names gets its alias. */
export const giveAliases: Verb = async ({ entities, tx, now }, runs) => {
  for (const customerId of new Set(runs.map((run) => String(run.with.customerId)))) await giveAlias(entities, tx, customerId, now)
}
