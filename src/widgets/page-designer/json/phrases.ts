import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language'
import type { Locale } from '../../../schema/problem'

/** What the text editor says by itself; it speaks English without them. */
export const PHRASES: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: {},
  zh: {
    Find: '查找',
    Replace: '替换',
    next: '下一个',
    previous: '上一个',
    all: '全部',
    'match case': '区分大小写',
    regexp: '正则表达式',
    'by word': '整词匹配',
    replace: '替换',
    'replace all': '全部替换',
    close: '关闭',
    'current match': '当前匹配',
    'replaced $ matches': '已替换 $ 处',
    'replaced match on line $': '已替换第 $ 行的匹配',
    'on line': '在行',
    'Go to line': '跳到行',
    go: '跳转',
    Completions: '补全',
    Diagnostics: '问题',
    'No diagnostics': '没有问题',
    'Fold line': '折叠',
    'Unfold line': '展开',
    'folded code': '已折叠',
    'Folded lines': '折叠的行',
    'Unfolded lines': '展开的行',
    unfold: '展开',
    to: '至',
    'Control character': '控制字符',
    'Selection deleted': '已删除所选内容',
  },
}

/** The colours of the light theme are too dark for a dark ground: each has a light one of its kind. */
const ON_DARK: Readonly<Record<string, string>> = {
  '#708': '#d8a6ff',
  '#219': '#8fb8ff',
  '#164': '#8fd6a8',
  '#a11': '#ffab91',
  '#e40': '#ffb86c',
  '#00f': '#9ecbff',
  '#00c': '#9ecbff',
  '#30a': '#c3b1ff',
  '#085': '#7fd7c4',
  '#167': '#7fd7e6',
  '#256': '#8fc7d9',
  '#940': '#d0b080',
  '#f00': '#ff8a80',
}

export const darkHighlightStyle = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) =>
    typeof spec.color === 'string' ? { ...spec, color: ON_DARK[spec.color] ?? '#d6deeb' } : spec,
  ),
)
