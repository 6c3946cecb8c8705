import type { Page } from '@playwright/test'
import { call, expect, released, reset } from '../support/adminTest'
import { test } from '../support/everydayChange'
import { seriousFaults } from '../support/axe'
import { box, choose, openList, rows, type } from '../support/portalPage'

const NEW_OPPORTUNITY = '/crm/addBo'
const NEW_VISIT = '/crm/visiting-records'

const openForm = async (page: Page): Promise<void> => {
  await page.goto(NEW_OPPORTUNITY)
  await expect(box(page, 'Remark')).toBeVisible()
}
const addressesOf = (page: Page): Promise<(string | null)[]> =>
  page.locator('.sb-form-item:visible').evaluateAll((items) => items.map((item) => item.getAttribute('data-address')))

test('Change 09: the fields of a form stand in another order and width', async ({ office: { admin, sales }, picture }) => {
  await admin.open('page:crm/add-bo')
  await admin.choose('Form fields', 'Competition and remark', 'Incumbent')
  await admin.press('Move up')
  const layout = await admin.control('Layout')
  await layout.getByRole('checkbox', { name: 'Add' }).check()
  await admin.set('Span', '2', layout)
  await picture(admin)
  await admin.choose('Form fields')
  await admin.addNamed('when')
  await admin.set('Title', { zh: '时间', en: 'When' })
  await admin.choose('Opportunity', 'Expected close')
  await admin.moveTo('When')
  await admin.release({ says: 'Field "When": added' })
  await openForm(sales)
  await expect
    .poll(async () => (await addressesOf(sales)).slice(-5))
    .toEqual(['more.currentSupplier', 'more.competitor', 'more.remark', 'more.attachments', 'when.expectedOn'])
  await expect(box(sales, 'Incumbent')).toHaveCSS('grid-column', /span 2/)
  await expect(sales.getByRole('heading', { name: 'When' })).toBeVisible()
})

test('Change 10: a field becomes required, which asks for a second look', async ({ office: { admin, sales }, picture }) => {
  await admin.open('entity:crm.visit')
  await admin.set('Required', 'Participants')
  await admin.check({ says: 'Field "Participants": newly required' })
  const release = admin.review.getByRole('button', { name: 'Release', exact: true })
  await expect(release).toBeDisabled()
  await admin.review.getByRole('checkbox', { name: /newly required/ }).check()
  await picture(admin)
  await admin.send()
  await openList(sales, NEW_VISIT)
  await sales.getByRole('button', { name: 'Plan a visit' }).first().click()
  await type(sales, 'Purpose', 'Prices of the autumn')
  await sales.keyboard.press('Control+Enter')
  await expect(box(sales, 'Participants').locator('.sb-form-error')).toBeVisible()
  const visit = { customerId: 'c-1', visitType: 'onsite', plannedAt: '2026-06-12T06:00:00Z', purpose: 'Prices of the autumn' }
  const refused = await call<{ errors: { field: string }[] }>(sales, '/v2/crm/visit/save', visit)
  expect(refused.data.errors).toContainEqual(expect.objectContaining({ field: 'participants', rule: 'required' }))
  await reset(admin, 'entity:crm.visit')
})

test('Change 11: a field has a value from the start and is locked', async ({ office: { admin, sales }, picture }) => {
  await admin.open('page:crm/add-bo')
  await admin.choose('Form fields', 'Volume and amount', 'Currency')
  await admin.set('Default', 'EUR')
  await admin.set('Mode', 'readOnly')
  await picture(admin)
  await admin.release()
  await openForm(sales)
  await expect(box(sales, 'Currency')).toContainText('EUR')
  await box(sales, 'Currency').locator('.sb-form-box').click()
  await expect(sales.getByRole('option')).toHaveCount(0)
})

test('Change 12: a field is shown only when another one says so', async ({ office: { admin, sales }, picture }) => {
  await admin.open('page:crm/add-bo')
  await admin.choose('Form fields', 'Competition and remark', 'Competitor')
  await admin.set('Visible when', '{{ !!$values.currentSupplier }}')
  await picture(admin)
  await admin.release()
  await openForm(sales)
  await expect(box(sales, 'Competitor')).toHaveCount(0)
  await type(sales, 'Incumbent', 'Grey Heron Telecom')
  await expect(box(sales, 'Competitor')).toBeVisible()
})

