import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gatherBase } from '../../../../../gateway/modules/fin/kingdee/base'
import { kingdeeCheck } from '../../../../../gateway/modules/fin/kingdee/numbers'
import { verifyLedger } from '../../../../../gateway/modules/fin/ledger/verify'
import { recharge } from '../../../../../gateway/modules/fin/acts/recharge'
import { postCost } from '../../../../../gateway/modules/fin'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import { systemContext } from '../../../../../gateway/platform/http'
import type { Caller } from '../../../../support/gateway'
import { openCompany, type Company } from './books'

interface Doc extends Record<string, unknown> {
  id: string
  code: string
  status: string
}
interface Held {
  id: string
  /** Of base data. */
  name?: string
  taxNo?: string
  number: string
  own: string
  status: string
}

/** Kingdee as its Web API answers: sessions, save, submit, audit and queries, in the shapes of Kingdee Cloud. */
class Kingdee {
  readonly documents = new Map<string, Held>()
  calls: string[] = []
  /** What goes wrong with the next calls: HTTP 500, an answer that is lost after it was saved, a session that is over. */
  trouble: ('down' | 'lost' | 'session' | 'password')[] = []
  /** Kingdee's sentence about a document whose party has this number. */
  refused = ''
  private server!: Server
  private sessions = 0

