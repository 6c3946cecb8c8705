import { call, expect, reset, test } from '../support/adminTest'
import { openList, rowOf, rows } from '../support/portalPage'

const PAGE = 'page:crm/visiting-records'
const ENTITY = 'entity:crm.visit'

test('a transition with a refusal and a notice is designed, released, and taken by sales', async ({
  office: { admin, sales },
}) => {
  test.setTimeout(240_000)
  const { page } = admin
  const machine = ['State machines', 'Status', 'Transitions'] as const

  await test.step('an admin says who may, from which state, why not, and who is told', async () => {
    await admin.open(ENTITY)
    await admin.choose(...machine)
    await admin.addNamed('agree')
    await admin.set('Label', { zh: '确认时间', en: 'Agree the time' })
    await admin.set('Permission', 'crm:customer:edit')
    await admin.set('From', 'Planned')
    const may = await admin.control('Who may')
    await may.getByRole('button', { name: 'Add' }).click()
    await expect(may).toContainText('Who made it')

    await admin.choose(...machine, 'Agree the time', 'Refusals')
    await admin.addNamed('nowhere')
    // Nothing is said yet: the problem stands at its control.
    await admin.set('When', '{{ !plase }}')
    await expect((await admin.control('When')).getByRole('alert')).toContainText('plase')
    await admin.set('When', '{{ !place }}')
    await expect((await admin.control('When')).getByRole('alert')).toHaveCount(0)
    await admin.set('Message', { zh: '还没有地点', en: 'It has no place yet' })

    await admin.choose('Effects')
    await admin.addNamed('tell')
    await admin.set('Does', 'Notify')
    const what = await admin.control('With')
    const to = await admin.control('To', what)
    await to.getByRole('button', { name: 'Add' }).click()
    await admin.set('Title', { zh: '时间已确认：{{ place }}', en: 'The time is agreed: {{ place }}' }, what)
    await admin.saved()
    await expect(page.locator('.sb-design-problems')).toHaveCount(0)
    // whoever may do more is told, and somebody has looked at it
    await admin.release({ says: '"Agree the time" becomes possible for General manager, Sales, Sales manager', risky: true })
  })

  await test.step('and offers it on the list by its name alone', async () => {
    await admin.open(PAGE)
    await admin.choose('Row actions')
    await admin.panel.getByRole('combobox', { name: 'Add a transition' }).fill('Agree')
    await page.locator('.ant-select-item-option:visible').filter({ hasText: 'Agree the time' }).first().click()
    await admin.release({ says: 'added' })
  })

  await test.step('sales sees why it is not possible, takes it where it is, and is told', async () => {
    const customers = await call<{ records: { id: string }[] }>(sales, '/v2/crm/customer/queryPage', {
      pageNo: 1,
      pageSize: 1,
      view: 'mine',
    })
    const visit = { customerId: customers.data.records[0]?.id, visitType: 'onsite', plannedAt: '2030-05-06T02:00:00Z' }
    for (const more of [{ purpose: 'Kingfisher' }, { purpose: 'Nightingale', place: 'Harbour office' }])
      expect(await call(sales, '/v2/crm/visit/save', { ...visit, ...more })).toMatchObject({ code: 0 })
    await openList(sales, '/crm/visiting-records')
    const item = sales.getByRole('menuitem', { name: /^Agree the time/ })
    const open = async (purpose: string): Promise<void> => {
      await rowOf(sales, purpose).getByRole('button', { name: 'More' }).click()
    }
    await expect(rows(sales).first()).toBeVisible()
    await open('Kingfisher')
    await expect(item).toHaveAttribute('aria-disabled', 'true')
    await expect(item).toHaveAttribute('title', 'It has no place yet')
    await sales.keyboard.press('Escape')
    await open('Nightingale')
    await item.click()
    await expect(sales.getByText('Agree the time: done')).toBeVisible()
    await sales.goto('/crm/today')
    await expect(sales.getByText('The time is agreed: Harbour office')).toBeVisible()
  })

  await reset(admin, PAGE)
  await reset(admin, ENTITY)
})
