import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EffectRun, EntityRecord, Verb, VerbContext } from '../../../../gateway/entities'
import { acceptSupplierRates, applySupplierQuote, endSupplierQuote } from '../../../../gateway/modules/qm/supplierQuote'
import { applySpecial, approveSpecial, endSpecial } from '../../../../gateway/modules/qm/special'
import { verb as bodyReplace } from '../../../../gateway/modules/srm/verbs/body-replace'
import { applyClassA, approveClassA } from '../../../../gateway/modules/crm/services/classAApproval'
import { addDays, dayOf } from '../../../../gateway/platform/calendar'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { startGateway } from '../../../support/gateway'
import type { TestGateway } from '../../../support/gateway'

let test: TestGateway
let versionId: string
let processId: string
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  await work(async (entities) => {
    const at = test.clock.now().toISOString()
    ;[processId, versionId] = [newId(), newId()]
    const process = { id: processId, code: 'tried', nameZh: '试', nameEn: 'Tried', groupCode: 'price', state: 'enabled' }
    await entities.insertMany('wf.process', [process])
    const version = {
      id: versionId,
      processId,
      no: 1,
      document: '{}',
      hash: 'h',
      formHash: 'h',
      source: 'admin',
      publishedAt: at,
    }
    await entities.insertMany('wf.processVersion', [version])
  })
})
afterAll(() => test.close())

type Work = Parameters<TestGateway['gateway']['engine']['transaction']>[1]
const context = () => systemContext({ now: test.clock.now() })
const work = <Result>(todo: (...given: Parameters<Work>) => Promise<Result>): Promise<Result> =>
  test.gateway.engine.transaction(context(), todo)

/** Does a verb as the end of an approval does it. */
const perform = async (verb: Verb, given: EntityRecord): Promise<EntityRecord> =>
  work(async (entities, tx) => {
    const hook = { entities, tx, context: context(), now: test.clock.now() } as unknown as VerbContext
    const [result] = (await verb(hook, [{ with: given } as unknown as EffectRun])) ?? []
    return result as EntityRecord
  })
const instance = async (): Promise<string> =>
  work(async (entities) => {
    const id = newId()
    await entities.insertMany('wf.instance', [
      { id, code: id.slice(0, 20), processId, versionId, applicantId: 'st-s0006', status: 'running' },
    ])
    return id
  })
const first = async (entity: string, where: Parameters<Parameters<Work>[0]['list']>[1] = {}): Promise<EntityRecord> =>
  work(async (entities) => (await entities.list(entity, { limit: 1, ...where }))[0]!)
const all = (entity: string, field: string, value: unknown): Promise<EntityRecord[]> =>
  work((entities) => entities.list(entity, { where: [{ field, operator: 'eq', value: value as string }], limit: 100 }))
const find = (entity: string, id: unknown): Promise<EntityRecord> =>
  work(async (entities) => (await entities.find(entity, String(id)))!)
/** A day of the company so many days from now. */
const day = (days: number): string => addDays(dayOf(test.clock.now(), 'Asia/Shanghai'), days)

