import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { choose, openList, rowOf, rows, type } from '../support/portalPage'
import { gatewayOn } from '../support/realGateway'
import { watch } from '../support/realTest'
import { act, agree, drawer, submit } from '../support/weekGestures'

/** A company that begins with nothing: its first days are played from the first sign-in on. */
const PASSWORD = 'Switch-2026board'
const COMPANY = '北星科技有限公司'

type Fields = Readonly<Record<string, string>>

/** Somebody of the company in a window of his own. */
type Enter = (jobNumber: string, oneTime: string) => Promise<Page>

const test = base.extend<{ empty: { enter: Enter; password: string } }>({
  empty: [
    async ({ browser }, provide) => {
      const folder = mkdtempSync(join(tmpdir(), 'switchboard-empty-'))
      const gateway = await gatewayOn(join(folder, 'data'), {}, ['--empty'])
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
          await page.locator('#password').fill(oneTime)
          await page.locator('button.primary').click()
          for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD)
          await page.locator('button.primary').click()
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
    { timeout: 150_000 },
  ],
})

test.setTimeout(240_000)

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

/** A file that is asked for. */
const paper = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF'),
})

/** Gives somebody a role and answers the one-time password. */
async function employ(admin: Page, person: Fields, role: string): Promise<string> {
  await add(admin, '/setModule/authManage/user', 'New member of staff', { ...person, 'Main department': '=Headquarters' })
  await act(admin, rowOf(admin, person['Job number']!), 'Roles')
  await admin.locator('button:visible').filter({ hasText: 'Add to a role' }).click()
  await fill(drawer(admin), { Role: `=${role}` })
  await submit(drawer(admin))
  await expect(drawer(admin)).toHaveCount(0)
  await admin.getByRole('tab', { name: /^Account/ }).click()
  await admin.locator('button:visible').filter({ hasText: 'Reset password' }).click()
  await agree(admin)
  await expect(drawer(admin)).toContainText('Shown this once')
  const password = /\b[a-z0-9]{12}\b/.exec(await drawer(admin).innerText())![0]
  await admin.getByRole('button', { name: 'I have told the person' }).click()
  return password
}

test('a company begins with nothing: it is set up, opens an account, wins an opportunity and posts usage', async ({ empty }) => {
  const admin = await empty.enter('A0001', empty.password)
  const passwords: Record<string, string> = {}

  await test.step('the administrator sets up currencies, a company entity with its bank, people with their roles, and who approves', async () => {
    await add(admin, '/setModule/financial/currency', 'New currency', { Currency: 'USD', Name: '美元' })
    await add(admin, '/setModule/financial/currency', 'New currency', { Currency: 'CNY', Name: '人民币' })
    await add(admin, '/setModule/financial/xe-rate', 'New rate', {
      Currency: '=USD',
      In: '=CNY',
      From: '2026-01-01',
      Rate: '7.1',
    })
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
    passwords.S001 = await employ(admin, { 'Job number': 'S001', Name: '沈一', Position: '=Sales' }, 'Sales')
    await openList(admin, '/setModule/process/roles')
    await act(admin, rowOf(admin, 'fin.ar'), 'Members')
    await admin.getByRole('button', { name: 'Add a member' }).click()
    await admin.locator('.ant-select:visible').filter({ hasText: 'Type a name' }).locator('input').fill('方芳')
    await admin.locator('.ant-select-item-option:visible').first().click()
    await admin.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(admin.getByText('Unsaved changes')).toHaveCount(0)
  })

  const sales = await empty.enter('S001', passwords.S001!)
  const finance = await empty.enter('F001', passwords.F001!)

  await test.step('the sales person adds a customer and an opportunity, which is not won while there is no account', async () => {
    await sales.goto('/crm/client-partner/my-client')
    await sales.getByRole('link', { name: 'New customer' }).first().click()
    await fill(sales, { 'Company name': COMPANY, Country: '=China', 'Customer type': '=Enterprise', Source: '=Website' })
    await submit(sales)
    await expect(sales).toHaveURL(/my-client\/details/)
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
    await agree(sales)
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
    await act(finance, rowOf(finance, COMPANY), 'Pass')
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

  await test.step('the opportunity is won, and what was used is on the account', async () => {
    await openList(sales, '/crm/opportunities')
    await act(sales, rowOf(sales, '验证码'), 'Mark as won')
    await agree(sales)
    await openList(sales, '/crm/opportunities?view=won')
    await expect(rowOf(sales, '验证码')).toContainText('Won')
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    await add(finance, '/financial/ledger/usage', 'Enter usage', {
      ...{ 'Customer account': '=北星', 'Line of the platform': 'b1/1', Product: '=SMS', 'Country or region': '=Thailand' },
      ...{ Units: '20000', Price: '0.02', Day: today },
    })
    await openList(finance, '/financial/account/consumer/consumer')
    await expect(rowOf(finance, '北星短信')).toContainText('-400.00 USD')
  })
})
