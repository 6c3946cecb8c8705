import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { box, choose, filledTemplate, openList, rowOf, rows, type } from '../support/portalPage'
import { call } from '../support/adminTest'
import { gatewayOn } from '../support/realGateway'
import { watch } from '../support/realTest'
import { act, agree, drawer, submit } from '../support/weekGestures'
import { moveClock } from '../support/weekTest'

/** A company that begins with nothing: its first month is played from the first sign-in on. */
const PASSWORD = 'Switch-2026board'
const COMPANY = '北星科技有限公司'

type Fields = Readonly<Record<string, string>>

/** Somebody of the company in a window of his own: with the password that he was told once, or later with his own. */
type Enter = (jobNumber: string, oneTime?: string) => Promise<Page>

const test = base.extend<{ empty: { enter: Enter; password: string } }>({
  empty: [
    async ({ browser }, provide) => {
      const folder = mkdtempSync(join(tmpdir(), 'switchboard-empty-'))
      const gateway = await gatewayOn(join(folder, 'data'), { CLOCK_SHIFT: '1m' }, ['--empty'])
      await gateway.start()
      const seen: string[] = []
      const pages: Page[] = []
      await expect.poll(() => gateway.said()).toContain('one-time password')
      await provide({
        password: /one-time password (\S+)/.exec(gateway.said())![1]!,
        enter: async (jobNumber, oneTime) => {
          const context = await browser.newContext({
            baseURL: gateway.url,
            locale: 'en-US',
            viewport: { width: 1440, height: 900 },
          })
          const page = await context.newPage()
          pages.push(page)
          watch(context, page, seen)
          await page.goto('/home')
          await page.locator('#name').fill(jobNumber)
          await page.locator('#password').fill(oneTime ?? PASSWORD)
          await page.locator('button.primary').click()
          if (oneTime !== undefined) {
            for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD)
            await page.locator('button.primary').click()
          }
          await expect(page.locator('.sb-user')).toBeVisible()
          return page
        },
      })
      for (const page of pages) await page.context().close()
      await gateway.end('SIGTERM')
      await gateway.reconciled()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      expect(seen).toEqual([])
    },
    { timeout: 300_000 },
  ],
})

test.setTimeout(1_800_000)

async function fill(form: Page | Locator, fields: Fields): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    if (value.startsWith('=')) await choose(form, label, value.slice(1))
    else await type(form, label, value)
  }
}

/** A new record of a list, in the drawer that its button opens. */
async function add(page: Page, address: string, button: string, fields: Fields): Promise<void> {
  await openList(page, address)
  await page.getByRole('button', { name: button }).first().click()
  await fill(drawer(page), fields)
  await submit(drawer(page))
  await expect(drawer(page)).toHaveCount(0)
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** A file that is asked for. */
const paper = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF'),
})

/** Gives somebody roles and answers the one-time password. */
async function employ(admin: Page, person: Fields, ...roles: readonly string[]): Promise<string> {
  await add(admin, '/setModule/authManage/user', 'New member of staff', { ...person, 'Main department': '=Headquarters' })
  await act(admin, rowOf(admin, person['Job number']!), 'Roles')
  for (const role of roles) {
    await admin.locator('button:visible').filter({ hasText: 'Add to a role' }).click()
    await fill(drawer(admin), { Role: `=${role}` })
    await submit(drawer(admin))
    await expect(drawer(admin)).toHaveCount(0)
  }
  await admin.getByRole('tab', { name: /^Account/ }).click()
  await admin.locator('button:visible').filter({ hasText: 'Reset password' }).click()
  await agree(admin)
  await expect(drawer(admin)).toContainText('Shown this once')
  const password = /\b[a-z0-9]{12}\b/.exec(await drawer(admin).innerText())![0]
  await admin.getByRole('button', { name: 'I have told the person' }).click()
  return password
}

