import type { Chance } from '../../../demo'

interface FollowUpText {
  way: string
  content: string
  result: string
}

const TALKS: readonly (readonly [way: string, zh: string, en: string, result: string])[] = [
  [
    'phone',
    '询问了{c}直连线路的容量和价格，对方本周发报价单',
    'Asked for capacity and price of direct routes to {c}; the rate sheet comes this week',
    'interested',
  ],
  [
    'email',
    '收到{c}新价格，比现用线路低约百分之{n}，转给报价组核对',
    'New prices for {c} arrived, about {n} % below the present route; the quotation desk checks them',
    'interested',
  ],
  [
    'im',
    '反馈{c}到达率下降，对方值班答应两小时内换路由',
    'Reported falling delivery to {c}; their NOC moves the route within two hours',
    'needTest',
  ],
  ['test', '{c}测试{n}0条，结果已发给技术核对回执', 'Tested {n}0 messages to {c}; receipts are being checked', 'needTest'],
  [
    'meeting',
    '讨论了结算周期，对方接受月结并愿意给{n}千美元授信',
    'Talked about settlement: monthly is accepted with {n},000 USD of credit',
    'interested',
  ],
  [
    'phone',
    '催要盖章合同，法务确认条款后下周寄出',
    'Asked for the signed contract; it is sent next week when legal agrees',
    'thinking',
  ],
  [
    'email',
    '对账差异{n}条，请对方按记录核对后重出账单',
    'The statement differs by {n} messages; asked for a corrected one',
    'thinking',
  ],
  ['phone', '电话无人接听，稍后再联系并改发邮件给商务', 'Nobody answered; wrote to their sales contact instead', 'noAnswer'],
  ['im', '{c}近期无新增需求，保持联系，下月再比价', 'No new need for {c} at present; compare prices again next month', 'notNow'],
  [
    'visit',
    '展会见面，介绍了{c}号码资源与开通时间',
    'Met at the fair: numbers in {c} and how fast they are opened',
    'interested',
  ],
]

const PLACES: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  TH: ['泰国', 'Thailand'],
  ID: ['印尼', 'Indonesia'],
  VN: ['越南', 'Vietnam'],
  PH: ['菲律宾', 'the Philippines'],
  IN: ['印度', 'India'],
  BR: ['巴西', 'Brazil'],
  MX: ['墨西哥', 'Mexico'],
  NG: ['尼日利亚', 'Nigeria'],
  AE: ['阿联酋', 'the Emirates'],
  GB: ['英国', 'the United Kingdom'],
  US: ['美国', 'the United States'],
  SG: ['新加坡', 'Singapore'],
}
/** Countries that suppliers of the demo world reach. */
export const DESTINATIONS = Object.keys(PLACES)

/** What a buyer notes after a talk with a supplier; with `reached` somebody answered. */
export function inventTalk(random: Chance, chinese: boolean, countries: readonly string[], reached = false): FollowUpText {
  const [way, zh, en, result] = random.pick(reached ? TALKS.filter((talk) => talk[3] !== 'noAnswer') : TALKS)
  const place = PLACES[random.pick(countries)] ?? ['东南亚', 'South-East Asia']
  const number = String(random.integer(2, 9))
  return { way, result, content: (chinese ? zh.replace('{c}', place[0]) : en.replace('{c}', place[1])).replace('{n}', number) }
}

/** What a new supplier offers, in a sentence. */
export const inventOffer = (random: Chance, countries: readonly string[]): string =>
  `${countries.map((code) => PLACES[code]?.[1] ?? code).join(', ')}: ${(random.integer(8, 60) / 1000).toFixed(3)} USD, ${random.integer(1, 20)}M / month, ${random.pick(['direct', 'SIM', 'mixed'])}`
