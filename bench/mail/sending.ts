import { SMTPServer } from 'smtp-server'
import { startDovecot } from '../../tests/support/dovecot'
import { freePort } from '../../tests/support/freePort'
import { bind, statesOf, unbind } from './bind'
import { percentile } from '../gatewayServer'
import { timed, until, type Figure } from './figures'
import { letterOf } from './letters'
import { makeMailbox } from './maildir'
import { since, type MailWorld } from './world'

const COUNT = Number(process.env.SENDING ?? 1_500)
/** Seconds until what was written is due, so that all of it waits. */
const AHEAD = 70
/** Letters that are written a second at least, by so many at once. */
const [WRITTEN, WRITERS] = [8, 4]
const ADDRESS = 'sender@company.example'

/** Letters that wait are handed to a server on this machine: how many a second it takes. */
export async function sending({ sales, cpu }: MailWorld): Promise<Figure[]> {
  const dovecot = await startDovecot()
  const smtpPort = await freePort()
  const arrived: number[] = []
  const seen = new Set<string>()
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], allowInsecureAuth: true, logger: false, disableReverseLookup: true },
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', () => {
        arrived.push(performance.now())
        seen.add(/^Subject: (.*)$/mu.exec(text)?.[1] ?? '')
        done()
      })
    },
  })
  await new Promise<void>((wake) => server.listen(smtpPort, '127.0.0.1', () => wake()))
  try {
    await makeMailbox(dovecot.mail, ADDRESS)
    const accountId = await bind(sales, {
      address: ADDRESS,
      imapPort: dovecot.port,
      smtpPort,
      password: dovecot.password,
      kind: 'personal',
    })
    await until(
      'the mailbox is active',
      async () => (await statesOf(sales)).some((one) => one.accountId === accountId && one.state === 'active'),
      60,
    )
    const accepted: number[] = []
    const due = (late: number): string => new Date(Date.now() + late * 1_000).toISOString()
    const writing = performance.now()
    // all of one moment: when the last one has been written
    const timingTime = due(AHEAD + COUNT / WRITTEN)
    const write = async (number: number): Promise<void> => {
      const { sender, text } = letterOf(number)
      const about = { accountId, to: [{ email: sender.email }], cc: [], bcc: [], attachments: [], kind: 'new', timingTime }
      const letter = { ...about, subject: `Queued ${number}`, content: `<p>${text}</p>` }
      const { code, msg } = await sales.post('/v2/emailbox/email/send', letter)
      if (code !== 0) throw new Error(msg)
    }
    let next = 0
    const writer = async (): Promise<void> => {
      while (next < COUNT) {
        const number = next++
        accepted.push(await timed(() => write(number)))
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, writer))
    console.log(`written in ${((performance.now() - writing) / 1_000).toFixed(0)} s`)
    if (Date.now() > Date.parse(timingTime)) throw new Error('Writing took too long: the first ones were sent meanwhile.')
    await until('sending began', () => Promise.resolve(arrived.length > 0), AHEAD + COUNT / WRITTEN + 30, 50)
    const before = cpu()
    await until('all of them were sent', () => Promise.resolve(arrived.length >= COUNT), 600, 50)
    const took = (arrived.at(-1)! - arrived[0]!) / 1_000
    const used = since(before, cpu())
    await unbind(sales, [accountId])
    return [
      {
        measure: `${COUNT} queued letters, taken by the server`,
        value: COUNT / took,
        bar: 50,
        isLeast: true,
        unit: 'a second',
        beside: `${took.toFixed(1)} s, ${used}, ${seen.size} different`,
      },
      {
        measure: 'call that sends',
        value: percentile(accepted, 0.95),
        unit: 'ms p95',
        beside: `p50 ${percentile(accepted, 0.5).toFixed(1)}`,
      },
    ]
  } finally {
    await new Promise<void>((wake) => server.close(() => wake()))
    await dovecot.close()
  }
}
