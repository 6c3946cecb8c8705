import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  box,
  choose,
  filledTemplate,
  firstSheet,
  listReady,
  MY_CUSTOMERS,
  openList,
  rowOf,
  rows,
  search,
  type,
} from '../support/portalPage'
import { startRealGateway, type RealGateway } from '../support/realGateway'
import { expect, PEOPLE, signInAs, test } from '../support/realTest'

/** The demo world with one field more, in one file; everything else is the project's. */
const FIELD = { type: 'string', maxLength: 80, 'x-label': { zh: '口号', en: 'Slogan' }, 'x-list': true, 'x-filter': true }

test.describe('a field that is added to one entity file', () => {
  let own: RealGateway
  let schemasDir: string

  test.beforeAll(async () => {
    test.setTimeout(180_000)
    schemasDir = join(mkdtempSync(join(tmpdir(), 'switchboard-schemas-')), 'schemas')
    cpSync(resolve(import.meta.dirname, '../../../schemas'), schemasDir, { recursive: true })
    own = await startRealGateway({ schemasDir })
  })
  test.afterAll(async () => {
    await own.stop()
    rmSync(join(schemasDir, '..'), { recursive: true, force: true })
  })

  test('is after a restart in table, API, list, filter, form, detail, import and export', async ({ visitor }) => {
    // two starts of the gateway, and every place of a field
    test.setTimeout(300_000)
    const page = await visitor()
    await signInAs(page, PEOPLE.sales, own.url + MY_CUSTOMERS)
    await listReady(page)
    await expect(page.getByRole('columnheader', { name: '口号' })).toHaveCount(0)
    const before = await rows(page).count()

    // A page that is open asks for things in the meantime.
    await page.goto('about:blank')
    await own.kill()
    const file = join(schemasDir, 'crm/entities/customer.json')
    const entity = JSON.parse(readFileSync(file, 'utf8')) as { properties: Record<string, unknown> }
    entity.properties.slogan = FIELD
    writeFileSync(file, JSON.stringify(entity, null, 2))
    await own.start()
    await openList(page, own.url + MY_CUSTOMERS)

    await test.step('table and list: the stored records are still there, with a column more', async () => {
      await expect(rows(page)).toHaveCount(before)
      await expect(page.getByRole('columnheader', { name: '口号' })).toHaveCount(1)
    })

    await test.step('form: it can be filled in and is checked', async () => {
      await page.getByRole('link', { name: '新建客户' }).click()
      await type(page, '客户名称', '新字段星港通讯')
      await choose(page, '国家/地区', '中国')
      await choose(page, '客户性质', '企业')
      await choose(page, '来源', '官网')
      await type(page, '口号', '连接'.repeat(41))
      await page.keyboard.press('Control+Enter')
      await expect(box(page, '口号').locator('.sb-form-error')).toContainText('80')
      await type(page, '口号', '连接每一个人')
      await page.keyboard.press('Control+Enter')
    })

    await test.step('detail: it is shown, and the timeline holds it', async () => {
      await expect(page).toHaveURL(/\/details\?id=/)
      await expect(page.getByRole('heading', { name: '其他信息' })).toBeVisible()
      await expect(page.getByText('连接每一个人').first()).toBeVisible()
    })

    await test.step('API: the record holds it, and the description of the API names it', async () => {
      const answer = page.waitForResponse((response) => response.url().includes('/v2/crm/customer/view/'))
      await page.reload()
      const { data } = (await (await answer).json()) as { data: { record: Record<string, unknown> } }
      expect(data.record.slogan).toBe('连接每一个人')
      const described = await (await page.request.get(`${own.url}/docs/api.json`)).text()
      expect(described).toContain('"slogan"')
    })

    await test.step('filter: it finds the record', async () => {
      await openList(page, own.url + MY_CUSTOMERS)
      await page.getByRole('button', { name: /^更多筛选/ }).click()
      await page.getByRole('search').getByRole('button', { name: '口号' }).click()
      await page.getByRole('dialog', { name: '按口号筛选' }).getByRole('textbox').fill('每一个')
      await page.getByRole('button', { name: '应用' }).click()
      await expect(page).toHaveURL(/f\.slogan=/)
      await expect(rows(page)).toHaveCount(1)
      await expect(rowOf(page, '新字段星港通讯')).toContainText('连接每一个人')
    })

    await test.step('export: it is a column of the file', async () => {
      await page
        .getByRole('button', { name: /导\s*出/ })
        .first()
        .click()
      const download = page.waitForEvent('download')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /导\s*出/ })
        .click()
      const [titles = [], line = []] = await firstSheet(await download)
      expect(line[titles.indexOf('口号')]).toBe('连接每一个人')
    })

    await test.step('import: the template has it, and a row brings it in', async () => {
      await openList(page, own.url + MY_CUSTOMERS)
      await page
        .getByRole('button', { name: /导\s*入/ })
        .first()
        .click()
      const wizard = page.getByRole('dialog')
      const download = page.waitForEvent('download')
      await wizard.getByRole('button', { name: '下载模板' }).click()
      const values: Readonly<Record<string, string>> = {
        客户名称: '导入琥珀鲸通讯',
        类型: '客户',
        交易类型: '直客',
        平台: '主平台',
        客户性质: '企业',
        '国家/地区': 'CN',
        来源: '官网',
        客户等级: 'D级',
        口号: '导入的口号',
      }
      await wizard.locator('input[type=file]').setInputFiles({
        name: 'slogan.xlsx',
        mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        buffer: await filledTemplate(await download, [values]),
      })
      await wizard.getByRole('button', { name: '导入 1 行' }).click()
      await expect(wizard.getByText('已导入 1 行。')).toBeVisible()
      await wizard
        .getByRole('button', { name: /^关\s*闭$/ })
        .last()
        .click()
      await search(page, '琥珀鲸')
      await expect(rowOf(page, '导入琥珀鲸通讯')).toContainText('导入的口号')
    })
  })
})
