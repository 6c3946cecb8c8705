import { choose, listReady, MY_CUSTOMERS, openList, rowOf, rows, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

test('a seller follows up without leaving the list and sees what is due today', async ({ as }) => {
  const page = await as(PEOPLE.sales)
  await openList(page, MY_CUSTOMERS)
  const name = await rows(page).first().getByRole('link').first().innerText()

  await test.step('the form stands below its row and can be given up', async () => {
    await rowOf(page, name).locator('button[data-sb-action="followUp"]').click()
    const form = page.getByRole('group', { name: '跟进' })
    await expect(form).toBeVisible()
    await form.getByRole('button', { name: /取\s*消/ }).click()
    await expect(form).toBeHidden()
  })

  await test.step('one line is recorded and the list stays', async () => {
    await rowOf(page, name).locator('button[data-sb-action="followUp"]').click()
    const form = page.getByRole('group', { name: '跟进' })
    await type(form, '内容', '电话沟通了下月的发送量与价格')
    await choose(form, '结果', '有意向')
    await form.getByRole('button', { name: /记\s*录/ }).click()
    await expect(page.getByText('跟进已记录').first()).toBeVisible()
    await expect(form).toBeHidden()
    await expect(page).toHaveURL(new RegExp(`${MY_CUSTOMERS}$`))
  })

  await test.step('today shows what is due, the most urgent first', async () => {
    await page.goto('/crm/today')
    await expect(page.getByRole('heading', { level: 1, name: /^今日工作/ })).toBeVisible()
    await expect(page.getByRole('list', { name: '三天内将被回收' }).getByRole('listitem').first()).toContainText('明日回收')
  })
})

test('a manager merges two customers with a choice per field and sees who owns what', async ({ as }) => {
  const page = await as(PEOPLE.salesManager)
  await openList(page, `${MY_CUSTOMERS}?view=department`)
  const [stays, goes] = [rows(page).nth(0), rows(page).nth(1)]
  const kept = await stays.getByRole('link').first().innerText()
  const gone = await goes.getByRole('link').first().innerText()
  for (const row of [stays, goes]) await row.locator('[data-sb-select]').click()

  await test.step('side by side', async () => {
    await page
      .getByRole('link', { name: '合并', exact: true })
      .or(page.getByRole('button', { name: '合并', exact: true }))
      .first()
      .click()
    await expect(page.getByRole('heading', { level: 1, name: '合并客户' })).toBeVisible()
    await page
      .getByRole('radio', { name: new RegExp('^客户名称: ') })
      .nth(1)
      .click()
    await page.getByRole('textbox', { name: /合并理由/ }).fill('同一家公司重复录入')
    await page
      .getByRole('button', { name: /合\s*并/, exact: false })
      .last()
      .click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /合\s*并/ })
      .click()
    await expect(page.getByText(`已合并为“${kept}”`).first()).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: gone })).toBeVisible()
  })

  await test.step('the map opens the rows behind a person', async () => {
    await page.goto('/crm/ownership')
    const people = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: '人员' }) })
      .locator('tbody tr')
    const held = Number((await people.first().locator('td').nth(3).innerText()).replaceAll(',', ''))
    await people.first().getByRole('link').click()
    await listReady(page)
    await expect.poll(async () => Number((await page.locator('h1 small:visible').innerText()).replaceAll(',', ''))).toBe(held)
  })
})

test('somebody leaves and the hand-over is previewed before it is done', async ({ as }) => {
  const page = await as(PEOPLE.humanResources)
  await page.goto(`/setModule/authManage/user?q=${PEOPLE.sales}`)
  await listReady(page)
  await rows(page).first().getByRole('link').first().click()
  await page.getByRole('tab', { name: '离职交接' }).click()
  await expect(page.getByText(/名下客户 \d+ 位/)).toBeVisible()
  await page.getByRole('radio', { name: '退回公海' }).check()
  await expect(page.getByRole('button', { name: '交接并离职' })).toBeDisabled()
  await page.getByRole('button', { name: /预\s*览/ }).click()
  await expect(page.getByText(/位客户进入公海/)).toBeVisible()
  await expect(page.getByRole('button', { name: '交接并离职' })).toBeEnabled()
})
