import type { Locale } from '../../../schema/problem'

const zh = {
  push: '新邮件弹出提醒',
  pushHelp: '按邮箱分别开关；只有“收发”以上权限的成员能改。',
  noMailbox: '还没有邮箱',
  bind: '绑定邮箱',
  chat: '新邮件发到聊天工具',
  chatHelp: '在聊天工具里收到新邮件的通知；是否已接入由管理员设置。',
  enabled: '开启',
  hours: '时段',
  from: '从',
  to: '到',
  onlyFollowed: '只通知由我跟进的邮件',
  accounts: '哪些邮箱（不选为全部）',
  save: '保存',
  saved: '已保存',
}

const en: typeof zh = {
  push: 'New mail pops up',
  pushHelp: 'For each mailbox; members who may write in it can change it.',
  noMailbox: 'No mailbox yet',
  bind: 'Bind a mailbox',
  chat: 'New mail is told in the chat',
  chatHelp: 'Notices of new mail in the company’s chat; whether it is connected is set by an administrator.',
  enabled: 'On',
  hours: 'Hours',
  from: 'From',
  to: 'Until',
  onlyFollowed: 'Only mail that I follow up',
  accounts: 'Which mailboxes (none: all)',
  save: 'Save',
  saved: 'Saved',
}

/** What the settings of mail say. */
export const settingsTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
