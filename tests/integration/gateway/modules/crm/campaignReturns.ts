import { createHash } from 'node:crypto'
import { findAccount } from '../../../../../gateway/modules/mail/accounts'
import { receive } from '../../../../../gateway/modules/mail/receive/receive'
import { readMail } from '../../../../../gateway/platform/mail'
import { systemContext } from '../../../../../gateway/platform/http'
import type { CampaignOffice } from './campaignOffice'

const lines = (...all: readonly string[]): Buffer => Buffer.from(all.join('\r\n'))

/** A delivery status notification (RFC 3464) that names no Message-ID: only its recipient tells whose it is. */
export const bounceOf = (returnPath: string, recipient: string): { raw: Buffer } => ({
  raw: lines(
    ...[
      'From: Mail Delivery System <mailer-daemon@mx.example>',
      `To: ${returnPath}`,
      'Subject: Undelivered Mail Returned to Sender',
    ],
    ...['Message-ID: <bounce-1@mx.example>', 'Auto-Submitted: auto-replied', 'MIME-Version: 1.0'],
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    ...[
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'It could not be delivered.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
    ],
    ...['Reporting-MTA: dns; mx.example', '', `Final-Recipient: rfc822; ${recipient}`, 'Action: failed', 'Status: 5.1.1'],
    ...['Diagnostic-Code: smtp; 550 5.1.1 no such user', '', '--b--', ''],
  ),
})

/** What a provider says of a recipient who called a mail spam (ARF, RFC 5965). */
export const complaintOf = (messageId: string): Buffer =>
  lines(
    ...['From: feedback@isp.example', 'To: abuse@sender.example', 'Subject: FW: Hello', 'Message-ID: <complaint-1@isp.example>'],
    ...['MIME-Version: 1.0', 'Content-Type: multipart/report; report-type=feedback-report; boundary="b"', '', '--b'],
    ...['Content-Type: text/plain', '', 'An abuse report.', '--b', 'Content-Type: message/feedback-report', ''],
    ...['Feedback-Type: abuse', 'Version: 1', '', '--b', 'Content-Type: message/rfc822', '', `Message-ID: ${messageId}`],
    ...['Subject: Hello', '', 'x', '--b--', ''],
  )

/** Somebody's answer to a mail. */
export const answerTo = (messageId: string, from: string): Buffer =>
  lines(
    ...[`From: ${from}`, 'To: wang@sender.example', 'Subject: Re: Hello', 'Message-ID: <answer-1@client.example>'],
    ...[`In-Reply-To: ${messageId}`, `References: ${messageId}`, '', 'Tell me more.', ''],
  )

/** What comes into the mailbox of the campaign, as if its server had it. */
export async function receiveAt(office: CampaignOffice, raw: Buffer): Promise<void> {
  const { engine, database, queue } = office.gateway.gateway
  const now = office.gateway.clock.now()
  const account = (await findAccount(database, office.mailbox))!
  const rawHash = createHash('sha256').update(raw).digest('hex')
  const mail = await readMail(raw)
  await engine.transaction(systemContext({ now }), (_entities, tx) =>
    receive(
      { engine, queue },
      tx,
      account,
      { mail, raw, rawHash, size: raw.length, at: now, authResults: null, place: null },
      now,
    ),
  )
}
