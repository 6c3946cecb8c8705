import { segmentsOf } from '../../../../src/schema/sms/segments'
import type { DemoRecord } from '../../../demo'
import { addDays, dayOf } from '../../../platform/calendar'
import { judgeLink, type LinkGroup, type LinkWhite } from '../links/judge'
import { customersOf, DAY, HOUR, idOf, MINUTE, type OpsChapter } from './chapter'

const GROUPS = [
  ['自有短链服务', '*.cloudbridge.example', 0, 'allow', 10],
  ['高危域名', '*.win-prize.example', 0, 'block', 20],
  ['冒充银行', 'secure-bank-login.example', 0, 'block', 30],
  ['新域名复核', '*.shop.example', 0, 'review', 40],
  ['大流量复核', null, 5_000, 'review', 90],
] as const
const TARGETS = [
  'https://www.cloudbridge.example/promo/11-11',
  'https://app.cloudbridge.example/verify',
  'https://lucky.win-prize.example/claim',
  'http://track.parcel.example/9f2k',
  'https://newshop.example/sale',
  'https://203.0.113.45/login',
  'https://secure-bank-login.example/session',
  'https://news.example/article/1024',
  'https://xn--80ak6aa92e.example/id',
  'https://pay.example:8443/invoice',
  'https://travel.example/booking/77',
  'https://old.shop.example/clearance',
] as const

/** Links with their groups and whitelist, templates, calls of the API, card queues and resources. */
export function makeTools(chapter: OpsChapter): void {
  const customers = customersOf(chapter.world)
  if (customers.length > 0) {
    makeLinks(chapter, customers)
    makeTemplates(chapter, customers)
    makeApiCalls(chapter, customers)
  }
  makeCards(chapter)
  makeResources(chapter, customers)
}

function makeLinks({ world, put, ago, chance, code }: OpsChapter, customers: readonly DemoRecord[]): void {
  const today = dayOf(world.now, world.timeZone)
  const groups = GROUPS.map(([, domain, minClicks, action], index): LinkGroup => ({
    id: `lg-${index + 1}`,
    domain,
    customerId: null,
    minClicks,
    action,
  }))
  const whites: LinkWhite[] = [
    { id: 'lw-1', domain: '*.cloudbridge.example', pathPrefix: '/', customerId: null },
    { id: 'lw-2', domain: 'newshop.example', pathPrefix: '/sale', customerId: customers[0]!.id },
  ]
  const links = Array.from({ length: 24 }, (_, index) => {
    const targetUrl = TARGETS[index % TARGETS.length]!
    const clicks = index % 7 === 3 ? chance.integer(5_000, 9_000) : chance.integer(20, 900)
    const redirects = index === 7 ? Array.from({ length: 6 }, (_hop, hop) => `https://r${hop + 1}.news.example/x`) : []
    const customerId = customers[index % customers.length]!.id
    const judged = judgeLink({ targetUrl, customerId, clicks, redirects }, groups, whites)
    const blocked = judged.whiteId === null && groups.find(({ id }) => id === judged.groupId)?.action === 'block'
    return {
      ...{
        id: `sl-${index + 1}`,
        code: code('DL', 5),
        shortUrl: `https://cb1.example/${(1_000_000 + index * 7_919).toString(36)}`,
      },
      ...{
        targetUrl,
        customerId,
        clicks,
        uniqueClicks: Math.round(clicks * 0.8),
        lastClickAt: ago(chance.integer(1, 40) * HOUR),
      },
      ...{
        redirects,
        ...judged,
        checkedAt: ago(HOUR),
        status: blocked ? 'blocked' : 'active',
        createdAt: ago((24 - index) * 20 * HOUR),
      },
    }
  })
  GROUPS.forEach(([name, domain, minClicks, action, priority], index) =>
    put('ops.shortLinkGroup', {
      ...{ id: `lg-${index + 1}`, name, domain, customerId: null, minClicks, action, priority, status: 'enabled' },
      ...{ members: links.filter(({ groupId }) => groupId === `lg-${index + 1}`).length, createdAt: ago(90 * DAY) },
    }),
  )
  whites.forEach((white, index) =>
    put('ops.shortLinkWhite', {
      ...{ ...white, countries: [], reason: index === 0 ? '自有域名' : '客户已备案活动页', status: 'enabled' },
      ...{ expiresAt: index === 0 ? null : addDays(today, 45), hits: links.filter(({ whiteId }) => whiteId === white.id).length },
      createdAt: ago(80 * DAY),
    }),
  )
  put('ops.shortLinkWhite', {
    id: 'lw-3',
    domain: 'summer.shop.example',
    pathPrefix: '/',
    customerId: null,
    countries: ['SG'],
    reason: '夏季活动',
    expiresAt: addDays(today, -20),
    hits: 0,
    status: 'disabled',
    createdAt: ago(120 * DAY),
  })
  for (const link of links) put('ops.shortLink', link)
}

