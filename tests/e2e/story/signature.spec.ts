import type { Page } from '@playwright/test'
import { call } from '../support/adminTest'
import { expect, PEOPLE, test } from '../support/realTest'

const SIGNED = {
  formatVersion: 3,
  name: 'sealUse',
  label: { zh: '用印申请', en: 'Use of the seal' },
  group: 'ops',
  prefix: 'YY',
  form: {
    fields: { paper: { type: 'string', maxLength: 80, 'x-label': { zh: '文件名称', en: 'Paper' } } },
    required: ['paper'],
  },
  nodes: [
    { id: 'start', kind: 'start' },
    {
      id: 'sign',
      kind: 'approve',
      label: { zh: '负责人签字', en: 'Signature of the lead' },
      assignees: [{ rule: 'staff', staff: ['st-s0004'] }],
      needSign: true,
    },
    { id: 'end', kind: 'end' },
  ],
}

/** A stroke over the box, as a pen draws it. */
const draw = async (page: Page): Promise<void> => {
  const box = await page.getByRole('img', { name: '签名' }).boundingBox()
  if (!box) throw new Error('There is no box to sign in.')
  await page.mouse.move(box.x + 30, box.y + 60)
  await page.mouse.down()
  for (let step = 1; step <= 8; step += 1) await page.mouse.move(box.x + 30 + step * 25, box.y + 60 + (step % 2 === 0 ? 30 : -20))
  await page.mouse.up()
}

test('a step that asks for a signature takes none without it, and keeps it in the timeline and on paper (money 7.2)', async ({
  as,
}) => {
  const admin = await as(PEOPLE.administrator)
  const saved = await call<{ id: string }>(admin, '/v2/workflow/process/save', { document: SIGNED })
  expect(saved.code).toBe(0)
  const sales = await as(PEOPLE.sales)
  const started = await call<{ instanceId: string }>(sales, '/v2/workflow/operate/start', {
    processId: saved.data.id,
    formData: { paper: '年度框架合同' },
  })
  const { instanceId } = started.data

  const leader = await as(PEOPLE.salesManager)
  const detail = await call<{ myTask: { taskId: string } }>(leader, '/v2/workflow/operate/instanceDetail', { instanceId })
  await leader.goto(`/general/process/my-agent/profile?taskId=${detail.data.myTask.taskId}`)
  await leader.locator('.sb-process-bar:visible').getByRole('button', { name: '同意', exact: true }).click()
  const dialog = leader.getByRole('dialog', { name: '同意' })
  await dialog.getByRole('button', { name: '同意' }).click()
  await expect(dialog.getByRole('alert')).toContainText('签名')
  await draw(leader)
  await dialog.getByRole('button', { name: '同意' }).click()
  await expect(dialog).toBeHidden()

  await sales.goto(`/general/process/my-initiate/profile?instanceId=${instanceId}`)
  const line = sales.locator('.sb-log:visible > li').filter({ hasText: '负责人签字' }).first()
  const picture = line.getByRole('img', { name: '签名' })
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await sales.emulateMedia({ media: 'print' })
  await expect(picture).toBeVisible()
})
