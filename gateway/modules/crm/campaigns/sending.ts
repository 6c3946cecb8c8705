import { tableOf } from '../../../entities'
import { newId, type Transaction } from '../../../platform/database'
import { systemContext } from '../../../platform/http'
import { addDays, dayOf, startOfDay } from '../../../platform/calendar'
import { freeze } from '../../../platform/mail'
import type { Line, Outcome, Work } from '../../../platform/queue'
import type { RecordOf, Entities } from '../../../entities'
import { textsOf } from '../services/values'
import { addressesFor, returnPathOf } from './addresses'
import { headersOf, letterFor, type Tracking } from './letter'
import { expectedEnd } from './pace'
import { MAIL_LINE, type CampaignParts } from './parts'
import { roomToday, senderOf, shareOfDay, type Sender } from './sender'
import { skipReasons } from './skipping'

type Campaign = RecordOf<'crm.mailCampaign'>

const HOUR = 3_600_000
/** Mails of an hour leave in so many parts, so that they do not come as one heap. */
const PARTS_OF_AN_HOUR = 12
const PART = HOUR / PARTS_OF_AN_HOUR
/** When everything is handed over, it is looked so soon what became of the last ones. */
const SETTLING = 15_000
/** One gateway hands over at a time: whoever is in two campaigns is counted right. */
const HANDING_OVER = `select pg_advisory_xact_lock(hashtext('crm.campaigns'))`

/** Hands the mails of a campaign to the sending of mail, a part every five minutes, never more than its rate in any hour. */
export const campaignLine = (parts: CampaignParts): Line<object> => ({
  name: 'crm.campaigns',
  concurrency: 2,
  retry: { limit: 1_000, delaySeconds: 30 },
  handle: (work) => handOver(parts, work),
})

function handOver(parts: CampaignParts, { key, now }: Work<object>): Promise<Outcome> {
  return parts.engine.transaction(systemContext({ now }), async (entities, tx): Promise<Outcome> => {
    await tx.query(HANDING_OVER)
    let campaign = await entities.find('crm.mailCampaign', key, { lock: true })
    if (campaign?.status === 'scheduled') {
      const due = campaign.sendAt === null ? null : new Date(campaign.sendAt)
      if (due && due > now) return { again: due }
      campaign = await entities.transition('crm.mailCampaign', key, 'begin')
    }
    if (campaign?.status !== 'sending') return {}
    const sender = await senderOf(tx, campaign.senderId, campaign.ownerId)
    const counts = await countsOf(tx, campaign, now)
    if (counts.waiting === 0 && counts.onTheirWay === 0) {
      await entities.transition('crm.mailCampaign', key, 'finish')
      return { did: true }
    }
    const next = await part(parts, { entities, tx, campaign, sender, now }, counts)
    await entities.changeMany('crm.mailCampaign', new Map([[key, { waitsFor: next.waitsFor, expectedEnd: next.end }]]), {
      keepTime: true,
    })
    return { again: next.again, did: next.handed > 0 }
  })
}

/** How far a campaign is. */
interface Counts {
  /** Not handed over yet. */
  waiting: number
  /** Handed over; nobody has said what became of them. */
  onTheirWay: number
  /** Sent, or come back, in the hour before now. */
  inHour: number
  /** When the earliest of these leaves the hour. */
  roomAt: string | null
  /** Of all campaigns, on their way from the same mailbox. */
  fromMailbox: number
}

async function countsOf(tx: Transaction, { id, senderId }: Campaign, now: Date): Promise<Counts> {
  const recipients = tableOf('crm.mailRecipient')
  const { rows } = await tx.query<Counts>(
    `select count(*) filter (where status = 'waiting' and released_at is null)::int as waiting, count(*) filter (where status = 'waiting' and released_at is not null)::int as "onTheirWay",
       count(*) filter (where coalesce(sent_at, bounced_at) > $2)::int as "inHour", min(coalesce(sent_at, bounced_at)) filter (where coalesce(sent_at, bounced_at) > $2) as "roomAt",
       (select count(*) from ${recipients} r join ${tableOf('crm.mailCampaign')} c on c.id = r.campaign_id
        where c.sender_id = $3 and r.status = 'waiting' and r.released_at is not null and r.deleted_at is null)::int as "fromMailbox"
     from ${recipients} where campaign_id = $1 and deleted_at is null`,
    [id, new Date(now.getTime() - HOUR).toISOString(), senderId],
  )
  return rows[0]!
}

interface Handing {
  entities: Entities
  tx: Transaction
  campaign: Campaign
  sender: Sender | null
  now: Date
}

interface Next {
  handed: number
  again: Date
  waitsFor: string | null
  end: string | null
}

