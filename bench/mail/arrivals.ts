import { EventSourceParserStream } from 'eventsource-parser/stream'
import { startDovecot } from '../../tests/support/dovecot'
import type { Caller } from '../../tests/support/gateway'
import { bind, statesOf, unbind } from './bind'
import { p95, timed, until, type Figure } from './figures'
import { rawOf } from './letters'
import { deliver, makeMailbox } from './maildir'
import { since, type MailWorld } from './world'

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 200)
const RATE = 20
const SECONDS = 60

/** 200 mailboxes of a server, 20 letters a second among them: from their arrival there to the push in a browser. */
export async function arrivals({ administrator, sales, accountId, cpu }: MailWorld): Promise<Figure[]> {
  const dovecot = await startDovecot()
  try {
    const addresses = Array.from({ length: ACCOUNTS }, (_, at) => `box${at}@company.example`)
    for (const address of addresses) await makeMailbox(dovecot.mail, address)
    const binding = performance.now()
    const ids: string[] = []
    for (const address of addresses)
      ids.push(
        await bind(administrator, { address, imapPort: dovecot.port, smtpPort: 9, password: dovecot.password, kind: 'shared' }),
      )
    const own = new Set(ids)
    await until(
      'all mailboxes are active',
      async () =>
        (await statesOf(administrator)).filter(({ accountId: id, state }) => own.has(id) && state === 'active').length ===
        ACCOUNTS,
      300,
      1_000,
    )
    const bound = (performance.now() - binding) / 1_000
    await new Promise((wake) => setTimeout(wake, 5_000))
    const { seen, close } = await pushesOf(administrator)
    const sent = new Map<string, number>()
    const before = cpu()
    const lists: number[] = []
    const begin = performance.now()
    for (let number = 0; number < RATE * SECONDS; number += 1) {
      const due = begin + (number * 1_000) / RATE
      const wait = due - performance.now()
      if (wait > 0) await new Promise((wake) => setTimeout(wake, wait))
      const subject = `Arrival ${number}`
      const raw = rawOf(number, addresses[number % ACCOUNTS]!, Date.now())
        .replace(/^Subject: .*$/mu, `Subject: ${subject}`)
        .replace('.bench@', `.${begin}.arrival@`)
      sent.set(subject, performance.now())
      await deliver(dovecot.mail, addresses[number % ACCOUNTS]!, `${Date.now()}.${number}.host`, raw)
      if (number % RATE === 0)
        void timed(() => sales.post('/v2/emailbox/receive/query', { page: 1, size: 50, accountIds: [accountId] })).then((took) =>
          lists.push(took),
        )
    }
    const took = (performance.now() - begin) / 1_000
    const used = since(before, cpu())
    await until('all pushes came', () => Promise.resolve(seen.size === sent.size), 120).catch(() => undefined)
    close()
    await unbind(administrator, ids)
    const times = [...seen].map(([subject, at]) => at - sent.get(subject)!)
    return [
      { measure: `${ACCOUNTS} mailboxes bound and active`, value: bound, unit: 's' },
      { measure: 'letters without a push', value: sent.size - seen.size, bar: 0, unit: '' },
      {
        ...p95('arrival to push', times, 2_000),
        beside: `${p95('', times).beside}, ${used} in ${took.toFixed(0)} s`,
      },
      p95('a list beside it', lists),
    ]
  } finally {
    await dovecot.close()
  }
}

/** The pushes of new mail in an open browser: by subject, when the first one came. */
async function pushesOf(who: Caller): Promise<{ seen: ReadonlyMap<string, number>; close(): void }> {
  const abort = new AbortController()
  const seen = new Map<string, number>()
  const response = await fetch(`${who.base}/v2/sys/mc/sse/connection`, {
    headers: { authorization: `Bearer ${who.token}` },
    signal: abort.signal,
  })
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  const follow = async (): Promise<void> => {
    for (;;) {
      const { value, done } = await events.read()
      if (done) return
      const subject = /Arrival \d+/u.exec(value.data)?.[0]
      if (subject !== undefined && !seen.has(subject)) seen.set(subject, performance.now())
    }
  }
  follow().catch(() => undefined)
  return { seen, close: () => abort.abort() }
}
