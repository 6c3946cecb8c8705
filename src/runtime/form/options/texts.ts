import type { Locale } from '../../../schema/problem'
import { filled } from '../../../headless/form/texts'

/** What is said of options, in both languages. */
export const OPTION_TEXTS = {
  loading: { zh: '正在加载选项…', en: 'Loading the options…' },
  failed: { zh: '选项没有加载成功：{reason}', en: 'The options could not be loaded: {reason}' },
  retry: { zh: '重试', en: 'Try again' },
  missing: { zh: '请先填写{label}', en: 'Choose {label} first' },
  missingSome: { zh: '请先填写前面的内容', en: 'Fill in what comes before first' },
  cut: { zh: '只列出前 {n} 项', en: 'Only the first {n} are offered' },
} as const

/** Which field has to be filled in first; '' when its name is not known. */
export const missingText = (locale: Locale, label: string): string =>
  filled(OPTION_TEXTS[label === '' ? 'missingSome' : 'missing'][locale], { label })
