import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '../../../../../gateway/platform/calendar'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway } from '../../../../support/gateway'
import type { Caller, TestGateway } from '../../../../support/gateway'

type Row = Record<string, unknown> & { id: string }
interface Bulk {
  done: string[]
  refused: { id: string; reason: string }[]
}

let test: TestGateway
let buyer: Caller
let lead: Caller
let accountant: Caller
let count = 0
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[buyer, lead, accountant] = await Promise.all([enter('S0046'), enter('S0045'), enter('S0052')])
})
afterAll(() => test.close())

type Transact = TestGateway['gateway']['engine']['transaction']
const work = <Result>(todo: (...given: Parameters<Parameters<Transact>[1]>) => Promise<Result>): Promise<Result> =>
  test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), todo)
const rows = async <Found extends object = Row>(text: string, params: readonly unknown[] = []): Promise<Found[]> =>
  (await test.gateway.database.query<Found>(text, params)).rows
const view = async (caller: Caller, entity: string, id: string): Promise<Row> =>
  (await caller.get<{ record: Row }>(`/v2/srm/${entity}/view/${id}`)).data.record
const act = (caller: Caller, entity: string, id: string, transition: string, values: object = {}) =>
  caller.post<Bulk>(`/v2/srm/${entity}/stateUpdate`, { ids: [id], transition, values })
const items = async (transferId: string): Promise<Row[]> =>
  (
    await lead.post<{ records: Row[] }>('/v2/srm/accountTransferItem/queryPage', {
      pageNo: 1,
      pageSize: 100,
      where: [{ field: 'transferId', operator: 'eq', value: transferId }],
      sort: [{ field: 'oldName', order: 'asc' }],
    })
  ).data.records
/** The job of the cut-overs, once, so many hours from now. */
async function cutOver(hours = 0): Promise<void> {
  const now = new Date(test.clock.now().getTime() + hours * 3_600_000)
  await test.gateway.scheduler
    .find('srm.transfers')!
    .run({ now, day: dayOf(now, 'Asia/Shanghai'), dry: false, startedBy: null }, () => undefined)
}
const inHours = (hours: number): string => {
  const at = new Date(test.clock.now().getTime() + hours * 3_600_000)
  at.setUTCMinutes(0, 0, 0)
  return at.toISOString()
}
const BUYER = 'st-s0046'

/** A supplier of the buyer's. */
async function supplier(more: object = {}): Promise<string> {
  count += 1
  const n = count
  const id = `mv-sp-${n}`
  await work((entities) =>
    entities.insertMany('srm.supplier', [
      {
        ...{
          id,
          code: `SPM${n}`,
          alias: `VM${n}`,
          name: `珠海迁移${n}通信有限公司`,
          nameKey: `mv${n}`,
          status: 'cooperating',
          holding: 'private',
        },
        ...{
          products: ['sms'],
          supplierType: 'aggregator',
          countryCode: 'CN',
          platform: 'main',
          ownerId: BUYER,
          settleCurrency: 'USD',
          level: 'n',
        },
        ...{ createdAt: '2026-01-01T00:00:00.000Z', createdBy: BUYER },
        ...more,
      },
    ]),
  )
  return id
}
/** An account at a supplier, with money from us where `balance` is given. */
async function account(supplierId: string, name: string, balance?: string, more: object = {}): Promise<string> {
  count += 1
  const n = count
  const id = `mv-sa-${n}`
  await work(async (entities) => {
    await entities.insertMany('srm.supplierAccount', [
      {
        ...{
          id,
          code: `SM${n}`,
          supplierId,
          name,
          kind: 'sms',
          currency: 'USD',
          payMode: 'prepaid',
          status: 'active',
          balance: '0',
          ourCompany: 'hk',
        },
        ...{ transferCount: 0, createdAt: '2026-01-01T00:00:00.000Z', createdBy: BUYER },
        ...more,
      },
    ])
  })
  if (balance !== undefined) await gives(id, balance)
  return id
}
/** Money for an account, as a recharge would post it; below 0 we owe. */
async function gives(accountId: string, amount: string): Promise<void> {
  const { post } = await import('../../../../../gateway/modules/fin/ledger/post')
  const { opening } = await import('../../../../../gateway/modules/fin/ledger/rules')
  const now = test.clock.now()
  const context = systemContext({ now })
  await test.gateway.engine.transaction(
    context,
    async (entities, tx) =>
      void (await post(
        { tx, context, now, entities },
        {
          ...{
            type: 'opening',
            bizDate: dayOf(now, 'Asia/Shanghai'),
            companyEntityId: 'ce-hk',
            sourceType: 'opening',
            sourceId: accountId,
          },
          idemKey: `test:${accountId}:${amount}:${(count += 1)}`,
          legs: opening({ kind: 'supplier', id: accountId, currency: 'USD' }, amount),
        },
      )),
  )
}
interface Draft {
  from: string
  to: string
  accountIds: string[]
}
async function draft({ from, to, accountIds, ...more }: Draft & Record<string, unknown>): Promise<string> {
  const saved = await buyer.post<{ id: string }>('/v2/srm/accountTransfer/save', {
    ...{
      fromSupplierId: from,
      toSupplierId: to,
      accountIds,
      cutoverAt: inHours(3),
      balanceMode: 'move',
      rateMode: 'copy',
      reason: 'contract',
    },
    ...more,
  })
  expect(saved.msg, saved.text).toBe('OK')
  return saved.data.id
}
const CHECKED = { accountsChecked: true, balancesChecked: true, ratesChecked: true }
/** Submitted and checked: it waits for its cut-over. */
async function scheduled(values: Draft & Record<string, unknown>): Promise<string> {
  const id = await draft(values)
  expect((await act(buyer, 'accountTransfer', id, 'submit')).msg).toBe('OK')
  expect((await act(accountant, 'accountTransfer', id, 'check', CHECKED)).msg).toBe('OK')
  return id
}

