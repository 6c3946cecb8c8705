import type { BilingualText } from '../../../schema/problem'

/** How a setting of a component is given: a text in both languages, a code as it is, yes or no, a number, or one of a list. */
type SettingKind = 'text' | 'code' | 'flag' | 'number' | readonly string[]

/** A setting of a component under the name that people know. */
export interface Setting {
  name: string
  kind: SettingKind
  label: BilingualText
}

const setting = (name: string, kind: SettingKind, zh: string, en: string): Setting => ({ name, kind, label: { zh, en } })

const placeholder = setting('placeholder', 'text', '占位文字', 'Placeholder')
const allowClear = setting('allowClear', 'flag', '可清空', 'Can be cleared')
const showSearch = setting('showSearch', 'flag', '可搜索', 'Can be searched')
const multiple = setting('multiple', 'flag', '可多选', 'Several')
const most = setting('maxLength', 'number', '最多字符', 'Most characters')
const counted = setting('showCount', 'flag', '显示字数', 'Shows how many')
const before = setting('addonBefore', 'text', '前缀', 'In front')
const behind = setting('addonAfter', 'text', '后缀', 'Behind')
const least = setting('min', 'number', '最小值', 'Smallest')
const largest = setting('max', 'number', '最大值', 'Largest')
const step = setting('step', 'number', '步长', 'Step')
const title = setting('title', 'text', '标题', 'Title')
const width = setting('width', 'number', '宽度', 'Width')
const size = setting('size', ['small', 'default', 'large'], '尺寸', 'Size')
const direction = setting('direction', ['horizontal', 'vertical'], '方向', 'Direction')
const tags = setting('maxTagCount', 'number', '最多显示几个', 'Most shown')
const format = setting('format', 'code', '格式', 'Format')
const picker = setting('picker', ['date', 'week', 'month', 'quarter', 'year'], '选择单位', 'What is picked')
const withTime = setting('showTime', 'flag', '含时间', 'With the time')
const accordion = setting('accordion', 'flag', '只展开一个', 'One open at a time')
const header = setting('header', 'text', '标题', 'Title')
const tab = setting('tab', 'text', '页签名称', 'Name of the tab')
const trigger = setting('trigger', 'text', '按钮文字', 'Text of the button')
const block = setting('block', 'flag', '占满一行', 'As wide as the form')
const over = [title, trigger, width]

