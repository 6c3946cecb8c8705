import { newId } from '../../../platform/database'
import { dayOf } from '../../../platform/calendar'
import type { DemoPart, DemoRecord, DemoStep, DemoWorld } from '../../../demo'
import type { Entities } from '../../../entities'
import { postChargesWithin } from '../../fin'
import { isLocked } from '../lock/lock'
import { chargedNumbers, makeFees } from '../numbers/make'
import { accountsDue, postAccountFees } from '../numbers/post'
import { testCalls, voiceTasks } from './calls'
import { scoreChannels } from './channels'
import { fillCharged } from './charged'
import { afterMessages, apiQueues, oneTimeCodes, queuedMessages, testMails, waMessages, waSessions } from './messages'
import { fillVoice } from './voice'
import { refreshUse } from '../use'
import { fillResources } from './fill'
import { segmentsOf } from '../../../../src/schema/sms/segments'
import { makeWords } from './words'

const DAY = 86_400_000
const DAYS = 5
/** Test messages a day. */
const A_DAY = 48

/** Networks that are tested: country, MCC and MNC, how a number of theirs begins, and its further digits. */
const NETWORKS = [
  ['IN', '40410', '+9198', 8],
  ['ID', '51010', '+62812', 8],
  ['BR', '72405', '+55119', 8],
  ['PH', '51502', '+63917', 7],
  ['US', '310260', '+1415', 7],
  ['MX', '334020', '+5255', 8],
  ['VN', '45204', '+8498', 7],
  ['NG', '62130', '+234803', 7],
  ['TH', '52003', '+6681', 7],
  ['DE', '26201', '+49151', 8],
] as const
const TEXTS = [
  ['Your code is 482913. It is valid for 5 minutes.', 'otp'],
  ['【云桥】您的验证码为 739201，5 分钟内有效，请勿告诉他人。', 'otp'],
  ['Your parcel is out for delivery today between 14:00 and 16:00. Track it at https://t.example/9f2k', 'transaction'],
  [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 'transaction'],
  ['ยืนยันการสั่งซื้อของคุณ #20931 เรียบร้อยแล้ว ขอบคุณค่ะ 🎉', 'transaction'],
  ['Final days: 20% off everything in store until Sunday. Reply STOP to opt out.', 'marketing'],
] as const
/** Status, reason, and how many of a hundred. */
const OUTCOMES: readonly (readonly [readonly [string, string | null], number])[] = [
  [['delivered', null], 84],
  [['unknown', null], 4],
  [['failed', 'absent'], 5],
  [['failed', 'operator'], 2],
  [['expired', 'timeout'], 2],
  [['rejected', 'noRoute'], 2],
  [['rejected', 'sensitive'], 1],
]

/**
 * What the demo company's traffic runs over, what its testers sent and called over its suppliers' accounts in the last days, which costs nobody anything, and the
 * traffic of customers that is charged by its records.
 */
export const bizDemo: DemoPart = {
  make: makeWords,
  filled: async (world, entities, tx) => {
    await fillResources(world, entities)
    await fillVoice(world, entities, tx)
    await fillWork(world, entities)
    const messages = testMessages(world)
    await entities.insertMany('biz.smsRecord', messages)
    const records = {
      ...{ 'biz.smsRecord': queuedMessages(world), ...afterMessages(world, messages), ...testCalls(world) },
      ...{ 'biz.waRecord': waMessages(world), 'biz.mailRecord': testMails(world), 'biz.otpRecord': oneTimeCodes(world) },
    }
    for (const [entity, rows] of Object.entries(records)) await entities.createMany(entity, rows)
    await fillCharged(world, entities, tx)
    await scoreChannels(world, entities, tx)
    await refreshUse(tx, entities, world.now)
  },
  settled: [postTraffic],
}

