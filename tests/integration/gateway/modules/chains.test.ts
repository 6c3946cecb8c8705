import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job as numberFees } from '../../../../gateway/modules/biz/jobs/number-fees/job'
import { job as usage } from '../../../../gateway/modules/biz/jobs/usage/job'
import { verifyRating } from '../../../../gateway/modules/biz/rating/verify'
import { verifyCharges } from '../../../../gateway/modules/biz/usage/verify'
import { job as bills } from '../../../../gateway/modules/fin/jobs/bills/job'
import { verifyLedger } from '../../../../gateway/modules/fin/ledger/verify'
import { monthAfter, rented, rounded, Work } from './chainWork'
import { openOffice, ZONE, type Office, type Person } from './office'

/** Everyday chains from end to end over HTTP: an empty company, in which everybody holds one role as it is shipped and does his own step. */

let office: Office
let work: Work
let ids: Work['ids']
beforeAll(async () => {
  office = await openOffice()
  // a bill that waited is issued at once when its period is a part of one: no account here opens with a month
  if (office.day().endsWith('-01')) office.until(office.day(1))
  work = new Work(office)
  ids = work.ids
})
afterAll(() => office.test.close())

describe('everyday chains, each step by the shipped role whose job it is', () => {
  it('set-up: our entity, bank, cycle and rates (finance), ways to pay (procurement manager)', async () => {
    const hk = { code: 'hk', name: '启航香港', nameEn: 'Sail Hong Kong', countryCode: 'HK', timezone: ZONE }
    await work.keep('entity', office.save('receivables', 'sys.companyEntity', hk))
    const account = { code: 'HK-USD', name: 'HSBC USD', companyEntityId: ids.entity, currency: 'USD' }
    await work.keep('bank', office.save('receivables', 'sys.bankAccount', account))
    const cycle = { code: 'month', name: '月结', kind: 'monthly', startDay: 1, termDays: 15 }
    await work.keep('cycle', office.save('receivables', 'fin.billCycle', cycle))
    await office.save('receivables', 'sys.exchangeRate', {
      base: 'USD',
      quote: 'CNY',
      date: office.day(),
      rate: '7.1',
      kind: 'xe',
    })
    await work.keep('wire', office.save('buyerLead', 'srm.paymentMethod', { name: '电汇', nameEn: 'Wire', kind: 'transfer' }))
    expect(await office.refuses('seller', 'sys.bankAccount', 'save', { ...account, code: 'X' })).toBe(true)
  })

  it('customer: lead (service), conversion and opportunity (sales), identity (finance), contract (approved), account (finance), recharge (approved)', async () => {
    const lead = { contactName: 'Ann Lee', company: 'Nova Retail', email: 'ann@nova-retail.example', countryCode: 'HK' }
    const clue = await office.save('service', 'csc.clue', { ...lead, source: 'website', products: ['voice', 'sms'] })
    await office.move('service', 'csc.clue', clue, 'distribute', { assignTo: 'seller' })
    await office.move('seller', 'csc.clue', clue, 'accept')
    const talk = { way: 'phone', content: 'They send codes to the United Kingdom', result: 'needQuote' }
    await office.move('seller', 'csc.clue', clue, 'follow', talk)
    const company = { customerName: 'Nova Retail', customerType: 'enterprise', tradeType: 'direct' }
    await office.move('seller', 'csc.clue', clue, 'convert', company)
    const [customer] = await office.find('seller', 'crm.customer', 'name', 'Nova Retail')
    ids.customer = String(customer!.id)

    const wanted = { name: 'Calls to the UK', product: 'voice', countries: ['GB'], monthlyVolume: 1000, currency: 'USD' }
    const opportunity = await office.save('seller', 'crm.opportunity', {
      ...{ ...wanted, customerId: ids.customer, expectedPrice: '0.02', expectedOn: office.day(30) },
    })
    await office.move('seller', 'crm.opportunity', opportunity, 'toS3')
    const win = { ids: [opportunity], transition: 'win' }
    expect(await office.refuses('seller', 'crm.opportunity', 'stateUpdate', win)).toBe(true)

    const identity = { customerId: ids.customer, authType: 'enterprise', legalName: 'Nova Retail' }
    const auth = await office.save('receivables', 'fin.customerAuth', identity)
    await office.move('payables', 'fin.customerAuth', auth, 'claim')
    const valid = { note: 'Registered in Hong Kong', validUntil: office.day(365) }
    await office.move('payables', 'fin.customerAuth', auth, 'pass', valid)
    const contract = await office.apply(
      'seller',
      'contractReview',
      {
        ...{ customerId: ids.customer, companyEntityId: ids.entity, contractKind: 'sales', currency: 'USD', payMode: 'prepaid' },
        ...{ validFrom: office.day(), validTo: office.day(365), draftFiles: [await office.file('seller')], template: true },
      },
      {
        legal: () => ({ clauseOk: true }),
        stamp: async () => ({ stampedFiles: [await office.file('legal')], stampState: 'both', signedAt: office.day() }),
      },
    )
    expect(contract.steps).toEqual(['leader salesLead', 'legal legal', 'manager financeLead', 'stamp legal'])

    await work.openAccount('voice', 'voice', 'prepaid')
    await office.move('seller', 'crm.opportunity', opportunity, 'win')
    const recharge = await office.apply('seller', 'recharge', await work.receipt(ids.voice!, '1000.00'), work.received())
    expect(recharge.steps).toEqual(['receivables receivables'])
    expect(await work.balance('seller', 'fin.customerAccount', ids.voice!)).toBe(1000)

    // and no more: another seller finds nothing of it, sales opens no account, service moves no money
    expect(await office.find('otherSeller', 'crm.customer', 'id', ids.customer)).toEqual([])
    expect(await office.find('otherSeller', 'fin.customerAccount', 'id', ids.voice)).toEqual([])
    const sms = { customerId: ids.customer, product: 'otp', payMode: 'prepaid', currency: 'USD', name: 'By sales' }
    expect(await office.refuses('seller', 'fin.customerAccount', 'save', sms)).toBe(true)
    expect((await office.tries('service', 'fin.ledgerEntry', 'queryPage', {})).code).not.toBe(0)
  })

  it('voice: supplier and account (procurement), gateways (operations), cost (procurement manager), price (operations), calls (finance)', async () => {
    const supplier = { name: 'BlueRoad Telecom', nameEn: 'BlueRoad Telecom', supplierType: 'voiceCarrier', countryCode: 'GB' }
    const bank = { bankInfo: 'BlueRoad Telecom, Barclays, GB29NWBK60161331926819', settleCurrency: 'USD' }
    const more = { products: ['sms', 'voice', 'number'], platform: 'main' }
    await work.keep('supplier', office.save('buyer', 'srm.supplier', { ...supplier, ...bank, ...more }))
    const account = await work.openSupplierAccount('vos')

    expect(await office.choices('operator', 'srm.supplierAccount', 'BR_vos')).toEqual([account])
    // they know customers by code and alias alone
    expect(await office.choices('operator', 'fin.customerAccount', 'Nova voice')).toEqual([])
    expect(await office.choices('operator', 'fin.customerAccount', ids['voice code']!)).toEqual([ids.voice])
    const landing = { name: 'L-GB-1', kind: 'vosLanding', vosServer: 'vos1', supplierAccountId: account, prefix: '44' }
    const docking = { name: 'D-NOVA', kind: 'vosDocking', vosServer: 'vos1', customerAccountId: ids.voice }
    await work.keep('landing', office.save('operator', 'biz.gateway', landing))
    await work.keep('docking', office.save('operator', 'biz.gateway', docking))

    expect(await office.choices('buyerLead', 'biz.gateway', 'L-GB-1')).toEqual([ids.landing])
    const minutes = {
      product: 'voice',
      country: 'GB',
      prefix: '44',
      routeClass: 'cli',
      unit: 'minute',
      incFirst: 60,
      incNext: 60,
    }
    const cost = { ...work.since(), ...minutes, supplierId: ids.supplier, supplierAccountId: account, gatewayId: ids.landing }
    await office.save('buyerLead', 'qm.supplierRate', { ...cost, price: '0.01' })
    const price = { ...work.since(), ...minutes, customerId: ids.customer, accountId: ids.voice }
    await office.save('pricing', 'qm.customerRate', { ...price, price: '0.02' })

    expect(await office.choices('receivables', 'biz.gateway', 'L-GB-1')).toEqual([ids.landing])
    expect(await office.choices('receivables', 'biz.gateway', 'D-NOVA')).toEqual([ids.docking])
    const call = { callId: 'v1', accountId: 'Nova voice', caller: '+85221234567', callee: '+442079460000', country: 'GB' }
    const times = { startAt: office.ago(300), answerAt: office.ago(290), endAt: office.ago(200), releaseCause: 'normal' }
    const ways = { dockingGatewayId: 'D-NOVA', landingGatewayId: 'L-GB-1', supplierAccountId: 'BR_vos' }
    await office.imports('receivables', 'biz.callRecord', [{ ...call, ...times, ...ways }])
    await office.run(usage)
    expect(await work.entries(ids.voice!)).toEqual([
      { type: 'recharge', product: null, amount: '1000' },
      { type: 'usage', product: 'voice', amount: '-0.04' },
    ])
    expect(await work.entries(account)).toEqual([{ type: 'cost', product: 'voice', amount: '-0.02' }])
    expect(await work.balance('seller', 'fin.customerAccount', ids.voice!)).toBe(999.96)

    // and no more: operations see no money of the supplier's account and open none, finance builds no gateway, sales finds neither
    const seen = await office.view('operator', 'srm.supplierAccount', account)
    expect([seen.name, seen.kind, seen.currency]).toEqual(['BR_vos', 'vos', 'USD'])
    const closed = ['balance', 'creditLimit', 'warnAmount', 'payMode', 'settleCycle', 'costPerDay', 'daysLeft', 'bankInfo']
    expect(closed.filter((field) => seen[field] != null && seen[field] !== '***')).toEqual([])
    const own = { supplierId: ids.supplier, name: 'BR_2', kind: 'vos', currency: 'USD', payMode: 'prepaid' }
    expect(await office.refuses('operator', 'srm.supplierAccount', 'save', own)).toBe(true)
    for (const person of ['receivables', 'seller', 'buyer'] as const)
      expect(await office.refuses(person, 'biz.gateway', 'save', { ...landing, name: 'L-X' })).toBe(true)
    expect(await office.choices('otherSeller', 'srm.supplierAccount', 'BR_vos')).toEqual([])
    expect(await office.refuses('seller', 'qm.supplierRate', 'queryPage', {})).toBe(true)
    expect(await office.refuses('buyer', 'qm.customerRate', 'save', { ...price, price: '0.03' })).toBe(true)
  })

  it('SMS: channel (operations), cost (quoted by procurement, approved), price (operations), records (operations)', async () => {
    const account = await work.openSupplierAccount('sms')
    const route = { alias: 'GB1', name: 'BlueRoad GB', supplierAccountId: account, connect: 'http', routeClass: 'direct' }
    await work.keep('channel', office.save('operator', 'biz.channel', route))
    const quoted = await office.apply('buyer', 'supplierQuote', {
      ...{ supplierId: ids.supplier, supplierAccountId: account, product: 'sms', channelId: ids.channel, currency: 'USD' },
      ...{
        effectiveFrom: office.ago(0),
        lines: ['GB', 'FR'].map((country) => ({
          country,
          routeClass: 'direct',
          unit: 'segment',
          newCost: '0.01',
          accepted: true,
        })),
      },
    })
    expect(quoted.steps).toEqual(['buyLeader buyerLead'])
    await office.move('operator', 'biz.channel', ids.channel!, 'goOnline')
    await work.openAccount('sms', 'sms', 'postpaid')
    const price = {
      ...work.since(),
      customerId: ids.customer,
      accountId: ids.sms,
      product: 'sms',
      country: 'GB',
      routeClass: 'direct',
    }
    await office.save('pricing', 'qm.customerRate', { ...price, unit: 'segment', price: '0.02' })

    office.test.clock.forward(60)
    const message = { accountId: ids['sms code']!, content: 'Your code is 1234' }
    const times = { submittedAt: office.ago(5), sentAt: office.ago(4), status: 'delivered', channelId: 'GB1' }
    await office.imports('operator', 'biz.smsRecord', [
      { ...message, ...times, msgId: 's1', toNumber: '+447700900123', country: 'GB' },
      { ...message, ...times, msgId: 's2', toNumber: '+33612345678', country: 'FR' },
    ])
    await office.run(usage)
    expect(await work.entries(ids.sms!)).toEqual([{ type: 'usage', product: 'sms', amount: '-0.02' }])
    expect(await work.entries(account)).toEqual([{ type: 'cost', product: 'sms', amount: '-0.02' }])

    // and no more: sales knows the channel by its alias and no cost, procurement sends no prices to customers
    const [seen] = await office.find('seller', 'biz.channel', 'alias', 'GB1')
    expect(seen).toMatchObject({ alias: 'GB1' })
    expect([seen!.supplierAccountId, seen!.name]).not.toContain(account)
    expect(seen!.name).not.toBe('BlueRoad GB')
    const [record] = await office.find('seller', 'biz.smsRecord', 'msgId', 's1')
    expect(record).toMatchObject({ accountId: ids.sms, status: 'delivered' })
    expect(['***', null, undefined]).toContain(record!.costAmount)
    expect(record!.content).not.toContain('code is 1234')
  })

  it('numbers: bought and stored (procurement), assigned to the customer (operations), the fee of the month', async () => {
    const account = await work.openSupplierAccount('number')
    const bought = { number: '+442079460100', country: 'GB', numberType: 'local', supplierAccountId: account }
    const cost = { costMrc: '1', costNrc: '0.5', costCurrency: 'USD' }
    const number = await work.keep('number', office.save('buyer', 'biz.numberAsset', { ...bought, ...cost }))
    await office.move('buyer', 'biz.numberAsset', number, 'store')
    await work.openAccount('numbers', 'number', 'postpaid')
    const rent = { accountId: ids.numbers, activatedAt: office.ago(60), mrc: '30', nrc: '2', currency: 'USD' }
    await office.move('operator', 'biz.numberAsset', number, 'assign', rent)
    await office.run(numberFees)
    expect(await work.entries(ids.numbers!)).toEqual([
      { type: 'fee', product: 'number', amount: String(-rounded(rented(30, office.day()) + 2, 4)) },
    ])
    expect(await work.entries(account)).toEqual([
      { type: 'cost', product: 'number', amount: String(-rounded(rented(1, office.day()) + 0.5, 4)) },
    ])

    // and no more: sales assigns none, and neither sales nor service knows what it costs
    const other = { ...bought, number: '+442079460101' }
    expect(await office.refuses('seller', 'biz.numberAsset', 'save', other)).toBe(true)
    const [seen] = await office.find('seller', 'biz.numberAsset', 'id', number)
    expect(['***', null, undefined]).toContain(seen?.costMrc)
  })

  it('devices: planned, ordered and received (procurement, approved), sold (sales), shipped (procurement), paid', async () => {
    const maker = { name: '深圳网关设备有限公司', countryCode: 'CN', currency: 'USD', paymentMethodId: ids.wire, taxRate: '0' }
    const supplierId = await office.save('buyer', 'srm.equipmentSupplier', maker)
    const goip = { name: 'GoIP 网关', nameEn: 'GoIP gateway', category: 'goip', model: 'G-32', unit: 'pcs', salePrice: '900.00' }
    const productId = await office.save('buyer', 'srm.product', goip)
    const warehouseId = await office.save('buyer', 'srm.warehouse', {
      code: 'SZ',
      name: '深圳仓',
      kind: 'main',
      countryCode: 'CN',
    })
    const plan = await office.save('buyer', 'srm.purchasePlan', {
      ...{ title: 'Gateways', purpose: 'stock', requiredOn: office.day(30) },
      lines: [{ productId, qty: '4', currency: 'USD', estPrice: '80', suggestedSupplierId: supplierId }],
    })
    await office.move('buyer', 'srm.purchasePlan', plan, 'submit')
    expect((await office.decideAbout('planId', plan)).steps).toEqual(['leader buyerLead', 'buyLeader buyerLead'])
    await office.move('buyer', 'srm.purchasePlan', plan, 'makeOrders', { warehouseId, expectedOn: office.day(20) })
    const [order] = await office.find('buyer', 'srm.purchaseOrder', 'supplierId', supplierId)
    const orderId = String(order!.id)
    await office.move('buyer', 'srm.purchaseOrder', orderId, 'submit')
    expect((await office.decideAbout('orderId', orderId)).steps).toEqual(['leader buyerLead', 'buyLeader buyerLead'])
    await office.move('buyer', 'srm.purchaseOrder', orderId, 'confirm', { expectedOn: office.day(20) })
    const [line] = (await office.view('buyer', 'srm.purchaseOrder', orderId)).lines as { id: string }[]
    const received4 = { kind: 'purchase', warehouseId, orderId, lines: [{ productId, orderLineId: line!.id, qty: '4' }] }
    const stockIn = await office.save('buyer', 'srm.stockIn', received4)
    await office.move('buyer', 'srm.stockIn', stockIn, 'post')

    const sold = {
      customerId: ids.customer,
      saleKind: 'sale',
      currency: 'USD',
      warehouseId,
      shipTo: '1 Queen’s Road',
      payTerm: 'net15',
    }
    const sale = await office.save('seller', 'srm.deviceSale', { ...sold, lines: [{ productId, qty: '1', price: '150.00' }] })
    await office.move('seller', 'srm.deviceSale', sale, 'confirm')
    const [out] = await office.find('buyer', 'srm.stockOut', 'saleId', sale)
    await office.move('buyer', 'srm.stockOut', String(out!.id), 'post')
    const [device] = await office.find('receivables', 'fin.customerAccount', 'product', 'device')
    expect(await work.entries(String(device!.id))).toEqual([{ type: 'deviceSale', product: 'device', amount: '-150' }])
    await office.move('receivables', 'srm.deviceSale', sale, 'invoice', { invoiceNo: 'INV-1' })
    await office.apply('seller', 'recharge', await work.receipt(String(device!.id), '150.00'), work.received())
    expect(await office.view('seller', 'srm.deviceSale', sale)).toMatchObject({ status: 'shipped', payStatus: 'paid' })
    await office.move('seller', 'srm.deviceSale', sale, 'complete')

    // and no more: sales neither orders nor ships nor sees what stock costs, whoever buys decides nothing of his own
    expect(await office.refuses('seller', 'srm.stockOut', 'save', { kind: 'sale', warehouseId, saleId: sale })).toBe(true)
    expect(await office.refuses('seller', 'srm.purchaseOrder', 'queryPage', {})).toBe(true)
    expect(await office.refuses('seller', 'srm.stockIn', 'queryPage', {})).toBe(true)
  })

  it('supplier: statement compared (finance), payment applied for (procurement), approved, paid by the cashier', async () => {
    const account = ids['sms supplier']!
    const day = office.day()
    const asked = { kind: 'supplierBill', supplierAccountId: account, periodFrom: day, periodTo: day }
    const proof = await office.save('payables', 'fin.proofread', asked)
    await office.save('payables', 'fin.statementLine', { proofreadId: proof, day, countryCode: 'GB', qty: 1, amount: '0.01' })
    await office.save('payables', 'fin.statementLine', { proofreadId: proof, day, countryCode: 'FR', qty: 1, amount: '0.01' })
    await office.move('payables', 'fin.proofread', proof, 'compare')
    expect(await office.view('payables', 'fin.proofread', proof)).toMatchObject({ status: 'accepted' })

    const paid = await office.apply(
      'buyer',
      'payment',
      {
        ...{ paymentKind: 'prepayTraffic', supplierId: ids.supplier, supplierAccountId: account, companyEntityId: ids.entity },
        ...{ bankAccountId: ids.bank, currency: 'USD', amount: '500.00', invoiceState: 'got' },
        ...{ invoiceFiles: [await office.file('buyer')], payeeName: 'BlueRoad Telecom', payeeAccount: 'GB29NWBK60161331926819' },
        ...{ payeeBank: 'Barclays', payBefore: office.day(3), chargeBearer: 'SHA', reason: 'Traffic of this month' },
      },
      {
        payables: () => ({ payeeChecked: true }),
        cashier: async () => ({
          ...{ bankAccountId: ids.bank, paidAt: office.day(), bankRef: 'OUT-1', actualFee: '5.00' },
          slipFile: await office.file('cashier'),
        }),
      },
    )
    expect(paid.steps).toEqual([
      'leader buyerLead',
      'buyDirector buyerDirector',
      'payables payables',
      'manager financeLead',
      'cashier cashier',
    ])
    expect(await work.balance('buyer', 'srm.supplierAccount', account)).toBe(499.98)

    // and no more: procurement accepts no statement and reads no ledger, sales applies for no payment that it sees the account of
    const change = { ids: [proof], transition: 'close' }
    for (const person of ['buyer', 'buyerLead', 'seller'] as const) {
      expect(await office.refuses(person, 'fin.proofread', 'stateUpdate', change)).toBe(true)
      expect(await office.refuses(person, 'fin.ledgerEntry', 'queryPage', {})).toBe(true)
    }
    expect(await office.choices('seller', 'srm.supplierAccount', 'BR_sms')).toEqual([])
  })

  it('complaint: work order (service), solved (operations), confirmed, compensated (finance); refund (sales), approved, paid by the cashier', async () => {
    const samples = [1, 2, 3].map((n) => ({ number: `+44207946000${n}`, problem: 'One way audio' }))
    const order = await office.apply(
      'service',
      'workOrder',
      {
        ...{ orderType: 'fault', severity: 'P2', customerId: ids.customer, accountId: ids.voice, country: 'GB', samples },
        expectation: 'Calls are heard on both sides',
      },
      { noc: () => ({ result: 'The codec was changed', cause: 'config', compensation: '20.00', currency: 'USD' }) },
    )
    expect(order.steps).toEqual(['noc operator', 'confirm service', 'leader serviceLead', 'gift receivables'])
    expect(await work.balance('seller', 'fin.customerAccount', ids.voice!)).toBe(1019.96)

    const refund = await office.apply(
      'seller',
      'billRefund',
      {
        ...{ customerId: ids.customer, accountId: ids.voice, amount: '100.00', payeeName: 'Nova Retail', payeeAccount: 'HK1' },
        ...{ payeeBank: 'HSBC', reason: 'They leave half of the calls to others' },
      },
      {
        cashier: async () => ({
          ...{ bankAccountId: ids.bank, paidAt: office.day(), bankRef: 'OUT-2', slipFile: await office.file('cashier') },
        }),
      },
    )
    expect(refund.steps).toEqual(['leader salesLead', 'receivables receivables', 'manager financeLead', 'cashier cashier'])
    expect(await work.balance('seller', 'fin.customerAccount', ids.voice!)).toBe(919.96)

    // and no more: whoever asked takes no step of others, and gifts are begun by finance alone
    const gift = { subKind: 'gift', customerId: ids.customer, payCurrency: 'USD', payAmount: '1.00', reason: 'A gift of service' }
    const lines = [{ accountId: ids.voice, rate: '1', amount: '1.00' }]
    const begun = { code: 'manualRecharge', formData: { ...gift, lines } }
    for (const person of ['service', 'seller', 'operator'] as const)
      expect((await (await office.as(person)).post('/v2/workflow/operate/start', begun)).code, person).not.toBe(0)
    const [posted] = await office.rows<{ id: string }>(`select id from fin_bill_refund where kind = 'refund'`)
    const back = { ids: [posted!.id], transition: 'reverse', values: { note: 'Not wanted any more' } }
    expect(await office.refuses('seller', 'fin.billRefund', 'stateUpdate', back)).toBe(true)
  })

  it('bills: of the month (finance), seen and paid for (sales), closed by the receipt', async () => {
    const first = `${office.day().slice(0, 7)}-01`
    const begun = office.day()
    office.until(`${monthAfter(first).slice(0, 7)}-05`)
    const days = Array.from({ length: 40 }, (_, index) => office.day(-index)).filter((day) => day > begun)
    await office.imports(
      'receivables',
      'sys.exchangeRate',
      days.map((date) => ({ base: 'USD', quote: 'CNY', date, rate: '7.1', kind: 'xe' })),
    )
    for (const job of [usage, numberFees, bills]) await office.run(job)

    // the message to France has no price: it holds its day and the bill until the finance lead says that it is free
    const waiting = async () => (await office.find('receivables', 'fin.bill', 'accountId', ids.sms))[0]!
    expect(await waiting()).toMatchObject({
      status: 'draft',
      waitReason: expect.stringContaining('1 of them without a price') as string,
    })
    const asked = { accountId: ids.sms, day: begun, product: 'sms', reason: 'The operator let it through, it was not sold' }
    expect(await office.refuses('seller', 'biz.freeTraffic', 'save', asked)).toBe(true)
    const free = await office.save('receivables', 'biz.freeTraffic', asked)
    for (const person of ['receivables', 'payables', 'salesLead'] as const)
      expect(await office.refuses(person, 'biz.freeTraffic', 'stateUpdate', { ids: [free], transition: 'settle' })).toBe(true)
    await office.move('financeLead', 'biz.freeTraffic', free, 'settle')
    expect(await office.view('receivables', 'biz.freeTraffic', free)).toMatchObject({
      status: 'settled',
      records: 1,
      decidedById: 'financeLead',
    })
    for (const job of [usage, bills]) await office.run(job)
    expect(await waiting()).toMatchObject({ status: 'issued', waitReason: null })

    const billOf = async (person: Person, accountId: string) =>
      (await office.find(person, 'fin.bill', 'accountId', accountId))[0]!
    const [sms, numbers] = [await billOf('receivables', ids.sms!), await billOf('receivables', ids.numbers!)]
    expect([Number(sms.total), Number(numbers.total)]).toEqual([0.02, rounded(rented(30, begun) + 2, 2)])
    await office.move('receivables', 'fin.bill', String(numbers.id), 'issue')

    const due = await billOf('seller', ids.numbers!)
    expect(due).toMatchObject({ status: 'issued', openAmount: due.total })
    await office.apply('seller', 'recharge', await work.receipt(ids.sms!, '0.02', { billIds: [sms.id] }), work.received())
    await office.apply(
      'seller',
      'recharge',
      await work.receipt(ids.numbers!, String(due.total), { billIds: [due.id] }),
      work.received(),
    )
    expect((await billOf('seller', ids.sms!)).status).toBe('paid')
    expect((await billOf('seller', ids.numbers!)).status).toBe('paid')

    // and no more: sales issues and voids no bill, operations see none
    for (const transition of ['issue', 'void'])
      expect(
        await office.refuses('seller', 'fin.bill', 'stateUpdate', { ids: [sms.id], transition, values: { note: 'Not mine' } }),
      ).toBe(true)
    expect(await office.refuses('seller', 'fin.period', 'save', { companyEntityId: ids.entity, month: first })).toBe(true)
    expect(await office.find('otherSeller', 'fin.bill', 'accountId', ids.sms)).toEqual([])

    // what came to the books on all these ways agrees with what happened
    const { database } = office.test.gateway
    const found = [...(await verifyLedger(database)), ...(await verifyCharges(database)), ...(await verifyRating(database))]
    expect(found.filter(({ drifted }) => drifted > 0)).toEqual([])
  })
})
