import type { Executor } from '../../../platform/database'
import { tableOf, thereIs, type EntityRecord, type RecordOf } from '../../../entities'
import type { BukaFacts } from '../rules/bukaAdmission'
import { sharedDomains } from './blacklist/match'
import { textOf, textsOf } from './values'

/** What the admission rule needs to know of a customer and the account that is asked for. */
export async function bukaFacts(
  db: Executor,
  customer: RecordOf<'crm.customer'>,
  asked: { now: Date; openerId: string | null; ownerConsents: boolean; loginEmail: string | null; products: unknown },
): Promise<BukaFacts> {
  return {
    tradeType: customer.tradeType,
    countryCode: customer.countryCode,
    riskLevel: textOf(customer.riskLevel) ?? 'low',
    overdue: await isOverdue(db, customer.id),
    blacklisted: customer.blacklisted === true,
    revenue30: textOf(customer.revenue30),
    foreignOwner: Boolean(customer.ownerId) && customer.ownerId !== asked.openerId,
    ownerConsents: asked.ownerConsents,
    knownCompany: textOf(customer.regNo) !== null || textOf(customer.taxNo) !== null,
    loginDomain: asked.loginEmail?.split('@')[1]?.toLowerCase() ?? '',
    freeMailDomains: await sharedDomains(db, asked.now),
    products: textsOf(asked.products),
  }
}

/** A bill past its due day in the latest month that there are figures of. */
async function isOverdue(db: Executor, customerId: string): Promise<boolean> {
  if (!(await thereIs(db, 'fin.customerMonth'))) return false
  const { rows } = await db.query<{ days: number | null }>(
    `select max(overdue_days) as days from ${tableOf('fin.customerMonth')} where customer_id = $1 and deleted_at is null
     and month = (select max(month) from ${tableOf('fin.customerMonth')} where deleted_at is null)`,
    [customerId],
  )
  return Number(rows[0]?.days ?? 0) > 0
}

/** Another account of the same company (by its numbers or its name) or the same device that had a trial credit already. */
export async function hadTrialCredit(db: Executor, customer: RecordOf<'crm.customer'>, account: EntityRecord): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from crm_buka_account a join crm_customer c on c.id = a.customer_id
     where a.trial_credit > 0 and a.id is distinct from $1 and a.status not in ('pending', 'rejected') and (c.id = $2 or c.reg_no = $3 or c.tax_no = $4
       or (c.name_key = $5 and c.country_code = $6) or a.device = $7) limit 1`,
    [
      textOf(account.id),
      customer.id,
      textOf(customer.regNo),
      textOf(customer.taxNo),
      textOf(customer.nameKey),
      textOf(customer.countryCode),
      textOf(account.device),
    ],
  )
  return rows.length > 0
}

/** Whether a person stands in one of the departments, or below one. */
export async function standsIn(db: Executor, staffId: string, deptIds: readonly string[]): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from ${tableOf('sys.staff')} s join ${tableOf('sys.department')} own on own.id = s.main_dept_id
     join ${tableOf('sys.department')} wanted on wanted.id = any($2::text[]) and wanted.deleted_at is null and own.path like wanted.path || '%'
     where s.id = $1 limit 1`,
    [staffId, deptIds],
  )
  return rows.length > 0
}