function makeTemplates({ put, ago }: OpsChapter, customers: readonly DemoRecord[]): void {
  const texts = [
    ['接通回访', 'answered', 'zh-CN', '{name}您好，感谢接听，您的回访编号将在 {time} 后发送。', 'passed'],
    ['未接提醒', 'unanswered', 'zh-CN', '{name}您好，我们在 {time} 来电未能接通，请回拨客服热线。', 'passed'],
    ['Missed call', 'unanswered', 'en-US', 'Hello {name}, we called you at {time}. Please call us back.', 'inReview'],
    ['Busy line', 'busy', 'en-US', 'Hello {name}, your line was busy at {time}. We will call again.', 'draft'],
    ['按键订阅', 'key1', 'zh-CN', '{name}，您已通过按键订阅每周资讯，退订请回复 T。', 'refused'],
    ['Order confirmed', 'key1', 'en-US', 'Thank you {name}, your order of {time} is confirmed.', 'passed'],
  ] as const
  texts.forEach(([name, trigger, lang, content, status], index) =>
    put('ops.ccSmsTemplate', {
      ...{
        id: `cc-${index + 1}`,
        name,
        customerId: customers[index % customers.length]!.id,
        trigger,
        senderId: 'NOTICE',
        content,
      },
      ...{ lang, segments: segmentsOf(content).segments, status, createdAt: ago((30 - index) * DAY) },
      reviewedAt: status === 'passed' || status === 'refused' ? ago((29 - index) * DAY) : null,
    }),
  )
}

const PATHS = [
  ['/v2/sms/send', 'sms', 42],
  ['/v2/otp/send', 'otpSms', 55],
  ['/v2/otp/verify', 'otpSms', 18],
  ['/v2/report/query', 'other', 130],
] as const

function makeApiCalls({ world, put, ago, chance }: OpsChapter, customers: readonly DemoRecord[]): void {
  const callers = customers.slice(0, 3)
  const workspaces = world.rows['fin.workspace'] ?? []
  for (let day = 0; day < 7; day += 1)
    callers.forEach(({ id: customerId }, index) => {
      const slot = Math.floor((Date.parse(ago(day * DAY + (index + 2) * HOUR)) - index * 13 * MINUTE) / (5 * MINUTE)) * 5 * MINUTE
      const at = new Date(slot).toISOString()
      const [path, product, ms] = PATHS[(day + index) % PATHS.length]!
      const row = (code: number, count: number, time: number): unknown =>
        put('ops.apiCall', {
          ...{
            id: `ac-${day}-${index}-${code}`,
            at,
            customerId,
            workspaceId: workspaces.find((one) => one.customerId === customerId)?.id ?? null,
          },
          ...{ path, product, code, ok: code < 400, ms: time, count, createdAt: new Date(slot + 5 * MINUTE).toISOString() },
        })
      row(200, chance.integer(300, 2_400), ms + chance.integer(0, 20))
      if (chance.happens(0.6)) row(chance.pick([400, 401, 429]), chance.integer(2, 40), 6 + chance.integer(0, 6))
      if (chance.happens(0.2)) row(500, chance.integer(1, 5), 900 + chance.integer(0, 400))
    })
}

