import type { Locale } from '../../schema/problem'

const zh = {
  loading: '正在加载',
  failed: '报表没有加载成功',
  retry: '重试',
  denied: '您没有查看这份报表的权限',
  missing: '没有找到要统计的内容',
  missingText: '它可能已被移除。',
  nothing: '没有符合条件的数据',
  total: '合计',
  noCurrency: '无币种',
  truth: (yes: boolean): string => (yes ? '是' : '否'),
  same: (before: string) => `与前期 ${before} 持平`,
  from: {
    up: (before: string) => `前期为 ${before}，有所增加`,
    down: (before: string) => `前期为 ${before}，有所减少`,
  },
  by: {
    up: (size: string, before: string) => `比前期 ${before} 增加 ${size}`,
    down: (size: string, before: string) => `比前期 ${before} 减少 ${size}`,
  },
  points: (size: string) => `${size} 个百分点`,
  comparedWith: (from: string, to: string) => `与 ${from} 至 ${to} 相比`,
  more: (count: number) => `只显示前 ${count} 行。`,
  unconverted: (count: number) => `有 ${count} 笔金额没有汇率或币种，未计入折算。`,
  closed: (title: string) => `字段规则不允许您查看“${title}”，因此不显示这一区块。`,
  chart: (title: string) => `${title}（图表，数据见下表）`,
}
const en: typeof zh = {
  loading: 'Loading',
  failed: 'The report could not be loaded',
  retry: 'Try again',
  denied: 'You may not see this report',
  missing: 'What is counted here was not found',
  missingText: 'It may have been removed.',
  nothing: 'There are no data for these filters',
  total: 'Total',
  noCurrency: 'without currency',
  truth: (yes) => (yes ? 'Yes' : 'No'),
  same: (before) => `The same as in the period before: ${before}`,
  from: {
    up: (before) => `More than in the period before: ${before}`,
    down: (before) => `Less than in the period before: ${before}`,
  },
  by: {
    up: (size, before) => `${size} more than in the period before: ${before}`,
    down: (size, before) => `${size} less than in the period before: ${before}`,
  },
  points: (size) => `${size} points`,
  comparedWith: (from, to) => `Compared with ${from} to ${to}`,
  more: (count) => `Only the first ${count} rows are shown.`,
  unconverted: (count) => `${count} amounts have no rate or no currency and are left out of converted figures.`,
  closed: (title) => `A field rule keeps "${title}" from you, so this block is not shown.`,
  chart: (title) => `${title} (chart; its data are in the table below)`,
}
export const reportTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
