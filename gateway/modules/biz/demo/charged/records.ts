import type { Chance, DemoRecord, DemoWorld } from '../../../../demo'
import type { EntityRecord } from '../../../../entities'
import { instantAt } from '../../../../platform/calendar'
import { rateKeyOf, type Destination } from '../../rating/rateKey'
import type { AccountKind, TrafficDays } from './accounts'
import type { Carrier } from './rates'

/** Records of an account and day, about. */
const A_DAY = { sms: 40, mail: 40, voice: 25, aiVoice: 10, whatsapp: 40, otpSms: 25, otpVoice: 10 } as const
/** Seconds of a day in which there is traffic, from the hour at which it begins. */
const [BEGINS, LASTS] = ['09:00', 36_000]

/** When something was sent, whose it is, and what says so. */
interface Sent {
  at: number
  account: DemoRecord
  /** Tells it from the others of its kind. */
  number: string
  chance: Chance
}
/** One record of a kind; null where nobody carries its destination. */
type Make = (sent: Sent, over: (product: string, destination: Destination) => Carrier | null) => EntityRecord | null

const iso = (moment: number): string => new Date(moment).toISOString()
const digits = (chance: Chance, count: number): string => String(chance.integer(0, 10 ** count - 1)).padStart(count, '0')

/** Messages: country, network, how a number begins, text. */
const TEXTS = [
  ['IN', '40410', '+9198', 'Your parcel is out for delivery today between 14:00 and 16:00.'],
  ['DE', '26201', '+49151', 'Ihre Bestellung ist unterwegs und trifft heute ein.'],
] as const
/** Messages of WhatsApp: country, how a number begins, category. */
const TEMPLATES = [
  ['IN', '+9197', 'marketing'],
  ['BR', '+55119', 'utility'],
] as const

const SMS: Make = ({ at, account, number, chance }, over) => {
  const [country, mccmnc, begin, content] = chance.pick(TEXTS)
  const carrier = over('sms', { country, routeClass: 'direct' })
  if (!carrier) return null
  const status = chance.weighted([
    ['delivered', 90],
    ['unknown', 4],
    ['failed', 6],
  ] as const)
  return {
    ...{ submittedAt: iso(at), msgId: `PM${number}`, accountId: account.id, product: 'sms', trafficType: 'transaction', country },
    ...{
      toNumber: `${begin}${digits(chance, 8)}`,
      mccmnc,
      routeClass: 'direct',
      senderId: 'NOTICE',
      content,
      ...carrier,
      status,
    },
    ...{ sentAt: iso(at + 1000), doneAt: iso(at + 2000), failReason: status === 'failed' ? 'absent' : null },
    dlrAt: status === 'delivered' ? iso(at + 1000 * chance.integer(3, 14)) : null,
  }
}

const MAIL: Make = ({ at, account, number, chance }, over) => {
  const carrier = over('mail', {})
  if (!carrier) return null
  const status = chance.weighted([
    ['delivered', 55],
    ['opened', 30],
    ['clicked', 10],
    ['hardBounce', 5],
  ] as const)
  const taken = status !== 'hardBounce'
  return {
    ...{
      submittedAt: iso(at),
      mailId: `PE${number}`,
      accountId: account.id,
      supplierAccountId: carrier.supplierAccountId,
      status,
    },
    ...{
      toEmail: `user${chance.integer(100, 999)}@corp.example`,
      subject: 'Your order has shipped',
      templateName: 'order_shipped',
    },
    ...{ bounceKind: taken ? null : 'mailbox', deliveredAt: taken ? iso(at + 4000) : null },
    ...{ opens: status === 'opened' || status === 'clicked' ? 1 : 0, clicks: status === 'clicked' ? 1 : 0 },
  }
}

/** A call of a product: prefix and how a number goes on behind it. */
const call =
  (product: string, places: readonly (readonly [prefix: string, rest: string, digits: number])[], more: object = {}): Make =>
  ({ at, account, number, chance }, over) => {
    const [prefix, rest, count] = chance.pick(places)
    const carrier = over(product, { prefix, routeClass: 'cli' })
    if (!carrier) return null
    const answered = chance.happens(0.8)
    const answer = at + chance.integer(3_000, 15_000)
    return {
      ...{ startAt: iso(at), callId: `PC${number}`, accountId: account.id, product, routeClass: 'cli' },
      ...{ caller: '+85221550100', callee: `+${prefix}${rest}${digits(chance, count)}`, ringAt: iso(at + 2000), codec: 'G729' },
      ...(answered
        ? { answerAt: iso(answer), endAt: iso(answer + chance.integer(20_000, 300_000)), releaseCause: 'normal', sipCode: 200 }
        : { endAt: iso(at + 25_000), releaseCause: 'noAnswer', sipCode: 487 }),
      ...{ endSide: answered ? 'callee' : 'caller', supplierAccountId: carrier.supplierAccountId, ...more },
    }
  }