test('Change 13: a field is explained and checked with words of its own', async ({ office: { admin, sales }, picture }) => {
  await admin.open('page:crm/add-bo')
  await admin.choose('Form fields', 'Volume and amount', 'Monthly volume')
  // the form that is drawn anew beside it leaves the focus where somebody works
  const language = admin.preview.getByRole('radio', { name: '中文' })
  await admin.preview.getByText('中文', { exact: true }).click()
  await expect(admin.preview.getByRole('textbox', { name: '预计售价' })).toBeVisible()
  await expect(language).toBeFocused()
  await admin.preview.getByText('English', { exact: true }).click()
  await admin.set('Help text', { zh: '低于一千的走自助开通', en: 'Below 1,000 customers help themselves' })
  const rules = await admin.control('Validation')
  await rules.getByRole('button', { name: 'Add', exact: true }).click()
  await admin.set('Smallest', '1000', rules)
  await admin.set('Message', { zh: '请引导自助开通', en: 'Send them to self-service' }, rules)
  await picture(admin)
  await admin.release()
  await openForm(sales)
  await expect(box(sales, 'Monthly volume')).toContainText('Below 1,000 customers help themselves')
  await type(sales, 'Monthly volume', '20')
  await sales.keyboard.press('Tab')
  await expect(box(sales, 'Monthly volume').locator('.sb-form-error')).toHaveText('Send them to self-service')
})

test('Change 14: a detail page gets a section', async ({ office: { admin, sales }, picture }) => {
  await admin.open('page:crm/bo-detail')
  await admin.choose('Sections')
  await admin.addNamed('plan')
  await admin.set('Title', { zh: '下一步', en: 'What comes next' })
  for (let step = 0; step < 5; step += 1) await admin.press('Move up')
  await admin.choose('What comes next', 'Fields')
  await admin.addField('Next follow-up')
  await picture(admin)
  await admin.release({ says: 'Section "What comes next": added' })
  await openList(sales, '/crm/opportunities')
  await rows(sales).first().getByRole('link').first().click()
  const section = sales.getByRole('region', { name: 'What comes next' })
  await expect(section.getByText('Next follow-up')).toBeVisible()
  await expect(sales.locator('main:visible h2').first()).toHaveText('What comes next')
})