/** Fees of numbers, and what records came to, in the ledger. */
async function postTraffic(_: DemoWorld, at: Parameters<DemoStep>[1]): Promise<void> {
  await makeFees(at.tx, await chargedNumbers(at.tx), at.now)
  for (const account of await accountsDue(at.tx)) await postAccountFees(at, account)
  await postChargesWithin(at, isLocked)
}

/** Queues, calling tasks and sessions: they name applications and channels. */
async function fillWork(world: DemoWorld, entities: Entities): Promise<void> {
  for (const [entity, made] of [
    ['biz.apiQueue', apiQueues],
    ['biz.voiceTask', voiceTasks],
    ['biz.waSession', waSessions],
  ] as const) {
    const rows = made(world)
    world.rows[entity] = rows
    if (rows.length > 0) await entities.insertMany(entity, rows)
  }
  await entities.numbers('biz.voiceTask', 'code', world.rows['biz.voiceTask']?.length ?? 0)
}

function testMessages({ rows, now, timeZone, random }: DemoWorld): DemoRecord[] {
  const chance = random.fork('sms records')
  const accounts = (rows['fin.customerAccount'] ?? []).filter(({ product, status }) => product === 'sms' && status !== 'closed')
  const routes = (rows['biz.channel'] ?? []).filter(({ status }) => status !== 'testing' && status !== 'offline')
  const apps = new Map((rows['biz.application'] ?? []).map(({ accountId, id }) => [accountId, id]))
  if (accounts.length === 0) return []
  return Array.from({ length: DAYS * A_DAY }, (_, index) => {
    const day = Math.floor(index / A_DAY)
    const at = now.getTime() - day * DAY - chance.integer(60, 80_000) * 1000
    const account = chance.pick(accounts.slice(0, 12))
    const [country, mccmnc, begin, digits] = chance.pick(NETWORKS)
    const carriers = routes.filter(({ countries }) => Array.isArray(countries) && countries.includes(country))
    const channel = carriers.length > 0 ? chance.pick(carriers) : null
    const [content, trafficType] = chance.pick(TEXTS)
    const [status, failReason] = chance.weighted(OUTCOMES)
    const isSent = status !== 'rejected'
    const latency = chance.integer(1, 14)
    const moment = (seconds: number): string => new Date(Math.min(at + seconds * 1000, now.getTime())).toISOString()
    const submittedAt = new Date(at)
    const id = newId(at)
    return {
      ...{ id, createdAt: submittedAt.toISOString(), createdBy: '', msgId: `M${id}`, batchId: null, clientRef: null },
      ...{ submittedAt: submittedAt.toISOString(), accountId: account.id, customerId: account.customerId },
      ...{
        product: 'sms',
        trafficType,
        country,
        mccmnc,
        routeClass: 'direct',
        senderId: chance.pick(['CLOUDBR', 'NOTICE', '10690']),
      },
      toNumber: `${begin}${String(chance.integer(0, 10 ** digits - 1)).padStart(digits, '0')}`,
      ...{ content, ...segmentsOf(content) },
      ...{ channelId: channel?.id ?? null, appId: apps.get(account.id) ?? null },
      ...{ supplierAccountId: channel?.supplierAccountId ?? null, supplierId: channel?.supplierId ?? null },
      ...{ sentAt: isSent ? moment(1) : null, doneAt: isSent ? moment(2) : null },
      ...{ dlrAt: status === 'delivered' ? moment(1 + latency) : null, latency: status === 'delivered' ? latency : null },
      ...{ status, failReason, errorCode: failReason === 'absent' ? '27' : failReason === 'operator' ? '34' : null },
      ...{ currency: account.currency, costCurrency: channel ? 'USD' : null, revenue: '0', costAmount: '0' },
      ...{ billable: false, costBillable: false, testFlag: true },
      ...{ billDay: dayOf(submittedAt, String(account.timezone ?? timeZone)), costDay: dayOf(submittedAt, timeZone) },
    }
  })
}
