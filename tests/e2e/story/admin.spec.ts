import type { Locator, Page } from '@playwright/test'
import { expect, PEOPLE, seriousFaults, signInAs, test } from '../support/realTest'

const PERMISSIONS = '/setModule/authManage/permissions'
const MENUS = '/setModule/authManage/menu'
const ORGANIZATION = '/setModule/departmentalOrganization'
const DOWNLOADS = 'switchboard.downloads'

test.describe.configure({ timeout: 240_000 })

/** The page that is seen: other tabs stay in the document, hidden. */
const seen = (page: Page): Locator => page.locator('.sb-admin:visible')
const entry = (page: Page, name: string): Locator =>
  seen(page)
    .locator('.ant-tree-treenode')
    .filter({ has: page.getByText(name, { exact: true }) })
const dialog = (page: Page): Locator => page.getByRole('dialog').last()
const agree = (page: Page, button: RegExp): Promise<void> => dialog(page).getByRole('button', { name: button }).click()

const openRole = async (page: Page, code: string): Promise<void> => {
  await page.goto(PERMISSIONS)
  await seen(page).getByRole('textbox', { name: '按名称或编码查找' }).fill(code)
  await seen(page)
    .locator('.sb-choice')
    .filter({ has: page.getByText(code, { exact: true }) })
    .click()
  await expect(seen(page).locator('.sb-split-head .sb-admin-key')).toHaveText(code)
}
const save = async (page: Page): Promise<void> => {
  await seen(page)
    .getByRole('button', { name: /保\s*存/ })
    .click()
  await expect(page.getByText('已保存，成员下次操作即生效。').last()).toBeVisible()
  await expect(seen(page).getByText('有未保存的修改')).toHaveCount(0)
}

/** A call with the session of the page, past what its screens offer. */
const call = async <T>(page: Page, method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> => {
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => /token$/i.test(name) && !/refresh/i.test(name))?.value ?? ''
  const answer = await page.request.fetch(path, {
    method,
    headers: { authorization: `Bearer ${decodeURIComponent(token)}` },
    data: body,
  })
  return ((await answer.json()) as { data: T }).data
}

