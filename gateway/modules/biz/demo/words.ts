import type { DemoRecord, DemoWorld } from '../../../demo'

type Line = readonly [
  word: string,
  matchType: string,
  category: string,
  level: string,
  action: string,
  more?: Partial<{ replacement: string; countries: string[]; products: string[]; note: string; off: true }>,
]

const LINES: readonly Line[] = [
  ['casino', 'exact', 'gambling', 'high', 'reject'],
  ['博彩', 'contains', 'gambling', 'high', 'reject'],
  ['六合彩', 'contains', 'gambling', 'high', 'reject'],
  ['slot gacor', 'contains', 'gambling', 'high', 'reject', { countries: ['ID'], note: '印尼运营商要求' }],
  ['judi online', 'contains', 'gambling', 'high', 'reject', { countries: ['ID'] }],
  ['bet\\s*365', 'regex', 'gambling', 'medium', 'review'],
  ['贷款', 'contains', 'loan', 'medium', 'review', { products: ['sms'] }],
  ['pinjaman cepat', 'contains', 'loan', 'high', 'reject', { countries: ['ID'] }],
  ['instant\\s+(personal\\s+)?loan', 'regex', 'loan', 'medium', 'review', { countries: ['IN', 'PH'] }],
  ['empréstimo', 'exact', 'loan', 'medium', 'review', { countries: ['BR'] }],
  ['刷单', 'contains', 'fraud', 'high', 'reject'],
  ['account (is|was) (suspended|blocked)', 'regex', 'fraud', 'high', 'review', { note: '仿冒银行通知' }],
  ['verify your (bank )?card', 'regex', 'fraud', 'high', 'reject'],
  ['中奖', 'contains', 'fraud', 'medium', 'review'],
  ['gift card', 'contains', 'fraud', 'low', 'pass'],
  ['成人视频', 'contains', 'adult', 'high', 'reject'],
  ['xxx', 'exact', 'adult', 'medium', 'review'],
  ['viagra', 'contains', 'medical', 'high', 'reject'],
  ['减肥药', 'contains', 'medical', 'medium', 'review'],
  ['选举', 'contains', 'politics', 'medium', 'review', { products: ['sms', 'whatsapp'] }],
  ['eleição', 'exact', 'politics', 'medium', 'review', { countries: ['BR'] }],
  ['paypa1', 'contains', 'brand', 'high', 'reject', { note: '字母 l 写成数字 1' }],
  ['whatsapp官方', 'contains', 'brand', 'high', 'reject'],
  ['bit\\.ly/\\w+', 'regex', 'other', 'low', 'replace', { replacement: '[link]' }],
  ['【测试】', 'contains', 'other', 'low', 'replace', { replacement: '【通知】' }],
  ['加微信', 'contains', 'other', 'medium', 'review'],
  ['最低价', 'contains', 'other', 'low', 'pass', { off: true, note: '误报多，已停用' }],
]
const DAY = 86_400_000

/** The words that the demo company watches messages for, collected over a year. */
export function makeWords({ now, random, rows, members, roles }: DemoWorld): void {
  const chance = random.fork('sensitive words')
  const risk = roles.find(({ code }) => code === 'risk')
  const createdBy = members.find(({ roleId }) => roleId === risk?.id)?.staffId ?? ''
  rows['biz.sensitiveWord'] = LINES.map(([word, matchType, category, level, action, more = {}], index): DemoRecord => {
    const { off, replacement = null, countries = [], products = [], note = null } = more
    return {
      ...{ id: `sw-${index + 1}`, word, matchType, category, level, action, replacement, countries, products, note },
      ...{
        status: off ? 'off' : 'on',
        createdAt: new Date(now.getTime() - chance.integer(5, 360) * DAY).toISOString(),
        createdBy,
      },
    }
  })
}
