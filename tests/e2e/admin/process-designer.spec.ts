import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { filled } from '../../support/workbook'
import { call, expect, test } from '../support/adminTest'
import { seriousFaults } from '../support/axe'

const DESIGN = '/setModule/process/configer/design'

const option = (page: Page, name: string) => page.locator('.ant-select-dropdown:visible').getByText(name, { exact: true })
const step = (page: Page, name: string) =>
  page.getByRole('application', { name: 'Flow' }).getByRole('group', { name, exact: true })
const after = async (page: Page, name: string, kind: string): Promise<void> => {
  const item = page.getByRole('menuitem', { name: kind, exact: true })
  // the canvas may still move to the step that was added before
  await expect(async () => {
    await page.getByRole('button', { name: `Add a step after "${name}"` }).click()
    await expect(item).toBeVisible({ timeout: 2000 })
  }).toPass()
  await item.click()
}
const field = async (page: Page, key: string, kind: string, zh: string, en: string): Promise<void> => {
  await page.getByRole('group', { name: 'Add a field' }).getByRole('combobox').fill(kind)
  await option(page, kind).click()
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByLabel('Chinese name').fill(zh)
  await page.getByLabel('English name').fill(en)
  await page.getByRole('group', { name: 'Add a field' }).getByRole('button', { name: 'Add', exact: true }).click()
}

test('An admin draws a process with a form of its own: branch by amount, all of finance, a copy; staff apply by it', async ({
  office: { admin, sales },
}) => {
  const { page } = admin
  await page.goto('/setModule/process/configer')
  await expect(page.getByRole('link', { name: 'New process' })).toHaveAttribute('href', new RegExp(`${DESIGN}$`))
  await page.goto(DESIGN)

  // what it is called
  await page.getByLabel('Name (Chinese)').fill('办公采购')
  await page.getByLabel('Name (English)').fill('Office purchase')
  await page.getByLabel('Code', { exact: true }).fill('officePurchase')
  await page.getByLabel('Number prefix').fill('OP')

  // what is asked
  await page.getByRole('tab', { name: 'Form', exact: true }).click()
  await page.getByRole('button', { name: 'Add a field' }).click()
  await field(page, 'item', 'Single line', '物品', 'Item')
  await page.getByRole('switch', { name: 'Required' }).click()
  await field(page, 'cost', 'Money', '费用', 'Cost')
  // the preview is the form that people get
  await expect(page.getByRole('region', { name: 'Preview' }).getByText('Cost', { exact: true })).toBeVisible()

  // which way it goes
  await page.getByRole('tab', { name: 'Flow' }).click()
  await after(page, 'Direct leader', 'Condition')
  await step(page, 'Condition 1').click()
  await expect(page.getByRole('alert').filter({ hasText: 'needs a condition' })).toBeVisible()
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByRole('combobox', { name: 'Field', exact: true }).click()
  await page.locator('.ant-select-dropdown:visible').getByText(/^Cost/).click()
  await page.getByRole('spinbutton', { name: 'Value' }).fill('5000')
  await expect(step(page, 'Condition 1')).toContainText('Cost > 5000')

  await after(page, 'Condition 1', 'Approval')
  await page.getByLabel('Name (English)').fill('Finance')
  await page.getByLabel('Name (Chinese)').fill('财务')
  await expect(step(page, 'Finance')).toBeVisible()
  const rule = page.getByRole('group', { name: 'Add people' })
  await rule.locator('.ant-select').first().click()
  await option(page, 'Named staff').click()
  for (const name of ['张子涵', '李婷']) {
    await rule.getByRole('combobox', { name: 'Staff', exact: true }).click()
    await page.keyboard.type(name)
    await expect(page.locator('.ant-select-dropdown:visible .ant-select-item-option')).toHaveCount(1)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Escape')
  await expect(rule.getByRole('status')).toContainText('2 people now')
  await page.getByLabel('With several people').click()
  await option(page, 'All').click()
  await after(page, 'Finance', 'Copy')
  await expect(page.getByText('No problems')).toBeVisible()

  // by keyboard: copied, undone
  const canvas = page.getByRole('application', { name: 'Flow' })
  await expect(async () => {
    await step(page, 'Finance').click()
    await expect(step(page, 'Finance')).toHaveAttribute('aria-current', 'true', { timeout: 1000 })
  }).toPass()
  await canvas.press('Control+d')
  await expect(step(page, 'Finance')).toHaveCount(2)
  await page.keyboard.press('Control+z')
  await expect(step(page, 'Finance')).toHaveCount(1)
  expect(await seriousFaults(page)).toEqual([])

  // what was not published is still there after a reload
  await page.reload()
  await expect(page.getByText('Unpublished changes of last time are back')).toBeVisible()
  await page.getByRole('tab', { name: 'Flow' }).click()
  await expect(step(page, 'Finance')).toBeVisible()

  // tried before it is published
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page
    .getByRole('region', { name: 'Dry run' })
    .locator('input[role=spinbutton], .sb-design-value input')
    .first()
    .fill('8000')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('status', { name: 'Steps on the way' })).toContainText('Finance')

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByLabel('What was changed').fill('For orders of office supplies')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Version 1', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Versions' }).click()
  await expect(page.getByRole('article', { name: 'Version 1' })).toContainText('For orders of office supplies')

  // staff may start it now
  const offered = await call<{ value: string; label: { en: string } }[]>(sales, '/v2/workflow/select/process')
  expect(offered.data.map(({ label }) => label.en)).toContain('Office purchase')
})