  async open(): Promise<string> {
    this.server = createServer((request, response) => {
      void this.answer(request).then(({ status, body, cookie }) => {
        if (status === 0) return request.socket.destroy()
        response.writeHead(status, { 'content-type': 'application/json', ...(cookie ? { 'set-cookie': cookie } : {}) })
        return response.end(JSON.stringify(body))
      })
    })
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/k3cloud`
  }
  close(): Promise<unknown> {
    return new Promise((done) => this.server.close(done))
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body?: unknown; cookie?: string }> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { parameters } = JSON.parse(Buffer.concat(chunks).toString()) as { parameters: unknown[] }
    const service = /\.(\w+)\.common\.kdsvc$/.exec(request.url ?? '')?.[1] ?? ''
    this.calls.push(service)
    const wrong = this.trouble.shift()
    if (wrong === 'down') return { status: 500, body: 'Service unavailable' }
    if (service === 'ValidateUser') {
      if (wrong === 'password') return { status: 200, body: { LoginResultType: 0, Message: '用户名或密码错误' } }
      this.sessions += 1
      return {
        status: 200,
        body: { LoginResultType: 1, Message: null },
        cookie: `kdservice-sessionid=s${this.sessions}; path=/; HttpOnly`,
      }
    }
    const said = (ok: boolean, more: object = {}, message = '', code = 0): { status: number; body: unknown } => ({
      status: 200,
      body: {
        Result: {
          ResponseStatus: {
            IsSuccess: ok,
            MsgCode: code,
            Errors: message ? [{ FieldName: null, Message: message, DIndex: 0 }] : [],
          },
          ...more,
        },
      },
    })
    if (wrong === 'session' || request.headers.cookie !== `kdservice-sessionid=s${this.sessions}`)
      return said(false, {}, '会话信息已丢失，请重新登录', 1)
    if (service === 'ExecuteBillQuery') {
      const { FilterString } = JSON.parse(String(parameters[0])) as { FilterString: string }
      const own = /'(.*)'/.exec(FilterString)?.[1] ?? ''
      const found = this.documents.get(own)
      const named = found?.name === undefined ? [] : [found.name, found.taxNo ?? '']
      return { status: 200, body: found ? [[Number(found.id), found.number, found.status, ...named]] : [] }
    }
    const content = JSON.parse(String(parameters[1])) as { Numbers?: string[]; Model?: Record<string, unknown> }
    if (service === 'Save') {
      const model = content.Model!
      if (typeof model.FName === 'string') return this.keepBase(model, wrong, said)
      const own = String(model.FTHIRDBILLNO ?? model.FBillNo)
      const party = (model.FCONTACTUNIT ?? model.FCustomerID ?? model.FSupplierId) as { FNumber: string }
      if (this.refused !== '' && party.FNumber === this.refused)
        return said(false, {}, this.refused === 'NOBODY' ? '往来单位 NOBODY 不存在' : '客户已禁用，不能使用')
      const held = { id: String(100_001 + this.documents.size), number: `SKD0000${this.documents.size + 1}`, own, status: 'A' }
      this.documents.set(own, held)
      if (wrong === 'lost') return { status: 0 }
      return said(true, { Id: Number(held.id), Number: held.number })
    }
    const held = [...this.documents.values()].find(({ number }) => number === content.Numbers?.[0])
    if (!held) return said(false, {}, '单据不存在')
    held.status = service === 'Submit' ? 'B' : 'C'
    return said(true)
  }

  private keepBase(
    { FNumber, FName, FTAXREGISTERCODE, ...rest }: Record<string, unknown>,
    wrong: string | undefined,
    said: (ok: boolean, more?: object, message?: string) => { status: number; body: unknown },
  ): { status: number; body?: unknown } {
    const number = String(FNumber)
    if (number === this.refused) return said(false, {}, '名称重复，已存在')
    const id = String(rest.FCUSTID ?? rest.FSupplierId ?? rest.FMATERIALID ?? 200_001 + this.documents.size)
    const known = this.documents.get(number)
    const held: Held = {
      id,
      number,
      own: number,
      status: known?.status ?? 'A',
      name: String(FName),
      taxNo: String(FTAXREGISTERCODE ?? ''),
    }
    this.documents.set(number, held)
    return wrong === 'lost' ? { status: 0 } : said(true, { Id: Number(id), Number: number })
  }
}

let company: Company
let finance: Caller
const kingdee = new Kingdee()
beforeAll(async () => {
  const url = await kingdee.open()
  company = await openCompany({
    environment: { KINGDEE_URL: url, KINGDEE_ACCOUNT: '6a1b', KINGDEE_USER: 'switchboard', KINGDEE_PASSWORD: 'x' },
  })
  const menus = ['financial:financial-erp:document-management:receipt', 'financial:kingdeeSet:relationMapping']
  await company.test.addStaff({
    id: 'ar',
    jobNumber: 'F1',
    keys: ['fin:ledger:view', 'fin:kingdee:push', 'fin:kingdee:map'],
    menus,
  })
  finance = await company.test.signIn('F1')
})
afterAll(async () => {
  await company.test.close()
  await kingdee.close()
})
beforeEach(() => {
  kingdee.calls = []
  kingdee.trouble = []
  kingdee.refused = ''
})

const docs = (where = 'true'): Promise<Doc[]> =>
  company.rows<Doc>(`select *, trim_scale(amount)::text as amount from fin_kingdee_doc where ${where} order by code`)
const docOf = async (source: string): Promise<Doc> => (await docs(`source_code = '${source}'`)).at(-1)!
const move = (ids: string[], transition: string, values: object = {}) =>
  finance.post<{ done: string[]; refused: { reason: string }[] }>('/v2/fin/kingdeeDoc/stateUpdate', {
    ids,
    transition,
    ...values,
  })
const mapping = async (key: string, kingdeeNo: string): Promise<void> => {
  const [kind, ...rest] = key.split(':')
  const [row] = await company.rows<{ id: string; version: string }>(
    `select id, version from fin_kingdee_mapping where map_kind = $1 and local_id = $2`,
    [kind, rest.join(':')],
  )
  const answer = await finance.post('/v2/fin/kingdeeMapping/save', { id: row?.id, version: Number(row?.version), kingdeeNo })
  expect(answer.code, answer.msg).toBe(0)
}
const paid = (code: string, customerId: string, accountId: string, payAmount: string) =>
  company.effect(recharge, {
    ...{ instanceId: code, instanceCode: code, customerId, rechargeType: 'receipt', bankAccountId: 'usd', payCurrency: 'USD' },
    ...{
      payAmount,
      bankFee: '0',
      feeBearer: 'us',
      payDate: '2026-03-02',
      bankRef: code,
      lines: [{ accountId, amount: payAmount }],
    },
  })
const settled = async (code: string, status: string, minutes = 0): Promise<Doc> => {
  company.test.clock.forward(minutes * 60)
  await company.test.gateway.queue.hurry(['outbox'])
  await expect.poll(async () => (await docOf(code)).status, { timeout: 15_000 }).toBe(status)
  return docOf(code)
}

describe('documents of Kingdee (money 6)', () => {
  it('a recharge makes a receipt that waits for its mappings, which stand on the page of the mappings; it goes on when they come', async () => {
    await paid('CZ1', 'c-A01', 'A01', '100')
    expect(await docOf('CZ1')).toMatchObject({
      status: 'blocked',
      form_id: 'AR_ReceiveBill',
      amount: '100',
      error_code: 'MAP_MISSING',
    })
    const { data } = await finance.post<{ records: { localId: string; localName: string; blockedDocs: number }[] }>(
      '/v2/fin/kingdeeMapping/queryPage',
      { where: [{ field: 'state', operator: 'eq', value: 'unmapped' }] },
    )
    expect(
      data.records
        .filter(({ blockedDocs }) => blockedDocs === 1)
        .map(({ localId }) => localId)
        .sort(),
    ).toEqual(['c-A01', 'hk', 'usd'])
    expect((await move([(await docOf('CZ1')).id], 'push')).data.done ?? []).toEqual([])
    await mapping('org:hk', '100')
    await mapping('bank:usd', '6222')
    expect((await docOf('CZ1')).status).toBe('blocked')
    await mapping('customer:c-A01', 'CUST1')
    expect(await docOf('CZ1')).toMatchObject({ status: 'pending', error_code: null, missing_id: null })
  })

  it('a mapping holds from midnight of the company’s day, wherever the server stands', async () => {
    const { id } = await docOf('CZ1')
    const from = (day: string | null) =>
      company.rows(`update fin_kingdee_mapping set valid_from = $1 where map_kind = 'org' and local_id = 'hk'`, [day])
    const doc = await company.inTransaction(({ entities }) => entities.find('fin.kingdeeDoc', id))
    const at = async (moment: string) => {
      const now = new Date(moment)
      return (await kingdeeCheck(true)({ db: company.test.gateway.database, context: systemContext({ now }), now }, [doc!]))[0]
    }
    await from('2030-05-06')
    expect(await at('2030-05-05T15:59:00Z')).toMatchObject({ missing: [{ kind: 'org', localId: 'hk' }] })
    expect(await at('2030-05-05T16:01:00Z')).toMatchObject({ missing: [] })
    await from(null)
  })

  it('pushing saves, submits and audits, each a call of its own, in one session', async () => {
    expect((await move([(await docOf('CZ1')).id], 'push')).code).toBe(0)
    const doc = await settled('CZ1', 'audited')
    expect(kingdee.calls).toEqual(['ValidateUser', 'ExecuteBillQuery', 'Save', 'Submit', 'Audit'])
    expect(doc).toMatchObject({ remote_status: 'C', kingdee_no: 'SKD00001', kingdee_id: '100001', org_no: '100' })
    expect((doc.payload as { FTHIRDBILLNO: string }).FTHIRDBILLNO).toBe(doc.code)
  })

  it('an answer that is lost after Kingdee saved makes no second document: the number is looked up, and it goes on', async () => {
    await paid('CZ2', 'c-A01', 'A01', '200')
    kingdee.trouble = [undefined as never, 'lost']
    const before = kingdee.documents.size
    await move([(await docOf('CZ2')).id], 'push')
    await company.test.gateway.queue.hurry(['outbox'])
    await expect.poll(async () => (await docOf('CZ2')).error_code, { timeout: 15_000 }).toBe('NET')
    const doc = await settled('CZ2', 'audited', 2)
    expect([kingdee.documents.size, doc.kingdee_no]).toEqual([before + 1, 'SKD00002'])
    expect(kingdee.calls.filter((call) => call === 'Save')).toHaveLength(1)
  })

  it('a service that is down is asked again after 1, 5, 15, 60 and 240 minutes, then a person is', async () => {
    await paid('CZ3', 'c-A01', 'A01', '300')
    kingdee.trouble = Array.from({ length: 5 }, () => 'down' as const)
    await move([(await docOf('CZ3')).id], 'push')
    for (const minutes of [0, 1, 5, 15, 60]) {
      company.test.clock.forward(minutes * 60 + 5)
      const calls = kingdee.calls.length
      await company.test.gateway.queue.hurry(['outbox'])
      await expect.poll(() => kingdee.calls.length, { timeout: 15_000 }).toBeGreaterThan(calls)
      await expect.poll(async () => (await docOf('CZ3')).attempts, { timeout: 15_000 }).not.toBeNull()
    }
    const doc = await settled('CZ3', 'failed')
    expect([doc.error_code, doc.attempts, String(doc.last_error)]).toEqual(['NET', 5, expect.stringContaining('HTTP 500')])
    finance = await company.test.signIn('F1')
    await move([doc.id], 'push')
    await settled('CZ3', 'audited')
  })

  it('a session that is over is opened once more; a wrong password is AUTH and asked again', async () => {
    await paid('CZ4', 'c-A01', 'A01', '400')
    kingdee.trouble = ['session', 'password']
    await move([(await docOf('CZ4')).id], 'push')
    await company.test.gateway.queue.hurry(['outbox'])
    await expect.poll(async () => (await docOf('CZ4')).error_code, { timeout: 15_000 }).toBe('AUTH')
    await settled('CZ4', 'audited', 2)
    expect(kingdee.calls.slice(0, 2)).toEqual(['ExecuteBillQuery', 'ValidateUser'])
  })

  it('half a batch: what Kingdee refuses is told in its words and waits for a person, the others are audited', async () => {
    await paid('CZ5', 'c-A01', 'A01', '500')
    await paid('CZ6', 'c-A04', 'A04', '600')
    await mapping('customer:c-A04', 'CUST4')
    kingdee.refused = 'CUST4'
    await move([(await docOf('CZ5')).id, (await docOf('CZ6')).id], 'push')
    await settled('CZ5', 'audited')
    const refused = await settled('CZ6', 'failed')
    expect(refused).toMatchObject({ error_code: 'PARTY_DISABLED', last_error: expect.stringContaining('客户已禁用') as string })
    kingdee.refused = ''
    await move([refused.id], 'push')
    await settled('CZ6', 'audited')
  })

  it('a mapping that is wrong, not missing: Kingdee names what it does not have, the document stays, and goes out with the mended number', async () => {
    await mapping('customer:c-A01', 'NOBODY')
    await paid('CZ6B', 'c-A01', 'A01', '650')
    kingdee.refused = 'NOBODY'
    const before = await docOf('CZ6B')
    expect(before.status).toBe('pending')
    await move([before.id], 'push')
    const refused = await settled('CZ6B', 'failed')
    expect(refused).toMatchObject({
      id: before.id,
      amount: '650',
      kingdee_no: null,
      last_error: expect.stringContaining('不存在') as string,
    })
    expect(kingdee.documents.has(refused.code)).toBe(false)
    expect(await company.rows(`select status from fin_recharge where instance_id = 'CZ6B'`)).toEqual([{ status: 'posted' }])
    await mapping('customer:c-A01', 'CUST1')
    await move([refused.id], 'push')
    const doc = await settled('CZ6B', 'audited')
    expect((doc.payload as { FCONTACTUNIT: { FNumber: string } }).FCONTACTUNIT.FNumber).toBe('CUST1')
    expect([doc.error_code, doc.last_error]).toEqual([null, null])
    expect(await docs(`source_code = 'CZ6B'`)).toHaveLength(1)
  })

  it('a reversal takes an audited receipt back by a refund receipt; what was not pushed is left out', async () => {
    await paid('CZ7', 'c-A01', 'A01', '700')
    const [audited, waiting] = [await docOf('CZ1'), await docOf('CZ7')]
    for (const { posting_id } of [audited, waiting]) {
      const [paid] = await company.rows<{ id: string }>('select id from fin_recharge where posting_id = $1', [posting_id])
      await company.inTransaction(({ entities }) =>
        entities.transition('fin.recharge', paid!.id, 'reverse', { note: '录到了别的账户' }),
      )
    }
    const all = await docs(`source_code in ('CZ1', 'CZ7')`)
    expect(all.map(({ source_code, form_id, status, amount }) => [source_code, form_id, status, amount])).toEqual([
      ['CZ1', 'AR_ReceiveBill', 'reversed', '100'],
      ['CZ7', 'AR_ReceiveBill', 'skipped', '700'],
      ['CZ1', 'AR_RefundBill', 'pending', '100'],
    ])
  })

  it('without Kingdee a file goes out and what came of it is read back', async () => {
    await paid('CZ8', 'c-A01', 'A01', '800')
    const doc = await docOf('CZ8')
    expect((await move([doc.id], 'toFile')).code).toBe(0)
    const exported = await docOf('CZ8')
    expect(exported).toMatchObject({ status: 'exported', export_file: 'JD_AR_ReceiveBill_100_202603_001.xlsx' })
    const file = await finance.raw('GET', `/v2/fin/kingdeeDoc/file?name=${String(exported.export_file)}`)
    expect([file.status, (await file.arrayBuffer()).byteLength > 1000]).toEqual([200, true])
    const read = await finance.post('/v2/fin/kingdeeResult/save', { docId: doc.id, number: 'SKD99', state: 'C' })
    expect(read.code, read.msg).toBe(0)
    expect(await docOf('CZ8')).toMatchObject({ status: 'audited', kingdee_no: 'SKD99' })
  })

  it('what traffic of a month cost at a supplier is one purchase receipt; the job pushes what waits', async () => {
    const { scheduler } = company.test.gateway
    const run = (name: string) => scheduler.runNow(scheduler.find(name)!, { dry: false, startedBy: null })
    const month = dayOf(company.test.clock.now(), 'Asia/Shanghai').slice(0, 7)
    const last = addDays(`${month}-01`, -1)
    for (const [amount, hour] of [
      ['120.5', 1],
      ['79.5', 2],
    ] as const)
      await company.inTransaction((fin) =>
        postCost(fin, [
          { accountId: 'S01', product: 'sms', billDay: last, amount, batchStart: new Date(Date.UTC(2026, 0, 1, hour)) },
        ]),
      )
    await run('fin.kingdeePurchases')
    await run('fin.kingdeePurchases')
    const receipts = await docs(`form_id = 'STK_InStock'`)
    expect(receipts.map(({ status, amount, currency }) => [status, amount, currency])).toEqual([['blocked', '200', 'EUR']])
    for (const [key, number] of [
      ['supplier:sp1', 'VEN1'],
      ['material:sms', 'SMS'],
      ['stock:default', 'CK1'],
    ] as const)
      await mapping(key, number)
    await run('fin.kingdeePush')
    await settled(String(receipts[0]!.source_code), 'audited')
  })

  it('the documents agree with the ledger: what moved on a bank account stands on its receipts', async () => {
    const drifts = await verifyLedger(company.test.gateway.database)
    expect(drifts.filter(({ drifted }) => drifted > 0)).toEqual([])
    expect(drifts.find(({ field }) => field === 'fin.kingdeeDoc.postingId')?.rows).toBeGreaterThan(5)
  })
})

describe('base data of Kingdee', () => {
  const bases = (where = 'true') =>
    company.rows<Doc & { local_id: string; differences: string | null; kingdee_no: string | null }>(
      `select *, local_code as code from fin_kingdee_base where ${where} order by local_code`,
    )
  const act = (id: string, transition: string) =>
    finance.post<{ done: string[]; refused: { reason: string }[] }>('/v2/fin/kingdeeBase/stateUpdate', { ids: [id], transition })
  const gather = () => company.inTransaction(({ tx, now }) => gatherBase(tx, [{ code: 'sms', name: '短信' }], now))
  const came = async (id: string, status: string): Promise<Awaited<ReturnType<typeof bases>>[number]> => {
    await expect.poll(async () => (await bases(`id = '${id}'`))[0]?.status, { timeout: 20_000 }).toBe(status)
    return (await bases(`id = '${id}'`))[0]!
  }

  it('takes up customers and suppliers with an account and what is sold, each once, and follows their names', async () => {
    const first = await gather()
    expect(first.added).toBeGreaterThan(8)
    expect(await gather()).toEqual({ added: 0, changed: 0 })
    await company.rows(`update crm_customer set name = 'c-A01 新名' where id = 'c-A01'`)
    expect(await gather()).toEqual({ added: 0, changed: 1 })
    const kinds = new Set((await bases()).map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual(['customer', 'material', 'supplier'])
  })

  it('is pushed once though the answer is lost, stands among the mappings, and says what differs', async () => {
    await mapping('org:hk', '100')
    const [customer] = await bases(`local_id = 'c-A02'`)
    // the look-up passes, the answer of the save is lost
    kingdee.trouble = ['lost', 'lost']
    expect((await act(customer!.id, 'push')).code).toBe(0)
    await expect.poll(async () => (await bases(`id = '${customer!.id}'`))[0]?.error_code, { timeout: 15_000 }).toBe('NET')
    company.test.clock.forward(60)
    await company.test.gateway.queue.hurry(['outbox'])
    const pushed = await came(customer!.id, 'same')
    expect(kingdee.documents.get(customer!.code)).toMatchObject({ name: pushed.local_name, status: 'C' })
    const [mapped] = await company.rows<{ no: string }>(
      `select kingdee_no as no from fin_kingdee_mapping where map_kind = 'customer' and local_id = 'c-A02'`,
    )
    expect(mapped?.no).toBe(pushed.kingdee_no)
    kingdee.documents.get(customer!.code)!.name = 'Another name'
    expect((await act(customer!.id, 'pull')).code).toBe(0)
    const differing = await came(customer!.id, 'differs')
    expect(differing.differences).toContain('≠ Another name')
    expect((await act(customer!.id, 'push')).code).toBe(0)
    await came(customer!.id, 'same')
    expect([...kingdee.documents.values()].filter(({ name }) => name === pushed.local_name)).toHaveLength(1)
  })

  it('keeps what Kingdee refuses in its words', async () => {
    const [material] = await bases(`local_id = 'device'`)
    kingdee.refused = material!.code
    expect((await act(material!.id, 'push')).code).toBe(0)
    const refused = await came(material!.id, 'failed')
    expect(refused).toMatchObject({ error_code: 'DUP_NO', last_error: '名称重复，已存在' })
  })
})
