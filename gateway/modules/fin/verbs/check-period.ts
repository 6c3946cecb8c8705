import { sql } from 'drizzle-orm'
import { tableOf, type RecordOf } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { dayOf } from '../../../platform/calendar'
import { openCharges } from '../charges/open'
import { recordOf, type FinContext, type Given } from '../facts'
import { monthAfter, revalue, unvalued } from '../ledger/revalue'
import { oneByOne } from '../acts/documents'
import type { ModuleVerb } from '../../module'

/**
 * `fin.checkPeriod`: counts what is open in a month before it is closed: bills that were not issued, proofreadings that are open, currencies without a rate of the
 * month (an older one was used), platforms that were not told, accounts that are not revalued, traffic that is not posted or has no price. With `must` bills, proofreadings and
 * traffic keep it open, and so does a month that is not over or an account that cannot be revalued; the others are revalued now. @throws ServiceError 10060059 naming how many
 */
export const verb: ModuleVerb = oneByOne(checked)

async function checked(fin: FinContext, given: Given): Promise<RecordOf<'fin.period'>> {
  const period = await recordOf(fin, 'fin.period', given.needed('periodId'), { zh: '会计期间', en: 'accounting period' })
  const { tx, now } = fin
  const { rows } = await tx.query<{ draftBills: number; openProofs: number; waitingRecords: number; missing: string[] }>(
    sql`with month as (select ${period.companyEntityId}::text as entity, ${period.month}::date as first, (${period.month}::date + interval '1 month')::date as next)
      select (select count(*)::int from fin_bill l, month m where l.company_entity_id = m.entity and l.status in ('draft', 'checking') and l.period_to >= m.first and l.period_to < m.next and l.deleted_at is null) as "draftBills",
        (select count(*)::int from fin_proofread p, month m where p.company_entity_id = m.entity and p.status in ('open', 'inReview') and p.period_to >= m.first and p.period_to < m.next and p.deleted_at is null) as "openProofs",
        (select count(*)::int from fin_recharge_record r join fin_posting p on p.id = r.posting_id, month m where p.company_entity_id = m.entity and p.biz_date >= m.first and p.biz_date < m.next and r.status in ('waiting', 'failed') and r.deleted_at is null) as "waitingRecords",
        array(select distinct e.currency from fin_ledger_entry e, month m where e.company_entity_id = m.entity and e.biz_date >= m.first and e.biz_date < m.next and e.currency <> 'CNY'
          and not exists (select 1 from ${sql.raw(tableOf('sys.exchangeRate'))} x where x.base = e.currency and x.quote = 'CNY' and x.kind = 'xe' and x.date >= m.first and x.date < m.next and x.deleted_at is null) order by 1) as missing`,
  )
  const { draftBills, openProofs, waitingRecords, missing } = rows[0]!
  if (draftBills + openProofs > 0 && given.flag('must', false)) {
    const month = period.month.slice(0, 7)
    throw new ServiceError('factsChanged', {
      message: {
        zh: `${month} 还不能关账：有 ${draftBills} 张账单未出账、${openProofs} 张核对单未处理。请先出账或作废账单，并处理核对单。`,
        en: `${month} cannot be closed yet: ${draftBills} bills are not issued and ${openProofs} proofreadings are open. Issue the bills or make them void, and settle the proofreadings first.`,
      },
      data: { draftBills, openProofs },
    })
  }
  const openRecords = await openTraffic(fin, period.companyEntityId, period.month.slice(0, 10))
  if (openRecords > 0 && given.flag('must', false)) {
    const month = period.month.slice(0, 7)
    throw new ServiceError('factsChanged', {
      message: {
        zh: `${month} 还不能关账：有 ${openRecords} 条话单未入账或无价格。请补齐价格并等待入账后再关账。`,
        en: `${month} cannot be closed yet: ${openRecords} records of its traffic are not in the ledger or have no price. Give them prices and wait until they are posted.`,
      },
      data: { openRecords },
    })
  }
  const openItems = draftBills + openProofs + waitingRecords + openRecords
  const counted = {
    openItems,
    unvalued: await accountsUnvalued(fin, period, given.flag('must', false)),
    draftBills,
    openProofs,
    missingRates: missing.length,
    waitingRecords,
    checkedAt: now.toISOString(),
  }
  await fin.entities.changeMany('fin.period', new Map([[period.id, counted]]))
  return period
}

/** Records of a month that the books of an entity do not tell yet: of its customers' accounts, and of accounts at suppliers that it has. */
async function openTraffic({ tx }: FinContext, companyEntityId: string, month: string): Promise<number> {
  const { rows } = await tx.query<{ last: string }>(
    sql`select (${month}::date + interval '1 month' - interval '1 day')::date::text as last`,
  )
  const open = await openCharges(tx, { from: month, through: rows[0]!.last })
  if (open.length === 0) return 0
  const first = sql`(select f.id from ${sql.raw(tableOf('sys.companyEntity'))} f where f.enabled and f.deleted_at is null order by f.sort_no limit 1)`
  const own = await tx.query<{ id: string }>(
    sql`select a.id from fin_customer_account a where coalesce(a.company_entity_id, ${first}) = ${companyEntityId}
      union all select s.id from ${sql.raw(tableOf('srm.supplierAccount'))} s left join ${sql.raw(tableOf('sys.companyEntity'))} c on c.code = s.our_company and c.deleted_at is null where coalesce(c.id, ${first}) = ${companyEntityId}`,
  )
  const ids = new Set(own.rows.map(({ id }) => id))
  return open.reduce((sum, { accountId, records }) => (ids.has(accountId) ? sum + records : sum), 0)
}

/**
 * Accounts whose base balance is not that of the month's last rate (`fxRevalue`); with `must` they are revalued before the month is closed.
 * @throws ServiceError 10060059 with `must` while the month runs; as `revalue`
 */
async function accountsUnvalued(
  fin: FinContext,
  { companyEntityId, month }: RecordOf<'fin.period'>,
  must: boolean,
): Promise<number> {
  const first = month
  if (monthAfter(first) > dayOf(fin.now, fin.tx.companyTimeZone)) {
    if (!must) return 0
    throw new ServiceError('factsChanged', {
      message: {
        zh: `${first.slice(0, 7)} 尚未结束，不能关账：月末汇率与重估还没有。请在下月关账。`,
        en: `${first.slice(0, 7)} is not over and cannot be closed: there is no rate of its end and no revaluation. Close it next month.`,
      },
      data: { month: first },
    })
  }
  const found = await unvalued(fin.tx, { from: first, through: first, companyEntityId: companyEntityId })
  if (must) for (const one of found) await revalue(fin, one)
  return must ? 0 : found.length
}
