import type { Locale } from '../../schema/problem'

const zh = {
  loading: '正在加载',
  denied: '没有权限',
  missing: '没有找到',
  missingText: '它可能已被删除，或不在您的数据范围内。',
  failed: '没有加载成功',
  retry: '重试',
  notDone: (reason: string) => `没有成功：${reason}`,
}
const en: typeof zh = {
  loading: 'Loading',
  denied: 'No permission',
  missing: 'Not found',
  missingText: 'It may have been deleted, or it is outside of the records that you may see.',
  failed: 'This could not be loaded',
  retry: 'Try again',
  notDone: (reason) => `This did not work: ${reason}`,
}
export const readingTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