describe('Transfers of SMS accounts (R120)', () => {
  it('shows new names and balances before it is submitted, is checked by somebody else, and moves account, balance and rates at its cut-over', async () => {
    const [from, to] = await Promise.all([supplier(), supplier()])
    const [first, second] = [await account(from, 'HKT_MOVES_01', '1200.5'), await account(from, `OWED_${count}`, '-40')]
    await work((entities) =>
      entities.insertMany('qm.supplierRate', [
        {
          ...{
            id: `mv-rate-${count}`,
            supplierId: from,
            supplierAccountId: first,
            product: 'sms',
            rateKey: 'HK',
            country: 'HK',
            price: '0.0031',
            currency: 'USD',
          },
          ...{
            effectiveFrom: '2026-01-01T00:00:00.000Z',
            status: 'active',
            changeFlag: 'new',
            createdAt: '2026-01-01T00:00:00.000Z',
            createdBy: BUYER,
          },
        },
      ]),
    )
    const id = await draft({ from, to, accountIds: [first, second] })
    const preview = await items(id)
    expect(preview.map(({ oldName, newName, guard }) => [oldName, newName, guard])).toEqual([
      ['HKT_MOVES_01', 'HKT_MOVES_01_T1', null],
      [expect.stringMatching(/^OWED_/), expect.stringMatching(/^OWED_\d+_T1$/), null],
    ])
    expect(Number(preview[0]?.balanceNow)).toBe(1200.5)
    expect((await act(buyer, 'accountTransfer', id, 'submit')).msg).toBe('OK')
    expect((await act(buyer, 'accountTransfer', id, 'check', CHECKED)).code).not.toBe(0)
    await gives(first, '10')
    expect(Number((await items(id))[0]?.balanceChange)).toBe(10)
    expect((await act(accountant, 'accountTransfer', id, 'check', { ...CHECKED, ratesChecked: false })).code).toBe(10010007)
    expect((await act(accountant, 'accountTransfer', id, 'check', CHECKED)).msg).toBe('OK')
    await cutOver()
    expect(await view(lead, 'accountTransfer', id)).toMatchObject({ status: 'scheduled' })
    await cutOver(4)
    expect(await view(lead, 'accountTransfer', id)).toMatchObject({ status: 'done', doneCount: 2, failedCount: 0 })
    const moved = await items(id)
    const news = moved.map(({ newAccountId }) => String(newAccountId))
    expect(
      await rows(
        `select name, supplier_id as s, status, balance::float8 as balance, transfer_count as n from srm_supplier_account where id = any($1) order by name`,
        [[first, ...news]],
      ),
    ).toEqual([
      { name: 'HKT_MOVES_01', s: from, status: 'suspended', balance: 0, n: 0 },
      { name: 'HKT_MOVES_01_T1', s: to, status: 'active', balance: 1210.5, n: 1 },
      { name: expect.stringMatching(/^OWED/) as string, s: to, status: 'active', balance: -40, n: 1 },
    ])
    const legs = await rows<{ direction: string; account: string; amount: number }>(
      `select e.direction, e.account_id as account, e.amount::float8 as amount from fin_ledger_entry e join fin_posting p on p.id = e.posting_id where p.type = 'supplierMove' and p.source_id = any($1) order by e.amount desc, e.leg_no`,
      [moved.map(({ id: item }) => item)],
    )
    expect(legs).toEqual([
      { direction: 'debit', account: news[0], amount: 1210.5 },
      { direction: 'credit', account: first, amount: 1210.5 },
      { direction: 'debit', account: second, amount: 40 },
      { direction: 'credit', account: news[1], amount: 40 },
    ])
    expect(
      await rows(
        `select supplier_id as s, status from qm_supplier_rate where supplier_account_id = any($1) order by created_at, status`,
        [[first, news[0]]],
      ),
    ).toEqual(
      expect.arrayContaining([
        { s: from, status: 'expired' },
        { s: to, status: 'active' },
      ]),
    )
    expect((await act(buyer, 'supplierAccount', first, 'activate')).code).toBe(10010007)

    const back = await draft({ from: to, to: from, accountIds: [news[0]!] })
    expect((await items(back))[0]?.newName).toBe('HKT_MOVES_01_T2')
  })

  it('an account stands in one open transfer, whoever is quicker; two checkers confirm it once', async () => {
    const [from, to] = await Promise.all([supplier(), supplier()])
    const one = await account(from, `RACE_${count}`)
    const drafts = [await draft({ from, to, accountIds: [one] }), await draft({ from, to, accountIds: [one] })]
    const answers = await Promise.all(drafts.map((id) => act(buyer, 'accountTransfer', id, 'submit')))
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 10060054])
    const taken = drafts[answers.findIndex(({ code }) => code === 0)]!
    const checks = await Promise.all([accountant, lead].map((caller) => act(caller, 'accountTransfer', taken, 'check', CHECKED)))
    expect(checks.filter(({ code }) => code === 0)).toHaveLength(1)
    expect((await act(buyer, 'accountTransfer', taken, 'cancel', { cancelReason: '供应商不同意' })).msg).toBe('OK')
    const other = drafts.find((id) => id !== taken)!
    expect((await act(buyer, 'accountTransfer', other, 'submit')).msg).toBe('OK')
  })

  it('in a closed month an account stays as it is, the others move; it is tried again when the month is open', async () => {
    const [from, to] = await Promise.all([supplier(), supplier()])
    const [paid, empty] = [await account(from, `CLOSED_${count}`, '75'), await account(from, `EMPTY_${count}`)]
    const id = await scheduled({ from, to, accountIds: [paid, empty] })
    const month = `${dayOf(test.clock.now(), 'Asia/Shanghai').slice(0, 7)}-01`
    await rows(`update fin_period set status = 'closed' where company_entity_id = 'ce-hk' and month = $1`, [month])
    await work((entities) =>
      entities.insertMany('fin.period', [
        { id: `mv-period-${count}`, companyEntityId: 'ce-hk', month, status: 'closed', createdAt: month, createdBy: BUYER },
      ]),
    ).catch(() => undefined)
    expect((await act(lead, 'accountTransfer', id, 'runNow')).msg).toBe('OK')
    await cutOver()
    expect(await view(lead, 'accountTransfer', id)).toMatchObject({ status: 'partly', doneCount: 1, failedCount: 1 })
    const failed = (await items(id)).find(({ result }) => result === 'failed')!
    expect(failed.error).toContain('已关账')
    expect(
      await rows(`select status, moved_to_id as "to", balance::float8 as balance from srm_supplier_account where id = $1`, [
        paid,
      ]),
    ).toEqual([{ status: 'active', to: null, balance: 75 }])
    expect(await rows(`select 1 from srm_supplier_account where moved_from_id = $1`, [paid])).toEqual([])
    await rows(`update fin_period set status = 'open' where company_entity_id = 'ce-hk' and month = $1`, [month])
    expect((await act(lead, 'accountTransferItem', failed.id, 'retry')).msg).toBe('OK')
    expect(await view(lead, 'accountTransfer', id)).toMatchObject({ status: 'running' })
    await cutOver()
    expect(await view(lead, 'accountTransfer', id)).toMatchObject({ status: 'done', doneCount: 2 })
  })

  it('goes on with the next account when the gateway ends between two of them', async () => {
    const [from, to] = [await supplier(), await supplier()]
    const accountIds = [await account(from, `KILL_A_${count}`, '5'), await account(from, `KILL_B_${count}`, '6')]
    const id = await scheduled({ from, to, accountIds })
    expect((await act(lead, 'accountTransfer', id, 'runNow')).msg).toBe('OK')
    const now = test.clock.now()
    const dies = test.gateway.scheduler
      .find('srm.transfers')!
      .run({ now, day: dayOf(now, 'Asia/Shanghai'), dry: false, startedBy: null }, ({ done }) => {
        if (done === 1) throw new Error('killed')
      })
    await expect(dies).rejects.toThrow('killed')
    expect(await view(lead, 'accountTransfer', id)).toMatchObject({ status: 'running', doneCount: 1, waitingCount: 1 })
    await cutOver()
    expect(await view(lead, 'accountTransfer', id)).toMatchObject({ status: 'done', doneCount: 2 })
    const sums = await rows<{ balance: number }>(
      `select sum(balance)::float8 as balance from srm_supplier_account where supplier_id = $1`,
      [to],
    )
    expect(sums).toEqual([{ balance: 11 }])
  })
})

