import type { EntityService } from '../../../entities'
import type { SqlStep } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import { todayOf, type CustomerAccount } from '../facts'

/**
 * Traffic of a day is charged to an account that is in use (money 4.1: opening → active ⇄ suspended → closing → closed): not while it is opened,
 * nor of days after the one on which it was suspended; what an account that is suspended or closing had until then still is.
 * `fin.usage` says the same to people. @throws ServiceError 10060059 naming account and day
 */
export function requireChargeable({ title, record }: CustomerAccount, day: string): void {
  const { status, suspendedOn } = record
  const since = typeof suspendedOn === 'string' ? suspendedOn.slice(0, 10) : null
  const opening = status === 'opening'
  if (!opening && !(status === 'suspended' && since !== null && day > since)) return
  throw new ServiceError('factsChanged', {
    message: opening
      ? {
          zh: `账户 ${title} 尚未启用，${day} 的用量不能入账。请先启用账户。`,
          en: `The account ${title} is not active yet, so usage of ${day} is not charged to it. Activate it first.`,
        }
      : {
          zh: `账户 ${title} 已于 ${since} 停用，${day} 的用量不能入账。请先恢复账户。`,
          en: `The account ${title} was suspended on ${since}, so usage of ${day} is not charged to it. Resume it first.`,
        },
    data: { field: 'status', value: status, day },
  })
}

/** The day of an account on which it was suspended stands in it until it is resumed. */
export const suspendedDays: EntityService<'fin.customerAccount'> = {
  effect({ transition, record, tx, now }) {
    if (transition.id === 'suspend') record.suspendedOn = todayOf({ tx, now }, record)
    if (transition.id === 'resume') record.suspendedOn = null
  },
}

/** Accounts that an earlier release suspended: on the day of their last change. */
export const suspendedBefore: SqlStep = {
  id: '2026-11-suspended-on',
  run: async (tx) => {
    await tx.query(
      `update fin_customer_account set suspended_on = (updated_at at time zone coalesce(timezone, $1))::date
       where status = 'suspended' and suspended_on is null and updated_at is not null`,
      [tx.companyTimeZone],
    )
  },
}
