import type { Page } from '@playwright/test'
import { choose, listReady, MY_CUSTOMERS, OPEN_SEA, openList, rows, search, type } from '../support/portalPage'
import { expect, PEOPLE, signInAs, test } from '../support/realTest'

const save = (page: Page) => page.locator('button[data-submit]:visible')
/** What the browser itself writes about calls that fail. */
const NETWORK = /Failed to load resource|net::ERR_|Switchboard: RequestError/

/** The call that answers the page of the own customers. */
const LIST_PAGE = /page\/bundle\?path=[^&]*my-client(&|$)/

/** Keys of the pages that lie in the browser. */
const keptPages = (): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('switchboard-pages')
    opening.onerror = () => reject(new Error('no pages are kept'))
    opening.onsuccess = () => {
      const keys = opening.result.transaction('bundles').objectStore('bundles').getAllKeys()
      keys.onsuccess = () => {
        opening.result.close()
        resolve(keys.result.map(String))
      }
    }
  })

/** Keeps the tag of every kept page, and what it tags no more. */
const spoilPages = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('switchboard-pages')
    opening.onerror = () => reject(new Error('no pages are kept'))
    opening.onsuccess = () => {
      const work = opening.result.transaction('bundles', 'readwrite')
      const cursor = work.objectStore('bundles').openCursor()
      cursor.onsuccess = () => {
        const found = cursor.result
        if (!found) return
        const value = found.value as { etag?: string; bundle?: object }
        if (value.bundle) found.update({ ...value, bundle: { ...value.bundle, entities: { evil: '<img onerror=alert(1)>' } } })
        found.continue()
      }
      work.oncomplete = () => {
        opening.result.close()
        resolve()
      }
    }
  })

