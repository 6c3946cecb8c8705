import type { Page } from '@playwright/test'
import { box, choose, listReady, MY_CUSTOMERS, openList, rows } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const OPPORTUNITIES = '/crm/opportunities?view=mine'
const cell = (page: Page, row: number, column: string) => rows(page).nth(row).locator(`td[data-sb-cell="${column}"]`)
const editor = (page: Page) => page.locator('.sb-cell-editor')

test.describe('values are entered where they are seen', () => {
  test('a value is changed in its cell: saved by Enter and by a choice, restored by Escape, refused at the cell', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { at: OPPORTUNITIES })
    await listReady(page)

    await test.step('Escape restores, a refused value is said at the cell, Enter saves and the row shows it', async () => {
      const rate = cell(page, 0, 'winRate')
      const before = await rate.innerText()
      await rate.dblclick()
      await editor(page).locator('input').fill('3')
      await page.keyboard.press('Escape')
      await expect(editor(page)).toHaveCount(0)
      await expect(rate).toHaveText(before)
      await expect(rate).toBeFocused()
      await page.keyboard.press('F2')
      await editor(page).locator('input').fill('300')
      await page.keyboard.press('Enter')
      await expect(editor(page).locator('.sb-form-error')).toBeVisible()
      await editor(page).locator('input').fill('7')
      await page.keyboard.press('Enter')
      await expect(editor(page)).toHaveCount(0)
      await expect(rate).toContainText('7')
    })

    await test.step('a day is typed as it is said, and Tab goes on to the next cell', async () => {
      const due = cell(page, 0, 'expectedOn')
      const before = await due.innerText()
      await due.focus()
      await page.keyboard.press('Enter')
      await editor(page).locator('input').fill('下周一')
      await page.keyboard.press('Enter')
      await expect(editor(page)).toHaveCount(0)
      await expect(due).not.toHaveText(before)
      await page.keyboard.press('F2')
      await page.keyboard.press('Tab')
      await expect(editor(page)).toHaveAccessibleName(/赢率/)
    })
  })

  test('what the person may only read stays as it is', async ({ as }) => {
    const page = await as(PEOPLE.sales)
    await openList(page, '/crm/opportunities?view=won')
    await expect(page.locator('td[data-sb-cell]')).toHaveCount(0)
  })

  test('a field that names a customer makes one from what was typed, begun with the fields that matter', async ({ as }) => {
    const page = await as(PEOPLE.sales, { at: '/crm/addBo' })
    await box(page, '客户').locator('label').click()
    await page.keyboard.type('琥珀鸥通讯')
    await page.getByRole('button', { name: '新建客户“琥珀鸥通讯”' }).click()
    const dialog = page.getByRole('dialog')
    await expect(box(dialog, '客户名称').locator('input')).toHaveValue('琥珀鸥通讯')
    await expect(box(dialog, '官网')).toHaveCount(0)
    await choose(dialog, '国家/地区', '中国')
    await dialog.getByRole('button', { name: '填写更多' }).click()
    await expect(box(dialog, '官网')).toBeVisible()
    await expect(box(dialog, '客户名称').locator('input')).toHaveValue('琥珀鸥通讯')
    await choose(dialog, '客户性质', '企业')
    await choose(dialog, '来源', '官网')
    await dialog.locator('[data-submit]').click()
    await expect(dialog).toHaveCount(0)
    await expect(box(page, '客户')).toContainText('琥珀鸥通讯')
  })

  test('on a phone a row is a card of three lines, and a contact is called from it; logs of a record stand in one tab', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, {
      at: MY_CUSTOMERS,
      viewport: { width: 375, height: 800 },
      hasTouch: true,
      isMobile: true,
    })
    const card = page.locator('.sb-card:visible').first()
    await expect(card.locator('.sb-card-title, .sb-card-line')).toHaveCount(3)
    await expect(card.locator('dl')).toHaveCount(0)
    await card.getByRole('button', { name: '更多', exact: true }).last().click()
    await expect(card.locator('dl')).toBeVisible()
    await card.getByRole('link').first().click()
    await page.getByRole('tab', { name: /^联系人/ }).click()
    await expect(page.locator('.sb-card:visible a[href^="tel:+"]').first()).toBeVisible()
    await page.getByRole('tab', { name: '日志' }).click()
    const kinds = page.getByRole('group', { name: '日志类型' }).getByRole('button')
    await expect(kinds).toHaveText([/^归属记录/, /^等级记录/, /^公海记录/])
    await kinds.nth(1).click()
    await expect(page).toHaveURL(/tab=levels/)
    await expect(page.getByRole('tab', { name: '日志' })).toHaveAttribute('aria-selected', 'true')
  })
})
