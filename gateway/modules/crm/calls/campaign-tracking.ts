import type { FastifyReply, FastifyRequest } from 'fastify'
import { PICTURE_AGENT } from '../../../platform/outside'
import { systemContext } from '../../../platform/http'
import { tableOf, type Entities, type RecordOf } from '../../../entities'
import type { Transaction } from '../../../platform/database'
import type { ModuleCall } from '../../module'
import { isSigned, TRACKING, type TrackedKind } from '../campaigns/addresses'
import { localeOf } from '../campaigns/letter'
import { arrived, lockRecipient, note, type Noted } from '../campaigns/noting'
import { lostPage, unsubscribePage } from '../campaigns/pages'
import { isUnsubscribed, resubscribe, unsubscribe } from '../campaigns/unsubscribing'

/** A transparent picture of one point. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
/** Opens and clicks of one recipient that are written down; whoever asks on is answered all the same. */
const MOST_EVENTS = 50

interface Asked {
  recipientId: string
  signature: string
  link?: number
}

interface Found {
  entities: Entities
  tx: Transaction
  now: Date
  recipient: Noted
  campaign: RecordOf<'crm.mailCampaign'>
}

const ID = { type: 'string', pattern: '^[0-9a-v]{20}$' }
const SIGNATURE = { type: 'string', pattern: '^[A-Za-z0-9_-]{22}$' }
const open = (summary: string, more: object = {}) => ({
  config: { open: true, quiet: true, callsCounted: true },
  schema: {
    ...{ tags: ['crm'], summary },
    params: { type: 'object', properties: { recipientId: ID, signature: SIGNATURE, ...more } },
  },
})

/** What is loaded before somebody looks, or by ourselves on behalf of a reader, is no opening. */
function isAhead({ headers, method }: FastifyRequest): boolean {
  const purpose = `${String(headers['sec-purpose'] ?? '')} ${String(headers.purpose ?? '')} ${String(headers['x-moz'] ?? '')}`
  return method !== 'GET' || /prefetch|preview|prerender/iu.test(purpose) || headers['user-agent'] === PICTURE_AGENT
}

const whoAsks = ({ ip, headers }: FastifyRequest) => ({ ip, agent: (headers['user-agent'] ?? '').slice(0, 300) || null })

/** The public calls of campaign mails, without a session: the signature in the address says whose they are. */
export const call: ModuleCall = ({ app, engine, now }) => {
  /** Does something for a recipient whose address is signed; null where it is not. */
  const forSigned = <Result>(
    kind: TrackedKind,
    { recipientId, signature, link }: Asked,
    work: (found: Found) => Promise<Result>,
  ): Promise<Result | null> => {
    const at = now()
    return engine.transaction(systemContext({ now: at }), async (entities, tx) => {
      const recipient = await lockRecipient(tx, 'id', recipientId)
      const campaign = recipient && (await entities.find('crm.mailCampaign', recipient.campaignId))
      if (!recipient || !campaign?.secret) return null
      if (!isSigned(campaign.secret, kind, recipientId, link ?? null, signature)) return null
      return work({ entities, tx, now: at, recipient, campaign })
    })
  }

  app.get<{ Params: Asked }>(
    `${TRACKING}/open/:recipientId/:signature`,
    open('A campaign mail is opened'),
    async (request, reply) => {
      if (!isAhead(request)) await forSigned('open', request.params, (found) => opened(found, request))
      return uncached(reply).type('image/gif').send(PIXEL)
    },
  )

  app.get<{ Params: Asked & { link: number } }>(
    `${TRACKING}/click/:recipientId/:link/:signature`,
    open('A link of a campaign mail is followed: to where the campaign says, and nowhere else', {
      link: { type: 'integer', minimum: 0, maximum: 999 },
    }),
    async (request, reply) => {
      const url = await forSigned('click', request.params, (found) => clicked(found, request, request.params.link))
      if (url === null) return page(reply.code(404), lostPage())
      return uncached(reply).redirect(url, 302)
    },
  )

  const unsubscribing = `${TRACKING}/unsubscribe/:recipientId/:signature`
  app.get<{ Params: Asked }>(unsubscribing, open('Asks whether somebody wants no more campaigns'), async (request, reply) => {
    const shown = await forSigned('unsubscribe', request.params, ({ recipient }) => Promise.resolve(recipient))
    if (shown === null) return page(reply.code(404), lostPage())
    const state = isUnsubscribed(shown) ? 'unsubscribed' : 'subscribed'
    return page(reply, unsubscribePage({ locale: localeOf(shown.language ?? ''), email: shown.email, state }))
  })
  app.post<{ Params: Asked; Body: Record<string, string> | undefined }>(
    unsubscribing,
    open('Takes somebody out of all campaigns, by one click (RFC 8058), or in again'),
    async (request, reply) => {
      const wish = request.body?.wish
      const shown = await forSigned('unsubscribe', request.params, async (found) => {
        const kind = wish === 'complain' ? 'complained' : 'unsubscribed'
        if (wish === 'subscribe') await resubscribe(found, found.recipient)
        else await unsubscribe(found, found.recipient, { kind, ...whoAsks(request) })
        return found.recipient
      })
      if (shown === null) return page(reply.code(404), lostPage())
      const state = wish === 'subscribe' ? 'again' : 'unsubscribed'
      return page(reply, unsubscribePage({ locale: localeOf(shown.language ?? ''), email: shown.email, state }))
    },
  )
}

/** What it says holds for this moment only. */
const uncached = (reply: FastifyReply): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('cross-origin-resource-policy', 'cross-origin')

const page = (reply: FastifyReply, html: string): FastifyReply => uncached(reply).type('text/html; charset=utf-8').send(html)

async function isFull({ tx, recipient }: Found): Promise<boolean> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from ${tableOf('crm.mailEvent')} where recipient_id = $1`,
    [recipient.id],
  )
  return (rows[0]?.count ?? 0) >= MOST_EVENTS
}

async function opened(found: Found, request: FastifyRequest): Promise<void> {
  const { entities, recipient, now } = found
  if (await isFull(found)) return
  const first = recipient.openedAt === null
  const changes = { ...(first ? { openedAt: now.toISOString() } : {}), ...arrived(recipient, now) }
  await note(entities, recipient, now, changes, { kind: 'opened', isFirst: first, ...whoAsks(request) })
}

/** Notes a click; answers where the link leads. Only links of the campaign have an address. */
async function clicked(found: Found, request: FastifyRequest, link: number): Promise<string | null> {
  const { entities, tx, recipient, campaign, now } = found
  const url = Array.isArray(campaign.links) ? campaign.links[link] : undefined
  if (typeof url !== 'string') return null
  if (isAhead(request) || (await isFull(found))) return url
  const { rows } = await tx.query<{ id: string; before: boolean }>(
    `select l.id, exists (select from ${tableOf('crm.mailEvent')} e where e.recipient_id = $3 and e.link_id = l.id) as before
     from ${tableOf('crm.mailLink')} l where l.campaign_id = $1 and l.position = $2`,
    [campaign.id, link + 1, recipient.id],
  )
  const changes = { ...(recipient.clickedAt === null ? { clickedAt: now.toISOString() } : {}), ...arrived(recipient, now) }
  const [known] = rows
  const event = { linkId: known?.id ?? null, isFirst: known ? !known.before : false }
  await note(entities, recipient, now, changes, { kind: 'clicked', ...event, ...whoAsks(request) })
  return url
}
