import type { DemoRecord, DemoWorld } from '../../../demo'
import type { EntityRecord } from '../../../entities'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const QUEUES = 5
/** Messages of a queue: how many were sent, are refused, and wait. */
const COUNTS = [
  [6, 1, 5],
  [4, 0, 8],
  [0, 0, 7],
  [8, 1, 0],
  [3, 1, 4],
] as const
const SESSIONS = 14
const REPLIES = ['STOP', 'Yes please', '退订', 'OK', 'When does it arrive?', 'stop', 'Gracias', '1'] as const
const DOMAINS = ['gmail.com', 'outlook.com', 'qq.com', 'yahoo.com', 'corp.example'] as const
/** State, bounce and how many of a hundred. */
const MAILS: readonly (readonly [readonly [status: string, bounceKind: string | null], number])[] = [
  [['delivered', null], 42],
  [['opened', null], 27],
  [['clicked', null], 12],
  [['accepted', null], 4],
  [['softBounce', 'full'], 4],
  [['softBounce', 'temporary'], 2],
  [['hardBounce', 'mailbox'], 5],
  [['hardBounce', 'domain'], 2],
  [['hardBounce', 'blocked'], 1],
  [['complained', null], 1],
]
const iso = (moment: number): string => new Date(moment).toISOString()
const active = (rows: DemoWorld['rows'], product: string): DemoRecord[] =>
  (rows['fin.customerAccount'] ?? []).filter((account) => account.product === product && account.status === 'active')

/** API batches that are being sent, or wait. */
export function apiQueues({ rows, now, random }: DemoWorld): DemoRecord[] {
  const chance = random.fork('api queues')
  const apps = (rows['biz.application'] ?? []).filter(({ product, status }) => product === 'sms' && status === 'enabled')
  const channels = (rows['biz.channel'] ?? []).filter(({ status }) => status === 'online')
  if (apps.length === 0) return []
  return COUNTS.slice(0, QUEUES).map(([sent, refused, waits], index) => {
    const app = apps[index % apps.length]!
    const at = now.getTime() - (index === 3 ? 5 * HOUR : (index + 1) * 3 * MINUTE)
    return {
      ...{
        id: `aq-${index + 1}`,
        batchId: `B20261${String(index + 1).padStart(4, '0')}`,
        customerId: app.customerId,
        appId: app.id,
      },
      ...{ product: 'sms', channelId: channels.length > 0 ? chance.pick(channels).id : null, total: sent + refused + waits },
      ...{ cancelled: 0, priority: index === 1 ? 8 : 5, enqueuedAt: iso(at), tps: chance.pick([20, 50, 100]) },
      ...{ status: index === 4 ? 'paused' : 'waiting', reason: index === 4 ? '客户要求暂停' : null },
      ...{ createdAt: iso(at), createdBy: '' },
    }
  })
}

/** The messages of the batches: sent, refused, and those that wait. */
export function queuedMessages({ rows, now, random }: DemoWorld): EntityRecord[] {
  const chance = random.fork('queued messages')
  const apps = new Map((rows['biz.application'] ?? []).map((app) => [app.id, app]))
  return (rows['biz.apiQueue'] ?? []).flatMap((queue, place) => {
    const [sent, refused, waits] = COUNTS[place]!
    return Array.from({ length: sent + refused + waits }, (_, index): EntityRecord => {
      const status = index < sent ? 'sent' : index < sent + refused ? 'rejected' : 'queued'
      return {
        ...{ submittedAt: queue.enqueuedAt, msgId: `${String(queue.batchId)}-${index + 1}`, batchId: queue.batchId },
        ...{ accountId: apps.get(String(queue.appId))?.accountId, appId: queue.appId, product: 'sms', trafficType: 'marketing' },
        ...{ toNumber: `+9198${chance.integer(10_000_000, 99_999_999)}`, country: 'IN', mccmnc: '40410', routeClass: 'direct' },
        ...{ senderId: 'NOTICE', content: 'Final days: 20% off everything in store until Sunday.', channelId: queue.channelId },
        ...{ sentAt: status === 'sent' ? iso(Math.min(Date.parse(String(queue.enqueuedAt)) + MINUTE, now.getTime())) : null },
        ...{ status, failReason: status === 'rejected' ? 'badNumber' : null, testFlag: true },
      }
    })
  })
}

