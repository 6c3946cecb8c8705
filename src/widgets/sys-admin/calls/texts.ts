import type { Locale } from '../../../schema/problem'

const zh = {
  staleTitle: '在你编辑期间，有人先保存了',
  staleBy: (by: string, at: string) => `${by} 于 ${at} 保存。`,
  staleFields: (fields: string) => `对方改动了：${fields}。`,
  staleTake: '放弃我的修改，载入最新',
  staleKeep: '保存我的修改',
  staleHelp: '保存你的修改只会写入你改过的部分；同一部分以你的为准。',
  unfinished: '没有保存',
}
const en: typeof zh = {
  staleTitle: 'Somebody else saved while you were editing',
  staleBy: (by, at) => `Saved by ${by} at ${at}.`,
  staleFields: (fields) => `They changed: ${fields}.`,
  staleTake: 'Drop my changes and load the latest',
  staleKeep: 'Save my changes',
  staleHelp: 'Saving writes only the parts that you changed; where both changed the same part, yours holds.',
  unfinished: 'Not saved',
}
export const callTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
