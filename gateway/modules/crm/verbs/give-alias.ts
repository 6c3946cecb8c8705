import { ruleFor } from '../../../rules'
import type { ModuleVerb } from '../../module'
import { freeAliases, lockAliases } from '../services/alias/names'

/** `crm.giveAlias`: the customers that `customerId` names get their alias with the first deal or account, once; later it changes by an alias change record only (CRM rule 9.8). */
export const verb: ModuleVerb = async ({ entities, tx, now }, runs) => {
  const customerIds = runs.map((run) => String(run.with.customerId))
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