/** Makes somebody a member of an approval role. */
async function appoint(admin: Page, role: string, name: string): Promise<void> {
  await openList(admin, '/setModule/process/roles')
  await act(admin, rowOf(admin, role), 'Members')
  await admin.getByRole('button', { name: 'Add a member' }).click()
  await admin.locator('.ant-select:visible').filter({ hasText: 'Type a name' }).locator('input').fill(name)
  await admin.locator('.ant-select-item-option:visible').first().click()
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(admin.getByText('Unsaved changes')).toHaveCount(0)
}

/** Saves what a platform or a colleague brings by a call; answers its id. */
async function save(page: Page, entity: string, values: object): Promise<string> {
  const answer = await call<{ id: string }>(page, `/v2/${entity}/save`, values)
  expect(answer, JSON.stringify(answer)).toMatchObject({ code: 0 })
  return answer.data.id
}

/** Moves a record by its transition. */
async function move(page: Page, entity: string, id: string, transition: string, values: object = {}): Promise<void> {
  const answer = await call(page, `/v2/${entity}/stateUpdate`, { ids: [id], transition, values })
  expect(answer, JSON.stringify(answer)).toMatchObject({ code: 0 })
}

/** Accounts of the customer beside that of messages: product and name. */
const FURTHER = [
  ['Voice', '北星语音'],
  ['WhatsApp', '北星会话'],
  ['OTP', '北星验证'],
  ['Number', '北星号码'],
] as const

/** What all prices of the customer have in common. */
const TERMS: Fields = { Customer: COMPANY, 'Billing mode': 'Sent', Currency: 'USD', 'Effective from': '2026-01-01 00:00' }
const PRICES: readonly Fields[] = [
  { ...TERMS, Account: '北星短信', Product: 'Mail', Unit: 'Message', Price: '0.5' },
  {
    ...TERMS,
    Account: '北星语音',
    Product: 'Voice',
    Prefix: '44',
    'Route class': 'CLI',
    Unit: 'Minute',
    Price: '0.6',
    'First increment (s)': '60',
    'Next increment (s)': '60',
  },
  { ...TERMS, Account: '北星会话', Product: 'WhatsApp', Country: 'IN', Category: 'Marketing', Unit: 'Message', Price: '0.3' },
  { ...TERMS, Account: '北星验证', Product: 'OTP SMS', Country: 'IN', Unit: 'Message', Price: '0.2' },
]

const bar = (page: Page): Locator => page.locator('.sb-process-bar:visible')

/** Submits the application that is filled in; answers its address. */
async function apply(page: Page): Promise<string> {
  await bar(page).getByRole('button', { name: 'Submit', exact: true }).click()
  await page.waitForURL(/my-initiate\/profile\?instanceId=/)
  return page.url()
}

/** Decides on the one task that waits, after filling in what the step asks for. */
async function decide(page: Page, button: string, fields: Fields = {}, file?: string): Promise<void> {
  await openList(page, '/general/process/my-agent')
  await rows(page).first().locator('a[data-sb-open]').first().click()
  await expect(bar(page)).toBeVisible()
  await fill(page, fields)
  if (Object.keys(fields).length > 0) await page.keyboard.press('Enter')
  if (file !== undefined) await box(page, file).locator('input[type=file]').setInputFiles(paper('slip.pdf'))
  await bar(page).getByRole('button', { name: button, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: button })
  await dialog.getByRole('button', { name: button }).click()
  await expect(dialog).toBeHidden()
}