describe('special prices', () => {
  const sheet = async (price: string): Promise<{ id: string; accountId: string; customerId: string }> => {
    const account = await first('fin.customerAccount')
    const { customerId, id: accountId } = account as { customerId: string; id: string }
    const line = { rateKey: 'sms|US|*|direct', country: 'US', routeClass: 'direct', price, unit: 'segment' }
    const saved = await work((entities) =>
      entities.save('qm.rateSheet', {
        direction: 'customer',
        product: 'sms',
        currency: 'USD',
        customerId,
        accountId,
        lines: [line],
      }),
    )
    return { id: String(saved.id), customerId, accountId }
  }
  const applied = (
    sheet: { id: string; customerId: string; accountId: string },
    instanceId: string,
    line: object,
  ): EntityRecord => ({
    instanceId,
    customerId: sheet.customerId,
    accountId: sheet.accountId,
    product: 'sms',
    sheetId: sheet.id,
    reason: 'The competitor offers less for the same route.',
    reasonType: 'competition',
    validFrom: day(0),
    validTo: day(60),
    lines: [
      {
        country: 'US',
        routeClass: 'direct',
        applyPrice: '0.0070',
        cost: '0.0066',
        note: 'unknown members are left out',
        ...line,
      },
    ],
  })

  it('the approved price stands in the application and in its sheet, which may be sent; once, however often it is said', async () => {
    const from = await sheet('0.0070')
    const id = await instance()
    const asked = await perform(applySpecial, applied(from, id, {}))
    expect(asked).toMatchObject({ status: 'inApproval', code: expect.stringMatching(/^TJ\d{12}$/) as string })
    expect(await find('qm.rateSheet', from.id)).toMatchObject({ status: 'pendingApproval', approvalId: id })
    const granted = applied(from, id, { approvedPrice: '0.0072' })
    expect(await perform(approveSpecial, granted)).toMatchObject({ id: asked.id, status: 'approved' })
    expect(await perform(approveSpecial, granted)).toMatchObject({ id: asked.id, status: 'approved' })
    expect(await find('qm.rateSheet', from.id)).toMatchObject({ status: 'approved' })
    expect(await all('qm.rateSheetLine', 'sheetId', from.id)).toMatchObject([{ price: '0.0072', specialPriceId: asked.id }])
    expect(await all('qm.specialPriceLine', 'specialPriceId', asked.id)).toMatchObject([{ approvedPrice: '0.0072' }])
    expect(await all('qm.specialPrice', 'instanceId', id)).toHaveLength(1)
  })

  it('a sheet whose price is another one by now refuses the approval with both prices (10060059)', async () => {
    const from = await sheet('0.0061')
    await expect(perform(approveSpecial, applied(from, await instance(), {}))).rejects.toMatchObject({
      code: 10060059,
      message: expect.stringContaining('0.0061') as string,
    })
  })

  it('a return opens the sheet again, a second application goes on with the same document', async () => {
    const from = await sheet('0.0070')
    const id = await instance()
    const asked = await perform(applySpecial, applied(from, id, {}))
    await perform(endSpecial, { instanceId: id, result: 'returned', comment: 'Ask the buyer first.' })
    expect(await find('qm.specialPrice', asked.id)).toMatchObject({ status: 'returned', decisionNote: 'Ask the buyer first.' })
    expect(await find('qm.rateSheet', from.id)).toMatchObject({ status: 'draft' })
    expect(await perform(applySpecial, applied(from, id, {}))).toMatchObject({ id: asked.id, status: 'inApproval' })
    await perform(endSpecial, { instanceId: id, result: 'rejected', comment: 'No.' })
    expect(await find('qm.specialPrice', asked.id)).toMatchObject({ status: 'rejected' })
  })
})

describe('supplier quotations', () => {
  /** A channel that the demo company buys Germany over: it has no costs of its own for the places that the tests quote. */
  const channel = () => first('biz.channel', { where: [{ field: 'alias', operator: 'eq', value: 'Germany Direct' }] })
  const quote = async (instanceId: string, more: object = {}): Promise<EntityRecord> => {
    const { id: channelId, supplierId, supplierAccountId } = await channel()
    return {
      instanceId,
      ...{ supplierId, supplierAccountId, channelId },
      product: 'sms',
      currency: 'USD',
      effectiveFrom: test.clock.now().toISOString(),
      ...more,
    }
  }
  /** Rates of the channel that the tests quote: the demo company has others for the same place. */
  const ofChannel = async (rateKey: string): Promise<EntityRecord[]> => {
    const { id } = await channel()
    return (await all('qm.supplierRate', 'rateKey', rateKey)).filter(({ channelId }) => channelId === id)
  }
  const line = { country: 'TH', routeClass: 'direct', unit: 'segment' }

  it('accepted lines become rates that end those before them, refused ones do not', async () => {
    const before = await perform(acceptSupplierRates, await quote(await instance(), { lines: [{ ...line, newCost: '0.0100' }] }))
    expect(before.status).toBe('approved')
    test.clock.forward(60)
    const id = await instance()
    const given = await quote(id, {
      lines: [
        { ...line, oldCost: '0.0100', newCost: '0.0130' },
        { ...line, country: 'VN', newCost: '0.0200', accepted: false },
      ],
    })
    expect(await perform(applySupplierQuote, given)).toMatchObject({ status: 'inApproval' })
    const taken = await perform(acceptSupplierRates, given)
    expect(taken).toMatchObject({ status: 'partEffective', lineCount: 2, upCount: 0 })
    const rates = (await ofChannel('sms|TH|*|direct')).sort((a, b) =>
      String(a.effectiveFrom).localeCompare(String(b.effectiveFrom)),
    )
    expect(rates).toMatchObject([
      { price: '0.01', status: 'active', changeFlag: 'new', effectiveTo: rates[1]!.effectiveFrom },
      { price: '0.013', oldPrice: '0.01', status: 'active', changeFlag: 'increase', applyId: taken.id },
    ])
    expect(await ofChannel('sms|VN|*|direct')).toHaveLength(0)
    expect((await perform(acceptSupplierRates, given)).id).toBe(taken.id)
    expect(await ofChannel('sms|TH|*|direct')).toHaveLength(2)
  })

  it('whoever sells below the new cost is asked to quote anew', async () => {
    const account = await first('fin.customerAccount', {
      where: [{ field: 'customerId.holding', operator: 'eq', value: 'private' }],
    })
    const customer = await find('crm.customer', account.customerId)
    await work(async (entities) => {
      const rate = {
        accountId: String(account.id),
        customerId: String(customer.id),
        product: 'sms',
        country: 'LA',
        routeClass: 'direct',
        price: '0.0100',
        currency: 'USD',
        effectiveFrom: test.clock.now().toISOString(),
      }
      const saved = await entities.save('qm.customerRate', rate)
      expect(saved.rateKey).toBe('sms|LA|*|direct')
    })
    const lines = [{ ...line, country: 'LA', oldCost: '0.0080', newCost: '0.0120' }]
    const taken = await perform(acceptSupplierRates, await quote(await instance(), { lines }))
    const todos = await work((entities) =>
      entities.list('sys.todo', { where: [{ field: 'subjectId', operator: 'eq', value: String(taken.id) }] }),
    )
    expect(todos.map(({ staffId }) => staffId)).toEqual([customer.ownerId])
    expect(todos[0]!.titleEn).toContain(String(customer.name))
    expect(await all('qm.supplierQuoteLine', 'applyId', taken.id)).toMatchObject([{ affectedCustomers: 1 }])
  })

  it('a rejection leaves the offers as they are', async () => {
    const id = await instance()
    await perform(applySupplierQuote, await quote(id, { lines: [{ ...line, country: 'KH', newCost: '0.0100' }] }))
    await perform(endSupplierQuote, { instanceId: id, result: 'rejected', comment: 'Too dear.' })
    expect(await all('qm.supplierQuoteApply', 'instanceId', id)).toMatchObject([
      { status: 'rejected', decisionNote: 'Too dear.' },
    ])
    expect(await ofChannel('sms|KH|*|direct')).toHaveLength(0)
  })
})