test('a form that is released anew while it is filled in says what changed, keeps what was typed and is saved', async ({
  office: { admin, sales },
}) => {
  test.setTimeout(240_000)
  const target = 'page:crm/customer'
  const group = 'schema/properties/basic/properties'
  const dialog = sales.getByRole('dialog', { name: 'The form has changed' })
  const submit = () => sales.locator('button[data-submit]:visible').click()
  const halfFilled = async (name: string): Promise<void> => {
    await sales.goto('/crm/client-partner/my-client/edit')
    await type(sales, 'Company name', name)
    await choose(sales, 'Country', 'China')
    await choose(sales, 'Customer type', 'Enterprise')
    await choose(sales, 'Source', 'Website')
    await type(sales, 'Website', 'https://www.typed-before.com')
    const changes = [
      { at: `${group}/website`, remove: true },
      { at: `${group}/city/required`, set: true },
    ]
    await released(admin, target, changes, { accept: true })
  }
  const isRefused = async (name: string): Promise<void> => {
    await submit()
    await expect(dialog.getByRole('listitem')).toHaveText(['"City" is required now', '"Website" is no longer on the form'])
    await expect(box(sales, 'Company name').locator('input')).toHaveValue(name)
  }

  await test.step('shown anew, with everything that still has a place', async () => {
    await halfFilled('Amberlight Networks')
    await isRefused('Amberlight Networks')
    await dialog.getByRole('button', { name: 'Show the new form with what was typed' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(box(sales, 'Company name').locator('input')).toHaveValue('Amberlight Networks')
    await expect(box(sales, 'Website')).toHaveCount(0)
    await submit()
    await expect(box(sales, 'City').locator('.sb-form-error')).toBeVisible()
    await type(sales, 'City', 'Shenzhen')
    await submit()
    await expect(sales).toHaveURL(/\/details\?id=/)
    await reset(admin, target)
  })

  await test.step('kept as it was opened, until what was typed fits', async () => {
    await halfFilled('Quartzmere Holdings')
    await isRefused('Quartzmere Holdings')
    await dialog.getByRole('button', { name: 'Stay here for now' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(box(sales, 'Website').locator('input')).toHaveValue('https://www.typed-before.com')
    await type(sales, 'Website', '')
    await type(sales, 'City', 'Shenzhen')
    await submit()
    await expect(sales).toHaveURL(/\/details\?id=/)
    await reset(admin, target)
  })
})

/** A form whose choices come from records, from a call and from its own rows, without a word of code. */
const CHOOSING = {
  formatVersion: 3,
  kind: 'form',
  path: '/crm/choosing',
  title: { zh: '选择', en: 'Choosing' },
  detail: true,
  schema: {
    type: 'object',
    properties: {
      customer: { type: 'string', title: { zh: '客户', en: 'Customer' }, 'x-options': { entity: 'crm.customer' } },
      contact: {
        type: 'string',
        title: { zh: '联系人', en: 'Contact' },
        'x-component': 'Select',
        'x-options': {
          entity: 'crm.contact',
          where: [{ field: 'customerId', operator: 'eq', value: '{{ $values.customer }}' }],
          label: '{{ row.name }} ✓',
        },
      },
      department: {
        type: 'string',
        title: { zh: '部门', en: 'Department' },
        'x-component': 'TreeSelect',
        'x-options': { call: 'GET /v2/srm/supplier/select/get/dept', label: 'nameEn', value: 'id', parent: 'parentId' },
      },
      people: {
        type: 'array',
        title: { zh: '人员', en: 'People' },
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', title: { zh: '姓名', en: 'Name' } },
            level: { type: 'string', title: { zh: '级别', en: 'Level' }, 'x-options': { dictionary: 'customerLevel' } },
            asks: {
              type: 'string',
              title: { zh: '找谁', en: 'Asks' },
              'x-options': {
                entity: 'crm.contact',
                where: [{ field: 'customerId', operator: 'eq', value: '{{ $values.customer }}' }],
              },
            },
          },
        },
      },
      main: {
        type: 'string',
        title: { zh: '主要人员', en: 'Main person' },
        'x-component': 'Radio.Group',
        'x-options': { rows: 'people', label: 'name' },
      },
    },
  },
  submit: { call: 'POST /v2/crm/contact/select', params: { ids: '{{ [values.contact] }}', keyword: '{{ values.main }}' } },
}

test('options come from records, a call and rows: loading, a failure with another try, what depends on what', async ({
  office: { admin, sales },
}) => {
  const contacts = await call<{ records: { id: string; name: string; customerId: string }[] }>(
    sales,
    '/v2/crm/contact/queryPage',
    {
      pageSize: 200,
    },
  )
  const [first] = contacts.data.records
  const other = contacts.data.records.find(({ customerId }) => customerId !== first!.customerId)!
  const titles = await call<{ id: string; title: string }[]>(sales, '/v2/crm/customer/select', {
    ids: [first!.customerId, other.customerId],
  })
  const titleOf = (id: string): string => titles.data.find((one) => one.id === id)!.title
  await released(admin, 'page:crm/choosing', [{ at: '', set: CHOOSING }], { accept: true })

  let broken = true
  await sales.route('**/v2/crm/contact/queryPage', async (route) => {
    if (!broken) return route.continue()
    await new Promise((wake) => setTimeout(wake, 700))
    await route.fulfill({ json: { code: 10010001, msg: 'Not now, please.', data: null } })
  })
  await sales.goto('/crm/choosing')
  const contact = box(sales, 'Contact')
  await expect(contact.getByText('Choose Customer first')).toBeVisible()
  await choose(sales, 'Customer', titleOf(first!.customerId))
  await expect(contact.getByText('Loading the options…')).toBeVisible()
  await expect(contact.getByRole('alert')).toContainText('Not now, please.')
  broken = false
  await contact.getByRole('button', { name: 'Try again' }).click()
  await expect(contact.getByRole('alert')).toHaveCount(0)
  await choose(sales, 'Contact', `${first!.name} ✓`)

  await sales.getByLabel('Department').click()
  await expect(sales.locator('.ant-select-tree-title').first()).toBeVisible()
  await sales.locator('.ant-select-tree-switcher_close').first().click()
  await sales.locator('.ant-select-tree-title').nth(1).click()

  const cell = (row: number, column: number) => sales.locator(`td[data-row="${row}"][data-column="${column}"]`)
  await sales.getByRole('button', { name: 'Add a row' }).click()
  await cell(0, 0).click()
  await sales.keyboard.type('Ada')
  await cell(0, 1).click()
  await sales.locator('.ant-select-item-option:visible', { hasText: 'Class A' }).click()
  await cell(0, 2).click()
  await sales.locator('.ant-select-item-option:visible', { hasText: first!.name }).first().click()
  await sales.getByLabel('Customer', { exact: true }).focus()
  await expect(cell(0, 2)).toContainText(first!.name)
  await box(sales, 'Main person').getByRole('radio', { name: 'Ada' }).check()

  await choose(sales, 'Customer', titleOf(other.customerId))
  await expect(contact.getByText(`${first!.name} ✓`)).toHaveCount(0)
  await expect(cell(0, 2)).not.toContainText(first!.name)
  await choose(sales, 'Contact', `${other.name} ✓`)
  const sent = sales.waitForRequest((request) => request.url().endsWith('/contact/select') && request.postData()!.includes('Ada'))
  await sales.locator('button[data-submit]:visible').click()
  expect((await sent).postDataJSON()).toEqual({ ids: [other.id], keyword: 'Ada' })
  await sales.unroute('**/v2/crm/contact/queryPage')
})

test('a form gets a tab, a table in it and a condition by clicks; it is drawn at once, released and filled in', async ({
  office: { admin, sales },
}) => {
  const target = 'page:crm/visit-plan'
  const { data: mine } = await call<{ records: { id: string }[] }>(sales, '/v2/crm/customer/queryPage', {
    view: 'mine',
    pageSize: 1,
  })
  const page = {
    ...{
      formatVersion: 3,
      kind: 'form',
      path: '/crm/visit-plan',
      detail: true,
      title: { zh: '拜访计划', en: 'Visit plan' },
      rest: false,
    },
    schema: { type: 'object', properties: { gifts: { type: 'boolean', title: { zh: '带礼品', en: 'With gifts' } } } },
    submit: {
      call: 'POST /v2/crm/visit/save',
      params: {
        ...{
          customerId: mine.records[0]!.id,
          visitType: 'onsite',
          plannedAt: "{{ concat(addDays(today, 1), 'T06:00:00Z') }}",
          participants: ['{{ user.staffId }}'],
        },
        purpose: "{{ join(map(values.arrayTable ?? [], r => concat(r.name, ' x', string(r.amount))), ', ') }}",
      },
    },
  }
  await released(admin, target, [{ at: '', set: page }], { accept: true })
  await admin.open(target)
  await admin.choose('Form fields')
  await admin.press('Add a component')
  await admin.panel.getByRole('button', { name: 'Tabs', exact: true }).click()
  await admin.choose('Form fields', 'Tabs', 'First tab')
  await admin.set('Name of the tab', { zh: '礼品', en: 'Gifts' })
  await admin.press('Add a component')
  const search = admin.panel.getByRole('searchbox', { name: /^Find a component/ })
  await search.fill('ArrayTable')
  await search.press('Enter')
  const condition = await admin.control('Visible when')
  await condition.getByRole('button', { name: 'Add a condition' }).click()
  await condition.getByRole('combobox', { name: 'Field' }).fill('gifts')
  await admin.page.keyboard.press('Enter')
  await condition.getByRole('combobox', { name: 'Value' }).click()
  await admin.page.locator('.ant-select-item-option:visible').filter({ hasText: /^Yes$/ }).click()
  await expect(condition.locator('textarea.sb-design-mono')).toHaveValue('{{ $values.gifts === true }}')
  expect(await seriousFaults(admin.page, '.sb-design-side')).toEqual([])
  await expect(admin.preview.getByRole('tab', { name: 'Gifts' })).toBeVisible()
  await expect(admin.preview.getByText('Quantity')).toHaveCount(0)
  await admin.preview.getByRole('switch', { name: 'With gifts' }).click()
  await expect(admin.preview.getByText('Quantity')).toBeVisible()
  await admin.release()

  await sales.goto('/crm/visit-plan')
  await sales.getByRole('switch', { name: 'With gifts' }).click()
  await sales.getByRole('button', { name: /Add an entry/ }).click()
  for (const [column, text] of ['Tea', '3'].entries()) {
    const cell = sales.locator(`td[data-row="0"][data-column="${column}"]`)
    await cell.click()
    await cell.getByRole('textbox').or(cell.getByRole('spinbutton')).fill(text)
    await sales.keyboard.press('Enter')
  }
  const answer = sales.waitForResponse('**/v2/crm/visit/save')
  await sales.keyboard.press('Control+Enter')
  expect((await answer).request().postDataJSON()).toMatchObject({ purpose: 'Tea x3' })
  const told = (await (await answer).json()) as { code: number }
  expect(told, JSON.stringify(told)).toMatchObject({ code: 0 })
})