function makeCards({ world, put, ago, chance }: OpsChapter): void {
  const devices = world.rows['biz.device']
  const channels = (world.rows['biz.channel'] ?? []).filter(({ connect }) => connect === 'sim')
  const cards = [
    ['ID', '51010', 12, 40, 'running', 'normal'],
    ['ID', '51010', 3, 9, 'running', 'normal'],
    ['ID', '51010', 150, 210, 'running', 'normal'],
    ['ID', '51011', 66, 480, 'running', 'normal'],
    ['PK', '41001', 0, 0, 'paused', 'noBalance'],
    ['PK', '41001', 8, 1260, 'paused', 'blocked'],
    ['ID', '51010', 0, 0, 'waiting', 'normal'],
    ['PK', '41006', 0, 0, 'done', 'unregistered'],
  ] as const
  cards.forEach(([country, mccmnc, waiting, oldestSec, status, simStatus], index) => {
    const sentHour = status === 'running' ? chance.integer(20, 55) : 0
    put('ops.cardQueue', {
      ...{
        id: `cq-${index + 1}`,
        deviceId: idOf(devices, Math.floor(index / 2)),
        portNo: index + 1,
        iccid: `8962${String(100_000_000_000_000 + index * 7_717)}`,
      },
      ...{ country, mccmnc, channelId: idOf(channels, index), waiting, oldestSec, sentHour, okHour: Math.round(sentHour * 0.9) },
      ...{
        hourCap: 60,
        usedDay: sentHour * 6,
        dayCap: 500,
        pressure: oldestSec > 300 ? 'stuck' : waiting > 120 ? 'slow' : 'calm',
      },
      ...{ simStatus, lastError: simStatus === 'noBalance' ? '余额不足' : simStatus === 'blocked' ? '运营商封卡' : null, status },
      ...{ readAt: ago(9 * MINUTE), createdAt: ago(35 * DAY) },
    })
  })
}

function makeResources({ world, put, ago, operator }: OpsChapter, customers: readonly DemoRecord[]): void {
  const today = dayOf(world.now, world.timeZone)
  const channels = world.rows['biz.channel']
  const suppliers = (world.rows['srm.supplier'] ?? []).slice(0, 6)
  if (suppliers.length === 0) return
  const year = today.slice(2, 4)
  const resources = [
    ['印度直连 SMPP 连接', 'bind', 'IN', 'direct', 4, 3, 'inUse'],
    ['印尼发送号 NOTICE', 'senderId', 'ID', 'direct', 1, 1, 'exhausted'],
    ['印尼 SIM 卡组 A', 'sim', 'ID', 'sim', 64, 41, 'inUse'],
    ['美国短码 72000', 'shortCode', 'US', 'direct', 1, 0, 'reserved'],
    ['新加坡长号', 'number', 'SG', 'direct', 20, 6, 'inUse'],
    ['巴西发送号池', 'senderId', 'BR', 'premium', 30, 0, 'available'],
    ['泰国 SMPP 连接', 'bind', 'TH', 'direct', 2, 0, 'available'],
    ['巴基斯坦 SIM 卡组', 'sim', 'PK', 'sim', 32, 0, 'retired'],
  ] as const
  resources.forEach(([name, resourceKind, country, routeClass, quantity, used, status], index) =>
    put('ops.channelResource', {
      ...{
        id: `rs-${index + 1}`,
        code: `RS${year}${String(index + 1).padStart(5, '0')}`,
        name,
        resourceKind,
        country,
        routeClass,
      },
      ...{ channelId: idOf(channels, index), supplierId: suppliers[index % suppliers.length]!.id, mccmnc: null, quantity, used },
      ...{
        free: quantity - used,
        tps: resourceKind === 'bind' ? 100 : null,
        contractTo: addDays(today, 40 + index * 35),
        cost: String(120 + index * 45),
      },
      ...{ currency: 'USD', buyerId: operator || null, health: index === 2 ? 'weak' : 'good', remark: null, status },
      ...{
        customerId: status === 'reserved' ? (customers[0]?.id ?? null) : null,
        reservedUntil: status === 'reserved' ? addDays(today, 20) : null,
      },
      createdAt: ago((60 - index) * DAY),
    }),
  )
}
