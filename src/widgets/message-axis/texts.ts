/** Texts of the time axis. */
export const axisTexts = {
  zh: {
    all: '全部',
    kinds: { release: '版本发布', iteration: '功能迭代', fix: '问题修复', maintenance: '停机维护' },
    which: '公告类型',
    empty: '还没有发布过公告。',
    more: '加载更多',
    seen: '标为已读',
    isRead: '已读',
  },
  en: {
    all: 'All',
    kinds: { release: 'Releases', iteration: 'Iterations', fix: 'Fixes', maintenance: 'Maintenance' },
    which: 'Kind of notices',
    empty: 'No notice was published yet.',
    more: 'Load more',
    seen: 'Mark as read',
    isRead: 'read',
  },
}
