/** Texts of the history of a record. */
export const recordLogTexts = {
  zh: {
    none: '没有指定记录',
    noneText: '请从一条记录打开它的操作日志。',
    loading: '正在读取操作日志',
  },
  en: {
    none: 'No record is named',
    noneText: 'Open the operation log from a record.',
    loading: 'The operation log is being read',
  },
} as const
