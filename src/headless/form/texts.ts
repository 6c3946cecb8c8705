import type { Locale } from '../../schema/problem'

/** Everything that the form says by itself, in both languages. `{name}` is filled in. */
const TEXTS = {
  required: { zh: '请填写{label}', en: '{label} is required' },
  requiredHere: { zh: '请填写', en: 'This is required' },
  tooFew: { zh: '至少 {n} 项', en: 'At least {n}' },
  twice: { zh: '有重复项', en: 'Something is there twice' },
  notAbove: { zh: '须大于 {n}', en: 'It must be more than {n}' },
  notBelow: { zh: '须小于 {n}', en: 'It must be less than {n}' },
  tooManyDigits: {
    zh: '位数过多，保存后会丢失数字。请缩短；编号类内容须用文本字段',
    en: 'More digits than a number keeps, so some would be lost. Shorten it; codes need a text field',
  },
  noMultiple: { zh: '须为 {n} 的倍数', en: 'It must be a multiple of {n}' },
  notThis: { zh: '只能是 {value}', en: 'It can only be {value}' },
  choiceRequired: { zh: '请选择{label}', en: 'Choose {label}' },
  tooShort: { zh: '至少 {n} 个字符', en: 'At least {n} characters' },
  tooLong: { zh: '最多 {n} 个字符，现有 {m} 个', en: 'At most {n} characters, there are {m}' },
  tooSmall: { zh: '不能小于 {n}', en: 'Not less than {n}' },
  tooLarge: { zh: '不能大于 {n}', en: 'Not more than {n}' },
  tooMany: { zh: '最多 {n} 项', en: 'At most {n}' },
  badPattern: { zh: '格式不正确', en: 'The format is wrong' },
  badJson: { zh: 'JSON 格式不正确：{reason}', en: 'This is not valid JSON: {reason}' },
  submit: { zh: '提交', en: 'Submit' },
  save: { zh: '保存', en: 'Save' },
  cancel: { zh: '取消', en: 'Cancel' },
  back: { zh: '返回', en: 'Back' },
  retry: { zh: '重试', en: 'Try again' },
  saved: { zh: '已保存', en: 'Saved' },
  loading: { zh: '正在加载表单', en: 'Loading the form' },
  uploading: { zh: '有文件正在上传，请等待上传完成后再提交', en: 'A file is still being uploaded. Submit when it is done' },
  draftSaved: { zh: '草稿已保存于 {time}', en: 'Draft saved at {time}' },
  draftUnkept: {
    zh: '草稿没有保存：此浏览器的存储空间已满或不可用，请及时提交。',
    en: 'The draft is not kept: the storage of this browser is full or not available. Submit in good time.',
  },
  draftRestored: { zh: '已恢复 {time} 保存的草稿。', en: 'The draft saved at {time} is back.' },
  draftOutdated: {
    zh: '已恢复 {time} 保存的草稿；此后该记录已被他人修改，保存时会显示差异。',
    en: 'The draft saved at {time} is back. The record was changed since; saving will show the differences.',
  },
  draftDiscard: { zh: '放弃草稿', en: 'Discard the draft' },
  problems: { zh: '有 {n} 处需要修改', en: '{n} fields need attention' },
  problem: { zh: '有 1 处需要修改', en: '1 field needs attention' },
  moreProblems: { zh: '另有 {n} 处', en: '{n} more' },
  failedToLoad: { zh: '表单没有加载成功', en: 'The form could not be loaded' },
  failedToSave: { zh: '没有保存成功', en: 'It was not saved' },
  missing: { zh: '这条记录不存在，或不在您的数据范围内', en: 'This record does not exist, or it is outside your data scope' },
  denied: { zh: '您没有打开此表单的权限', en: 'You do not have the right to open this form' },
  emptyForm: { zh: '此表单没有可填写的字段。', en: 'This form has no fields.' },
  readOnlyRecord: { zh: '您只能查看此记录，不能修改。', en: 'You may read this record but not change it.' },
  brokenExpression: {
    zh: '表单中的一个表达式无法计算：{expression}',
    en: 'An expression of the form cannot be evaluated: {expression}',
  },
  networkSave: {
    zh: '网络中断，无法确认是否已保存。再次提交不会重复保存。',
    en: 'The connection broke, so it is not known whether it was saved. Submitting again cannot save it twice.',
  },
  close: { zh: '关闭', en: 'Close' },
  anchors: { zh: '表单目录', en: 'Parts of the form' },
  choose: { zh: '请选择', en: 'Choose' },
  nothingYet: { zh: '没有可选的内容', en: 'There is nothing to choose' },
  searchFailed: { zh: '搜索失败：{reason}', en: 'The search failed: {reason}' },
  wholeForm: { zh: '填写更多', en: 'More fields' },
  createNamed: { zh: '新建{label}“{name}”', en: 'New {label} “{name}”' },
  createNew: { zh: '新建{label}', en: 'New {label}' },
  editOf: { zh: '编辑{label}', en: 'Edit {label}' },
  country: { zh: '国家/地区', en: 'Country' },
  phoneNumber: { zh: '电话号码', en: 'Phone number' },
  upload: { zh: '上传文件', en: 'Upload' },
  uploadHint: { zh: '点击或拖入文件', en: 'Click, or drop files here' },
  uploadFailed: { zh: '上传失败：{reason}', en: 'The upload failed: {reason}' },
  uploadResume: { zh: '继续上传', en: 'Go on uploading' },
  uploadTooLarge: { zh: '文件超过 {size}', en: 'The file is larger than {size}' },
  uploadLimit: { zh: '最多 {n} 个文件', en: 'At most {n} files' },
  preview: { zh: '预览', en: 'Preview' },
  download: { zh: '下载', en: 'Download' },
  remove: { zh: '移除', en: 'Remove' },
  addRow: { zh: '添加一行', en: 'Add a row' },
  duplicateRow: { zh: '复制此行', en: 'Duplicate the row' },
  moveUp: { zh: '上移', en: 'Move up' },
  moveDown: { zh: '下移', en: 'Move down' },
  removeRow: { zh: '删除此行', en: 'Remove the row' },
  noRows: { zh: '还没有数据，可从 Excel 复制后粘贴到表格中', en: 'No rows yet. A block copied from Excel can be pasted here' },
  noRowsShown: { zh: '没有数据，或数据过多，不在这里显示', en: 'There are no rows, or too many to be shown here' },
  pasted: { zh: '已粘贴 {rows} 行', en: 'Rows pasted: {rows}' },
  pastedPartly: {
    zh: '已粘贴 {rows} 行，{n} 个单元格无法识别：{cells}',
    en: 'Rows pasted: {rows}. Cells that could not be read ({n}): {cells}',
  },
  rowLabel: { zh: '第 {n} 行', en: 'Row {n}' },
  actions: { zh: '操作', en: 'Actions' },
  addTag: { zh: '输入后按回车添加', en: 'Type and press Enter to add' },
  unsavedTitle: { zh: '放弃未保存的内容？', en: 'Discard what you have not saved?' },
  unsavedContent: { zh: '关闭后，未保存的内容将丢失。', en: 'What you have not saved is lost when the form closes.' },
  discard: { zh: '放弃', en: 'Discard' },
} as const satisfies Record<string, Record<Locale, string>>

type Values = Readonly<Record<string, string | number>>
/** Texts of a part that loads later. */
export type Texts<Key extends string> = Readonly<Record<Key, Readonly<Record<Locale, string>>>>

/** A text with its `{name}`s filled in. */
export const filled = (said: string, values: Values = {}): string =>
  said.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))

export type TextKey = keyof typeof TEXTS

/**
 * A text of the form in a language.
 *
 * @example text('zh', 'tooLong', { n: 20, m: 25 }) // 最多 20 个字符，现有 25 个
 */
export const text = (locale: Locale, key: TextKey, values?: Values): string => filled(TEXTS[key][locale], values)
