import type { Locale } from '../../schema/problem'

const zh = {
  added: '新增',
  removed: '删除',
  changed: '修改',
  line: (n: number) => `第 ${n} 行`,
  moved: '行的顺序已调整',
  more: (n: number) => `另有 ${n} 行`,
  nothing: '空',
  to: '改为',
  none: '没有明细',
  tooMany: (entity: string) => `${entity}很多，不在这里显示。`,
  total: '合计',
}
const en: typeof zh = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  line: (n) => `Line ${n}`,
  moved: 'The lines stand in another order',
  more: (n) => `and ${n} more lines`,
  nothing: 'nothing',
  to: 'to',
  none: 'No lines',
  tooMany: (entity) => `${entity}: too many lines to be shown here.`,
  total: 'Total',
}
export const lineTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