interface Task {
  taskId: string
}
interface Step {
  state: string
  assignees: { id: string }[]
  branches?: { nodes: Step[] }[]
}
interface Detail {
  instance: { status: string; code: string; effectStatus: string }
  path: Step[]
  myTask: Task | null
}

test('What an admin has drawn moves the ledger: returned, straight back, agreed by all of finance; a new form leaves what was signed as it is', async ({
  office: { admin, sales, also },
}) => {
  test.setTimeout(240_000)
  const { page } = admin
  const detailOf = async (who: Page, instanceId: string) =>
    (await call<Detail>(who, '/v2/workflow/operate/instanceDetail', { instanceId })).data
  const asked = async (instanceId: string): Promise<string[]> => {
    const steps = (nodes: Step[]): Step[] =>
      nodes.flatMap((node) => [node, ...steps((node.branches ?? []).flatMap((one) => one.nodes))])
    const people = steps((await detailOf(sales, instanceId)).path).filter(({ state }) => state === 'current')
    const ids = people.flatMap(({ assignees }) => assignees.map(({ id }) => id))
    const found = await call<{ title: string }[]>(sales, '/v2/sys/staff/user/select', { ids, pageSize: 10 })
    return found.data.map(({ title }) => /S\d{4}/.exec(title)?.[0] ?? '').sort()
  }
  /** Pages that are left stay in the document, hidden. */
  const shown = (who: Page, label: string) => who.getByLabel(label, { exact: true }).locator('visible=true')
  const bar = (who: Page) => who.locator('.sb-process-bar:visible')
  const open = async (who: Page, instanceId: string): Promise<void> => {
    const { myTask } = await detailOf(who, instanceId)
    await who.goto(`/general/process/my-agent/profile?taskId=${myTask?.taskId ?? ''}`)
    await expect(bar(who)).toBeVisible()
  }
  const agree = async (who: Page, instanceId: string): Promise<void> => {
    const task = (await detailOf(who, instanceId)).myTask?.taskId
    await open(who, instanceId)
    await bar(who).getByRole('button', { name: 'Agree', exact: true }).click()
    await who.getByRole('dialog', { name: 'Agree' }).getByRole('button', { name: 'Agree' }).click()
    await expect.poll(async () => (await detailOf(who, instanceId)).myTask?.taskId).not.toBe(task)
  }
  const apply = async (reason: string): Promise<string> => {
    await sales.goto('/general/process/sponsor/submit?code=goodwill')
    await shown(sales, 'Account').click()
    await sales.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
    await shown(sales, 'Amount').fill('600')
    await shown(sales, 'Reason').fill(reason)
    await bar(sales).getByRole('button', { name: 'Submit' }).click()
    await sales.waitForURL(/my-initiate\/profile\?instanceId=/)
    return new URL(sales.url()).searchParams.get('instanceId') ?? ''
  }

  await page.goto(DESIGN)
  await page.getByLabel('Name (Chinese)').fill('善意补偿')
  await page.getByLabel('Name (English)').fill('Goodwill')
  await page.getByLabel('Code', { exact: true }).fill('goodwill')
  await page.getByLabel('Number prefix').fill('GW')
  await page.getByRole('tab', { name: 'Form', exact: true }).click()
  await page.getByRole('button', { name: 'Add a field' }).click()
  await field(page, 'accountId', 'Reference', '账户', 'Account')
  await page.getByRole('switch', { name: 'Required' }).click()
  await page.getByRole('combobox', { name: 'Records referred to' }).fill('fin.customerAccount')
  await page.keyboard.press('Enter')
  await field(page, 'amount', 'Money', '金额', 'Amount')
  await page.getByRole('switch', { name: 'Required' }).click()
  await field(page, 'reason', 'Single line', '原因', 'Reason')

  await page.getByRole('tab', { name: 'Flow' }).click()
  await step(page, 'Direct leader').click()
  await page.getByText('Actions', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Ways to reject or return' }).click()
  await option(page, 'Return, then back to me').click()
  await page.keyboard.press('Escape')
  await after(page, 'Direct leader', 'Condition')
  await step(page, 'Condition 1').click()
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByRole('combobox', { name: 'Field', exact: true }).click()
  await page
    .locator('.ant-select-dropdown:visible')
    .getByText(/^Amount/)
    .first()
    .click()
  await page.getByRole('spinbutton', { name: 'Value' }).fill('500')
  await after(page, 'Condition 1', 'Approval')
  await page.getByLabel('Name (English)').fill('Finance')
  const rule = page.getByRole('group', { name: 'Add people' })
  await rule.locator('.ant-select').first().click()
  await option(page, 'Named staff').click()
  for (const name of ['张子涵', '李婷']) {
    await rule.getByRole('combobox', { name: 'Staff', exact: true }).click()
    await page.keyboard.type(name)
    await expect(page.locator('.ant-select-dropdown:visible .ant-select-item-option')).toHaveCount(1)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Escape')
  await page.getByLabel('With several people').click()
  await option(page, 'All').click()

  // what it does is chosen among what other processes do; what it needs is filled in from the form
  await page.getByRole('tab', { name: 'Effects' }).click()
  const effects = page.locator('.sb-process-effects')
  await effects.getByRole('button', { name: 'Add', exact: true }).first().click()
  await effects.getByRole('combobox', { name: 'Does' }).fill('fin.gift')
  await page.keyboard.press('Enter')
  await expect(effects).toContainText('It takes instanceId, instanceCode, accountId')
  for (const name of ['accountId', 'amount']) await expect(effects.locator(`[id$="-${name}"]`)).toHaveValue(`{{ ${name} }}`)
  await expect(page.getByText('No problems')).toBeVisible()
  const publish = async (note: string): Promise<void> => {
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByLabel('What was changed').fill(note)
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await publish('Goodwill')
  await expect(page.getByText('Version 1', { exact: true })).toBeVisible()
  const drawn = page.url()

  // returned, and straight back to whoever returned it
  const first = await apply('Late delivery')
  const [leaderNumber = ''] = await asked(first)
  const leader = await also(leaderNumber)
  await open(leader, first)
  await bar(leader)
    .getByRole('button', { name: /Reject|Return/ })
    .click()
  const way = leader.getByRole('menuitem', { name: 'Return, then back to me' })
  if (await way.isVisible()) await way.click()
  const dialog = leader.getByRole('dialog')
  await dialog.getByLabel('Comment').fill('Which delivery?')
  await dialog.getByRole('button', { name: 'Return, then back to me' }).click()
  await expect.poll(async () => (await detailOf(sales, first)).instance.status).toBe('returned')
  await sales.goto(`/general/process/my-initiate/profile?instanceId=${first}`)
  await bar(sales).getByRole('button', { name: 'Change and submit again' }).click()
  await shown(sales, 'Reason').fill('Late delivery in May')
  await bar(sales).getByRole('button', { name: 'Submit again' }).click()
  await sales.waitForURL(/my-initiate\/profile/)
  expect(await asked(first)).toEqual([leaderNumber])
  await agree(leader, first)

  // both of finance, and nothing before
  const finance = await asked(first)
  expect(finance).toHaveLength(2)
  const book = await also('S0052')
  const { data: detail } = await call<{ values: { accountId: string } }>(sales, '/v2/workflow/operate/form/data', {
    instanceId: first,
  })
  const account = (detail.values ?? (detail as unknown as { accountId: string })).accountId
  const entries = async () =>
    (
      await call<{ records: { accountId: string | null; direction: string; amount: string; postingId: string }[] }>(
        book,
        '/v2/fin/ledgerEntry/queryPage',
        { where: [{ field: 'sourceId', operator: 'eq', value: first }] },
      )
    ).data.records
  await agree(await also(finance[0]!), first)
  expect(await entries()).toEqual([])
  await agree(await also(finance[1]!), first)
  await expect.poll(async () => (await detailOf(sales, first)).instance.status).toBe('done')
  const posted = await entries()
  expect(posted.map(({ amount }) => Number(amount))).toEqual([600, 600])
  expect(new Set(posted.map(({ direction }) => direction)).size).toBe(2)
  expect(posted.map(({ accountId }) => accountId)).toContain(account)

  // the form gets a field while another application runs
  const running = await apply('Second one')
  await page.goto(drawn)
  await page.getByRole('tab', { name: 'Form', exact: true }).click()
  await page.getByRole('button', { name: 'Add a field' }).click()
  await field(page, 'ticket', 'Single line', '工单号', 'Ticket')
  await publish('Ticket')
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible()
  await expect(page.getByText('1 running on version 1')).toBeVisible()
  await open(leader, running)
  await expect(leader.locator('.sb-process:visible').getByText('Reason', { exact: true }).first()).toBeVisible()
  await expect(leader.locator('.sb-process:visible').getByText('Ticket', { exact: true })).toHaveCount(0)
  await sales.goto('/general/process/sponsor/submit?code=goodwill')
  await expect(shown(sales, 'Ticket')).toBeVisible()
})

test('Fields of a form come from an Excel file: the template filled in, the cell that is wrong, then all at once', async ({
  office: { admin },
}) => {
  const { page } = admin
  const destination = { type: 'string', maxLength: 80, 'x-label': { zh: '目的地', en: 'Destination' } }
  const { data } = await call<{ id: string }>(page, '/v2/workflow/form/save', {
    code: 'tripByFile',
    name: { zh: '出差', en: 'Trip' },
    definition: { fields: { destination } },
  })
  await page.goto(`/setModule/process/formword/design?id=${data.id}`)
  await page.getByRole('button', { name: 'Import fields from Excel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import fields from Excel' })
  const coming = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download the template' }).click()
  const template = readFileSync(await (await coming).path())
  const choose = (rows: string[][]) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'trip.xlsx', mimeType: 'application/octet-stream', buffer: filled(template, rows) })
  await choose([
    ['city', '城市', 'City', 'string', 'yes'],
    ['days', '天数', 'Days', 'fortnight', 'yes'],
  ])
  await expect(dialog.getByRole('alert')).toContainText('1 error: mend the file and choose it again')
  await expect(dialog.getByRole('row', { name: /3 D3 There is no type "fortnight"/ })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Import fields from Excel' })).toBeDisabled()
  await choose([
    ['city', '城市', 'City', 'string', 'yes'],
    ['days', '天数', 'Days', 'integer', 'yes'],
  ])
  await dialog.getByRole('button', { name: 'Write 2 fields' }).click()
  await expect(dialog).toBeHidden()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText('City', { exact: true })).toBeVisible()
  await expect(preview.getByText('Days', { exact: true })).toBeVisible()
})
