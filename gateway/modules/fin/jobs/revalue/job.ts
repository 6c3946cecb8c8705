import { sql } from 'drizzle-orm'
import { tableOf, thereIs } from '../../../../entities'
import { addDays, dayOf, type Day } from '../../../../platform/calendar'
import type { Executor } from '../../../../platform/database'
import { systemContext } from '../../../../platform/http'
import { MOST_ROWS, stageOf, type JobReport } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { firstRevalued, revalue, unvalued, type Unvalued } from '../../ledger/revalue'

const BATCH = 100

/**
 * Monetary accounts in foreign currency at the rate of the month's last day, taken back on the first of the next month (money 1.3, 14
 * `fx-revalue`): of the month that ended, and of those since the first one that were missed or posted into since.
 */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'fin.revalue',
  title: { zh: '汇兑重估', en: 'Revaluation' },
  description: {
    zh: '每月 1 日（之后每日补做）按月末汇率重估外币货币性账户的本位币余额，差额记入汇兑损益，次月 1 日冲回；账户原币余额不变。不能重估的账户保持不变并列出。',
    en: 'On the first of a month, and daily for what is missing: brings the base balance of monetary accounts in foreign currency to the rate of the month’s last day, against exchange differences, taken back on the first of the next month. Balances in their own currency do not move. Accounts that cannot be revalued stay as they are and are listed.',
  },
  schedule: { every: 'day', at: '03:10' },
  run: async ({ now, dry }, progress): Promise<JobReport> => {
    const through = monthOf(addDays(monthOf(dayOf(now, database.companyTimeZone)), -1))
    const first = (await firstRevalued(database)) ?? through
    const found = await unvalued(database, { from: first < through ? first : through, through })
    const told = stageOf(progress, { zh: '汇兑重估', en: 'Revaluation' }, found.length)
    const post = (some: readonly Unvalued[]): Promise<Done[]> =>
      engine.transaction(
        systemContext({ now }),
        async (entities, tx) => {
          const done: Done[] = []
          for (const one of some)
            done.push({ one, difference: await revalue({ tx, entities, context: systemContext({ now }), now }, one), why: null })
          return done
        },
        { retries: 3 },
      )
    const done: Done[] = []
    for (let start = 0; start < found.length && !dry; start += BATCH) {
      const some = found.slice(start, start + BATCH)
      done.push(...(await post(some).catch(() => oneByOne(some, post))))
      told(some.length)
    }
    const shown = dry ? found.map((one): Done => ({ one, difference: null, why: null })) : done
    shown.sort((a, b) => Number(b.why !== null) - Number(a.why !== null))
    const titles = await titlesOf(
      database,
      shown.map(({ one }) => one),
    )
    const failed = done.filter(({ why }) => why !== null).length
    return {
      figures: [
        { id: 'accounts', title: { zh: '重估账户', en: 'Accounts revalued' }, value: done.length - failed },
        { id: 'failed', title: { zh: '不能重估', en: 'Not revalued' }, value: failed },
      ],
      columns: [
        { id: 'account', title: { zh: '账户', en: 'Account' } },
        { id: 'month', title: { zh: '月份', en: 'Month' } },
        { id: 'currency', title: { zh: '币种', en: 'Currency' } },
        { id: 'balance', title: { zh: '月末余额', en: 'Balance' }, kind: 'number', of: ['fin.ledgerEntry.balanceAfter'] },
        { id: 'rate', title: { zh: '月末汇率', en: 'Rate' }, kind: 'number' },
        {
          id: 'difference',
          title: { zh: '差额 CNY', en: 'Difference, CNY' },
          kind: 'number',
          of: ['fin.ledgerEntry.baseAmount'],
        },
        { id: 'why', title: { zh: '不能重估的原因', en: 'Why not' } },
      ],
      rows: shown.slice(0, MOST_ROWS).map(({ one, difference, why }) => ({
        ...{ id: `${one.accountId} ${one.month}`, account: titles.get(one.accountId) ?? one.accountId },
        ...{ month: one.month.slice(0, 7), currency: one.currency, balance: one.balance, rate: one.rate, difference, why },
      })),
      more: Math.max(0, shown.length - MOST_ROWS),
    }
  },
})

interface Done {
  one: Unvalued
  /** CNY; positive was debited to the account. */
  difference: string | null
  why: string | null
}

/** What one of a batch refuses leaves the others: each by itself, and why not. */
async function oneByOne(some: readonly Unvalued[], post: (some: readonly Unvalued[]) => Promise<Done[]>): Promise<Done[]> {
  const done: Done[] = []
  for (const one of some)
    done.push(
      ...(await post([one]).catch((error: unknown) => [
        { one, difference: null, why: error instanceof Error ? error.message : String(error) },
      ])),
    )
  return done
}

const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`

/** How people know the accounts, by their id in the ledger. */
async function titlesOf(db: Executor, found: readonly Unvalued[]): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>()
  for (const [kind, entity, title] of NAMED) {
    const ids = found.filter((one) => one.kind === kind).map(({ accountId }) => accountId)
    if (ids.length === 0 || !(await thereIs(db, entity))) continue
    const { rows } = await db.query<{ id: string; title: string }>(
      sql`select id, ${sql.raw(title)} as title from ${sql.raw(tableOf(entity))} where id = any(${sql.param(ids)}::text[])`,
    )
    for (const row of rows) titles.set(row.id, row.title)
  }
  return titles
}

const NAMED = [
  ['customer', 'fin.customerAccount', `code || ' ' || name`],
  ['main', 'fin.mainAccount', 'code'],
  ['supplier', 'srm.supplierAccount', `code || ' ' || name`],
  ['supplier', 'srm.equipmentSupplier', 'name'],
  ['bank', 'sys.bankAccount', `code || ' ' || name`],
] as const