const SETTINGS: Readonly<Record<string, readonly Setting[]>> = {
  Input: [placeholder, most, counted, allowClear, before, behind],
  'Input.TextArea': [placeholder, setting('rows', 'number', '行数', 'Lines'), most, counted],
  Password: [placeholder, setting('checkStrength', 'flag', '显示强度', 'Shows how strong it is')],
  NumberPicker: [placeholder, least, largest, step, setting('precision', 'number', '小数位', 'Decimals'), before, behind],
  Rate: [setting('count', 'number', '星数', 'Stars'), setting('allowHalf', 'flag', '可选半星', 'Half stars')],
  Slider: [least, largest, step],
  Switch: [
    setting('checkedChildren', 'text', '打开时的文字', 'Text when on'),
    setting('unCheckedChildren', 'text', '关闭时的文字', 'Text when off'),
  ],
  Select: [placeholder, setting('mode', ['multiple', 'tags'], '可选几个', 'How many'), allowClear, showSearch, tags],
  'Radio.Group': [
    setting('optionType', ['default', 'button'], '样子', 'Looks'),
    setting('buttonStyle', ['outline', 'solid'], '按钮样式', 'Style of the buttons'),
  ],
  Checkbox: [setting('children', 'text', '文字', 'Text')],
  TreeSelect: [
    placeholder,
    multiple,
    setting('treeCheckable', 'flag', '带复选框', 'With check boxes'),
    setting('treeDefaultExpandAll', 'flag', '全部展开', 'All open at first'),
    showSearch,
    allowClear,
  ],
  Cascader: [placeholder, multiple, setting('changeOnSelect', 'flag', '可选上级', 'Any level'), showSearch, allowClear, tags],
  Transfer: [showSearch, setting('oneWay', 'flag', '只能移入', 'One way only')],
  SelectTable: [
    setting('mode', ['multiple', 'single'], '可选几个', 'How many'),
    showSearch,
    setting('bordered', 'flag', '带边框', 'With borders'),
  ],
  DatePicker: [placeholder, picker, withTime, format, allowClear],
  'DatePicker.RangePicker': [picker, withTime, format, allowClear],
  TimePicker: [placeholder, format, setting('minuteStep', 'number', '分钟间隔', 'Step of minutes'), allowClear],
  'TimePicker.RangePicker': [format, allowClear],
  ArrayTable: [setting('bordered', 'flag', '带边框', 'With borders'), size],
  'ArrayTable.Column': [
    title,
    width,
    setting('align', ['left', 'center', 'right'], '对齐', 'Aligned'),
    setting('fixed', ['left', 'right'], '固定在', 'Fixed to'),
  ],
  ArrayCards: [title],
  ArrayCollapse: [accordion],
  'ArrayCollapse.CollapsePanel': [header],
  Card: [title, size],
  FormTab: [setting('tabPosition', ['top', 'left', 'right', 'bottom'], '页签位置', 'Where the tabs stand')],
  'FormTab.TabPane': [tab],
  FormStep: [direction, size],
  'FormStep.StepPane': [
    title,
    setting('subTitle', 'text', '副标题', 'Second title'),
    setting('description', 'text', '说明', 'Description'),
  ],
  FormCollapse: [accordion],
  'FormCollapse.CollapsePanel': [header],
  FormGrid: [
    setting('minColumns', 'number', '最少列数', 'Fewest columns'),
    setting('maxColumns', 'number', '最多列数', 'Most columns'),
    setting('columnGap', 'number', '列距', 'Between columns'),
    setting('rowGap', 'number', '行距', 'Between lines'),
  ],
  'FormGrid.GridColumn': [setting('gridSpan', 'number', '占几列', 'Columns that it takes')],
  FormLayout: [
    setting('layout', ['horizontal', 'vertical', 'inline'], '布局', 'Layout'),
    setting('labelCol', 'number', '标签占几格（共 24）', 'Width of labels, of 24'),
    setting('wrapperCol', 'number', '控件占几格（共 24）', 'Width of controls, of 24'),
    setting('labelAlign', ['left', 'right'], '标签对齐', 'Labels aligned'),
    size,
  ],
  Space: [
    direction,
    setting('size', ['small', 'middle', 'large'], '间距', 'Distance'),
    setting('align', ['start', 'center', 'end', 'baseline'], '对齐', 'Aligned'),
    setting('wrap', 'flag', '可换行', 'Wraps'),
    setting('split', 'text', '分隔符', 'Between'),
  ],
  FormItem: [setting('label', 'text', '标签', 'Label')],
  FormDialog: over,
  FormDrawer: over,
  FormButtonGroup: [setting('align', ['left', 'center', 'right'], '对齐', 'Aligned')],
  Divider: [setting('dashed', 'flag', '虚线', 'Dashed')],
  Submit: [block],
  Reset: [block],
}
const ALIASES: Readonly<Record<string, string>> = { TextArea: 'Input.TextArea', InputNumber: 'NumberPicker' }
/** Buttons below lists. */
const ADDITION = [setting('method', ['push', 'unshift'], '加在', 'Adds at')]

/** The settings of a component that are known by name; none: of widgets, and of controls of the portal. */
export const settingsOf = (component: string): readonly Setting[] =>
  SETTINGS[ALIASES[component] ?? component] ?? (component.endsWith('.Addition') ? ADDITION : [])

const CHOICES: Readonly<Record<string, BilingualText>> = {
  small: { zh: '小', en: 'Small' },
  middle: { zh: '中', en: 'Medium' },
  default: { zh: '默认', en: 'Usual' },
  large: { zh: '大', en: 'Large' },
  horizontal: { zh: '横向', en: 'Horizontal' },
  vertical: { zh: '纵向', en: 'Vertical' },
  inline: { zh: '行内', en: 'In line' },
  multiple: { zh: '多个', en: 'Several' },
  single: { zh: '一个', en: 'One' },
  tags: { zh: '多个，可输入新的', en: 'Several, new ones too' },
  button: { zh: '按钮', en: 'Buttons' },
  outline: { zh: '描边', en: 'Outline' },
  solid: { zh: '填充', en: 'Filled' },
  date: { zh: '日', en: 'Day' },
  week: { zh: '周', en: 'Week' },
  month: { zh: '月', en: 'Month' },
  quarter: { zh: '季度', en: 'Quarter' },
  year: { zh: '年', en: 'Year' },
  left: { zh: '左', en: 'Left' },
  center: { zh: '中', en: 'Centre' },
  right: { zh: '右', en: 'Right' },
  top: { zh: '上', en: 'Top' },
  bottom: { zh: '下', en: 'Bottom' },
  start: { zh: '起始', en: 'Start' },
  end: { zh: '末尾', en: 'End' },
  baseline: { zh: '基线', en: 'Baseline' },
  push: { zh: '末尾', en: 'The end' },
  unshift: { zh: '开头', en: 'The beginning' },
}
/** What a choice of a setting is called. */
export const settingChoice = (choice: string): BilingualText => CHOICES[choice] ?? { zh: choice, en: choice }
