import { walksOf } from '../../support/walkPart'
import { at, faultsOf, faultsOnceSettled, FIRST, SECOND, type Visit } from '../support/looks'
import { MY_CUSTOMERS, openList } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const { someOf } = walksOf(import.meta.filename)

/** What stands around the pages of a sales person, and the administration. */
const PAGES: readonly Visit[] = [
  [
    'the column settings',
    PEOPLE.sales,
    async (page) => {
      await openList(page, MY_CUSTOMERS)
      await page.getByRole('button', { name: /^(列设置|Columns)$/ }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  ],
  [
    'the search over menus',
    PEOPLE.sales,
    async (page) => {
      await page.goto('/home')
      await expect(page.locator('.sb-user')).toBeVisible()
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  ],
  ['a forbidden page', PEOPLE.noRole, at(MY_CUSTOMERS)],
  ['an unknown address', PEOPLE.sales, at('/nowhere/at/all')],
  ['a page that is not there yet', PEOPLE.administrator, at('/crm/email')],
  ['the rules of the customers', PEOPLE.administrator, at('/setModule/crm/rules/retention')],
  ['the list of the page designer', PEOPLE.administrator, at('/setModule/pages')],
  ['the management of users', PEOPLE.administrator, at('/setModule/authManage/user')],
  ['the management of menus', PEOPLE.administrator, at('/setModule/authManage/menu')],
  ['the management of permissions', PEOPLE.administrator, at('/setModule/authManage/permissions')],
  ['the organization', PEOPLE.humanResources, at('/setModule/departmentalOrganization')],
  ['the system log', PEOPLE.administrator, at('/setModule/systemLog')],
]

/** So many pages a test: the widest of the administration take a while to look at. One test's are looked at, unless all are. */
const AT_ONCE = 4
const WALKED = someOf('axe around', PAGES, AT_ONCE, ([name]) => name)
for (let first = 0; first < WALKED.length; first += AT_ONCE)
  test(`axe finds no serious fault around the pages and in the administration, light and dark, in Chinese and in English (${WALKED[first]![0]} and on)`, async ({
    as,
  }) => {
    test.setTimeout(300_000)
    expect(await faultsOf(WALKED.slice(first, first + AT_ONCE), as)).toEqual({})
  })

test('axe finds no serious fault before the sign-in, light and dark, in Chinese and in English', async ({ visitor }) => {
  const found: Record<string, string[]> = {}
  for (const look of [FIRST, SECOND]) {
    const stranger = await visitor(look)
    await stranger.goto('/')
    await stranger.waitForURL(/\/auth\/identity/)
    found[`the identity page, ${look.colorScheme}`] = await faultsOnceSettled(stranger)
    await stranger.goto('/login?reason=signedOut')
    found[`the sign-in, ${look.colorScheme}`] = await faultsOnceSettled(stranger)
  }
  expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([])
})
