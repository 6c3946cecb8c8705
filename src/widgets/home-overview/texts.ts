import type { Locale } from '../../schema/problem'

const zh = {
  greeting: (hour: number, name: string) =>
    `${hour < 6 ? '夜深了' : hour < 11 ? '早上好' : hour < 14 ? '中午好' : hour < 18 ? '下午好' : '晚上好'}，${name}`,
  today: (date: string, departments: string) => (departments ? `今天是${date} · ${departments}` : `今天是${date}`),
  myCustomer: '我的客户',
  todayCustomer: '今日新增客户',
  task: '今日待办',
  todaySend: '今日邮件跟进',
  quick: '快捷入口',
  edit: '编辑',
  none: '还没有快捷入口。把常用的页面放到这里。',
  choose: '选择页面',
  title: '编辑快捷入口',
  save: '保存',
  cancel: '取消',
  saved: '快捷入口已保存',
  promotion: '我的推广链接',
  copy: '复制',
}
const en: typeof zh = {
  greeting: (hour, name) => `Good ${hour < 5 ? 'night' : hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'}, ${name}`,
  today: (date, departments) => (departments ? `${date} · ${departments}` : date),
  myCustomer: 'My customers',
  todayCustomer: 'Gained today',
  task: 'Due today',
  todaySend: 'Mail follow-ups today',
  quick: 'Quick entries',
  edit: 'Edit',
  none: 'No quick entries yet. Put the pages here that you use most.',
  choose: 'Choose pages',
  title: 'Edit quick entries',
  save: 'Save',
  cancel: 'Cancel',
  saved: 'The quick entries are saved',
  promotion: 'My promotion links',
  copy: 'Copy',
}
export const homeTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