describe('suppliers that become another contract party', () => {
  it('a new name holds from today, what was before is the version before', async () => {
    const supplier = await first('srm.supplier')
    const given = {
      instanceId: await instance(),
      supplierId: supplier.id,
      replaceKind: 'rename',
      effectiveDate: day(-1),
      newName: 'Hai Xin Telecom Ltd',
      newNameEn: 'Hai Xin Telecom Ltd',
    }
    await perform(bodyReplace, given)
    await perform(bodyReplace, given)
    expect(await find('srm.supplier', supplier.id)).toMatchObject({ name: 'Hai Xin Telecom Ltd', regNo: supplier.regNo ?? null })
    const versions = (await all('srm.supplierLegal', 'supplierId', supplier.id)).sort((a, b) =>
      String(a.validFrom).localeCompare(String(b.validFrom)),
    )
    expect(versions).toMatchObject([
      { name: supplier.name, status: 'past', kind: null },
      { name: 'Hai Xin Telecom Ltd', status: 'current', kind: 'rename', validTo: null },
    ])
  })

  it('a new bank account of a coming day waits for it', async () => {
    const supplier = await first('srm.supplier', { where: [{ field: 'status', operator: 'eq', value: 'cooperating' }] })
    const given = {
      instanceId: await instance(),
      supplierId: supplier.id,
      replaceKind: 'newBank',
      effectiveDate: day(3),
      newBankInfo: 'HSBC 123-456',
    }
    expect(await perform(bodyReplace, given)).toMatchObject({ status: 'scheduled' })
    expect((await find('srm.supplier', supplier.id)).bankInfo).toBe(supplier.bankInfo)
    test.clock.forward(4 * 86_400)
    const { scheduler } = test.gateway
    await scheduler.runNow(scheduler.find('sys.deadlines')!, { dry: false, startedBy: null })
    expect(await find('srm.supplier', supplier.id)).toMatchObject({ bankInfo: 'HSBC 123-456', name: supplier.name })
  })
})

describe('class A by an approval', () => {
  it('the application takes its own transitions: the customer is class A for as long as was agreed', async () => {
    const where = [
      { field: 'holding', operator: 'eq' as const, value: 'private' },
      { field: 'classA', operator: 'eq' as const, value: false },
      { field: 'level', operator: 'eq' as const, value: 'd' },
    ]
    const customer = await first('crm.customer', { where })
    const instanceId = await instance()
    const given = {
      instanceId,
      customerId: customer.id,
      applyKind: 'enter',
      exception: true,
      expectedMonthly: '5000',
      reason: 'A strategic customer of the region.',
      validMonths: 6,
    }
    expect(await perform(applyClassA, given)).toMatchObject({ status: 'pending' })
    expect(await perform(approveClassA, { ...given, validMonths: 3, comment: 'For three months.' })).toMatchObject({
      status: 'approved',
      validMonths: 3,
      decisionNote: 'For three months.',
    })
    expect(await find('crm.customer', customer.id)).toMatchObject({ classA: true, level: 'a' })
  })
})
