import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyModules } from '../../../../../gateway/modules'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import { cost } from '../../../../../gateway/modules/fin/ledger/rules'
import { post } from '../../../../../gateway/modules/fin/ledger/post'
import { newId } from '../../../../../gateway/platform/database'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'

type Row = Record<string, unknown> & { id: string }

let test: TestGateway
let one: Caller
let other: Caller
let seller: Caller
let today: string
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[one, other, seller] = await Promise.all([enter('S0052'), enter('S0053'), enter('S0006')])
  today = dayOf(test.clock.now(), 'Asia/Shanghai')
})
afterAll(() => test.close())

const path = (entity: string): string => `/v2/fin/${entity}`
const save = async (entity: string, values: object, by = one): Promise<string> => {
  const saved = await by.post<{ id: string }>(`${path(entity)}/save`, values)
  expect(saved.msg).toBe('OK')
  return saved.data.id
}
const view = async (entity: string, id: string): Promise<Row> =>
  (await one.get<{ record: Row }>(`${path(entity)}/view/${id}`)).data.record
const move = async (entity: string, id: string, transition: string, values: object = {}, by = one) => {
  const { code, msg, data } = await by.post<{ refused?: { reason: string }[] }>(`${path(entity)}/stateUpdate`, {
    ids: [id],
    transition,
    values,
  })
  return code === 0 && data.refused?.length ? data.refused[0]!.reason : msg
}
const rows = async (entity: string, field: string, value: unknown): Promise<Row[]> =>
  (
    await one.post<{ records: Row[] }>(`${path(entity)}/queryPage`, {
      ...{ pageNo: 1, pageSize: 100 },
      where: [{ field, operator: 'eq', value }],
    })
  ).data.records
const sql = async <R extends object = Row>(text: string, ...values: unknown[]): Promise<R[]> =>
  (await test.gateway.database.query<R>(text, values)).rows
const number = (value: unknown): number => Number(value)
const drifts = async () => (await verifyModules(test.gateway.database, { fix: false })).filter(({ drifted }) => drifted > 0)

/** A supplier's account that costs something every day of last week. */
const supplierAccount = async (kind: string): Promise<Row> =>
  (
    await sql(
      `select a.id, a.currency, a.balance::text from srm_supplier_account a where a.kind = $1 and a.status = 'active'
        and exists (select 1 from fin_ledger_entry e where e.account_kind = 'supplier' and e.account_id = a.id and e.type = 'cost') order by a.id limit 1`,
      kind,
    )
  )[0]!

