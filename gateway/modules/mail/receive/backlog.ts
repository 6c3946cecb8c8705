import { remembering, type Transaction } from '../../../platform/database'
import { systemContext } from '../../../platform/http'
import { registered, warningsOf } from '../../../platform/mail'
import { ownDomains, type Account } from '../accounts'
import type { MailParts } from '../parts'
import { partiesOf, partyAmong, partyDomains } from './parties'
import { adopted, isOutgoing, rowOf, type Incoming, type Place } from './receive'
import { threadsOf } from './threads'
import { domainOf } from '../../../../src/headless/mail'

/** A message that was there before its mailbox was bound. */
export type Old = Incoming & { place: Place }

/** Takes messages that were there before their mailbox was bound, many in a few statements: nobody is told of them. Those that are there already are not to be given. */
export async function takeOld(
  { engine }: Pick<MailParts, 'engine'>,
  tx: Transaction,
  account: Account,
  batch: readonly Old[],
  now: Date,
): Promise<number> {
  const { rows: waiting } = await tx.query<{ messageId: string }>(
    'select message_id as "messageId" from mail_message where account_id = $1 and message_id = any($2::text[]) and uid is null and deleted_at is null',
    [account.id, batch.map(({ mail }) => mail.messageId ?? '')],
  )
  const unnumbered = new Set(waiting.map(({ messageId }) => messageId))
  const fresh: Old[] = []
  for (const old of batch) {
    const { messageId } = old.mail
    const isHere =
      unnumbered.has(messageId ?? '') && (await adopted(tx, account.id, messageId, old.place, isOutgoing(account, old)))
    if (!isHere) fresh.push(old)
  }
  const same = remembering(tx)
  const people = fresh.map((old) => {
    const { sender, to, cc } = old.mail
    return (isOutgoing(account, old) ? [...to, ...cc] : [sender]).map(({ email }) => email)
  })
  const parties = await partiesOf(engine, same, people.flat(), now)
  const senders = fresh.map(({ mail }) => mail.sender.email)
  const { rows: before } = await tx.query<{ email: string }>(
    'select distinct sender_email as email from mail_message where account_id = $1 and sender_email = any($2::text[]) and deleted_at is null',
    [account.id, senders],
  )
  const known = new Set(before.map(({ email }) => email))
  const own = await ownDomains(tx)
  const threads = await threadsOf(tx, account, fresh)
  const rows = []
  for (const [index, old] of fresh.entries()) {
    const { email } = old.mail.sender
    const domains = [...own, ...(await partyDomains(engine, same, registered(domainOf(email))))]
    const isOut = isOutgoing(account, old)
    const warnings = isOut ? [] : warningsOf(old.mail, { domains, isKnown: known.has(email) })
    known.add(email)
    const party = partyAmong(parties, people[index]!)
    const { role, folderId } = old.place
    rows.push(rowOf(account, old, { isOut, role, folderId, threadId: threads[index]!, warnings, party, now }))
  }
  if (rows.length > 0) await engine.entities(tx, systemContext({ now })).insertMany('mail.message', rows)
  return rows.length
}