test.describe('roles', () => {
  test('R043 R299 a menu that a role grants is in the menu of its members at their next visit, and gone when it is taken away', async ({
    as,
  }) => {
    const admin = await as(PEOPLE.administrator)
    const member = await as(PEOPLE.menusOnly)
    await expect(member.getByRole('menuitem', { name: '系统设置' })).toHaveCount(0)

    await openRole(admin, 'menusOnly')
    const search = seen(admin).getByRole('textbox', { name: '按名称、路由或权限键查找' })
    await search.fill('setModule:systemLog')
    await entry(admin, '系统日志').locator('.ant-tree-checkbox').click()
    await expect(entry(admin, '系统设置').locator('.ant-tree-checkbox')).toHaveClass(/indeterminate/)
    await save(admin)
    await member.reload()
    await member.getByRole('menuitem', { name: '系统设置' }).click()
    await expect(member.getByRole('menuitem', { name: '系统日志' })).toBeVisible()

    await search.fill('系统设置')
    await entry(admin, '系统设置').getByRole('button', { name: '全选下级: 系统设置' }).click()
    await entry(admin, '系统设置').getByRole('button', { name: '清空下级: 系统设置' }).click()
    await save(admin)
    await member.reload()
    await expect(member.getByRole('menuitem', { name: '客户管理' })).toBeVisible()
    await expect(member.getByRole('menuitem', { name: '系统设置' })).toHaveCount(0)
  })

  test('are checked by keyboard alone', async ({ as }) => {
    const page = await as(PEOPLE.administrator)
    await openRole(page, 'procurement')
    const granted = seen(page).getByText(/已授予 \d+ 个菜单/)
    const before = Number(/\d+/.exec(await granted.innerText())?.[0])
    const menus = (count: number): RegExp => new RegExp(`已授予 ${count} 个菜单`)
    await seen(page)
      .getByRole('button', { name: '全部收起' })
      .or(seen(page).getByRole('button', { name: '全部展开' }))
      .focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(seen(page).getByText('有未保存的修改')).toBeVisible()
    // the first one, the home page, is granted too
    await expect(granted).toHaveText(menus(before + 1))
    await seen(page).getByRole('button', { name: '放弃修改' }).click()
    await expect(granted).toHaveText(menus(before))
  })

  test('are not overwritten unseen: who saves second is told what changed and decides', async ({ as, expectFaults }) => {
    expectFaults(/^$/)
    const page = await as(PEOPLE.administrator)
    await openRole(page, 'procurement')
    await seen(page).getByRole('tab', { name: '数据范围' }).click()
    await seen(page).getByRole('group', { name: '所有实体' }).getByRole('checkbox', { name: '本人' }).check()
    const { records } = await call<{ records: { id: string; code: string; version: number }[] }>(
      page,
      'POST',
      '/v2/sys/role/queryPage',
      { pageNo: 1, pageSize: 100 },
    )
    const role = records.find(({ code }) => code === 'procurement')
    await call(page, 'POST', '/v2/sys/role/save', { id: role?.id, version: role?.version, remark: '别人写的备注' })
    await seen(page)
      .getByRole('button', { name: /保\s*存/ })
      .first()
      .click()
    await expect(seen(page).getByRole('alert')).toContainText('在你编辑期间，有人先保存了')
    await expect(seen(page).getByRole('alert')).toContainText('备注')
    await seen(page).getByRole('button', { name: '保存我的修改' }).click()
    await expect(page.getByText('已保存，成员下次操作即生效。')).toBeVisible()
    await expect(seen(page).getByText('别人写的备注')).toBeVisible()
    await seen(page).getByRole('group', { name: '所有实体' }).getByRole('checkbox', { name: '本人' }).uncheck()
    await save(page)
  })

  test('warn before unsaved changes are left, are copied with all they grant, and deleted only without members', async ({
    as,
  }) => {
    const page = await as(PEOPLE.administrator)
    await openRole(page, 'finance')
    await seen(page).getByRole('tab', { name: '字段规则' }).click()
    await seen(page)
      .getByRole('button', { name: /^移除.*备注的规则$/ })
      .click()
    await seen(page).getByRole('textbox', { name: '按名称或编码查找' }).fill('')
    await seen(page).locator('.sb-choice').filter({ hasText: 'operations' }).click()
    await expect(dialog(page)).toContainText('放弃未保存的修改？')
    await expect(dialog(page).getByRole('button', { name: /取\s*消/ })).toBeFocused()
    await agree(page, /取\s*消/)
    await expect(seen(page).locator('.sb-split-head .sb-admin-key')).toHaveText('finance')
    await seen(page).getByRole('button', { name: '放弃修改' }).click()

    const more = async (what: string): Promise<void> => {
      await seen(page).getByRole('button', { name: '更多' }).click()
      await page.getByRole('menuitem', { name: what }).click()
    }
    await more('删除')
    await agree(page, /删\s*除/)
    await expect(page.getByText(/条员工授权.*使用该权限组/)).toBeVisible()

    await more('复制')
    await dialog(page).locator('.sb-form-item').filter({ hasText: '编码' }).locator('label').click()
    await page.keyboard.type('financeCopy')
    await dialog(page)
      .getByRole('button', { name: /保\s*存|提\s*交/ })
      .first()
      .click()
    await expect(seen(page).locator('.sb-split-head .sb-admin-key')).toHaveText('financeCopy')
    await seen(page).getByRole('tab', { name: '字段规则' }).click()
    await expect(seen(page).getByText('crm.customer.remark')).toBeVisible()
    await more('删除')
    await agree(page, /删\s*除/)
    await expect(page.getByText('已删除“财务（副本）”。')).toBeVisible()
  })

  test('tell who has a permission and how two of them differ', async ({ as }) => {
    const page = await as(PEOPLE.administrator, { at: PERMISSIONS })
    await seen(page).getByText('谁有此权限').click()
    const key = seen(page).getByRole('combobox', { name: '权限键或菜单' })
    await key.fill('crm:param:manage')
    await page.keyboard.press('Enter')
    await expect(seen(page).getByText(/人，通过 1 个权限组/)).toBeVisible()
    await expect(seen(page).getByRole('link', { name: /\(S0067\)/ })).toBeVisible()

    await seen(page).getByText('对比', { exact: true }).click()
    await seen(page).getByRole('combobox', { name: '权限组甲' }).fill('销售主管')
    await page.keyboard.press('Enter')
    await seen(page).getByRole('combobox', { name: '权限组乙' }).fill('运营')
    await page.keyboard.press('Enter')
    const differences = seen(page).getByRole('region', { name: '对比' })
    await expect(differences.getByText('crm:sea:claim')).toBeVisible()
    await expect(differences.getByRole('row', { name: /遮盖/ }).first()).toBeVisible()
  })
})

