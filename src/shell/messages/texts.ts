const zh = {
  title: '消息',
  unread: (count: number) => `消息，${count} 条未读`,
  all: '全部',
  unreadOnly: '未读',
  which: '显示哪些消息',
  readAll: '全部标为已读',
  empty: '暂无消息',
  noUnread: '没有未读消息',
  failed: '消息加载失败',
  more: '加载更多',
  isUnread: '未读',
  system: '系统',
  view: '去查看',
  close: '关闭',
  mailWords: { mail: '新邮件', spam: '垃圾邮件', colon: '：' },
}

/** Texts of the bell and its panel; they come with it. */
export const messageTexts: Readonly<Record<'zh' | 'en', typeof zh>> = {
  zh,
  en: {
    title: 'Messages',
    unread: (count) => `Messages, ${count} unread`,
    all: 'All',
    unreadOnly: 'Unread',
    which: 'Which messages',
    readAll: 'Mark all as read',
    empty: 'No messages yet',
    noUnread: 'No unread messages',
    failed: 'The messages could not be loaded',
    more: 'Load more',
    isUnread: 'unread',
    system: 'System',
    view: 'Go and view',
    close: 'Close',
    mailWords: { mail: 'New mail from', spam: 'Spam from', colon: ': ' },
  },
}