test.describe('when something breaks in the real portal', () => {
  test('R283 an answer that is lost on the way is asked for again, and nothing is saved twice', async ({ as, expectFaults }) => {
    test.setTimeout(240_000)
    expectFaults(NETWORK)
    const page = await as(PEOPLE.sales, { fresh: true })
    let calls = 0
    await page.route('**/v2/crm/customer/save', async (route) => {
      calls += 1
      if (calls > 1) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.goto(`${MY_CUSTOMERS}/edit`)
    await type(page, '客户名称', '丢包棠梨通讯')
    await choose(page, '国家/地区', '中国')
    await choose(page, '客户性质', '企业')
    await choose(page, '来源', '官网')
    await save(page).click()
    await expect(page).toHaveURL(/\/details\?id=/)
    expect(calls).toBe(2)
    await openList(page, MY_CUSTOMERS)
    await search(page, '丢包棠梨')
    await expect(rows(page)).toHaveCount(1)
  })

  test('a released page that the browser cannot show gives way to the last good revision, also after a reload, and its admins read of it', async ({
    as,
    expectFaults,
  }) => {
    test.setTimeout(240_000)
    expectFaults(/Switchboard: .*my-client/)
    const page = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await listReady(page)
    await expect.poll(() => page.evaluate(keptPages)).toContain(`good ${MY_CUSTOMERS}`)
    await page.route(LIST_PAGE, async (route) => {
      const { 'if-none-match': _, ...headers } = route.request().headers()
      const answer = await route.fetch({ headers })
      const whole = (await answer.json()) as { data: object }
      await route.fulfill({ json: { ...whole, data: { ...whole.data, revision: 'sha256-released-broken', entities: {} } } })
    })
    for (const visit of ['the release', 'a reload']) {
      await page.goto(MY_CUSTOMERS)
      await expect(page.getByText('这个页面的最新版本有问题，已告知管理员').first(), visit).toBeVisible()
      await expect(rows(page).first(), visit).toBeVisible()
    }
    const admin = await as(PEOPLE.administrator, { at: '/setModule/pages' })
    await admin.getByRole('searchbox').first().fill('crm/my-client')
    await admin
      .getByRole('button', { name: /次显示故障/ })
      .first()
      .click()
    await expect(admin.getByText('sha256-released-broken'.slice(-8)).first()).toBeVisible()
    await page.unroute(LIST_PAGE)
    await openList(page, MY_CUSTOMERS)
    await expect(page.getByText('这个页面的最新版本有问题')).toHaveCount(0)
  })

  test('a spoilt copy in the browser, a storage that is full or hostile: the page is shown as ever', async ({
    as,
    expectFaults,
  }) => {
    expectFaults(/Switchboard: /)
    const page = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await listReady(page)
    await page.evaluate(spoilPages)
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{"__proto__":{"polluted":1},"data":[')
    })
    await page.addInitScript(() => {
      const full = () => {
        throw new DOMException('The quota is used up.', 'QuotaExceededError')
      }
      Storage.prototype.setItem = full
      IDBObjectStore.prototype.put = full
    })
    await openList(page, MY_CUSTOMERS)
    await expect(rows(page).first()).toBeVisible()
    await openList(page, OPEN_SEA)
    await page.goto(`${MY_CUSTOMERS}/edit`)
    await type(page, '客户名称', '存储已满通讯')
    await expect(page.getByText('草稿没有保存', { exact: false }).first()).toBeVisible()
    expect(await page.evaluate(() => 'polluted' in {})).toBe(false)
  })

  test('a browser that lets the site store nothing: sign-in, lists, forms and the designer work, and what is not kept is said', async ({
    visitor,
  }) => {
    const page = await visitor()
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError')
          },
        })
    })
    await signInAs(page, PEOPLE.administrator, `${MY_CUSTOMERS}/edit`)
    const told = page.getByText('浏览器禁止网站保存数据')
    await expect(told).toHaveCount(1)
    await type(page, '客户名称', '无处可存通讯')
    await expect(page.getByText('草稿没有保存', { exact: false }).first()).toBeVisible()
    await page.locator('.sb-banners').getByRole('button').click()
    await expect(told).toHaveCount(0)
    await page.getByRole('menuitem', { name: '公海' }).click()
    await listReady(page)
    await expect(told).toHaveCount(0)
    await page.goto('/setModule/pages?target=page:crm/leads')
    await page.getByRole('textbox', { name: '标题 (中文)' }).fill('线索一览')
    await expect(page.getByText('草稿已保存')).toBeVisible()
    await page.getByRole('button', { name: '放弃草稿' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '放弃草稿' }).click()
    await expect(page.getByText('没有改动')).toBeVisible()
  })

  test('a slow gateway shows skeletons, then the rows', async ({ as }) => {
    const page = await as(PEOPLE.sales)
    await page.route('**/v2/crm/customer/queryPage', async (route) => {
      await new Promise((wake) => setTimeout(wake, 2_500))
      await route.continue()
    })
    await page.goto(MY_CUSTOMERS)
    await expect(page.getByRole('status', { name: '正在加载', exact: true }).first()).toBeVisible()
    await expect(rows(page).first()).toBeVisible()
  })

  test('a gateway that answers a web page or half a body is told apart', async ({ as, expectFaults }) => {
    expectFaults(NETWORK)
    const page = await as(PEOPLE.sales)
    await page.route('**/v2/crm/customer/queryPage', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Gateway</h1>' }),
    )
    await page.goto(MY_CUSTOMERS)
    await expect(page.getByRole('alert').first()).toContainText('服务器返回了网页而不是数据')
    await page.unroute('**/v2/crm/customer/queryPage')
    await page.route('**/v2/crm/customer/queryPage', (route) =>
      route.fulfill({ contentType: 'application/json', body: '{"code":0,"data":{"rec' }),
    )
    await page
      .getByRole('button', { name: /重\s*试/ })
      .first()
      .click()
    await expect(page.getByRole('alert').first()).toContainText('不完整')
    await page.unroute('**/v2/crm/customer/queryPage')
    await page
      .getByRole('button', { name: /重\s*试/ })
      .first()
      .click()
    await expect(rows(page).first()).toBeVisible()
  })

  test('the page is served under a Content-Security-Policy without eval', async ({ visitor }) => {
    const page = await visitor()
    const answer = await page.goto('/login')
    const policy = answer?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  })
})
