import { addDays, dayOf, type Day } from '../../../platform/calendar'
import type { DemoRecord, DemoWorld } from '../../../demo'
import { averageOf } from '../settings/rateRules'

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

/** Currencies that the company works in, in their order; the last one is not in use yet. */
const CURRENCIES = [
  ['CNY', '人民币', 'Yuan Renminbi', '¥'],
  ['USD', '美元', 'US Dollar', '$'],
  ['EUR', '欧元', 'Euro', '€'],
  ['HKD', '港元', 'Hong Kong Dollar', 'HK$'],
  ['GBP', '英镑', 'Pound Sterling', '£'],
  ['SGD', '新加坡元', 'Singapore Dollar', 'S$'],
  ['AED', '阿联酋迪拉姆', 'UAE Dirham', 'AED'],
  ['USDT', '泰达币', 'Tether', '₮'],
] as const

/** What each bank account had when the ledger began, so many days ago. */
export const BANK_OPENING = '2500000'
export const OPENED_DAYS = 40

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
    openingBalance: BANK_OPENING,
    openingOn: addDays(dayOf(now, world.timeZone), -OPENED_DAYS),
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
  rows['sys.currency'] = CURRENCIES.map(([code, name, nameEn, symbol], sortNo) => ({
    ...stamp,
    ...{ id: `cy-${code}`, code, name, nameEn, symbol, decimals: 2, kingdeeNo: code === 'CNY' ? 'PRE001' : code, sortNo },
    ...{ accountable: code !== 'USDT', quotable: code !== 'USDT', status: code === 'USDT' ? 'disabled' : 'enabled' },
  }))
  const brands: [string, string, string, string, string, boolean][] = [
    ['br-cloudbridge', '云桥', 'Cloudbridge', 'hk', 'quotes@cloudbridge.example', true],
    ['br-cloudbridge-eu', '云桥欧洲', 'Cloudbridge Europe', 'eu', 'quotes@eu.cloudbridge.example', false],
  ]
  rows['fin.brand'] = brands.map(([id, name, nameEn, entity, mailFrom, isDefault]) => ({
    ...stamp,
    ...{ id, name, nameEn, companyEntityId: entityId(entity), mailFrom, isDefault },
    ...{ website: 'https://cloudbridge.example', color: '#1677ff', status: 'enabled' },
  }))
  rows['sys.exchangeRate'] = [...(rows['sys.exchangeRate'] ?? []), ...dailyRates(world)]
}

/** Averages of the last full months, as the job for them would have made them. */
const AVERAGES = 6

function dailyRates({ random, now, timeZone }: DemoWorld): DemoRecord[] {
  const chance = random.fork('daily rates')
  const today = dayOf(now, timeZone)
  const days: Day[] = [
    ...Array.from({ length: WEEKS }, (_, back) => addDays(today, -DAILY - 7 * (WEEKS - back))),
    ...Array.from({ length: DAILY + 1 }, (_, back) => addDays(today, back - DAILY)),
  ]
  const stamp = { quote: 'CNY', source: 'XE', status: 'live', createdAt: now.toISOString(), createdBy: '' }
  return Object.entries(CNY).flatMap(([base, rate]) => {
    const daily = days.map((date) => ({
      ...stamp,
      ...{ id: `xe-${base}-${date}`, base, date, rate: (rate * (0.99 + 0.02 * chance.next())).toFixed(6), kind: 'xe' },
    }))
    const averages = Array.from({ length: AVERAGES }, (_, back) => {
      const month = monthBefore(today, back + 1)
      const inMonth = Array.from({ length: 28 }, (__, day) => addDays(month, day))
      return {
        ...stamp,
        id: `xa-${base}-${month}`,
        base,
        date: month,
        rate: averageOf(inMonth, daily) ?? rate.toFixed(6),
        kind: 'average',
      }
    })
    return [...daily, ...averages]
  })
}

/** The first day of the month so many months ago. */
const monthBefore = (day: Day, months: number): Day => {
  const count = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}-01`
}
