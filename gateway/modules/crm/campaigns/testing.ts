import { tableOf, type EntityRecord } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import { newId, type Executor } from '../../../platform/database'
import { systemContext, type RequestContext } from '../../../platform/http'
import { freeze } from '../../../platform/mail'
import { textOf } from '../services/values'
import { letterFor } from './letter'
import { MAIL_LINE, type CampaignParts } from './parts'
import type { Sender } from './sender'

/** Sends a campaign that is being written to whoever writes it, once in each of its languages; answers where it went. */
export async function sendTest(
  parts: CampaignParts,
  context: RequestContext,
  campaign: EntityRecord,
  sender: Sender,
): Promise<{ to: string; mails: number }> {
  const { engine, database, queue, raw: kept, now } = parts
  const { user } = context
  const to = await addressOf(database, user.staffId, sender)
  const isDouble = textOf(campaign.subjectEn) !== null && textOf(campaign.bodyEn) !== null
  const languages = isDouble ? ['zh-CN', 'en-US'] : ['zh-CN']
  const at = now()
  const reader = { name: user.name, customerName: context.locale === 'zh' ? '示例公司' : 'Example Ltd' }
  const mails: (EntityRecord & { id: string })[] = []
  for (const language of languages) {
    const occasion = { writer: sender, today: dayOf(at, parts.timeZone) }
    const letter = letterFor(campaign, { ...reader, language }, occasion, null)
    const subject = `${context.locale === 'zh' ? '[测试]' : '[Test]'} ${letter.subject}`
    const { raw, messageId } = await freeze({
      ...{ from: { email: sender.address, name: sender.displayName }, to: [{ email: to, name: user.name }], cc: [], subject },
      ...{ html: letter.html, attachments: [], date: at, inReplyTo: null, references: [] },
      headers: { Precedence: 'bulk', 'Auto-Submitted': 'auto-generated' },
    })
    const moment = at.toISOString()
    mails.push({
      ...{ id: newId(), accountId: sender.id, staffId: user.staffId, to: [{ email: to }], cc: [], bcc: [], subject },
      ...{ bodyHtml: letter.html, attachments: [], kind: 'campaign', messageId, rawHash: await kept.keep(raw), size: raw.length },
      ...{ attempts: 0, dueAt: moment, undoUntil: null, state: 'queued', createdAt: moment, createdBy: user.staffId, version: 1 },
    })
  }
  await engine.transaction(systemContext({ now: at }), async (entities, tx) => {
    await entities.insertMany('mail.outgoing', mails)
    await queue.send(
      tx,
      MAIL_LINE,
      mails.map(({ id }) => ({ key: id })),
    )
  })
  return { to, mails: mails.length }
}

/** The address of a person, where the mailbox reaches it; else the mailbox itself. */
async function addressOf(db: Executor, staffId: string, sender: Sender): Promise<string> {
  const { rows } = await db.query<{ email: string; isHere: boolean }>(
    `select s.email, exists (select from ${tableOf('mail.account')} a where a.address = lower(s.email) and a.transport = 'local' and a.state in ('active', 'failing') and a.deleted_at is null) as "isHere"
     from ${tableOf('sys.staff')} s where s.id = $1 and s.email <> ''`,
    [staffId],
  )
  const own = rows[0]
  return own && (own.isHere || sender.transport !== 'local') ? own.email : sender.address
}
