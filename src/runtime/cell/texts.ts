import type { Locale } from '../../schema/problem'
import type { Tone } from '../../schema/model'

const zh = {
  yes: '是',
  no: '否',
  files: (count: number) => `${count} 个文件`,
  failed: (reason: string) => `这个值没有计算成功：${reason}`,
  unknownCell: (name: string) => `没有名为“${name}”的单元格组件`,
  tones: { success: '正常', processing: '进行中', warning: '注意', error: '异常' } satisfies Record<NonNullable<Tone>, string>,
  empty: '空',
}
const en: typeof zh = {
  yes: 'Yes',
  no: 'No',
  files: (count) => (count === 1 ? '1 file' : `${count} files`),
  failed: (reason) => `This value could not be worked out: ${reason}`,
  unknownCell: (name) => `There is no cell named "${name}"`,
  tones: { success: 'Good', processing: 'In progress', warning: 'Attention', error: 'Problem' },
  empty: 'Empty',
}
export const cellTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