test.describe('the menu', () => {
  const order = (page: Page): Promise<string[]> =>
    page
      .locator('.sb-aside')
      .getByRole('menuitem')
      .filter({ hasText: /部门组织架构|系统日志/ })
      .allInnerTexts()

  test('R299 is reordered without a mouse and by dragging, for everybody', async ({ as }) => {
    const page = await as(PEOPLE.administrator, { at: MENUS })
    await expect.poll(() => order(page)).toEqual(['部门组织架构', '系统日志'])
    await entry(page, '系统设置').locator('.ant-tree-switcher').click()
    await entry(page, '系统日志').locator('.ant-tree-node-content-wrapper').click()
    for (let steps = 0; steps < 12; steps += 1) {
      const names = await seen(page).locator('.ant-tree-treenode').allInnerTexts()
      if (names.indexOf('系统日志') < names.indexOf('部门组织架构')) break
      await seen(page)
        .getByRole('button', { name: /移\s*动/ })
        .click()
      const moved = page.waitForResponse(/menuResource\/tree/)
      await page.getByRole('menuitem', { name: '上移' }).click()
      await moved
    }
    await page.reload()
    await expect.poll(() => order(page)).toEqual(['系统日志', '部门组织架构'])

    await entry(page, '系统设置').locator('.ant-tree-switcher').click()
    const target = entry(page, '部门组织架构')
    const box = await target.boundingBox()
    const moved = page.waitForResponse(/menuResource\/reorder/)
    await entry(page, '系统日志').dragTo(target, { targetPosition: { x: 80, y: (box?.height ?? 28) - 2 } })
    await moved
    await page.reload()
    await expect.poll(() => order(page)).toEqual(['部门组织架构', '系统日志'])
  })

  test('warns of a route that the portal does not have, and refuses to delete what roles grant', async ({ as }) => {
    const page = await as(PEOPLE.administrator, { at: MENUS })
    await seen(page).getByRole('textbox', { name: '按名称、路由或国际化键查找' }).fill('setModule:systemLog')
    await entry(page, '系统日志').locator('.ant-tree-node-content-wrapper').click()
    await expect(seen(page).getByRole('textbox', { name: '国际化键', exact: true })).not.toBeEditable()
    await seen(page).getByRole('textbox', { name: '路由', exact: true }).fill('/nowhere/at/all')
    await expect(seen(page).getByText('门户没有路由“/nowhere/at/all”。')).toBeVisible()
    await seen(page).getByRole('button', { name: '放弃修改' }).click()
    await seen(page)
      .getByRole('button', { name: /删\s*除/, exact: false })
      .first()
      .click()
    await agree(page, /删\s*除/)
    await expect(page.getByText(/权限组（.*）正在使用，请先收回授权/)).toBeVisible()
  })

  test('gets an entry with an icon and a button, which are deleted again', async ({ as }) => {
    const page = await as(PEOPLE.administrator, { at: MENUS })
    await entry(page, '工具箱').locator('.ant-tree-node-content-wrapper').click()
    await seen(page).getByRole('button', { name: '新建下级' }).click()
    await seen(page).getByRole('textbox', { name: '名称', exact: true }).fill('试验台')
    await seen(page).getByRole('textbox', { name: '国际化键', exact: true }).fill('toolbox:bench')
    await seen(page).getByRole('button', { name: '图标: 不用图标' }).click()
    await page.getByRole('textbox', { name: '按名称查找图标' }).fill('experi')
    await page.getByRole('button', { name: 'experiment' }).click()
    await seen(page)
      .getByRole('button', { name: /新\s*建$/ })
      .last()
      .click()
    await expect(seen(page).getByRole('heading', { name: '试验台' })).toBeVisible()

    await seen(page).getByRole('button', { name: '添加按钮' }).click()
    for (const [label, value] of [
      ['权限键', 'toolbox:bench:run'],
      ['中文名', '运行'],
      ['英文名', 'Run'],
    ] as const) {
      await dialog(page).locator('.sb-form-item').filter({ hasText: label }).locator('label').click()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type(value)
    }
    await dialog(page)
      .getByRole('button', { name: /保\s*存|提\s*交/ })
      .first()
      .click()
    await expect(seen(page).getByRole('row', { name: /toolbox:bench:run/ })).toBeVisible()
    await seen(page)
      .getByRole('button', { name: /^删\s*除$/ })
      .first()
      .click()
    await agree(page, /删\s*除/)
    await expect(page.getByText('已删除“试验台”。')).toBeVisible()
  })
})

