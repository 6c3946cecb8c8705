import { startDovecot } from '../../tests/support/dovecot'
import { bind, unbind } from './bind'
import { p95, timed, type Figure } from './figures'
import { fillMailbox } from './maildir'
import { since, type MailWorld } from './world'

const COUNT = Number(process.env.SYNC ?? 100_000)
const MOST_SECONDS = 3_600

/** The first synchronisation of a mailbox with 100,000 letters, and a list of another one beside it. */
export async function sync({ sales, accountId, cpu }: MailWorld): Promise<Figure[]> {
  const dovecot = await startDovecot()
  const address = 'sync@company.example'
  try {
    console.log(`filling ${COUNT.toLocaleString('en')} letters of a server ...`)
    await fillMailbox(dovecot.mail, address, COUNT)
    const before = cpu()
    const start = performance.now()
    const bound = await bind(sales, {
      address,
      imapPort: dovecot.port,
      smtpPort: 9,
      password: dovecot.password,
      kind: 'personal',
    })
    const page = (of: string, size: number) =>
      sales.post<{ total: number }>('/v2/emailbox/receive/query', { page: 1, size, accountIds: [of] })
    let first: number | null = null
    let come = 0
    const beside: number[] = []
    while (come < COUNT) {
      beside.push(await timed(() => page(accountId, 50)))
      if (beside.length % 5 === 0) come = (await page(bound, 1)).data.total
      if (come >= 50) first ??= performance.now() - start
      if (performance.now() - start > MOST_SECONDS * 1_000) throw new Error(`Only ${come} came.`)
      await new Promise((wake) => setTimeout(wake, 150))
    }
    const took = (performance.now() - start) / 1_000
    const used = since(before, cpu())
    await unbind(sales, [bound])
    return [
      {
        measure: `${COUNT} headers`,
        value: took,
        bar: 300,
        unit: 's',
        beside: `${Math.round(COUNT / took)} a second, ${used}`,
      },
      { measure: 'first page is there', value: (first ?? 0) / 1_000, unit: 's' },
      p95('a list beside it', beside, 300),
    ]
  } finally {
    await dovecot.close()
  }
}
