/** What the questions after a submission say: somebody saved before, it exists already, the form has changed. */
export const QUESTION_TEXTS = {
  changedTitle: { zh: '表单有了新版本', en: 'The form has changed' },
  changedShow: { zh: '显示新版本，保留已填写的内容', en: 'Show the new form with what was typed' },
  changedAgain: { zh: '再试一次', en: 'Try again' },
  changedBroken: {
    zh: '新版本有问题，暂时无法显示，已告知管理员。您填写的内容都还在：请按上面的变化修改后再提交，或稍后再试。',
    en: 'The new form has a fault and cannot be shown yet; its administrators were told. What you typed is kept: change it as listed above and submit again, or try again later.',
  },
  changedStay: { zh: '先留在这里', en: 'Stay here for now' },
  staleTitle: { zh: '他人已先保存', en: 'Somebody saved before you' },
  staleBy: {
    zh: '{name} 于 {time} 保存了此记录。请选择保留哪些内容。',
    en: '{name} saved this record at {time}. Choose what to keep.',
  },
  staleUnknown: {
    zh: '您打开之后，此记录已被修改。请选择保留哪些内容。',
    en: 'This record was changed after you opened it. Choose what to keep.',
  },
  staleField: { zh: '字段', en: 'Field' },
  staleTheirs: { zh: '已保存的内容', en: 'Saved meanwhile' },
  staleMine: { zh: '我的内容', en: 'Mine' },
  staleOther: { zh: '已修改', en: 'Changed' },
  staleTake: { zh: '采用已保存的内容', en: 'Take theirs' },
  staleKeep: { zh: '保留我的内容并保存', en: 'Keep mine and save' },
  duplicateTitle: { zh: '可能重复的记录', en: 'It may be a duplicate' },
  duplicateBlocked: { zh: '记录已存在', en: 'It exists already' },
  duplicateBlock: {
    zh: '系统中已有相同的记录，不能再次保存。请查看已有记录，或修改内容。',
    en: 'The same record exists already, so this one cannot be saved. Look at the existing one, or change this one.',
  },
  duplicateWarn: {
    zh: '系统中已有相似的记录。如确认不是重复，请说明理由后保存。',
    en: 'There is a similar record. If this is another one, say why and save it.',
  },
  duplicateReason: { zh: '保存理由', en: 'Why it is another one' },
  duplicateAppeal: { zh: '申诉', en: 'Appeal' },
  duplicateAppealNote: { zh: '申诉说明（交部门负责人处理）', en: 'Why it is another one (your leader decides)' },
  duplicateAppealed: { zh: '已提交给 {leader} 处理', en: 'Sent to {leader}' },
  duplicateSave: { zh: '仍然保存', en: 'Save it anyway' },
} as const
