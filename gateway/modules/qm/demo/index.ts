import type { DemoPart } from '../../../demo'
import { QuoteBook } from './book'
import { makeBounds } from './bounds'
import { makeGroups } from './groups'
import { makeIntakes } from './intakes'
import { makeRates } from './rates'
import { makeSent } from './sent'

const TARIFFS = [
  ['短信标准', 'sms', 'delivered', 'segment', 1, 1],
  ['短信提交计费', 'sms', 'submit', 'segment', 1, 1],
  ['语音 60+60', 'voice', 'delivered', 'minute', 60, 60],
  ['语音 1+1', 'voice', 'delivered', 'minute', 1, 1],
  ['OTP验证计费', 'otpSms', 'verified', 'verified', 1, 1],
] as const

const MAILS = [
  [
    '短信报价（中文）',
    'sms',
    'zh-CN',
    '{{customerName}} 短信报价 {{sheetCode}}',
    '<p>{{customerName}}，您好：</p><p>新报价自 {{effectiveFrom}} 起生效，上调 {{increaseCount}} 条，下调 {{decreaseCount}} 条：{{link}}</p><p>{{salesName}} {{salesPhone}}</p>',
  ],
  [
    'SMS quotation (English)',
    'sms',
    'en-US',
    'SMS rates {{sheetCode}} for {{customerName}}',
    '<p>Dear {{customerName}},</p><p>the rates of {{accountName}} change on {{effectiveFrom}}: {{increaseCount}} up, {{decreaseCount}} down. {{link}}</p><p>{{salesName}}, {{salesPhone}}</p>',
  ],
] as const

/** In the order in which they refer to one another. */
const FILLED = [
  ...['qm.rateSheet', 'qm.specialPrice', 'qm.specialPriceLine', 'qm.rateSheetLine', 'qm.customerRate', 'qm.supplierRate'],
  ...['qm.quoteLink', 'qm.rateSheetRecipient', 'qm.quoteMail', 'qm.quoteGroup', 'qm.quoteGroupLine', 'qm.quoteGroupMember'],
  ...['qm.smsPriceLimit', 'qm.agentRate', 'qm.quoteIntake', 'qm.quoteIntakeLine'],
]

/** Tariffs and mail templates of the demo company, its prices and costs with the sheets that said them. */
export const qmDemo: DemoPart = {
  make: (world) => {
    const { rows, now } = world
    for (const entity of FILLED) rows[entity] = []
    const book = new QuoteBook(world)
    makeRates(world, book)
    makeSent(world)
    makeGroups(world)
    makeBounds(world, book)
    makeIntakes(world, book)
    const stamp = { createdAt: new Date(now.getTime() - 600 * 86_400_000).toISOString(), createdBy: '' }
    rows['qm.tariff'] = TARIFFS.map(([name, product, billingMode, unit, incFirst, incNext], index) => ({
      ...stamp,
      ...{ id: `tf-${index + 1}`, name, product, billingMode, unit, incFirst, incNext, graceSec: 0, setupFee: '0' },
      ...{ amountScale: 6, rounding: 'halfUp', currency: 'USD', taxIncluded: false, status: 'enabled' },
    }))
    rows['qm.quoteMailTemplate'] = MAILS.map(([name, sender, lang, subject, body], index) => ({
      ...stamp,
      ...{ id: `qt-${index + 1}`, name, sender, product: 'sms', brandId: 'br-cloudbridge', lang, subject, body },
      ...{ attachmentLayout: 'standard', isDefault: true, status: 'enabled' },
    }))
  },
  coded: ['qm.quoteGroup'],
}
