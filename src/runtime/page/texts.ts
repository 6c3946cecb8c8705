import type { Locale } from '../../schema/problem'

const zh = {
  loading: '正在加载页面',
  failed: '页面没有加载成功',
  retry: '重试',
  missing: '没有找到这个页面',
  missingText: '它可能已被移除，或地址有误。',
  denied: '您没有打开这个页面的权限',
  local: '服务器暂时无法应答，当前显示的是最近一次可用的页面配置。数据以服务器为准。',
  earlier: (number: number | undefined) =>
    `这个页面的最新版本有问题，已告知管理员。当前显示的是${number === undefined ? '上一个可用的版本' : `第 ${number} 版`}。`,
  newer: '这个页面有新版本。已填写的内容不会丢失。',
  showNewer: '显示新版本',
  problems: (count: number) => `页面配置中有 ${count} 处不正确，相应的部分没有显示。`,
  finding: '这一块的页面配置不正确，可能不能正常使用',
  details: '查看详情',
  copy: '复制详情',
  broken: '页面配置不正确，无法显示',
  embed: '这个页面由子应用提供，不在这里显示。',
}
const en: typeof zh = {
  loading: 'Loading the page',
  failed: 'The page could not be loaded',
  retry: 'Try again',
  missing: 'There is no such page',
  missingText: 'It may have been removed, or the address is wrong.',
  denied: 'You may not open this page',
  local:
    'The server does not answer at the moment. This is the last good version of the page; its data still come from the server.',
  earlier: (number) =>
    `The newest revision of this page has a fault; its administrators were told. You see ${number === undefined ? 'the one before it' : `revision ${number}`}.`,
  newer: 'There is a new version of this page. What you have typed is kept.',
  showNewer: 'Show it',
  problems: (count) =>
    count === 1
      ? 'One part of this page is set up wrongly and is not shown.'
      : `${count} parts of this page are set up wrongly and are not shown.`,
  finding: 'This part of the page is set up wrongly and may not work',
  details: 'Details',
  copy: 'Copy details',
  broken: 'The page is set up wrongly and cannot be shown',
  embed: 'This page belongs to a sub-application and is not shown here.',
}
export const pageTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
