import { createTransport } from 'nodemailer'
import { HOSTILE } from '../fixtures/mail/hostileMail'
import { call } from './support/adminTest'
import { expect, PEOPLE, test } from './support/realTest'

const ME = 'target@switchboard.example'
/** Shapes in one mail; what one of them opens is closed before the next. */
const TOGETHER = 24
const CLOSED = '</textarea></style></script></title></xmp></noscript></template></select></svg></math></iframe>--></table></div>'
const EVIL = `x'"><img src=x onerror=alert(1)><svg onload=alert(1)>`

test('hostile mail runs nothing, asks for nothing and leaves the page usable, in its text and in its names (M15)', async ({
  as,
  gateway,
  expectFaults,
}) => {
  test.setTimeout(180_000)
  const page = await as(PEOPLE.sales)
  await call(page, '/v2/mail/account/save', { address: ME, displayName: 'Target', kind: 'personal', transport: 'local' })
  const state = await call<{ accounts: { accountId: string; address: string }[] }>(page, '/v2/emailbox/account/staff/state')
  const accountId = state.data.accounts.find(({ address }) => address === ME)!.accountId
  const transport = createTransport({ host: '127.0.0.1', port: gateway.mailPort, ignoreTLS: true })
  const letters = Array.from({ length: Math.ceil(HOSTILE.length / TOGETHER) }, (_, index) =>
    HOSTILE.slice(index * TOGETHER, (index + 1) * TOGETHER),
  )
  for (const [index, shapes] of letters.entries())
    await transport.sendMail({
      ...{
        from: { name: EVIL, address: 'anna@carrier.example' },
        to: ME,
        messageId: `<attack-${index}-${Date.now()}@carrier.example>`,
      },
      ...{ subject: `Letter ${index} ${EVIL}`, html: `${shapes.join(CLOSED)}${CLOSED}<p>End of ${index}</p>` },
      attachments: [{ filename: `${EVIL.replaceAll('/', '')}.txt`, content: 'x' }],
    })

  // the frame without scripts and origin says what it holds back
  expectFaults(/sandboxed|Content.Security.Policy/iu)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const left: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(new URL(page.url()).origin) && !/^(?:data|blob|about):/u.test(url)) left.push(url)
  })
  await page.goto(`/message/email/inbox?account=${accountId}&tagPath=path`)
  const reader = page.getByRole('article', { name: '邮件内容' })
  const frame = page.frameLocator('iframe[title="邮件正文"]')
  for (const index of letters.keys()) {
    const row = page.locator('.sb-mail-row').filter({ hasText: `Letter ${index} x` })
    await row.locator('a').first().click()
    await expect(reader.getByRole('heading', { level: 2 })).toHaveText(`Letter ${index} ${EVIL}`)
    await expect(frame.locator('body')).toBeVisible()
    // whoever moves over it, presses keys in it and clicks into it sets nothing off
    await frame.locator('body').hover()
    await frame.locator('body').evaluate((body) => {
      for (const element of body.querySelectorAll('*'))
        for (const name of ['mouseover', 'focus', 'click']) if (element.localName !== 'a') element.dispatchEvent(new Event(name))
    })
  }
  await expect(reader.locator('.sb-mail-sender')).toContainText(EVIL)
  expect([dialogs, left]).toEqual([[], []])
  expect(await page.evaluate(() => [(window as { hacked?: number }).hacked, document.title.length > 0])).toEqual([
    undefined,
    true,
  ])
  // the page around the letter is still its reader's
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: '快捷键' })).toBeVisible()
})
