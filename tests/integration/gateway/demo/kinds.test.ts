import { readFileSync } from 'node:fs'
import { sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tableOf } from '../../../../gateway/entities'
import { chargedSides, type ChargesAsked } from '../../../../gateway/modules/fin'
import { productSql, recordColumn } from '../../../../gateway/modules/fin/charges/open'
import { CHARGED } from '../../../../src/schema/generated/charges'
import { startGateway, type TestGateway } from '../../../support/gateway'

let test: TestGateway
beforeAll(async () => {
  test = await startGateway({ demo: true })
}, 240_000)
afterAll(() => test.close())

const rows = async <T extends object>(statement: SQL): Promise<T[]> => (await test.gateway.database.query<T>(statement)).rows

/** Every product that usage, rates and lines of bills may name. */
const PRODUCTS = (
  JSON.parse(readFileSync('schemas/dictionaries/product.json', 'utf8')) as { items: { code: string }[] }
).items.map(({ code }) => code)

/** Of a side of every kind of record: how many were posted, on the account, day and product of the record, as entries `e` say it. */
async function posted(side: ChargesAsked['side'], where: SQL): Promise<[entity: string, some: boolean][]> {
  const sides = await chargedSides(test.gateway.database, side)
  return Promise.all(
    sides.map(async ({ charged, side: of }): Promise<[string, boolean]> => {
      const [found] = await rows<{ some: boolean }>(
        sql`select exists (select 1 from ${sql.raw(tableOf(charged.entity))} r join fin_ledger_entry e on e.account_id = ${recordColumn(of.account)}
            and coalesce(e.service_day, e.biz_date) = ${recordColumn(of.day)} and e.product = ${productSql(charged)}
          where ${recordColumn(of.amount)} <> 0 and r.deleted_at is null and ${where}) as some`,
      )
      return [charged.entity, found!.some]
    }),
  )
}
const charged = (side: ChargesAsked['side']): [string, boolean][] =>
  CHARGED.filter(({ sides }) => sides.some((one) => one.side === side)).map(({ entity }) => [entity, true])

describe('the traffic of the demo company', () => {
  it('has a line on an issued bill of each product that there is', async () => {
    const lines = await rows<{ product: string }>(
      sql`select distinct l.product from fin_bill_line l join fin_bill b on b.id = l.bill_id where b.status in ('issued', 'partPaid', 'paid') and l.kind in ('usage', 'fee') and l.amount > 0 order by 1`,
    )
    expect(lines.map(({ product }) => product)).toEqual([...PRODUCTS].sort())
  })

  it('is billed by records of every kind that is charged, and owed to suppliers', async () => {
    expect(await posted('revenue', sql`e.account_kind = 'customer' and e.bill_id is not null`)).toEqual(charged('revenue'))
    expect(await posted('cost', sql`e.account_kind = 'supplier'`)).toEqual(charged('cost'))
  })

  it('comes to what its bills ask for: nothing waits for a posting or a price', async () => {
    const waits = await rows<{ account: string; reason: string }>(
      sql`select account_id as account, wait_reason as reason from fin_bill where wait_reason is not null and deleted_at is null`,
    )
    expect(waits).toEqual([])
    const wrong = await rows<{ bill: string; total: string; lines: string }>(
      sql`select b.code as bill, b.total::text, sum(l.amount)::text as lines from fin_bill b join fin_bill_line l on l.bill_id = b.id where b.deleted_at is null group by b.id having b.total <> sum(l.amount)`,
    )
    expect(wrong).toEqual([])
  })
})