/** A file of the buyer's, as evidence. */
async function evidence(): Promise<object[]> {
  const form = new FormData()
  form.append('file', new Blob(['notice of the merger'], { type: 'text/plain' }), 'notice.txt')
  const answer = await buyer.raw('POST', '/v2/download/downloadCenter/api/upload', { body: form })
  return [((await answer.json()) as { data: object }).data]
}
async function business(from: string, to: string, more: object = {}): Promise<string> {
  const saved = await buyer.post<{ id: string }>('/v2/srm/supplierTransfer/save', {
    ...{
      fromSupplierId: from,
      toSupplierId: to,
      kind: 'merger',
      cutoverAt: inHours(3),
      balanceMode: 'move',
      rateHandling: 'move',
    },
    ...{ contactHandling: 'move', billHandling: 'settle', evidence: await evidence(), ...more },
  })
  expect(saved.msg, saved.text).toBe('OK')
  return saved.data.id
}

describe('Transfers of whole suppliers (R121)', () => {
  it('counts what moves before it is submitted, is decided by somebody else, moves everything and ends the first supplier', async () => {
    const [from, to] = [await supplier(), await supplier()]
    await account(from, `WHOLE_A_${count}`, '300')
    await account(from, `WHOLE_B_${count}`, '-20', { kind: 'vos' })
    await work((entities) =>
      entities.insertMany('srm.supplierContact', [
        {
          id: `mv-c-${count}`,
          supplierId: from,
          name: 'Ann Lee',
          email: 'ann.lee@whole.example',
          role: 'noc',
          createdAt: '2026-01-01T00:00:00.000Z',
          createdBy: BUYER,
        },
      ]),
    )
    const id = await business(from, to)
    expect(await view(buyer, 'supplierTransfer', id)).toMatchObject({
      accountsNow: 2,
      contactsNow: 1,
      billsNow: 0,
      balancesNow: '280 USD',
    })
    expect((await act(buyer, 'supplierTransfer', id, 'submit')).msg).toBe('OK')
    expect((await act(buyer, 'supplierTransfer', id, 'approve')).code).not.toBe(0)
    expect((await act(lead, 'supplierTransfer', id, 'approve')).msg).toBe('OK')
    expect((await act(lead, 'supplierTransfer', id, 'runNow')).msg).toBe('OK')
    await cutOver()
    expect((await view(lead, 'supplierTransfer', id)).error).toBeNull()
    expect(await view(lead, 'supplierTransfer', id)).toMatchObject({
      status: 'done',
      contactsCopied: 1,
      ended: true,
      accountsThen: 2,
      accountsNow: 0,
    })
    expect(await view(buyer, 'supplier', from)).toMatchObject({ status: 'terminated', successorId: to })
    expect(
      await rows(`select kind, balance::float8 as balance from srm_supplier_account where supplier_id = $1 order by kind`, [to]),
    ).toEqual([
      { kind: 'sms', balance: 300 },
      { kind: 'vos', balance: -20 },
    ])
    expect(await rows(`select name from srm_supplier_contact where supplier_id = $1`, [to])).toEqual([{ name: 'Ann Lee' }])
  })

  it('a balance that is left keeps the first supplier from ending; an undecided account transfer keeps it from being submitted', async () => {
    const [from, to] = [await supplier(), await supplier()]
    const one = await account(from, `LEFT_${count}`, '40')
    const open = await draft({ from, to, accountIds: [one] })
    expect((await act(buyer, 'accountTransfer', open, 'submit')).msg).toBe('OK')
    const id = await business(from, to, { balanceMode: 'leave' })
    const refused = await act(buyer, 'supplierTransfer', id, 'submit')
    expect([refused.code, refused.msg]).toEqual([10060053, expect.stringContaining('AT')])
    expect((await act(buyer, 'accountTransfer', open, 'withdraw')).msg).toBe('OK')
    expect((await act(buyer, 'supplierTransfer', id, 'submit')).msg).toBe('OK')
    expect((await act(lead, 'supplierTransfer', id, 'approve')).msg).toBe('OK')
    await cutOver(4)
    expect(await view(lead, 'supplierTransfer', id)).toMatchObject({ status: 'done', ended: false })
    expect(await view(buyer, 'supplier', from)).toMatchObject({ status: 'suspended', successorId: to })
    expect(await rows(`select balance::float8 as balance from srm_supplier_account where id = $1`, [one])).toEqual([
      { balance: 40 },
    ])
  })
})
