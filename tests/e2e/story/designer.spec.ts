import type { Page } from '@playwright/test'
import { listReady, MY_CUSTOMERS } from '../support/portalPage'
import { expect, PEOPLE, seriousFaults, test } from '../support/realTest'

test.describe.configure({ timeout: 240_000 })

const TARGET = 'page:crm/my-client'
const header = (page: Page, name: string) => page.getByRole('columnheader', { name })

/** Opens the designer of a document; the tree of its parts stands. */
const design = async (page: Page, target: string, tab = ''): Promise<void> => {
  await page.goto(`/setModule/pages?target=${target}${tab === '' ? '' : `&tab=${tab}`}`)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
}

test('an admin adds a column, looks at it as somebody else, releases it, and a salesperson sees it; a roll back takes it away', async ({
  as,
}) => {
  const admin = await as(PEOPLE.administrator, { at: '/setModule/pages' })

  await test.step('the page is found by its path and opened', async () => {
    await admin.getByRole('searchbox', { name: '按标题、路径、实体查找' }).fill('crm/my-client list')
    await admin.getByRole('button', { name: '我的客户', exact: true }).click()
    await expect(admin).toHaveURL(/target=page/)
    await expect(
      admin.getByRole('region', { name: '预览' }).getByRole('grid').or(header(admin, '客户名称')).first(),
    ).toBeVisible()
  })

  await test.step('the column is added and renamed; the preview follows', async () => {
    await admin.getByRole('tree', { name: '结构' }).getByText('列', { exact: true }).click()
    await admin.getByRole('combobox', { name: '添加字段' }).fill('官网')
    await admin.keyboard.press('Enter')
    await admin.getByRole('textbox', { name: '标题 (中文)' }).fill('公司官网')
    await admin.getByRole('textbox', { name: '标题 (英文)' }).fill('Company site')
    await expect(header(admin, '公司官网')).toBeVisible()
    await expect(admin.getByText('草稿已保存')).toBeVisible()
  })

  await test.step('undo and redo work by keyboard; nothing is lost on reload', async () => {
    await admin.keyboard.press('Control+z')
    await expect(admin.getByRole('textbox', { name: '标题 (英文)' })).not.toHaveValue('Company site')
    await admin.keyboard.press('Control+Shift+z')
    await expect(admin.getByText('草稿已保存')).toBeVisible()
    await admin.reload()
    await expect(header(admin, '公司官网')).toBeVisible()
    expect(await seriousFaults(admin, '.sb-designer')).toEqual([])
  })

  const sales = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
  await listReady(sales)

  await test.step('it is checked and released to everybody', async () => {
    await admin.getByRole('button', { name: '检查并发布' }).click()
    const dialog = admin.getByRole('dialog', { name: '检查并发布' })
    await expect(dialog.getByText('列“公司官网”：新增')).toBeVisible()
    // more people see more: that is confirmed by itself
    await expect(dialog).toContainText(/字段“官网”将对以下角色可见：.*销售/)
    await expect(dialog.getByRole('button', { name: '发布', exact: true })).toBeDisabled()
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('radio', { name: '所有人' }).click()
    await dialog.getByRole('textbox', { name: '标题' }).fill('加官网列')
    await dialog.getByRole('textbox', { name: '原因' }).fill('销售要直接打开官网')
    await dialog.getByRole('button', { name: '发布', exact: true }).click()
    await expect(admin.getByText('已发布', { exact: true })).toBeVisible()
  })

  await test.step('a list that stands open is not changed by itself: it offers the new version, and shows it on demand', async () => {
    const hint = sales.getByRole('status').filter({ hasText: '这个页面有新版本' })
    await expect(hint).toBeVisible()
    await expect(header(sales, '公司官网')).toHaveCount(0)
    await hint.getByRole('button').click()
    await expect(header(sales, '公司官网')).toBeAttached()
    await expect(hint).toHaveCount(0)
  })

  await test.step('the history knows who and why, and leads back', async () => {
    await design(admin, TARGET, 'history')
    await expect(admin.getByText('销售要直接打开官网')).toBeVisible()
    await admin.getByRole('button', { name: '恢复系统自带版本' }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByRole('textbox', { name: '原因' }).fill('试用结束')
    await dialog.getByRole('button', { name: '恢复系统自带版本' }).click()
    await expect(admin.getByText('已回退', { exact: true })).toBeVisible()
  })
  await sales.reload()
  await expect(header(sales, '客户名称')).toBeVisible()
  await expect(header(sales, '公司官网')).toHaveCount(0)
})
