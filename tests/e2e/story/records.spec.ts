import type { Page } from '@playwright/test'
import { box, choose, listReady, MY_CUSTOMERS, rows, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const tabs = (page: Page) => page.getByRole('navigation', { name: '已打开的页面' }).locator('.sb-tab')
const heading = (page: Page) => page.locator('.sb-detail-main:visible h1')

test.describe('a record and its tab', () => {
  test('the form of a new record ends with saving: the tab is the one of the record, and the next form is empty', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await page.getByRole('link', { name: '新建客户' }).click()
    await type(page, '客户名称', '空白表单测试通讯')
    await choose(page, '国家/地区', '中国')
    await choose(page, '客户性质', '企业')
    await choose(page, '来源', '官网')
    await page.keyboard.press('Control+Enter')
    await expect(heading(page)).toContainText('空白表单测试通讯')
    await expect(tabs(page)).toHaveText(['首页', '我的客户', '空白表单测试通讯'])
    await tabs(page).getByRole('link', { name: '我的客户' }).click()
    await page.getByRole('link', { name: '新建客户' }).click()
    await expect(tabs(page)).toHaveCount(4)
    await expect(box(page, '客户名称').locator('input')).toHaveValue('')
    await expect(page.getByText(/保存的草稿/)).toHaveCount(0)
  })

  test('a customer that is on record already is named when its name is left, with a link to one of his own', async ({ as }) => {
    const page = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await listReady(page)
    const name = await rows(page).first().getByRole('link').first().innerText()
    await page.getByRole('link', { name: '新建客户' }).click()
    const found = page.locator('.sb-form-notice').filter({ hasText: '您自己的客户' })
    await type(page, '客户名称', '从来没有过的公司名称有限公司')
    await page.keyboard.press('Tab')
    await type(page, '客户名称', name)
    await expect(found).toHaveCount(0)
    await page.keyboard.press('Tab')
    await expect(found).toContainText(name)
    await type(page, '客户名称', '从来没有过的公司名称有限公司')
    await page.keyboard.press('Tab')
    await expect(found).toHaveCount(0)
    await type(page, '客户名称', name)
    await page.keyboard.press('Tab')
    await found.getByRole('link').first().click()
    await expect(heading(page)).toContainText(name)
  })

  test('a list with a state is a board: its columns have sums, a card is moved by dragging and by keys as its transition, and stays where it may not go', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { fresh: true, at: '/crm/opportunities' })
    await listReady(page)
    await page.getByRole('button', { name: '看板', exact: true }).click()
    const board = page.getByRole('group', { name: '商机 · 按阶段分列' })
    const column = (name: string) => board.getByRole('region', { name, exact: true })
    const cards = (name: string) => column(name).getByRole('listitem')
    await expect(cards('发现需求').first()).toBeVisible()
    await expect(column('发现需求').locator('header')).toContainText(/[\d,.]+ (CNY|USD)/)
    await expect(column('已赢单')).toHaveCount(0)
    const before = await cards('需求确认').count()
    const title = (await cards('发现需求').first().getAttribute('aria-label'))!
    await cards('发现需求').first().dragTo(column('需求确认'))
    await expect(page.locator('.ant-message')).toContainText('完成')
    await expect(cards('需求确认')).toHaveCount(before + 1)
    await expect(column('需求确认').getByRole('listitem', { name: title })).toBeVisible()
    await expect(board).toHaveAttribute('aria-busy', 'false')
    // it stays where it may not go, and the reason is told
    await column('需求确认').getByRole('listitem', { name: title }).dragTo(column('发现需求'))
    await expect(page.locator('.ant-message')).toContainText('不能从这里转到“发现需求”')
    await expect(cards('需求确认')).toHaveCount(before + 1)
    await page.reload()
    const kept = column('需求确认').getByRole('listitem', { name: title })
    await kept.focus()
    await page.keyboard.press('ArrowLeft')
    await expect(column('发现需求').locator(':focus').or(kept)).not.toHaveCount(0)
    await kept.focus()
    await page.keyboard.press('Shift+ArrowRight')
    await expect(page.locator('.ant-message')).toContainText(/完成|不能/)
  })

  test('what is written stands in the timeline at once, with what else happened, and can be seen by its kind', async ({ as }) => {
    const page = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await listReady(page)
    await rows(page).first().getByRole('link').first().click()
    const rail = page.locator('.sb-detail-rail:visible')
    const first = rail.getByRole('listitem').first()
    await expect(first).toBeVisible()
    await page.locator('.sb-detail-main:visible').getByRole('button', { name: '跟进', exact: true }).click()
    const form = page.getByRole('dialog')
    await choose(form, '方式', '电话')
    await type(form, '内容', '时间线里要看到的一通电话')
    await choose(form, '结果', '有意向')
    await form.getByRole('button', { name: '保存' }).click()
    await expect(form).toHaveCount(0)
    const written = rail.getByRole('listitem').filter({ hasText: '时间线里要看到的一通电话' })
    await expect(written).toContainText(/^跟进记录 徐志强.*有意向/)
    const kind = async (name: string): Promise<void> => {
      await rail.locator('.ant-select', { has: page.getByRole('combobox', { name: '动态的类型' }) }).click()
      await page.locator('.ant-select-dropdown:visible').getByText(name, { exact: true }).click()
    }
    await kind('操作记录')
    await expect(first).toContainText(/修改.*因.*跟进记录/)
    await kind('跟进记录')
    await expect(first).toContainText('时间线里要看到的一通电话')
    await expect(rail.getByRole('listitem').filter({ hasText: /^(?!跟进记录)/ })).toHaveCount(0)
  })

  test('one record has one tab, by whatever link; stepping to the next changes record, address and tab together', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await listReady(page)
    const ids = await rows(page).evaluateAll((all) => all.slice(0, 2).map((row) => row.getAttribute('data-key')))
    await rows(page).first().getByRole('link').first().click()
    const first = await heading(page).innerText()
    await expect(tabs(page)).toHaveText(['首页', '我的客户', first])
    const details = new URL(page.url()).pathname
    for (const search of [`?tagTitle=x&id=${ids[0]}`, `?id=${ids[0]}`, `?tab=contacts&id=${ids[0]}`]) {
      await page.goto(details + search)
      await expect(heading(page)).toHaveText(first)
      await expect(tabs(page)).toHaveCount(3)
    }
    await page.keyboard.press(']')
    await expect(heading(page)).not.toHaveText(first)
    const second = await heading(page).innerText()
    await expect(tabs(page)).toHaveText(['首页', '我的客户', second])
    expect(new URL(page.url()).searchParams.get('id')).toBe(ids[1])
    expect(page.url()).not.toContain('tagTitle')
    await page.reload()
    await expect(heading(page)).toHaveText(second)
    await expect(tabs(page)).toHaveText(['首页', '我的客户', second])
  })
})
