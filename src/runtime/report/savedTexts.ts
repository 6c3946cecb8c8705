import type { Locale } from '../../schema/problem'

/** When the file of a saved report is made. */
export type Frequency = 'none' | 'daily' | 'weekly' | 'monthly'

const zh = {
  title: '保存的报表',
  loading: '正在加载',
  name: '名称',
  named: '请填写名称（最多 60 字）',
  example: '如：华东客户月报',
  schedule: '定时生成',
  scheduleHelp: '按时把文件放入您的下载中心，并发消息给您。没有改动日期筛选时，日期随每次生成移动。',
  scheduleOf: (name: string) => `“${name}”的定时`,
  frequency: { none: '不定时', daily: '每天 7:00', weekly: '每周一 7:00', monthly: '每月1日 7:00' },
  save: '保存当前筛选',
  done: '已保存',
  none: '还没有保存的报表。填写名称，即可保存当前筛选。',
  made: (at: string) => `上次生成 ${at}`,
  remove: '删除',
  removeAsk: (name: string) => `删除“${name}”？`,
  keep: '保留',
}
const en: typeof zh = {
  title: 'Saved reports',
  loading: 'Loading',
  name: 'Name',
  named: 'Enter a name of at most 60 characters',
  example: 'E.g. Customers of the north, monthly',
  schedule: 'Schedule',
  scheduleHelp:
    'The file comes to your download centre at that time, and a message to you. Days that you have not filtered by yourself move with each file.',
  scheduleOf: (name) => `Schedule of "${name}"`,
  frequency: { none: 'None', daily: 'Daily at 7:00', weekly: 'Mondays at 7:00', monthly: 'On the 1st at 7:00' },
  save: 'Save these filters',
  done: 'Saved',
  none: 'No saved reports yet. Enter a name to save the filters of now.',
  made: (at) => `Last made ${at}`,
  remove: 'Delete',
  removeAsk: (name) => `Delete "${name}"?`,
  keep: 'Keep',
}
export const savedTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
