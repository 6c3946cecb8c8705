import type { Entities } from '../../../../entities'
import type { Transaction } from '../../../../platform/database'
import { ruleFor } from '../rules'
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