const WHATSAPP: Make = ({ at, account, number, chance }, over) => {
  const [country, begin, category] = chance.pick(TEMPLATES)
  const carrier = over('whatsapp', { country, waCategory: category })
  if (!carrier) return null
  const status = chance.weighted([
    ['read', 60],
    ['delivered', 34],
    ['failed', 6],
  ] as const)
  const taken = status !== 'failed'
  return {
    ...{ submittedAt: iso(at), waId: `PW${number}`, accountId: account.id, wabaNumber: '+6531580200', country, category, status },
    ...{ toNumber: `${begin}${digits(chance, 8)}`, templateName: `${category}_monthly`, errorCode: taken ? null : '131026' },
    ...{ sentAt: taken ? iso(at + 1000) : null, deliveredAt: taken ? iso(at + 3000) : null },
    ...{ readAt: status === 'read' ? iso(at + 60_000) : null, supplierAccountId: carrier.supplierAccountId },
  }
}

const OTP: Make = ({ at, account, number, chance }, over) => {
  const carrier = over('otpSms', { country: 'ID' })
  if (!carrier) return null
  const verified = chance.happens(0.85)
  return {
    ...{
      requestedAt: iso(at),
      otpId: `PO${number}`,
      accountId: account.id,
      toNumber: `+62812${digits(chance, 8)}`,
      country: 'ID',
    },
    ...{ mccmnc: '51010', channel: 'sms', attempts: verified ? 1 : 0, verifiedAt: verified ? iso(at + 30_000) : null },
    ...{ status: verified ? 'verified' : 'expired', supplierAccountId: carrier.supplierAccountId },
  }
}

/** Records by kind: on which accounts, as which entity, and how one is made. */
const KINDS: readonly (readonly [product: keyof typeof A_DAY, AccountKind, entity: string, Make])[] = [
  ['sms', 'sms', 'biz.smsRecord', SMS],
  ['mail', 'sms', 'biz.mailRecord', MAIL],
  [
    'voice',
    'voice',
    'biz.callRecord',
    call('voice', [
      ['447', '400', 6],
      ['1', '415', 7],
    ]),
  ],
  ['aiVoice', 'voice', 'biz.callRecord', call('aiVoice', [['91', '98', 8]])],
  ['otpVoice', 'otp', 'biz.callRecord', call('otpVoice', [['91', '98', 8]], { otpVerified: true })],
  ['whatsapp', 'whatsapp', 'biz.waRecord', WHATSAPP],
  ['otpSms', 'otp', 'biz.otpRecord', OTP],
]

/** What was sent and called on the accounts, by entity; the last try of a message that failed once is its second. */
export function chargedRecords(
  { random, timeZone }: DemoWorld,
  accounts: Readonly<Record<AccountKind, readonly DemoRecord[]>>,
  { days, carriers }: Pick<TrafficDays, 'days'> & { carriers: ReadonlyMap<string, Carrier> },
): Record<string, EntityRecord[]> {
  const chance = random.fork('charged records')
  const over = (product: string, destination: Destination): Carrier | null =>
    carriers.get(rateKeyOf(product, destination)) ?? null
  const made: Record<string, EntityRecord[]> = {}
  for (const [product, kind, entity, make] of KINDS) {
    const own = (made[entity] ??= [])
    for (const account of accounts[kind])
      for (const day of days) {
        const begins = instantAt(day, BEGINS, timeZone).getTime()
        for (let count = Math.round(A_DAY[product] * (0.8 + 0.4 * chance.next())); count > 0; count -= 1) {
          const number = String(own.length + 1).padStart(6, '0')
          const record = make({ at: begins + chance.integer(0, LASTS) * 1000, account, number, chance }, over)
          if (record) own.push(record)
        }
      }
  }
  return made
}

/** Tries of messages that went through with the second one: both are paid. */
export const chargedTries = (messages: readonly EntityRecord[]): EntityRecord[] =>
  messages
    .filter(({ channelId, status }) => channelId && status === 'delivered')
    .filter((_, index) => index % 20 === 0)
    .flatMap(({ msgId, channelId, sentAt, doneAt }) =>
      [1, 2].map((attemptNo) => ({
        ...{ msgId, attemptNo, channelId, sentAt, doneAt, status: attemptNo === 1 ? 'failed' : 'delivered' },
        errorCode: attemptNo === 1 ? '34' : null,
      })),
    )
