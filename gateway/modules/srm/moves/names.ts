import { sql } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import type { Executor } from '../../../platform/database'
import type { JobReport } from '../../../platform/jobs'
import { ruleFor, type RuleTestAnswer } from '../../../rules'
import { candidates, nextName, type SuffixRule } from './suffix'

/** An account that is to move. */
export interface Named {
  id: string
  name: string
  /** How often it has moved. */
  transfers: number
}

/** Endings that are looked up at once; later ones are tried one by one. */
const LOOKED_UP = 20
const SHOWN = 50

/** Names after the next transfer, by account: none of them is taken, and no two are the same (customers-suppliers 9.13). */
export async function nextNames(
  db: Executor,
  accounts: readonly Named[],
  rule: SuffixRule,
): Promise<ReadonlyMap<string, string>> {
  const asked = accounts.flatMap(({ name, transfers }) => candidates(name, transfers, rule, LOOKED_UP))
  const { rows } = await db.query<{ name: string }>(
    sql`select distinct name from ${sql.raw(tableOf('srm.supplierAccount'))} where name = any(${sql.param(asked)}::text[]) and deleted_at is null`,
  )
  const taken = new Set(rows.map(({ name }) => name))
  return new Map(
    accounts.map(({ id, name, transfers }) => {
      const found = nextName(name, transfers, rule, (one) => taken.has(one))
      taken.add(found)
      return [id, found]
    }),
  )
}

/** The rule in force. */
export const suffixRule = (db: Executor, now: Date): Promise<SuffixRule> => ruleFor(db, 'srm.suffix', now)

const accountsSql = sql`select id, name, coalesce(transfer_count, 0)::int as transfers`

/** What accounts would be called after their next transfer, were these the parameters. */
export async function suffixReport(db: Executor, rule: SuffixRule): Promise<JobReport> {
  const from = sql.raw(tableOf('srm.supplierAccount'))
  const { rows } = await db.query<Named>(
    sql`${accountsSql} from ${from} where kind in ('sms', 'otp') and status in ('active', 'suspended') and moved_to_id is null and deleted_at is null order by transfers desc, code limit ${SHOWN}`,
  )
  const names = await nextNames(db, rows, rule)
  const cut = rows.filter(({ name }) => name.length > rule.maxLength).length
  return {
    figures: [
      { id: 'accounts', title: { zh: '列出的账号', en: 'Accounts shown' }, value: rows.length },
      { id: 'long', title: { zh: '名称过长', en: 'Too long as they are' }, value: cut },
    ],
    columns: [
      { id: 'name', title: { zh: '现名称', en: 'Name' }, of: ['srm.supplierAccount.name'] },
      { id: 'transfers', title: { zh: '已转移次数', en: 'Transfers so far' }, kind: 'number' },
      { id: 'next', title: { zh: '下次转移后的名称', en: 'After its next transfer' }, of: ['srm.supplierAccount.name'] },
    ],
    rows: rows.map(({ id, name, transfers }) => ({ id, name, transfers, next: names.get(id) ?? null })),
    more: 0,
  }
}

/** The name of an account after its next transfer, by the rule in force; one that there is counts its transfers. */
export async function testSuffix(db: Executor, given: unknown, now: Date): Promise<RuleTestAnswer> {
  const name = typeof given === 'string' ? given.trim() : ''
  const { rows } = await db.query<Named>(
    sql`${accountsSql} from ${sql.raw(tableOf('srm.supplierAccount'))} where name = ${name} and deleted_at is null order by transfers desc limit 1`,
  )
  const account = rows[0] ?? { id: '', name, transfers: 0 }
  const next = (await nextNames(db, [account], await suffixRule(db, now))).get(account.id)!
  return {
    verdict: { zh: `转移后：${next}`, en: `After the transfer: ${next}` },
    tone: 'success',
    lines: [
      { label: { zh: '长度', en: 'Characters' }, value: String(next.length) },
      {
        label: { zh: '账号', en: 'Account' },
        value: rows[0]
          ? { zh: `已转移 ${account.transfers} 次`, en: `Moved ${account.transfers} times so far` }
          : { zh: '没有同名账号', en: 'No account of that name' },
      },
    ],
  }
}