test('a company begins with nothing: it is set up, wins an opportunity, bills each kind of traffic, is paid in two parts and gives one back', async ({
  empty,
}) => {
  const admin = await empty.enter('A0001', empty.password)
  const passwords: Record<string, string> = {}
  let customerId = ''
  // the day of the company; a number costs as much a month as the month has days, and so much a day
  const now = new Date(Date.now() + 8 * 3_600_000)
  const ofMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate()
  /** What is asked for by account: its total, and the kinds of its lines. */
  const asked: readonly (readonly [name: string, total: number, ...kinds: string[]])[] = [
    ['北星短信', 400.5, 'SMS', 'Mail'],
    ['北星语音', 1.2, 'Voice'],
    ['北星会话', 0.3, 'WhatsApp'],
    ['北星验证', 0.2, 'OTP SMS'],
    ['北星号码', 1 + ofMonth - now.getUTCDate() + 1, 'Number'],
  ]

  await test.step('the administrator sets up currencies, a company entity with its bank, people with their roles, and who approves', async () => {
    await add(admin, '/setModule/financial/currency', 'New currency', { Currency: 'USD', Name: '美元' })
    await add(admin, '/setModule/financial/currency', 'New currency', { Currency: 'CNY', Name: '人民币' })
    await add(admin, '/setModule/financial/xe-rate', 'New rate', { Currency: '=USD', In: '=CNY', From: dayOf(now), Rate: '7.1' })
    // a rate a month, which holds until that of the next
    const { data: rule } = await call<{ params: object; newest: number }>(admin, '/v2/sys/rule/read/sys.rates')
    const monthly = { params: { ...rule.params, maxAgeDays: 31 }, reason: '每月一个汇率', basedOn: rule.newest }
    expect(await call(admin, '/v2/sys/rule/save/sys.rates', monthly)).toMatchObject({ code: 0 })
    await add(admin, '/setModule/financial/main-body', 'New company entity', {
      ...{ Code: 'HK01', Name: '香港枢纽有限公司', 'Country or region': '=Hong Kong', 'Base currency': '=CNY' },
    })
    await add(admin, '/setModule/financial/bank', 'New bank account', {
      ...{
        Code: 'HSBC-USD',
        Name: '汇丰美元户',
        'Company entity': '=香港枢纽',
        Currency: '=USD',
        Bank: 'HSBC',
        'Account no.': '0012345678',
      },
    })
    passwords.F001 = await employ(admin, { 'Job number': 'F001', Name: '方芳', Position: '=Finance' }, 'Finance')
    passwords.P001 = await employ(
      admin,
      { 'Job number': 'P001', Name: '裴采', Position: '=Buyer lead' },
      'Procurement manager',
      'Operations',
    )
    passwords.S001 = await employ(admin, { 'Job number': 'S001', Name: '沈一', Position: '=Sales' }, 'Sales')
    for (const role of ['fin.ar', 'fin.manager', 'cashier']) await appoint(admin, role, '方芳')
  })

  const sales = await empty.enter('S001', passwords.S001!)
  const finance = await empty.enter('F001', passwords.F001!)

  await test.step('the sales person adds a customer and an opportunity, which is not won while there is no account', async () => {
    await sales.goto('/crm/client-partner/my-client')
    await sales.getByRole('link', { name: 'New customer' }).first().click()
    await fill(sales, { 'Company name': COMPANY, Country: '=China', 'Customer type': '=Enterprise', Source: '=Website' })
    await submit(sales)
    await expect(sales).toHaveURL(/my-client\/details/)
    customerId = new URL(sales.url()).searchParams.get('id') ?? ''
    // who is never followed up goes to the open sea within days
    const nextAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
    const followUp = { customerId, way: 'phone', content: '约好三天后确认测试结果', result: 'interested', nextAt }
    expect(await call(sales, '/v2/crm/followUp/save', followUp)).toMatchObject({ code: 0 })
    await openList(sales, '/crm/opportunities')
    await sales
      .getByRole('link', { name: 'New opportunity' })
      .or(sales.getByRole('button', { name: 'New opportunity' }))
      .first()
      .click()
    await fill(sales, {
      Customer: '=北星',
      Name: '验证码',
      Product: '=SMS',
      Destinations: '=Thailand',
      'Expected close': '2027-12-30',
    })
    await sales.keyboard.press('Escape')
    await fill(sales, { 'Monthly volume': '1000000', 'Expected price': '0.02', 'Expected cost': '0.015' })
    await submit(sales)
    await expect(sales).toHaveURL(/BODetail/)
    await openList(sales, '/crm/opportunities')
    await act(sales, rowOf(sales, '验证码'), 'Mark as won')
    await expect(sales.getByText('The customer has no active account of this product yet; open one first.').first()).toBeVisible()
  })

  await test.step('finance opens a post-paid account: authentication, contract, account', async () => {
    await add(finance, '/setModule/financial/bill-cycle', 'New cycle', {
      Code: 'M15',
      Name: '月结15天',
      Kind: '=Monthly',
      'Term in days': '15',
    })
    await add(finance, '/financial/account/consumer/authcheck', 'Submit an authentication', {
      ...{ Customer: '=北星', Kind: '=Company', 'Legal name': COMPANY, 'Registration no.': '91440300MA5X' },
    })
    await act(finance, rowOf(finance, COMPANY), 'Claim')
    await expect(rows(finance)).toHaveCount(0)
    await finance.getByRole('tab', { name: /Claimed by me/ }).click()
    await act(finance, rowOf(finance, COMPANY), 'Approve')
    await fill(drawer(finance), { Reason: 'Licence checked', 'Valid until': '2029-11-01' })
    await finance.keyboard.press('Enter')
    await finance.keyboard.press('Tab')
    await submit(drawer(finance))
    await expect(drawer(finance)).toHaveCount(0)
    await add(finance, '/financial/account/consumer/contract', 'New contract', {
      ...{ Customer: '=北星', Type: '=Sales', 'Company entity': '=香港枢纽', Currency: '=USD' },
    })
    await finance.getByRole('tab', { name: /Being signed/ }).click()
    await act(finance, rowOf(finance, COMPANY), 'Send for signing')
    await expect(rowOf(finance, COMPANY)).toContainText('Being signed')
    await act(finance, rowOf(finance, COMPANY), 'Signed')
    await drawer(finance).locator('input[type=file]').setInputFiles(paper('contract.pdf'))
    await fill(drawer(finance), { Stamp: '=Both', 'Signed on': '2026-01-02' })
    await finance.keyboard.press('Enter')
    await finance.keyboard.press('Tab')
    await submit(drawer(finance))
    await expect(rowOf(finance, COMPANY)).toHaveCount(0)
    await add(finance, '/financial/account/consumer/consumer', 'Open an account', {
      ...{
        Customer: '=北星',
        Name: '北星短信',
        Product: '=SMS',
        'Payment method': '=Post-paid',
        'Billing cycle': '=月结',
        Currency: '=USD',
      },
      'Contract entity': '=香港枢纽',
    })
    await act(finance, rowOf(finance, '北星短信'), 'Activate')
    await expect(rowOf(finance, '北星短信')).toContainText('Active')
  })

  await test.step('so are accounts for calls, WhatsApp and codes, and the prices of each kind of traffic come from a file', async () => {
    for (const [product, name] of FURTHER) {
      await add(finance, '/financial/account/consumer/consumer', 'Open an account', {
        ...{ Customer: '=北星', Name: name, Product: `=${product}`, 'Payment method': '=Post-paid', 'Billing cycle': '=月结' },
        ...{ Currency: '=USD', 'Contract entity': '=香港枢纽' },
      })
      await act(finance, rowOf(finance, name), 'Activate')
      await expect(rowOf(finance, name)).toContainText('Active')
    }
    await openList(finance, '/offerManage/customer-quote/sms')
    await finance.getByRole('button', { name: 'Import' }).first().click()
    const wizard = finance.getByRole('dialog')
    const download = finance.waitForEvent('download')
    await wizard.getByRole('button', { name: 'Download template' }).click()
    await wizard.locator('input[type=file]').setInputFiles({
      name: 'prices.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: await filledTemplate(await download, PRICES),
    })
    await wizard.getByRole('button', { name: new RegExp(`^Import ${PRICES.length} rows`) }).click()
    await expect(wizard.getByText(new RegExp(`${PRICES.length} rows imported`))).toBeVisible()
  })

  await test.step('the opportunity is won, and what was used is on the account', async () => {
    await openList(sales, '/crm/opportunities')
    const won = sales.waitForResponse((answer) => /\/v2\/crm\/opportunity\/(?!queryPage)/.test(answer.url()))
    await act(sales, rowOf(sales, '验证码'), 'Mark as won')
    await won
    await openList(sales, '/crm/opportunities?view=won')
    await expect(rowOf(sales, '验证码')).toContainText('Won')
    await add(finance, '/financial/ledger/usage', 'Enter usage', {
      ...{ 'Customer account': '=北星短信', 'Line of the platform': 'b1/1', Product: '=SMS', 'Country or region': '=Thailand' },
      ...{ Units: '20000', Price: '0.02', Day: dayOf(now) },
    })
    await openList(finance, '/financial/account/consumer/consumer')
    await expect(rowOf(finance, '北星短信')).toContainText('-400.00 USD')
  })

  await test.step('calls, mails, messages and codes of today come in, and the buyer rents a number out', async () => {
    const { data } = await call<{ records: { id: string; name: string }[] }>(finance, '/v2/fin/customerAccount/queryPage', {})
    const accountOf = (name: string) => data.records.find((one) => one.name === name)?.id
    const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString()
    const [sms, voice, whatsapp, otp, rented] = ['北星短信', ...FURTHER.map(([, name]) => name)].map(accountOf)
    await save(finance, 'biz/mailRecord', {
      submittedAt: ago(9),
      mailId: 'e1',
      accountId: sms,
      toEmail: 'ann@example.com',
      status: 'delivered',
    })
    await save(finance, 'biz/callRecord', {
      callId: 'c1',
      accountId: voice,
      callee: '+442079460000',
      routeClass: 'cli',
      releaseCause: 'normal',
      startAt: ago(200),
      answerAt: ago(190),
      endAt: ago(110),
    })
    await save(finance, 'biz/waRecord', {
      submittedAt: ago(9),
      waId: 'w1',
      accountId: whatsapp,
      wabaNumber: '+6531580100',
      toNumber: '+919810000001',
      country: 'IN',
      category: 'marketing',
      status: 'delivered',
    })
    await save(finance, 'biz/smsRecord', {
      submittedAt: ago(9),
      sentAt: ago(8),
      msgId: 'm1',
      accountId: otp,
      product: 'otpSms',
      toNumber: '+919810000001',
      country: 'IN',
      content: 'Your code is 482913.',
      status: 'delivered',
    })
    const buyer = await empty.enter('P001', passwords.P001!)
    const supplierId = await save(buyer, 'srm/supplier', {
      name: '珠海汇川通信有限公司',
      supplierType: 'aggregator',
      products: ['number'],
      countryCode: 'CN',
      platform: 'main',
    })
    const supplierAccountId = await save(buyer, 'srm/supplierAccount', {
      supplierId,
      name: '汇川号码',
      kind: 'number',
      currency: 'USD',
    })
    await move(buyer, 'srm/supplierAccount', supplierAccountId, 'activate')
    const number = await save(buyer, 'biz/numberAsset', {
      number: '+14155550100',
      country: 'US',
      numberType: 'local',
      supplierAccountId,
      costMrc: '10',
      costNrc: '0.5',
      costCurrency: 'USD',
    })
    await move(buyer, 'biz/numberAsset', number, 'store')
    await move(buyer, 'biz/numberAsset', number, 'assign', {
      accountId: rented,
      activatedAt: ago(9),
      mrc: String(ofMonth),
      nrc: '1',
      currency: 'USD',
    })
    await buyer.context().close()
  })

  // receipts of messages have had their time six days into the next month; nobody is signed in any more by then
  for (const person of [sales, finance]) await person.context().close()
  const later = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 6, 4))
  expect(await moveClock(admin, later, { leave: true })).toContain('fin.bills')
  await admin.context().close()
  const [seller, accountant, manager] = [await empty.enter('S001'), await empty.enter('F001'), await empty.enter('A0001')]
  // the rate of the month before is too old for what is posted now
  await add(manager, '/setModule/financial/xe-rate', 'New rate', {
    Currency: '=USD',
    In: '=CNY',
    From: dayOf(later),
    Rate: '7.1',
  })
  const bill = (name = '北星短信') => rowOf(accountant, name)

  await test.step('the bills of the month are issued, with a line for each kind of traffic', async () => {
    await openList(accountant, '/financial/account/consumer/bill?view=drafts')
    for (const [name] of asked) {
      await act(accountant, bill(name), 'Issue')
      await expect(bill(name)).toHaveCount(0)
    }
    await expect(rows(accountant)).toHaveCount(0)
    for (const [name, total, ...kinds] of asked) {
      await openList(accountant, '/financial/account/consumer/bill?view=open')
      await expect(bill(name)).toContainText(total.toFixed(2))
      await bill(name).getByRole('link').first().click()
      await expect(accountant).toHaveURL(/details\/bill\?id=/)
      await expect(rows(accountant)).toHaveCount(kinds.length)
      for (const kind of kinds) await expect(rowOf(accountant, kind)).toHaveCount(1)
    }
  })

  await test.step('that of messages is paid in two parts, the others with the second one: each is applied for, approved and posted', async () => {
    const others = asked.slice(1).map(([name, total]): [string, number] => [name, total])
    for (const [lines, reference, view, open] of [
      [[['北星短信', 300]], 'HSBC-1', 'open', 'Partly paid'],
      [[['北星短信', 150], ...others], 'HSBC-2', 'paid', 'Paid'],
    ] as [[string, number][], string, string, string][]) {
      await seller.goto(`/general/process/recharge-apply/recharge/apply?customerId=${customerId}`)
      await fill(seller, {
        'Our entity': '=香港枢纽',
        'Bank account': '=汇丰',
        'Currency paid': '=USD',
        'Amount paid': lines.reduce((sum, [, amount]) => sum + amount, 0).toFixed(2),
        'Bank reference': reference,
        'Paid on': dayOf(later),
      })
      await seller.keyboard.press('Enter')
      await box(seller, 'Proof of payment').locator('input[type=file]').setInputFiles(paper('slip.pdf'))
      for (const [row, [name, amount]] of lines.entries()) {
        await seller.getByRole('button', { name: 'Add a row' }).click()
        const cell = (column: number) => seller.locator(`td[data-row="${row}"][data-column="${column}"]:visible`)
        await cell(0).click()
        await seller.locator('.ant-select-item-option:visible', { hasText: name }).first().click()
        await cell(4).click()
        await seller.keyboard.type(amount.toFixed(2))
        await seller.keyboard.press('Tab')
      }
      await apply(seller)
      await decide(accountant, 'Agree')
      await openList(accountant, `/financial/account/consumer/bill?view=${view}`)
      for (const [name] of lines) await expect(bill(name)).toContainText(open)
    }
    await openList(accountant, '/financial/account/consumer/consumer')
    await expect(bill()).toContainText('49.50 USD')
  })

  await test.step('a part of what was paid too much goes back: three agree, the cashier pays', async () => {
    await openList(accountant, '/financial/account/consumer/consumer')
    await bill().getByRole('link').first().click()
    await expect(accountant).toHaveURL(/details\/account\?id=/)
    const accountId = new URL(accountant.url()).searchParams.get('id') ?? ''
    await seller.goto(`/general/process/sponsor/submit?code=billRefund&customerId=${customerId}&accountId=${accountId}`)
    await fill(seller, {
      Amount: '20',
      'Account number or IBAN': '6225880120467793',
      Bank: '招商银行',
      Reason: '客户多付的部分按申请退回其账户',
    })
    await apply(seller)
    await decide(manager, 'Agree')
    await decide(accountant, 'Agree')
    await decide(accountant, 'Agree')
    const handed = { 'Bank account': '=汇丰', 'Bank reference': 'HSBC-3', 'Paid on': dayOf(later) }
    await decide(accountant, 'Complete', handed, 'Bank slip')
    await openList(accountant, '/financial/account/consumer/consumer')
    await expect(bill()).toContainText('29.50 USD')
  })
})
