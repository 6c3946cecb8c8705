import type { Locale } from '../../schema/problem'

const zh = {
  loading: '正在加载',
  failed: '报表没有加载成功',
  retry: '重试',
  denied: '您没有查看这份报表的权限',
  nothing: '没有符合条件的数据',
  total: '合计',
  rows: '行',
  chart: (title: string) => `${title}（图表，数据见下表）`,
}
const en: typeof zh = {
  loading: 'Loading',
  failed: 'The report could not be loaded',
  retry: 'Try again',
  denied: 'You may not see this report',
  nothing: 'There are no data for these filters',
  total: 'Total',
  rows: 'Rows',
  chart: (title) => `${title} (chart; its data are in the table below)`,
}
export const reportTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
