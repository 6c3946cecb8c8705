import type { Page } from '@playwright/test'
import {
  choose,
  box,
  filledTemplate,
  firstSheet,
  listReady,
  MY_CUSTOMERS,
  rowOf,
  rows,
  search,
  totalOf,
  type,
} from '../support/portalPage'
import { expect, PEOPLE, signInAs, test } from '../support/realTest'

/** Syllables of made-up company names that no duplicate check takes for each other. */
const FIRST = [...'鲸鹭鹤雀鸢隼鹰鹏鸥鸮'] as const
const SECOND = ['沐橙', '墨竹', '砚池', '棠梨', '琥珀'] as const
const FAULTY = { unknownCountry: 7, noName: 23 } as const

test('R001 R187 a seller works a day: finds, claims, edits, adds, follows up, exports and imports customers', async ({
  visitor,
}) => {
  test.setTimeout(240_000)
  const page = await visitor()
  let claimed = ''

  await test.step('signs in and lands where he wanted to go', async () => {
    await signInAs(page, PEOPLE.sales, MY_CUSTOMERS)
    await expect(page).toHaveURL(new RegExp(`${MY_CUSTOMERS}$`))
    await listReady(page)
    await expect(page.getByRole('heading', { level: 1, name: '我的客户' })).toBeVisible()
  })

  await test.step('finds a customer by a keyword', async () => {
    const name = await rows(page).nth(1).getByRole('link').first().innerText()
    await search(page, name.slice(2, 6))
    await expect(rowOf(page, name)).toHaveCount(1)
    for (const row of await rows(page).allInnerTexts()) expect(row).toContain(name.slice(2, 6))
    await search(page, '')
  })

  await test.step('asks whom to follow up in the next seven days, and whom before today', async () => {
    const take = async (span: string): Promise<string> => {
      await page.getByRole('search').getByRole('button', { name: '下次跟进' }).click()
      await page.getByRole('button', { name: span }).click()
      await page.getByRole('button', { name: /^应\s*用$/ }).click()
      await listReady(page)
      return new URL(page.url()).searchParams.get('f.nextFollowAt') ?? ''
    }
    const [from = '', to = ''] = (await take('未来 7 天')).replace('between:', '').split(',')
    expect(Date.parse(to) - Date.parse(from)).toBe(6 * 86_400_000)
    await expect(rows(page).first()).toBeVisible()
    const [open, until = ''] = (await take('今天之前')).replace('between:', '').split(',')
    expect([open, Date.parse(from) - Date.parse(until)]).toEqual(['', 86_400_000])
    await page.getByRole('button', { name: '移除筛选：下次跟进' }).click()
    await listReady(page)
  })

  await test.step('claims one from the open sea', async () => {
    await page.getByRole('menuitem', { name: '公海' }).click()
    await listReady(page)
    await page.getByRole('tab', { name: /^客户/ }).click()
    await listReady(page)
    const free = rows(page).filter({ has: page.locator('button[data-sb-action="claim"]:not([aria-disabled])') })
    claimed = await free.first().getByRole('link').first().innerText()
    const before = await totalOf(page)
    await free.first().locator('button[data-sb-action="claim"]').click()
    const sure = page.getByRole('dialog').getByRole('button', { name: /领\s*取|确\s*定/ })
    await expect(page.getByText('已领取，请在三天内跟进').or(sure).first()).toBeVisible()
    if (await sure.isVisible()) await sure.click()
    await expect(page.getByText('已领取，请在三天内跟进').first()).toBeVisible()
    await expect.poll(() => totalOf(page)).toBe(before - 1)
    await page.getByRole('menuitem', { name: '我的客户' }).click()
    await expect(rows(page).first()).toBeVisible()
    await search(page, claimed)
    await expect(rowOf(page, claimed)).toHaveCount(1)
  })

  await test.step('edits it', async () => {
    await rowOf(page, claimed).getByRole('link', { name: '编辑' }).click()
    await expect(page).toHaveURL(/\/edit\?id=/)
    await type(page, '简称', '故事客户')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('客户已保存').first()).toBeVisible()
    await expect(page).toHaveURL(/\/details\?id=/)
    await expect(page.getByRole('heading', { level: 1, name: claimed })).toBeVisible()
    await expect(page.getByText('故事客户').first()).toBeVisible()
  })

  await test.step('adds a contact', async () => {
    await page.getByRole('tab', { name: /^联系人/ }).click()
    await page.getByRole('button', { name: '添加联系人' }).first().click()
    const drawer = page.getByRole('dialog')
    await type(drawer, '姓名', '林初晴')
    await type(drawer, '邮箱', 'chuqing@story.example')
    await drawer.getByRole('button', { name: /保\s*存/ }).click()
    await expect(page.getByText('联系人已保存').first()).toBeVisible()
    await expect(rowOf(page, '林初晴')).toContainText('chuqing@story.example')
  })

  await test.step('follows up', async () => {
    await page
      .getByRole('button', { name: /跟\s*进/ })
      .first()
      .click()
    const drawer = page.getByRole('dialog')
    await choose(drawer, '方式', '电话')
    await type(drawer, '内容', '第一次联系，介绍了短信和语音产品，对方希望下周看到报价。')
    await choose(drawer, '结果', '有意向')
    await drawer.getByRole('button', { name: /保\s*存/ }).click()
    await expect(page.getByText('跟进已记录').first()).toBeVisible()
    await page.getByRole('tab', { name: /^跟进记录/ }).click()
    await expect(rowOf(page, '第一次联系')).toHaveCount(1)
  })

  await test.step('exports the list: the file holds what the list shows', async () => {
    await page.getByRole('menuitem', { name: '我的客户' }).click()
    await search(page, '')
    const shown = await namesAndCodes(page)
    await page
      .getByRole('button', { name: /导\s*出/ })
      .first()
      .click()
    const download = page.waitForEvent('download')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /导\s*出/ })
      .click()
    const [titles = [], ...lines] = await firstSheet(await download)
    const headers = (await page.locator('thead th[data-column]:visible .sb-th').allInnerTexts()).map((text) => text.trim())
    expect(titles).toEqual(headers)
    expect(lines.map((line) => line.slice(0, 2))).toEqual(shown)
    const stage = titles.indexOf('客户阶段')
    expect(lines.map((line) => line[stage])).toEqual(
      await rows(page)
        .locator(`td:nth-child(${stage + 2})`)
        .allInnerTexts(),
    )
  })

  await test.step('imports fifty customers of which two have a fault', async () => {
    const before = await totalOf(page)
    await page
      .getByRole('button', { name: /导\s*入/ })
      .first()
      .click()
    const wizard = page.getByRole('dialog')
    const template = page.waitForEvent('download')
    await wizard.getByRole('button', { name: '下载模板' }).click()
    const file = await filledTemplate(await template, fiftyCustomers())
    await wizard.locator('input[type=file]').setInputFiles({
      name: '客户.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: file,
    })
    await expect(wizard.getByText('共 50 行，48 行可以导入，2 行有错误。')).toBeVisible()
    const errors = wizard.getByRole('region', { name: '错误明细' }).last().locator('tbody tr')
    await expect(errors).toHaveCount(2)
    await expect(errors.nth(0).locator('td')).toContainText([`${FAULTY.unknownCountry + 1}`, '国家/地区', '亚特兰蒂斯', /.+/])
    await expect(errors.nth(1).locator('td')).toContainText([`${FAULTY.noName + 1}`, '客户名称', '', /.+/])
    const faulty = page.waitForEvent('download')
    await wizard.getByRole('button', { name: '下载错误文件' }).click()
    const lines = await firstSheet(await faulty)
    expect(lines).toHaveLength(3)
    expect(lines[1]?.join(' ')).toContain('亚特兰蒂斯')
    await wizard.getByRole('button', { name: '跳过错误行，导入 48 行' }).click()
    await expect(wizard.getByText('已导入 48 行。')).toBeVisible({ timeout: 30_000 })
    await wizard
      .getByRole('button', { name: /^关\s*闭$/ })
      .last()
      .click()
    await expect.poll(() => totalOf(page)).toBe(before + 48)
  })

  await test.step('switches to English without a reload', async () => {
    await page.evaluate(() => {
      document.body.dataset.sameDocument = 'yes'
    })
    await page.getByRole('button', { name: /English/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'My customers' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Open sea' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', /^en/)
    await expect(page.locator('body')).toHaveAttribute('data-same-document', 'yes')
  })

  await test.step('reloads in the middle of a form and finds what he typed', async () => {
    await page.getByRole('link', { name: 'New customer' }).click()
    await type(page, 'Company name', 'Half-written Ltd')
    await choose(page, 'Customer type', 'Enterprise')
    await expect(page.getByText(/Draft saved at/)).toBeVisible()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await expect(page.getByText(/The draft saved at .* is back/)).toBeVisible()
    await expect(box(page, 'Company name').locator('input')).toHaveValue('Half-written Ltd')
    await expect(box(page, 'Customer type')).toContainText('Enterprise')
  })

  await test.step('signs out', async () => {
    await page.getByRole('button', { name: /User menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    // it asks while a form is not submitted
    await page.getByRole('dialog').getByRole('button', { name: 'Discard and sign out' }).click()
    await expect(page).toHaveURL(/\/login/)
    await page.goto(MY_CUSTOMERS)
    await expect(page).toHaveURL(/\/login|\/auth\/identity/)
  })
})

const namesAndCodes = async (page: Page): Promise<string[][]> => {
  const cells = await rows(page).evaluateAll((lines) =>
    lines.map((line) => [...line.querySelectorAll('td')].slice(1, 3).map((cell) => cell.innerText.trim())),
  )
  return cells
}

/** Fifty customers, two of them faulty; row numbers of the file count its title row. */
function fiftyCustomers(): Record<string, string>[] {
  const common: Readonly<Record<string, string>> = {
    类型: '客户',
    交易类型: '直客',
    平台: '主平台',
    客户性质: '企业',
    '国家/地区': 'CN',
    来源: '官网',
    客户等级: 'D级',
  }
  return Array.from({ length: 50 }, (_, index) => ({
    客户名称: `${FIRST[index % 10]}${SECOND[Math.floor(index / 10)]}${FIRST[(index * 3 + 1) % 10]}通讯`,
    ...common,
    ...(index + 1 === FAULTY.unknownCountry ? { '国家/地区': '亚特兰蒂斯' } : {}),
    ...(index + 1 === FAULTY.noName ? { 客户名称: '' } : {}),
  }))
}