/** Sessions of WhatsApp; some are open now. */
export function waSessions({ rows, now, random }: DemoWorld): DemoRecord[] {
  const chance = random.fork('whatsapp sessions')
  const accounts = active(rows, 'whatsapp')
  if (accounts.length === 0) return []
  return Array.from({ length: SESSIONS }, (_, index) => {
    const account = accounts[index % accounts.length]!
    const openedBy = index % 5 === 4 ? 'entryPoint' : index % 3 === 2 ? 'business' : 'user'
    const opened = now.getTime() - (index < 5 ? (index + 1) * 2 * HOUR : index * 9 * HOUR)
    const lastIn = openedBy === 'business' && index % 2 === 0 ? null : opened + (openedBy === 'business' ? 20 : 3) * MINUTE
    return {
      ...{ id: `ws-${index + 1}`, sessionNo: `WS${String(index + 1).padStart(6, '0')}`, openedAt: iso(opened), openedBy },
      ...{ accountId: account.id, customerId: account.customerId, currency: account.currency, wabaNumber: '+6531580100' },
      ...{
        userNumber: `+9198${chance.integer(10_000_000, 99_999_999)}`,
        country: 'IN',
        lastInAt: lastIn === null ? null : iso(lastIn),
      },
      ...{ inCount: lastIn === null ? 0 : chance.integer(1, 6), createdAt: iso(opened), createdBy: '' },
    }
  })
}

/** Messages of the sessions: templates and replies, delivered or not. */
export function waMessages({ rows, now, random }: DemoWorld): EntityRecord[] {
  const chance = random.fork('whatsapp messages')
  return (rows['biz.waSession'] ?? []).flatMap((session, place) =>
    Array.from({ length: chance.integer(2, 5) }, (_, index): EntityRecord => {
      const at = Math.min(Date.parse(String(session.openedAt)) + (5 + index * 11) * MINUTE, now.getTime() - MINUTE)
      const category = chance.pick(['marketing', 'utility', 'authentication', 'service'])
      const status = chance.weighted([
        ['read', 62],
        ['delivered', 32],
        ['sent', 3],
        ['failed', 3],
      ] as const)
      const taken = status === 'read' || status === 'delivered'
      const after = (seconds: number): string => iso(Math.min(at + seconds * 1000, now.getTime()))
      return {
        ...{ submittedAt: iso(at), waId: `W${String(place + 1).padStart(4, '0')}${index + 1}`, accountId: session.accountId },
        ...{ wabaNumber: session.wabaNumber, toNumber: session.userNumber, country: session.country, category, status },
        ...{
          templateName: category === 'service' ? null : `${category}_november`,
          errorCode: status === 'failed' ? '131026' : null,
        },
        ...{ sentAt: status === 'failed' ? null : after(1), deliveredAt: taken ? after(3) : null },
        ...{ readAt: status === 'read' ? after(40) : null, testFlag: true },
      }
    }),
  )
}