test.describe('the organization', () => {
  test('moves a department after saying what moves along, by dialog and by dragging', async ({ as }) => {
    const page = await as(PEOPLE.humanResources, { at: ORGANIZATION })
    const headcount = (name: string): Promise<string> => entry(page, name).locator('.sb-choice-count').innerText()
    await expect(entry(page, '风控部')).toBeVisible()
    const moving = Number(await headcount('风控部'))
    const before = Number(await headcount('运营部'))
    await entry(page, '风控部').locator('.ant-tree-node-content-wrapper').click()
    await expect(seen(page).getByRole('heading', { name: '风控部' })).toBeVisible()
    await seen(page).getByRole('button', { name: '更多' }).click()
    await page.getByRole('menuitem', { name: /移\s*动/ }).click()
    await dialog(page).getByRole('combobox', { name: '上级部门' }).fill('运营部')
    await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: '运营部' }).click()
    await agree(page, /移\s*动/)
    await expect(page.getByRole('dialog').filter({ hasText: '把“风控部”移到“运营部”之下？' })).toContainText(`${moving} 名员工`)
    await agree(page, /移\s*动/)
    await expect(page.getByText('“风控部”已移到“运营部”之下。')).toBeVisible()
    await expect.poll(async () => Number(await headcount('运营部'))).toBe(before + moving)

    await entry(page, '风控部').dragTo(entry(page, '总部'), { targetPosition: { x: 60, y: 14 } })
    await agree(page, /移\s*动/)
    await expect.poll(async () => Number(await headcount('运营部'))).toBe(before)
  })

  test('refuses to delete a department with people, and shows who they are', async ({ as }) => {
    const page = await as(PEOPLE.humanResources, { at: ORGANIZATION })
    await seen(page).getByRole('textbox', { name: '按名称、编码或负责人查找' }).fill('财务部')
    await entry(page, '财务部').locator('.ant-tree-node-content-wrapper').click()
    await expect(seen(page).locator('tbody tr[data-key]').first()).toBeVisible()
    await seen(page).getByRole('button', { name: '更多' }).click()
    await page.getByRole('menuitem', { name: /删\s*除/ }).click()
    await agree(page, /删\s*除/)
    await expect(page.getByText(/该部门还有 \d+ 名在职员工/)).toBeVisible()
  })
})

