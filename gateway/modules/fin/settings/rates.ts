import { sql } from 'drizzle-orm'
import { code as isoCurrency } from 'currency-codes'
import { currencyDigits, Exact } from '../../../../src/schema/formats'
import { tableOf, type EntityService, type SaveHook } from '../../../entities'
import { ruleFor } from '../../../rules'
import { heldBy, jumpOf } from './rateRules'

const table = (entity: string) => sql.raw(tableOf(entity))

/** Where an exchange rate stands in its series: the one before it, the day of the next one. */
async function neighbours({ tx, record }: SaveHook<'sys.exchangeRate'>): Promise<{ before: string | null; next: string | null }> {
  const { rows } = await tx.query<{ before: string | null; next: string | null }>(
    sql`select (select x.rate::text from ${table('sys.exchangeRate')} x where ${sameSeries(record)} and x.date < ${record.date}::date order by x.date desc limit 1) as before,
      (select min(x.date)::text from ${table('sys.exchangeRate')} x where ${sameSeries(record)} and x.date > ${record.date}::date) as next`,
  )
  return rows[0]!
}

const sameSeries = ({ kind, base, quote }: SaveHook<'sys.exchangeRate'>['record']) =>
  sql`x.kind = ${kind} and x.base = ${base} and x.quote = ${quote} and x.deleted_at is null and x.rate > 0`

/** Whether something was posted with the rate: an entry in its currency, on a day that it holds for. */
async function posted({ tx, record }: SaveHook<'sys.exchangeRate'>, next: string | null): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(
    sql`select exists (select 1 from fin_ledger_entry e where e.currency = ${record.base} and e.biz_date >= ${record.date}::date and (${next}::date is null or e.biz_date < ${next}::date)) as found`,
  )
  return rows[0]?.found ?? false
}

/** Daily rates: one that moves by more than the rule allows waits for a review, one that was posted with stays as it is (money 10). */
export const rateHooks: EntityService<'sys.exchangeRate'> = {
  async beforeSave(hook) {
    const { record, before, given, tx, now } = hook
    if (record.kind !== 'xe' || !given.has('rate') || !record.rate || !new Exact(record.rate).gt(0)) return
    const changed = before === null || !new Exact(String(before.rate ?? 0)).eq(record.rate)
    if (!changed) return
    const around = await neighbours(hook)
    if (before?.rate && (await posted(hook, around.next)))
      return hook.fail({
        field: 'rate',
        rule: 'used',
        message: {
          zh: '该汇率已用于记账，不能修改；请录入后一日的汇率。',
          en: 'This rate was posted with and is not changed. Enter a rate of a later day.',
        },
      })
    record.source ??= hook.origin === 'import' ? 'import' : 'typed'
    if (around.before === null) return
    record.jumpPct = jumpOf(record.rate, around.before)
    const { maxJumpPct } = await ruleFor(tx, 'sys.rates', now, {})
    if (!heldBy(record.jumpPct, maxJumpPct)) return
    record.heldRate = record.rate
    record.rate = null
  },
}

/** Currencies: those of ISO 4217 and USDT, with its decimals; none is taken out of use while accounts are kept in it (money 10). */
export const currencyHooks: EntityService<'sys.currency'> = {
  beforeSave({ record, fail }) {
    const iso = isoCurrency(record.code ?? '')
    if (!iso && record.code !== 'USDT')
      return fail({
        field: 'code',
        rule: 'iso',
        message: { zh: '不是 ISO 4217 币种代码。', en: 'This is no currency code of ISO 4217.' },
      })
    record.nameEn ||= iso?.currency ?? 'Tether'
    record.decimals = iso ? currencyDigits(record.code ?? '') : 2
  },
  async guard({ tx, transition, record }) {
    if (transition.id !== 'disable') return null
    const { rows } = await tx.query<{ accounts: number }>(
      sql`select (select count(*) from fin_customer_account a where a.currency = ${record.code} and a.status <> 'closed' and a.deleted_at is null)
        + (select count(*) from ${table('srm.supplierAccount')} a where a.currency = ${record.code} and a.status <> 'closed' and a.deleted_at is null)
        + (select count(*) from ${table('sys.bankAccount')} a where a.currency = ${record.code} and a.enabled and a.deleted_at is null) as accounts`,
    )
    const accounts = Number(rows[0]?.accounts ?? 0)
    if (accounts === 0) return null
    return {
      zh: `还有 ${accounts} 个账户使用 ${record.code}，销户或停用后才能停用币种。`,
      en: `${accounts} accounts are kept in ${record.code}. Close them before the currency is taken out of use.`,
    }
  },
}