/** Test mails of the last days. */
export function testMails({ rows, now, random }: DemoWorld): EntityRecord[] {
  const chance = random.fork('mails')
  const accounts = active(rows, 'sms')
  if (accounts.length === 0) return []
  return Array.from({ length: 50 }, (_, index) => {
    const at = now.getTime() - (index % 5) * DAY - chance.integer(900, 60_000) * 1000
    const [status, bounceKind] = chance.weighted(MAILS)
    const opens = status === 'opened' || status === 'clicked' ? chance.integer(1, 4) : 0
    const taken = status !== 'accepted' && bounceKind === null
    return {
      ...{
        submittedAt: iso(at),
        mailId: `E${String(index + 1).padStart(6, '0')}`,
        accountId: chance.pick(accounts.slice(0, 10)).id,
      },
      ...{
        toEmail: `user${chance.integer(100, 999)}@${chance.pick(DOMAINS)}`,
        subject: chance.pick(['Your order has shipped', 'Weekly offers', '账单已出']),
      },
      ...{ templateName: chance.pick(['order_shipped', 'newsletter', 'bill']), status, bounceKind, opens },
      ...{
        clicks: status === 'clicked' ? 1 : 0,
        deliveredAt: taken ? iso(Math.min(at + 4000, now.getTime())) : null,
        testFlag: true,
      },
    }
  })
}

/** Replies to messages that were sent, and tries of those messages; a failed one was tried on a second channel. */
export function afterMessages({ rows, now, random }: DemoWorld, sent: readonly EntityRecord[]): Record<string, EntityRecord[]> {
  const chance = random.fork('replies')
  const channels = (rows['biz.channel'] ?? []).filter(({ status }) => status === 'online')
  const taken = sent.filter(({ sentAt, channelId }) => Boolean(sentAt) && Boolean(channelId))
  const replied = taken.filter(({ status }) => status === 'delivered').slice(0, 24)
  return {
    'biz.smsMo': replied.map((message, index) => ({
      ...{ receivedAt: iso(Math.min(Date.parse(String(message.submittedAt)) + chance.integer(1, 40) * MINUTE, now.getTime())) },
      ...{ moId: `R${String(index + 1).padStart(6, '0')}`, fromNumber: message.toNumber, toNumber: message.senderId },
      ...{
        content: REPLIES[index % REPLIES.length],
        channelId: message.channelId,
        pushStatus: index % 9 === 8 ? 'failed' : 'pushed',
      },
    })),
    'biz.smsAttempt': taken.slice(0, 60).flatMap((message) => {
      const attempt = (attemptNo: number, channelId: unknown, status: unknown): EntityRecord => ({
        ...{ msgId: message.msgId, attemptNo, channelId, sentAt: message.sentAt, doneAt: message.doneAt, status },
        errorCode: status === 'failed' ? '34' : null,
      })
      if (message.status !== 'failed' || channels.length === 0) return [attempt(1, message.channelId, message.status)]
      return [attempt(1, chance.pick(channels).id, 'failed'), attempt(2, message.channelId, message.status)]
    }),
  }
}

/** One-time codes; a code that was not entered falls back to a call. */
export function oneTimeCodes({ rows, now, random }: DemoWorld): EntityRecord[] {
  const chance = random.fork('codes')
  const accounts = active(rows, 'otp')
  if (accounts.length === 0) return []
  return Array.from({ length: 30 }, (_, index): EntityRecord[] => {
    const at = now.getTime() - (index % 5) * DAY - chance.integer(1800, 60_000) * 1000
    const account = chance.pick(accounts)
    const toNumber = `+62812${chance.integer(10_000_000, 99_999_999)}`
    const otpId = `O${String(index + 1).padStart(6, '0')}`
    const send = (id: string, moment: number, channel: string, fallbackOf: string | null, verified: boolean): EntityRecord => ({
      ...{
        requestedAt: iso(moment),
        otpId: id,
        accountId: account.id,
        toNumber,
        country: 'ID',
        mccmnc: '51010',
        channel,
        fallbackOf,
      },
      ...{ verifiedAt: verified ? iso(moment + chance.integer(8, 90) * 1000) : null, attempts: verified ? 1 : 0, msgId: null },
      ...{ status: verified ? 'verified' : 'expired', testFlag: true },
    })
    const verified = chance.happens(0.78)
    return verified || index % 3 !== 0
      ? [send(otpId, at, 'sms', null, verified)]
      : [send(otpId, at, 'sms', null, false), send(`${otpId}-2`, at + 2 * MINUTE, 'voice', otpId, true)]
  }).flat()
}