test.describe('an account', () => {
  const PERSON = 'S0049'

  /** Confirms what has just been asked for, as the first of those who may. */
  async function confirming(page: Page, as: (jobNumber: string, options: { at: string }) => Promise<Page>): Promise<Page> {
    const asked = page.getByText('已提交，未作修改')
    await expect(asked).toBeVisible()
    const [, confirmer] = /\((S\d{4})\)/.exec(await asked.innerText())!
    const second = await as(confirmer!, { at: '/message/access-requests' })
    await second
      .getByRole('button', { name: /^确\s*认$/ })
      .first()
      .click()
    await agree(second, /确\s*认/)
    await expect(second.getByText('没有等待您确认的申请。')).toBeVisible()
    return second
  }

  test('R281 gets a one-time password that is shown once and replaced at the first sign-in', async ({ as, visitor }) => {
    const page = await as(PEOPLE.administrator, { at: `/setModule/authManage/user?q=${PERSON}` })
    await page.locator('tbody tr[data-key]:visible').first().getByRole('link').first().click()
    await page.getByRole('tab', { name: '账号' }).click()
    await page.getByRole('button', { name: '重置密码' }).click()
    await agree(page, /重置密码/)
    // the administrator may not what the person may: somebody who may all of it confirms, and is shown the password
    const second = await confirming(page, as)
    const password = await second.locator('[data-password]').innerText()
    expect(password).toMatch(/^[a-z2-9]{12}$/)
    await agree(second, /我已告知本人/)
    await expect(second.getByText(password)).toHaveCount(0)
    await expect(page.getByText(password)).toHaveCount(0)

    const guest = await visitor()
    await guest.goto('/')
    await guest.waitForURL(/\/auth\/identity/)
    await guest.locator('nav a').nth(1).click()
    await guest.locator('#name').fill(PERSON)
    await guest.locator('#password').fill(password)
    await guest.keyboard.press('Enter')
    await guest.locator('#repeat').fill('own-password-7')
    await guest.locator('#password').fill('own-password-7')
    await guest.getByRole('button', { name: '保存并登录' }).click()
    await expect(guest.locator('.sb-user')).toBeVisible()
  })

  test('that is disabled loses its session at once and can be enabled again, with a reason each time', async ({
    as,
    visitor,
    expectFaults,
  }) => {
    expectFaults(/401/)
    const page = await as(PEOPLE.administrator)
    const person = await visitor()
    await signInAs(person, 'S0048')
    await expect(person.locator('.sb-user')).toBeVisible()
    await page.goto('/setModule/authManage/user?q=S0048')
    await page.locator('tbody tr[data-key]:visible').first().getByRole('link').first().click()
    await page.getByRole('tab', { name: '账号' }).click()
    await page.getByRole('button', { name: '禁止登录' }).click()
    await agree(page, /禁止登录/)
    await expect(dialog(page)).toContainText('请填写原因')
    await dialog(page).getByRole('textbox', { name: '原因' }).fill('设备丢失')
    await agree(page, /禁止登录/)
    await expect(page.getByText('已禁止登录，全部会话已结束。')).toBeVisible()
    await person.goto('/home')
    await person.waitForURL(/\/auth\/identity|\/login/)
    await page.getByRole('button', { name: '恢复登录' }).click()
    await dialog(page).getByRole('textbox', { name: '原因' }).fill('设备找回')
    await agree(page, /恢复登录/)
    await confirming(page, as)
    await page.reload()
    await page.getByRole('tab', { name: '账号' }).click()
    await expect(page.getByText('可以登录')).toBeVisible()
  })

  test('shows what its person may do, and from which roles', async ({ as }) => {
    const page = await as(PEOPLE.administrator, { at: `/setModule/authManage/user?q=${PEOPLE.sales}` })
    await page.locator('tbody tr[data-key]:visible').first().getByRole('link').first().click()
    await page.getByRole('tab', { name: '有效权限' }).click()
    await page.getByRole('textbox', { name: '按名称或权限键查找' }).fill('crm:sea:claim')
    await expect(page.getByRole('row', { name: /crm:sea:claim 销售/ })).toBeVisible()
  })
})

