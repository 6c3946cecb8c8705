import { systemContext } from '../../../platform/http'
import type { Line, Outcome, Work } from '../../../platform/queue'
import { handOver, isInSent, nextTry, type HandedOver, type RefusedRecipient } from '../../../platform/mail'
import { findAccount, type Account } from '../accounts'
import { overImap } from '../imap/connect'
import { logMail } from '../log'
import type { MailParts } from '../parts'
import { serverOf } from '../servers'
import { deliverLocally } from './local'
import { envelopeOf, FILING_LINE, lockOutgoing, SENDING_LINE, type Outgoing } from './outgoing'
import { noteSent, roomOf } from './sent'
import { tellSender } from './tell'

/** Seconds for which a gateway holds a mail while it talks to the server. */
const LEASE = 180
/** A mailbox that does not work, or has sent all of a day, is looked at again so much later. */
const LOOK_AGAIN = 5 * 60_000

/** What a try begins with: the mail is ours until the lease ends. */
interface Claimed {
  account: Account
  mail: Outgoing
  /** A gateway had it before and said nothing more: the server may have it. */
  isDoubtful: boolean
}

/** Sends what is due, each mail by one gateway at a time; never twice by itself. */
export const sendingLine = (parts: MailParts): Line<object> => ({
  name: SENDING_LINE,
  concurrency: 8,
  retry: { limit: 1_000, delaySeconds: 30 },
  handle: (work) => send(parts, work),
})

async function send(parts: MailParts, { key, now }: Work<object>): Promise<Outcome> {
  const begun = await begin(parts, key.split('/', 1)[0]!, now)
  if (!('account' in begun)) return begun
  const { account, mail, isDoubtful } = begun
  if (isDoubtful) return settleDoubt(parts, account, mail, now)
  const raw = await parts.raw.read(mail.rawHash)
  const answer = await serverOf(parts, parts.database, account, 'smtp').then(
    (server) => handOver(server, { sender: mail.returnPath ?? account.address, envelope: envelopeOf(mail), raw }),
    // without a token to sign in with nothing was handed to anybody
    (error: unknown): HandedOver => ({ kind: 'later', reason: error instanceof Error ? error.message : String(error) }),
  )
  if (answer.kind === 'unknown') return settleDoubt(parts, account, mail, parts.now())
  return note(parts, account, mail, answer)
}

type Begun = Outcome | Claimed

/** Claims a mail that is due. What the portal delivers itself is sent right there: with the transaction it has arrived, or was never sent. */
function begin(parts: MailParts, id: string, now: Date): Promise<Begun> {
  const { engine, database } = parts
  return engine.transaction(systemContext({ now }), async (entities, tx): Promise<Begun> => {
    const mail = await lockOutgoing(tx, id)
    if (!mail || !['undo', 'queued', 'scheduled', 'sending'].includes(mail.state)) return {}
    if (mail.state === 'sending') {
      const until = new Date(mail.leaseUntil ?? 0)
      if (until > now) return { again: until }
    } else if (new Date(mail.dueAt) > now) return { again: new Date(mail.dueAt) }
    const account = await findAccount(tx, mail.accountId)
    const isBound = account !== null && account.state !== 'unbound'
    if (
      isBound &&
      mail.state !== 'sending' &&
      (account.state === 'stopped' || account.state === 'unverified' || roomOf(account, now) <= 0)
    )
      return { again: new Date(now.getTime() + LOOK_AGAIN) }
    const leaseUntil = new Date(now.getTime() + LEASE * 1000)
    const attempts = mail.attempts + (mail.state === 'sending' ? 0 : 1)
    await entities.transition('mail.outgoing', id, 'claim', {
      ...{ leaseBy: database.instance, leaseUntil: leaseUntil.toISOString(), attempts },
    })
    if (!isBound) return fail(entities, tx, mail, '邮箱已解绑 / the mailbox is not bound any more', [], now)
    if (account.transport === 'imapSmtp') return { account, mail: { ...mail, attempts }, isDoubtful: mail.state === 'sending' }
    const raw = await parts.raw.read(mail.rawHash)
    const { rawHash } = mail
    const refused = await deliverLocally(parts, tx, { raw, rawHash, envelope: envelopeOf(mail), authResults: LOCAL }, now)
    if (refused.length === envelopeOf(mail).length) return fail(entities, tx, mail, refused[0]?.reason ?? '', refused, now)
    await noteSent(parts, tx, account, mail, refused, now)
    await tellRefused(tx, mail, refused, now)
    return { did: true }
  })
}

