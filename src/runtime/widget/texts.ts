import type { Locale } from '../../schema/problem'

const zh = {
  unknown: (name: string) => `没有名为“${name}”的组件。请检查页面配置中的名称，或先注册这个组件。`,
  badProps: (name: string, reasons: string) => `组件“${name}”的参数不正确：${reasons}`,
  loading: '正在加载',
  title: '这一块没有显示成功',
  rest: '页面的其余部分可以继续使用。',
  where: '位置',
  reason: '原因',
  copy: '复制详情',
  retry: '重试',
}
const en: typeof zh = {
  unknown: (name) => `There is no widget named "${name}". Check the name in the page, or register the widget.`,
  badProps: (name, reasons) => `The widget "${name}" got wrong properties: ${reasons}`,
  loading: 'Loading',
  title: 'This part could not be shown',
  rest: 'The rest of the page keeps working.',
  where: 'Where',
  reason: 'Reason',
  copy: 'Copy details',
  retry: 'Try again',
}
export const widgetTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