test.describe('the download centre', () => {
  test('makes an export in the background, tells of it after a reload, and hands the file out', async ({ as }) => {
    const page = await as('S0001')
    const columns = [{ field: 'content', title: '内容' }]
    const { taskId } = await call<{ taskId: string }>(page, 'POST', '/v2/crm/followUp/exportTask', { columns, format: 'csv' })
    await page.evaluate(([key, id]) => sessionStorage.setItem(key, JSON.stringify([id])), [DOWNLOADS, taskId] as const)
    await page.reload()
    const notice = page.getByRole('alert').filter({ hasText: '文件已生成' })
    await expect(notice).toBeVisible()
    const saved = page.waitForEvent('download')
    await notice.getByRole('button', { name: /下\s*载/ }).click()
    expect((await saved).suggestedFilename()).toMatch(/\.csv$/)

    await page.getByRole('button', { name: '下载中心' }).click()
    const task = dialog(page).getByRole('article').first()
    await expect(task).toContainText('已完成')
    await expect(task).toContainText(/\d+ 行/)
    const again = page.waitForEvent('download')
    await task.getByRole('button', { name: /下载/ }).click()
    await again
  })
})

test.describe('a report', () => {
  const REPORT = '/reportAnalysis/content-statistics'

  test('is exported as it stands, saved with its filters, found again after a reload, scheduled and given up', async ({ as }) => {
    const page = await as('S0001', { at: `${REPORT}?f.category=in%3Aotp` })
    await expect(page.getByRole('heading', { name: '内容统计' })).toBeVisible()
    await page.getByRole('button', { name: '导出', exact: true }).click()
    const notice = page.getByRole('alert').filter({ hasText: '文件已生成' })
    const file = page.waitForEvent('download')
    await notice.getByRole('button', { name: /下\s*载/ }).click()
    expect((await file).suggestedFilename()).toMatch(/^内容统计 .*\.xlsx$/)

    await page.getByRole('button', { name: '保存的报表' }).click()
    const kept = page.getByRole('dialog', { name: '保存的报表' })
    await expect(kept).toContainText('还没有保存的报表')
    await kept.getByRole('button', { name: '保存当前筛选' }).click()
    await expect(kept).toContainText('请填写名称')
    await kept.getByLabel('名称').fill('验证码模板')
    await kept.getByRole('button', { name: '保存当前筛选' }).click()
    await expect(kept.getByRole('listitem')).toContainText('验证码模板')

    await page.goto(REPORT)
    await expect(page).not.toHaveURL(/otp/)
    await page.getByRole('button', { name: '保存的报表' }).click()
    await kept.getByRole('combobox', { name: '“验证码模板”的定时' }).click({ force: true })
    await page.getByTitle('每周一 7:00').click()
    await expect(kept.getByRole('listitem')).toContainText('每周一 7:00')
    await kept.getByRole('button', { name: '验证码模板', exact: true }).click()
    await expect(page).toHaveURL(/f\.category=in(:|%3A)otp/)
    await page.getByRole('button', { name: '保存的报表' }).click()
    expect(await seriousFaults(page)).toEqual([])
    await kept.getByRole('button', { name: '删除: 验证码模板' }).click()
    await page.getByRole('tooltip').getByRole('button', { name: '删除' }).click()
    await expect(kept).toContainText('还没有保存的报表')
  })
})

test.describe('the pages of the management', () => {
  for (const [name, address] of Object.entries({ permissions: PERMISSIONS, menus: MENUS, organization: ORGANIZATION })) {
    test(`have no serious fault for assistive technology with something chosen: ${name}, wide and on a phone`, async ({ as }) => {
      const page = await as(PEOPLE.administrator, { locale: 'en-US', at: address })
      await seen(page).locator('.ant-tree-node-content-wrapper, .sb-choice').first().click()
      for (const [width, colorScheme] of [
        [1440, 'light'],
        [1440, 'dark'],
        [375, 'dark'],
        [375, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
        await expect(seen(page).locator('.sb-split-detail h2').first()).toBeVisible()
        // A button under the pointer has the colour of the moment.
        await page.mouse.move(0, 0)
        await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'))
        expect(await seriousFaults(page), `${width} px, ${colorScheme}`).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      }
    })
  }
})