/** Mail of the portal's own mailboxes comes from whom it says. */
const LOCAL = { local: true }

type Entities = Parameters<Parameters<MailParts['engine']['transaction']>[1]>[0]
type Transaction = Parameters<Parameters<MailParts['engine']['transaction']>[1]>[1]

async function fail(
  entities: Entities,
  tx: Transaction,
  mail: Outgoing,
  reason: string,
  refused: readonly RefusedRecipient[],
  now: Date,
): Promise<Outcome> {
  await entities.transition('mail.outgoing', mail.id, 'fail', { lastError: reason.slice(0, 500), refused: [...refused] })
  const { accountId, staffId, subject } = mail
  await logMail(tx, [{ accountId, staffId, subject, action: 'failed', peer: envelopeOf(mail).join(', '), result: reason }], now)
  const text = { zh: reason, en: reason }
  const told = { id: `failed/${mail.attempts}`, title: { zh: '邮件发送失败', en: 'A mail was not sent' }, text, todo: true }
  await tellSender(tx, mail, [told], now)
  return { did: true }
}

/** Tells the sender whom the server did not take, one by one; the others have the mail. */
const tellRefused = (tx: Transaction, mail: Outgoing, refused: readonly RefusedRecipient[], now: Date): Promise<void> =>
  tellSender(
    tx,
    mail,
    refused.map(({ email, reason }) => ({
      id: `refused/${email}`,
      title: { zh: '一位收件人被拒', en: 'A recipient was refused' },
      text: { zh: `${email} ${reason}`, en: `${email} ${reason}` },
      todo: false,
    })),
    now,
  )

/** Writes down how a try went, in the transaction that moves the mail on; whoever lost it meanwhile writes nothing. */
function note(
  parts: MailParts,
  account: Account,
  mail: Outgoing,
  answer: Exclude<HandedOver, { kind: 'unknown' }>,
): Promise<Outcome> {
  const { engine, database, queue } = parts
  const now = parts.now()
  return engine.transaction(systemContext({ now }), async (entities, tx): Promise<Outcome> => {
    const held = await lockOutgoing(tx, mail.id)
    if (held?.state !== 'sending' || held.leaseBy !== database.instance) return {}
    if (answer.kind === 'sent') {
      await noteSent(parts, tx, account, held, answer.refused, now)
      await tellRefused(tx, held, answer.refused, now)
      await queue.send(tx, FILING_LINE, [{ key: account.id }])
      return { did: true }
    }
    const again = answer.kind === 'later' ? nextTry(mail.attempts, now) : null
    if (answer.kind === 'failed' || again === null)
      return fail(entities, tx, held, answer.reason, answer.kind === 'failed' ? answer.refused : [], now)
    await entities.transition('mail.outgoing', mail.id, 'release', {
      ...{ lastError: answer.reason, dueAt: again.toISOString(), leaseBy: null, leaseUntil: null },
    })
    return { again, did: true }
  })
}

/** Asks the Sent folder of the server whether a mail got there; where it did not, a person is asked. */
async function settleDoubt(parts: MailParts, account: Account, mail: Outgoing, now: Date): Promise<Outcome> {
  const found = await overImap(parts, parts.database, account, (client) => isInSent(client, mail.messageId)).catch(() => null)
  if (found === true) return note(parts, account, mail, { kind: 'sent', refused: [] })
  const { engine, database } = parts
  return engine.transaction(systemContext({ now }), async (entities, tx): Promise<Outcome> => {
    const held = await lockOutgoing(tx, mail.id)
    if (held?.state !== 'sending' || held.leaseBy !== database.instance) return {}
    const lastError = found === null ? 'the Sent folder could not be asked' : 'it is not in the Sent folder'
    await entities.transition('mail.outgoing', mail.id, 'doubt', { lastError })
    const told = {
      id: `uncertain/${held.attempts}`,
      title: { zh: '请确认邮件是否送达', en: 'Did this mail arrive' },
      text: {
        zh: '服务器没有回答，已发送中也没有它。请选择“再次发送”或“已送达”。',
        en: 'The server did not answer, and its folder of sent mail does not have it. Say "send again" or "it arrived".',
      },
      todo: true,
    }
    await tellSender(tx, held, [told], now)
    return { did: true }
  })
}
