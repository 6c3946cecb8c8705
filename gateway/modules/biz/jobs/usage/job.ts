import { sql } from 'drizzle-orm'
import { tableOf } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import type { Text } from '../../../../platform/http'
import { MOST_ROWS, type JobReport } from '../../../../platform/jobs'
import { chargesWait, openCharges, postCharges, type OpenCharge, type PostedCharges } from '../../../fin'
import type { ModuleJob } from '../../../module'
import { heldDays, isLocked, lockDays, locksWait, type HeldDay } from '../../lock/lock'
import { leaveToSends } from '../../usage/codes'
import { rateAgain } from '../../usage/rerate'

/** Days in which a send may follow its code. */
const SENDS_FOLLOW = 5

/** Brings to the ledger what traffic cost customers and us. */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'biz.usage',
  title: { zh: '业务量入账', en: 'Usage to the ledger' },
  description: {
    zh: '每 5 分钟把未入账的短信、通话、WhatsApp、邮件、OTP 记录按账户、产品、记账日各记一笔收入与成本凭证，未计价的记录按当时的费率再次计价；已关账月份的记入首个未关账日，已锁账日的补记为调整。再锁定回执等待期已过且全部入账的记账日。未入账、未计价的记录按账户和日期列出。',
    en: 'Every 5 minutes: what records of messages, calls, WhatsApp, mails and codes came to and is not posted yet, one posting of usage and of cost for each account, product and day; records without a price are rated again at the rates of their moment. What belongs to a closed month is posted on the first open day, what belongs to a locked day as an adjustment. Then days whose receipts had their time, and of which everything is posted, are locked. What is not posted or has no price is listed by account and day.',
  },
  schedule: { every: 'seconds', seconds: 300 },
  waiting: async (now) => (await chargesWait(database)) || (await locksWait(database, now)),
  run: async ({ now, dry }): Promise<JobReport> => {
    let done: PostedCharges & { rated: number; locked: number } = { revenue: 0, cost: 0, refused: [], rated: 0, locked: 0 }
    if (!dry) {
      await leaveToSends(database, new Date(now.getTime() - SENDS_FOLLOW * 86_400_000))
      const rated = await rateAgain(engine, database, now)
      const posted = await postCharges({ engine, database, now, isLocked })
      done = { ...posted, rated, locked: await database.transaction((tx) => lockDays(tx, now)) }
    }
    const [open, held] = [await openCharges(database), await heldDays(database, now)]
    const rows = await rowsOf(database, open, { held, refused: done.refused })
    const unrated = open.reduce((sum, one) => sum + one.unrated, 0)
    return {
      figures: [
        { id: 'usage', title: { zh: '入账的客户账户日', en: 'Days of customers posted' }, value: done.revenue },
        { id: 'cost', title: { zh: '入账的供应商账户日', en: 'Days of suppliers posted' }, value: done.cost },
        { id: 'rated', title: { zh: '补计价记录', en: 'Records rated again' }, value: done.rated },
        { id: 'locked', title: { zh: '锁账账户', en: 'Accounts with a day locked' }, value: done.locked },
        { id: 'refused', title: { zh: '未能入账的账户日', en: 'Days that were refused' }, value: done.refused.length },
        { id: 'unrated', title: { zh: '未计价记录', en: 'Records without a price' }, value: unrated },
        { id: 'held', title: { zh: '待锁账账户', en: 'Accounts whose lock waits' }, value: held.length },
      ],
      columns: [
        { id: 'account', title: { zh: '账户', en: 'Account' } },
        { id: 'side', title: { zh: '收入或成本', en: 'Revenue or cost' } },
        { id: 'day', title: { zh: '记账日', en: 'Day' } },
        { id: 'product', title: { zh: '产品', en: 'Product' } },
        { id: 'records', title: { zh: '记录数', en: 'Records' }, kind: 'number' },
        { id: 'amount', title: { zh: '未入账金额', en: 'Not posted' }, kind: 'number', of: ['fin.ledgerEntry.amount'] },
        { id: 'why', title: { zh: '原因', en: 'Why' } },
      ],
      rows: rows.slice(0, MOST_ROWS),
      more: Math.max(0, rows.length - MOST_ROWS),
    }
  },
})

type Row = JobReport['rows'][number]
const SIDES: Readonly<Record<OpenCharge['side'], Text>> = {
  revenue: { zh: '收入', en: 'Revenue' },
  cost: { zh: '成本', en: 'Cost' },
}
const UNRATED: Text = { zh: '当时没有费率，未计价。', en: 'There was no rate then: they have no price.' }
const NEXT: Text = { zh: '待下次入账。', en: 'They wait for the next run.' }
const HELD: Text = { zh: '该日因此未锁账。', en: 'The day is not locked because of them.' }

/** What is not posted, by account and day, with the reason; those that hold a lock first. */
async function rowsOf(
  db: Executor,
  open: readonly OpenCharge[],
  { held, refused }: Pick<PostedCharges, 'refused'> & { held: readonly HeldDay[] },
): Promise<Row[]> {
  const named = await titlesOf(db, [...open, ...refused])
  const reasons = new Map(refused.map(({ side, accountId, day, why }) => [`${side} ${accountId} ${day}`, why]))
  const holds = new Set(held.map(({ accountId, day }) => `${accountId} ${day}`))
  const rows = open.map((one) => {
    const holding = one.side === 'revenue' && holds.has(`${one.accountId} ${one.day}`)
    const why = one.unrated > 0 ? UNRATED : (reasons.get(`${one.side} ${one.accountId} ${one.day}`) ?? NEXT)
    const row: Row = {
      ...{ account: named.get(one.accountId) ?? one.accountId, side: SIDES[one.side], day: one.day, product: one.product },
      ...{ records: one.records, amount: one.amount },
      why: holding ? { zh: `${why.zh}${HELD.zh}`, en: `${why.en} ${HELD.en}` } : why,
    }
    return { row, holding }
  })
  return [...rows.filter(({ holding }) => holding), ...rows.filter(({ holding }) => !holding)].map(({ row }) => row)
}

/** What accounts of either side are called. */
async function titlesOf(
  db: Executor,
  of: readonly { side: OpenCharge['side']; accountId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const named = new Map<string, string>()
  for (const [side, entity] of [
    ['revenue', 'fin.customerAccount'],
    ['cost', 'srm.supplierAccount'],
  ] as const) {
    const ids = [...new Set(of.filter((one) => one.side === side).map(({ accountId }) => accountId))]
    if (ids.length === 0) continue
    const { rows } = await db.query<{ id: string; title: string }>(
      sql`select id, concat_ws(' ', code, name) as title from ${sql.raw(tableOf(entity))} where id = any(${sql.param(ids)}::text[])`,
    )
    for (const { id, title } of rows) named.set(id, title)
  }
  return named
}