/** Hands over as many as may go now, and says when the next ones may. */
async function part(parts: CampaignParts, handing: Handing, counts: Counts): Promise<Next> {
  const { campaign, sender, now } = handing
  const soon = new Date(now.getTime() + PART)
  if (!sender || !['active', 'failing'].includes(sender.state))
    return { handed: 0, again: soon, waitsFor: '发件箱不可用 / the mailbox does not work', end: null }
  const perHour = campaign.perHour
  const inHour = perHour - counts.onTheirWay - counts.inHour
  const today = roomToday(sender, counts.fromMailbox, now)
  const most = Math.min(Math.max(1, Math.ceil(perHour / PARTS_OF_AN_HOUR)), inHour, today)
  const handed = most > 0 ? await hand(parts, handing, sender, most) : 0
  const left = counts.waiting - handed
  const end = expectedEnd({ left, perHour, share: shareOfDay(sender), today: today - handed, now, timeZone: sender.timeZone })
  const isOverForToday = left > 0 && today - handed <= 0
  const again =
    left === 0
      ? new Date(now.getTime() + (handed > 0 ? SETTLING : 4 * SETTLING))
      : isOverForToday
        ? new Date(startOfDay(addDays(dayOf(now, sender.timeZone), 1), sender.timeZone))
        : inHour - handed <= 0 && counts.roomAt !== null
          ? new Date(Math.max(soon.getTime(), new Date(counts.roomAt).getTime() + HOUR + 1_000))
          : soon
  const waitsFor = isOverForToday ? '今天的额度已用完，明天继续 / the share of today is used up, it goes on tomorrow' : null
  return { handed, again, waitsFor, end: end.toISOString() }
}

interface Recipient extends Record<'id' | 'email' | 'language', string> {
  name: string | null
  customerName: string | null
  unsubscribed: boolean
  bounced: boolean
  barred: boolean
}

/** Hands over the next recipients, at most so many; whoever must not get it any more is passed over. Answers how many went. */
async function hand(parts: CampaignParts, handing: Handing, sender: Sender, most: number): Promise<number> {
  const { entities, tx, campaign, now } = handing
  const rows = await nextRecipients(tx, campaign.id, most)
  const skips = await skipReasons(tx, rows, sender.id, now)
  const skipped = rows.flatMap(({ id }, index) => {
    const skip = skips[index]
    return skip ? [[id, { status: 'skipped', skippedBecause: skip }] as const] : []
  })
  await entities.changeMany('crm.mailRecipient', new Map(skipped), { keepTime: true })
  const going = rows.filter((_, index) => !skips[index])
  const mails = []
  for (const recipient of going) mails.push(await mailFor(parts, handing, sender, recipient))
  await entities.insertMany(
    'mail.outgoing',
    mails.map(({ mail }) => mail),
  )
  await entities.changeMany('crm.mailRecipient', new Map(mails.map(({ id, named }) => [id, named])), { keepTime: true })
  await parts.queue.send(
    tx,
    MAIL_LINE,
    mails.map(({ mail }) => ({ key: mail.id })),
  )
  return mails.length
}

async function nextRecipients(tx: Transaction, campaignId: string, most: number): Promise<Recipient[]> {
  const { rows } = await tx.query<Recipient>(
    `select r.id, r.email, coalesce(r.language, 'en-US') as language, r.name, r.variables->>'customerName' as "customerName", coalesce(k.unsubscribed_at is not null, false) as unsubscribed,
       coalesce(k.bounce_count, 0) > 0 as bounced, coalesce(c.blacklisted, false) as barred
     from ${tableOf('crm.mailRecipient')} r left join ${tableOf('crm.contact')} k on k.id = r.contact_id and k.deleted_at is null
       left join ${tableOf('crm.customer')} c on c.id = r.customer_id and c.deleted_at is null
     where r.campaign_id = $1 and r.status = 'waiting' and r.released_at is null and r.deleted_at is null order by r.id limit $2`,
    [campaignId, most],
  )
  return rows
}

/** The mail of one recipient with its frozen bytes: the id of the recipient is its key, so that it is there once. */
async function mailFor(parts: CampaignParts, { campaign, now }: Handing, sender: Sender, recipient: Recipient) {
  const { publicBase, raw: kept } = parts
  const secret = campaign.secret ?? ''
  const addresses = addressesFor(publicBase, secret, recipient.id)
  const links = publicBase === '' ? null : textsOf(campaign.links)
  const tracking: Tracking = { addresses, links, replyTo: sender.address }
  const occasion = { writer: sender, today: dayOf(now, parts.timeZone) }
  const { subject, html } = letterFor(campaign, recipient, occasion, tracking)
  const to = [{ email: recipient.email, ...(recipient.name === null ? {} : { name: recipient.name }) }]
  const { raw, messageId } = await freeze({
    ...{ from: { email: sender.address, name: sender.displayName }, to, cc: [], subject, html, attachments: [], date: now },
    ...{ inReplyTo: null, references: [], headers: headersOf(tracking) },
  })
  const at = now.toISOString()
  const id = newId()
  const mail = {
    ...{ id, accountId: sender.id, staffId: null, to, cc: [], bcc: [], subject, bodyHtml: html, attachments: [] },
    ...{ kind: 'campaign', messageId, rawHash: await kept.keep(raw), size: raw.length, attempts: 0, dueAt: at, undoUntil: null },
    ...{ returnPath: sender.plusAddress ? returnPathOf(sender.address, recipient.id) : null, state: 'queued' },
    ...{ createdAt: at, createdBy: '', version: 1 },
  }
  return { id: recipient.id, mail, named: { releasedAt: at, outgoingId: id, messageId } }
}
