import { asciiAddress } from '../../../../src/headless/mail'
import type { Transaction } from '../../../platform/database'
import { localAccounts, withoutKey } from '../accounts'
import { readMail, type RefusedRecipient } from '../../../platform/mail'
import type { MailParts } from '../parts'
import { receive } from '../receive/receive'

/**
 * Delivers bytes to mailboxes of the portal, in the caller's transaction: with it all of them have the mail, or none. Answers the addresses that have no mailbox
 * here.
 */
export async function deliverLocally(
  parts: Pick<MailParts, 'engine' | 'queue'>,
  tx: Transaction,
  mail: { raw: Buffer; rawHash: string; envelope: readonly string[]; authResults: Record<string, unknown> | null },
  now: Date,
): Promise<RefusedRecipient[]> {
  const accounts = await localAccounts(tx, mail.envelope)
  const read = await readMail(mail.raw)
  for (const account of accounts) {
    const { raw, rawHash, authResults } = mail
    const incoming = { mail: read, raw, rawHash, size: raw.length, authResults, at: now, place: null }
    await receive(parts, tx, account, incoming, now)
  }
  const taken = new Set(accounts.map(({ address }) => address))
  return mail.envelope
    .filter((email) => !taken.has(withoutKey(asciiAddress(email))))
    .map((email) => ({ email, reason: '550 5.1.1 no such mailbox here' }))
}
