import { addDays, dayOf, type Day } from '../../../platform/calendar'
import type { DemoRecord, DemoWorld } from '../../../demo'

/** CNY for one unit of each currency the company has money in, about. */
const CNY: Readonly<Record<string, number>> = { USD: 7.1, EUR: 7.7035, GBP: 9, HKD: 0.91, SGD: 5.3, AED: 1.93, JPY: 0.047 }
/** The last days have a rate each, the year before one a week. */
const DAILY = 45
const WEEKS = 52

/** Our company entities: the codes are those of the dictionary `ourCompany`. */
export const ENTITIES = [
  {
    code: 'hk',
    name: '云桥香港有限公司',
    nameEn: 'Cloudbridge Hong Kong Limited',
    countryCode: 'HK',
    timezone: 'Asia/Hong_Kong',
  },
  {
    code: 'sg',
    name: '云桥新加坡有限公司',
    nameEn: 'Cloudbridge Singapore Pte. Ltd.',
    countryCode: 'SG',
    timezone: 'Asia/Singapore',
  },
  {
    code: 'cn',
    name: '云桥（深圳）科技有限公司',
    nameEn: 'Cloudbridge (Shenzhen) Technology Co., Ltd.',
    countryCode: 'CN',
    timezone: 'Asia/Shanghai',
  },
  { code: 'eu', name: '云桥欧洲有限公司', nameEn: 'Cloudbridge Europe GmbH', countryCode: 'DE', timezone: 'Europe/Berlin' },
] as const

/** Bank accounts: of which entity, in which currency. */
export const BANKS = [
  ['hk', 'USD', '汇丰', 'HSBC'],
  ['hk', 'HKD', '汇丰', 'HSBC'],
  ['hk', 'EUR', '渣打', 'Standard Chartered'],
  ['hk', 'GBP', '渣打', 'Standard Chartered'],
  ['sg', 'USD', '星展', 'DBS'],
  ['sg', 'SGD', '星展', 'DBS'],
  ['cn', 'CNY', '招商银行', 'China Merchants Bank'],
  ['cn', 'USD', '招商银行', 'China Merchants Bank'],
  ['eu', 'EUR', '德意志银行', 'Deutsche Bank'],
  ['eu', 'USD', '德意志银行', 'Deutsche Bank'],
  ['hk', 'AED', '渣打', 'Standard Chartered'],
] as const

const CYCLES = [
  ['monthly15', '月结15天', 'Monthly, 15 days', 'monthly', 15],
  ['monthly30', '月结30天', 'Monthly, 30 days', 'monthly', 30],
  ['half15', '半月结15天', 'Half-monthly, 15 days', 'halfMonth', 15],
  ['weekly7', '周结7天', 'Weekly, 7 days', 'weekly', 7],
  ['ten7', '旬结7天', 'Ten days, 7 days', 'tenDay', 7],
] as const

export const entityId = (code: string): string => `ce-${code}`
export const bankId = (code: string, currency: string): string => `ba-${code}-${currency}`.toLowerCase()
export const cycleId = (code: string): string => `bc-${code}`

/** Company entities, bank accounts, billing cycles and daily exchange rates. */
export function makeFoundations(world: DemoWorld): void {
  const { rows, now } = world
  const stamp = { createdAt: new Date(now.getTime() - 900 * 86_400_000).toISOString(), createdBy: '' }
  rows['sys.companyEntity'] = ENTITIES.map((entity, index) => ({
    ...stamp,
    ...entity,
    id: entityId(entity.code),
    baseCurrency: 'CNY',
    enabled: true,
    sortNo: index,
  }))
  rows['sys.bankAccount'] = BANKS.map(([code, currency, bankName, english], index) => ({
    ...stamp,
    id: bankId(code, currency),
    code: `${code}-${currency}`.toUpperCase(),
    name: `${bankName} ${currency}`,
    companyEntityId: entityId(code),
    bankName: english,
    accountNo: `${4_012_000_000 + index * 7_301}`,
    swift: null,
    currency,
    kind: currency === 'CNY' ? 'basic' : 'fx',
    enabled: true,
  }))
  rows['fin.billCycle'] = CYCLES.map(([code, name, nameEn, kind, termDays]) => ({
    ...stamp,
    ...{ id: cycleId(code), code, name, nameEn, kind, termDays },
    ...{
      startDay: 1,
      lengthDays: null,
      dlrWaitHours: 72,
      graceDays: 7,
      autoIssue: kind !== 'monthly',
      autoSend: false,
      enabled: true,
    },
  }))
  rows['sys.exchangeRate'] = [...(rows['sys.exchangeRate'] ?? []), ...dailyRates(world)]
}

function dailyRates({ random, now, timeZone }: DemoWorld): DemoRecord[] {
  const chance = random.fork('daily rates')
  const today = dayOf(now, timeZone)
  const days: Day[] = [
    ...Array.from({ length: WEEKS }, (_, back) => addDays(today, -DAILY - 7 * (WEEKS - back))),
    ...Array.from({ length: DAILY + 1 }, (_, back) => addDays(today, back - DAILY)),
  ]
  return Object.entries(CNY).flatMap(([base, rate]) =>
    days.map((date) => ({
      id: `xe-${base}-${date}`,
      base,
      quote: 'CNY',
      date,
      rate: (rate * (0.99 + 0.02 * chance.next())).toFixed(6),
      kind: 'xe',
      createdAt: now.toISOString(),
      createdBy: '',
    })),
  )
}
