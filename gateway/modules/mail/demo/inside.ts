import type { MailAddress } from '../../../../src/headless/mail'
import type { DemoStaff } from '../../../demo'
import { DAY, HOUR, paragraphs as p, talk, type Letter } from './letters'

const NOTICES = [
  [
    '【公告】本周系统维护 / Maintenance this week',
    '周六 02:00 至 04:00 短信平台升级，期间自动切换备用通道。',
    'The SMS platform is upgraded on Saturday from 02:00 to 04:00; traffic takes the second route.',
  ],
  [
    '【公告】报价审批新规 / Approval of quotes',
    '低于成本的报价须先提交特价申请。',
    'Quotes below cost need a special price first.',
  ],
  [
    '【提醒】月末对账 / Closing of the month',
    '请在月末前确认客户账单的争议。',
    'Please settle disputes of bills before the end of the month.',
  ],
  ['【公告】差旅报销 / Travel expenses', '报销请附行程单，逾期不予受理。', 'Please attach the itinerary to travel expenses.'],
] as const

const TALKS = [
  ['通道质量周报', '本周印度、印尼到达率见附表，菲律宾略有下降。', '收到，菲律宾的客户我来沟通。'],
  ['客户交接', '我下周休假，客户有急事请先联系你，备注都在系统里。', '没问题，安心休假。'],
  ['月度目标', '请把本月预计成交的商机更新到系统，周五下班前。', '好的，已更新。'],
  [
    'Rates for next week',
    'Two suppliers raise their prices on Monday. Please tell your customers in time.',
    'Thanks, mine are told.',
  ],
] as const

/** What the company writes within: notices to all of them, and colleagues to each other. */
export function inside(owners: readonly DemoStaff[], system: MailAddress, now: number, count: number): Letter[] {
  const people = owners.map(({ email, name, nameEn }): MailAddress => ({ email, name: `${name} ${nameEn}` }))
  const notices = NOTICES.map(([subject, zh, en], index): Letter => {
    const at = now - (index * 13 + 4) * DAY - 3 * HOUR
    return { at, from: system, to: people, subject, html: p(zh, en), ...(owners[0] ? { writtenBy: owners[0].id } : {}) }
  })
  const talks = Array.from({ length: count }, (_, index) => {
    const [subject, first, second] = TALKS[index % TALKS.length]!
    const us = people[index % people.length]!
    const them = people[(index * 5 + 1) % people.length]!
    if (us === them) return []
    const start = now - (1 + ((index * 17) % 58)) * DAY - (index % 7) * HOUR
    const locale = /^[\x20-\x7e]+$/u.test(subject) ? 'en' : 'zh'
    const turns = [
      { by: 'us' as const, after: 0, html: p(first) },
      { by: 'them' as const, after: 2 + (index % 5), html: p(second) },
    ]
    return talk({ us, them, subject, locale, start, turns }, now)
  })
  return [...notices, ...talks.flat()]
}
