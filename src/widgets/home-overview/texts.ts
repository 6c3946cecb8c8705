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
  lastSignIn: (at: string, way: string, ip: string) =>
    `上次登录：${[at, way, ip && `IP ${ip}`].filter(Boolean).join(' · ')}。如非本人操作，请立即修改密码并退出所有设备。`,
  ways: { password: '账号密码', corporate: '企业账号', demo: '演示登录' },
  passwordOld: (days: number) => `密码已使用 ${days} 天，请在右上角用户菜单中修改密码。`,
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
  lastSignIn: (at, way, ip) =>
    `Last sign-in: ${[at, way, ip && `IP ${ip}`].filter(Boolean).join(' · ')}. If that was not you, change your password and sign out everywhere.`,
  ways: { password: 'name and password', corporate: 'company account', demo: 'demo sign-in' },
  passwordOld: (days) => `Your password is ${days} days old. Change it in the user menu at the top right.`,
  promotion: 'My promotion links',
  copy: 'Copy',
}
export const homeTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