describe('what finance compares and settles (money 1.3, 4.2)', () => {
  it('the books of the demo world agree: settlements, proofreadings and openings with the ledger (I16)', async () => {
    expect(await drifts()).toEqual([])
    const [sums] = await sql<{ sum: string; entities: string }>(
      `select sum(signed_amount)::text as sum, count(distinct company_entity_id)::text as entities from fin_ledger_entry where account_kind = 'entity'`,
    )
    expect([number(sums!.sum), number(sums!.entities)]).toEqual([0, 4])
  })

  it('two people settle between two entities; both books mirror each other, and a reversal takes both back', async () => {
    const account = await save('entityAccount', {
      sellerId: 'ce-hk',
      buyerId: 'ce-eu',
      currency: 'USD',
      method: 'costPlus',
      rate: '6',
    })
    const month = `${addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)}-01`
    const asked = { accountId: account, month, product: 'sms', costBase: '1000.00' }
    const id = await save('entitySettlement', asked)
    expect(await view('entitySettlement', id)).toMatchObject({
      settleAmount: '1060',
      total: '1060',
      currency: 'USD',
      status: 'draft',
    })
    expect((await one.post(`${path('entitySettlement')}/save`, asked)).code).not.toBe(0)
    expect(await move('entitySettlement', id, 'submit')).toBe('OK')
    expect(await move('entitySettlement', id, 'confirm')).not.toBe('OK')
    expect(await move('entitySettlement', id, 'sendBack', { note: '成本请核对一次' }, other)).toBe('OK')
    await save('entitySettlement', {
      id,
      version: (await view('entitySettlement', id)).version,
      costBase: '2000.00',
      adjust: '-20',
      note: '尾数',
    })
    expect(await move('entitySettlement', id, 'submit')).toBe('OK')
    expect(await move('entitySettlement', id, 'confirm', {}, seller)).not.toBe('OK')
    expect(await move('entitySettlement', id, 'confirm', {}, other)).toBe('OK')
    const posted = await view('entitySettlement', id)
    expect(posted).toMatchObject({ total: '2100', status: 'posted', bizDate: addDays(`${today.slice(0, 7)}-01`, -1) })
    expect(await view('entityAccount', account)).toMatchObject({
      balance: '2100',
      buyerBalance: '-2100',
      difference: '0',
      settledMonth: month,
    })
    const entries = await sql(
      `select company_entity_id as entity, account_id as account, direction from fin_ledger_entry where source_id = $1`,
      id,
    )
    const said = entries.map(
      ({ entity, account: of, direction }) => `${String(entity)} ${String(of).replace(account, 'ea')} ${String(direction)}`,
    )
    expect(said.sort()).toEqual([
      'ce-eu ICS:hk@ce-eu:USD debit',
      'ce-eu ea:buyer credit',
      'ce-hk ICS:eu@ce-hk:USD credit',
      'ce-hk ea:seller debit',
    ])
    expect(await drifts()).toEqual([])
    expect(await move('entitySettlement', id, 'reverse', { note: '月份选错了' })).toBe('OK')
    expect(await view('entityAccount', account)).toMatchObject({ balance: '0', buyerBalance: '0', settledMonth: null })
  })

  it('shares the profit and settles a fixed amount as the account says', async () => {
    const share = await save('entityAccount', {
      sellerId: 'ce-sg',
      buyerId: 'ce-cn',
      currency: 'EUR',
      method: 'share',
      rate: '30',
    })
    const fixed = await save('entityAccount', {
      sellerId: 'ce-sg',
      buyerId: 'ce-cn',
      currency: 'USD',
      method: 'fixed',
      fixedAmount: '500',
    })
    const of = async (accountId: string, more: object = {}): Promise<unknown> => {
      const id = await save('entitySettlement', { accountId, month: `${today.slice(0, 7)}-01`, product: 'voice', ...more })
      return (await view('entitySettlement', id)).total
    }
    expect(await of(share, { costBase: '1000', revenueBase: '1333.35' })).toBe('100.01')
    expect(await of(fixed)).toBe('500')
    const refused = await one.post(`${path('entityAccount')}/save`, {
      sellerId: 'ce-sg',
      buyerId: 'ce-sg',
      currency: 'EUR',
      method: 'fixed',
    })
    expect(refused.code).not.toBe(0)
  })

  it('a VOS balance is compared with the ledger of the day, accepted by itself within the tolerance, else by somebody with a cause', async () => {
    const account = await supplierAccount('sms')
    const day = addDays(today, -1)
    const [ours] = await sql<{ closing: string; consumed: string }>(
      `select sum(signed_amount)::text as closing, (-sum(signed_amount) filter (where biz_date = $2::date))::text as consumed from fin_ledger_entry where account_kind = 'supplier' and account_id = $1 and biz_date <= $2::date`,
      account.id,
      day,
    )
    const enter = (vosAccount: string, more: number) =>
      save('vosBalance', {
        ...{ day, vosServer: 'VOS-T', vosAccount, supplierAccountId: account.id },
        vosClosing: (number(ours!.closing) + more).toFixed(2),
      })
    const close = await view('vosBalance', await enter('a', 0.01))
    expect(close).toMatchObject({ status: 'accepted', within: true, side: 'supplier', currency: account.currency })
    expect(number(close.ourConsume)).toBe(number(ours!.consumed))
    const id = await enter('b', number(ours!.closing) * 0.01)
    const off = await view('vosBalance', id)
    expect([off.status, off.within, Math.round(number(off.diffPct) * 100)]).toEqual(['open', false, 100])
    expect(await move('vosBalance', id, 'recheck')).toBe('OK')
    expect(await move('vosBalance', id, 'proof')).toBe('OK')
    const linked = await view('vosBalance', id)
    expect(linked.status).toBe('inReview')
    const proof = await view('proofread', String(linked.proofreadId))
    expect(proof).toMatchObject({ kind: 'vos', supplierAccountId: account.id, statementCount: 1 })
    expect(await move('vosBalance', id, 'settled')).not.toBe('OK')
    expect(await move('vosBalance', id, 'accept', { cause: 'timeZone', note: '对方按 UTC 统计' })).toBe('OK')
    expect(await view('vosBalance', id)).toMatchObject({ status: 'accepted', cause: 'timeZone' })
    expect((await seller.post(`${path('vosBalance')}/queryPage`, { pageNo: 1, pageSize: 10 })).code).not.toBe(0)
  })

  it('imports a statement, compares it line by line, posts the difference as cost, and takes it back', async () => {
    const account = await supplierAccount('sms')
    const [from, to] = [addDays(today, -7), addDays(today, -1)]
    const id = await save('proofread', { kind: 'supplierBill', supplierAccountId: account.id, periodFrom: from, periodTo: to })
    const { code } = await view('proofread', id)
    expect(await move('proofread', id, 'compare')).toContain('对方明细')
    const costs = await sql<{ day: string; amount: string }>(
      `select biz_date::text as day, (-sum(signed_amount))::text as amount from fin_ledger_entry where account_kind = 'supplier' and account_id = $1 and type = 'cost' and biz_date between $2::date and $3::date group by 1 order by 1`,
      account.id,
      from,
      to,
    )
    const more = (index: number, amount: string): string => (number(amount) * (index === 2 ? 1.1 : 1)).toFixed(2)
    const file = [
      '核对单,日期,国家/地区,网络/前缀,对方流水号,数量,金额',
      ...costs.map(({ day, amount }, index) => `${String(code)},${day},,,,,${more(index, amount)}`),
    ]
    const form = new FormData()
    form.append('file', new Blob([file.join('\n')]), 'statement.csv')
    const seen = await one.raw('POST', `${path('statementLine')}/import/preview`, { method: 'POST', body: form })
    const { data: preview } = (await seen.json()) as { data: { importId: string; valid: number; errors: unknown[] } }
    expect([preview.valid, preview.errors]).toEqual([costs.length, []])
    expect(
      (await one.post<{ created: number }>(`${path('statementLine')}/import/commit`, { importId: preview.importId })).data
        .created,
    ).toBe(costs.length)

    expect(await move('proofread', id, 'compare')).toBe('OK')
    const compared = await view('proofread', id)
    expect(compared).toMatchObject({ status: 'open', within: false, lineCount: costs.length, diffCount: 1 })
    const lines = await rows('proofreadLine', 'proofreadId', id)
    expect(lines.filter(({ result }) => result === 'difference').map(({ day }) => day)).toEqual([costs[2]!.day])
    expect(await move('proofread', id, 'review')).toBe('OK')
    const balance = async (): Promise<number> =>
      number((await sql(`select balance::text as id from srm_supplier_account where id = $1`, account.id))[0]!.id)
    const before = await balance()
    expect(await move('proofread', id, 'adjust', { resolution: 'split', splitAmount: '-1', note: '双方各让一步' })).toContain(
      '折中',
    )
    expect(await move('proofread', id, 'adjust', { resolution: 'keepOurs', note: '双方各让一步' })).toContain('以我方为准')
    expect(await move('proofread', id, 'adjust', { resolution: 'takeTheirs', note: '对方单价已核实' })).toBe('OK')
    const adjusted = await view('proofread', id)
    expect(adjusted).toMatchObject({ status: 'adjusted', resolution: 'takeTheirs', adjustAmount: compared.diffAmount })
    expect(await balance()).toBeCloseTo(before - number(compared.diffAmount), 6)
    expect(await drifts()).toEqual([])
    expect(await move('proofread', id, 'undo', { note: '单价核实有误' })).toBe('OK')
    expect(await balance()).toBeCloseTo(before, 6)
    expect(await move('proofread', id, 'adjust', { resolution: 'split', splitAmount: '0.5', note: '双方各让一步' })).toBe('OK')
    expect(await balance()).toBeCloseTo(before - 0.5, 6)
    expect((await one.post(`${path('statementLine')}/save`, { proofreadId: id, day: to, amount: '1' })).code).not.toBe(0)
  })

  it('a statement within the tolerance is accepted by itself, and an open one keeps its month open', async () => {
    const account = await supplierAccount('sms')
    const day = addDays(today, -1)
    const [cost] = await sql<{ amount: string }>(
      `select (-sum(signed_amount))::text as amount from fin_ledger_entry where account_kind = 'supplier' and account_id = $1 and type = 'cost' and biz_date = $2::date`,
      account.id,
      day,
    )
    const id = await save('proofread', { kind: 'supplierBill', supplierAccountId: account.id, periodFrom: day, periodTo: day })
    const { companyEntityId } = await view('proofread', id)
    const period = await save('period', { companyEntityId, month: `${day.slice(0, 7)}-01` })
    expect(await move('period', period, 'close')).toMatch(/核对单/)
    await save('statementLine', { proofreadId: id, day, amount: (number(cost!.amount) * 1.004).toFixed(6) })
    expect(await move('proofread', id, 'compare')).toBe('OK')
    expect(await view('proofread', id)).toMatchObject({ status: 'accepted', resolution: 'keepOurs' })
  })

  it('opens a proofreading of last month for every account at a supplier that cost something, once', async () => {
    const last = addDays(`${today.slice(0, 7)}-01`, -1)
    const account = await supplierAccount('sms')
    const id = newId()
    await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities, tx) => {
      const legs = cost({ kind: 'supplier', id: account.id, currency: String(account.currency) }, 'sms', '12')
      const draft = {
        type: 'cost',
        bizDate: last,
        companyEntityId: 'ce-hk',
        sourceType: 'usageBatch',
        sourceId: id,
        idemKey: `usageBatch:${id}:cost`,
        legs,
      }
      return post({ tx, context: systemContext({ now: test.clock.now() }), now: test.clock.now(), entities }, draft)
    })
    const { scheduler } = test.gateway
    const run = () => scheduler.runNow(scheduler.find('fin.proofreads')!, { dry: false, startedBy: null })
    const opened = () =>
      sql(
        `select p.supplier_account_id as id, p.status, p.currency, p.company_entity_id as entity from fin_proofread p where p.period_to = $1::date and p.period_from = date_trunc('month', $1::date)::date`,
        last,
      )
    await run()
    const first = await opened()
    expect(first.find((one) => one.id === account.id)).toMatchObject({ status: 'open', currency: account.currency })
    await run()
    expect((await opened()).length).toBe(first.length)
  })

  it('a bank account is opened by two people, once; a reversal lets it be opened again', async () => {
    const code = `T-${String(Date.now()).slice(-8)}`
    const bank = await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
      entities.save('sys.bankAccount', { code, name: code, companyEntityId: 'ce-hk', currency: 'USD' }),
    )
    const bankAccountId = String(bank.id)
    const open = () =>
      one.post<{ id: string }>(`${path('bankOpening')}/save`, { bankAccountId, day: addDays(today, -2), amount: '1250.50' })
    const first = (await open()).data.id
    expect((await open()).msg).toContain('期初')
    expect(await move('bankOpening', first, 'submit')).toBe('OK')
    expect(await move('bankOpening', first, 'check')).not.toBe('OK')
    expect(await move('bankOpening', first, 'check', {}, other)).toBe('OK')
    const stored = async () =>
      (
        await sql(
          `select trim_scale(balance)::text as id, trim_scale(opening_balance)::text as opening from sys_bank_account where id = $1`,
          bankAccountId,
        )
      )[0]!
    expect(await stored()).toEqual({ id: '1250.5', opening: '1250.5' })
    expect(await drifts()).toEqual([])
    expect(await move('bankOpening', first, 'reverse', { note: '金额录入错误' })).toBe('OK')
    expect(await stored()).toEqual({ id: '0', opening: null })
    expect((await open()).msg).toBe('OK')
  })
})
