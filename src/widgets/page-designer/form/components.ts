import { isObject, type JsonObject } from '../../../schema/overlay'
import type { FieldKind } from '../../../schema/model'
import type { BilingualText } from '../../../schema/problem'

/** What a component needs to be added so that it draws at once. */
export interface Supply {
  /** A name that no field of the form has yet. */
  name(wanted: string): string
  /** A field to stand in a new group, tab or step, by its name; null: there is none left. */
  field(): readonly [string, JsonObject] | null
}

export const GROUPS = ['part', 'input', 'choice', 'date', 'list', 'layout', 'action'] as const
export type ComponentGroup = (typeof GROUPS)[number]

export const GROUP_NAMES: Readonly<Record<ComponentGroup, BilingualText>> = {
  part: { zh: '此处的组成部分', en: 'Parts of this place' },
  input: { zh: '录入', en: 'Input' },
  choice: { zh: '选择', en: 'Choice' },
  date: { zh: '日期时间', en: 'Date and time' },
  list: { zh: '列表', en: 'List' },
  layout: { zh: '布局', en: 'Layout' },
  action: { zh: '按钮', en: 'Buttons' },
}

/** A component that can be added to a form. */
export interface FormComponent {
  /** Of the entry and its picture: several entries may add one component with other settings. */
  id: string
  /** `x-component`. */
  name: string
  group: ComponentGroup
  label: BilingualText
  /** The name of what it is added with, before a number. */
  wanted: string
  /** Kinds of fields of an entity that it can edit. */
  kinds: readonly FieldKind[]
  make(supply: Supply): JsonObject
}

const text = (zh: string, en: string): BilingualText => ({ zh, en })

const OPTIONS = [
  { label: text('选项一', 'Option one'), value: 'a' },
  { label: text('选项二', 'Option two'), value: 'b' },
]
const TREE = [
  { label: text('第一组', 'First group'), value: 'one', children: OPTIONS },
  { label: text('第二组', 'Second group'), value: 'two' },
]

/** A value of its own under a label. */
const value = (type: string, name: string, label: BilingualText, more: JsonObject = {}): JsonObject => ({
  type,
  title: label,
  'x-decorator': 'FormItem',
  'x-component': name,
  ...more,
})
/** A node without a value. */
const plain = (name: string, more: JsonObject = {}): JsonObject => ({ type: 'void', 'x-component': name, ...more })
const withField = ({ field }: Supply): { properties: JsonObject } => {
  const found = field()
  return { properties: found ? { [found[0]]: found[1] } : {} }
}

type Make = (label: BilingualText, name: string) => (supply: Supply) => JsonObject
type Row = readonly [id: string, zh: string, en: string, make: Make, kinds?: readonly FieldKind[], name?: string]

const of =
  (type: string, more: JsonObject = {}): Make =>
  (label, name) =>
  () =>
    value(type, name, label, more)
const settings = (props: JsonObject): JsonObject => ({ 'x-component-props': props })

const INPUTS: readonly Row[] = [
  ['Input', '单行文本', 'Text', of('string'), ['string', 'email', 'phone', 'url']],
  ['Input.TextArea', '多行文本', 'Long text', of('string'), ['string', 'text']],
  ['Password', '密码', 'Password', of('string'), ['string']],
  ['NumberPicker', '数字', 'Number', of('number'), ['integer', 'decimal', 'percent']],
  ['Rate', '评分', 'Rating', of('number'), ['integer']],
  ['Slider', '滑块', 'Slider', of('number'), ['integer']],
  ['Switch', '开关', 'Switch', of('boolean'), ['boolean']],
  ['Upload', '附件', 'Upload', of('array'), ['files']],
  [
    'PreviewText.Input',
    '只读文本',
    'Text that is only shown',
    of('string', { 'x-pattern': 'readPretty' }),
    ['string', 'text', 'email', 'phone', 'url', 'decimal', 'integer'],
  ],
  [
    'Editable',
    '点击后编辑',
    'Edited in place',
    (label) => () => ({ ...value('string', 'Input', label), 'x-decorator': 'Editable' }),
    ['string'],
    'Input',
  ],
  [
    'Editable.Popover',
    '气泡中编辑',
    'Edited in a bubble',
    (label, name) => () => ({
      ...value('object', name, label),
      properties: {
        first: value('string', 'Input', text('第一项', 'First')),
        second: value('string', 'Input', text('第二项', 'Second')),
      },
    }),
  ],
]

const CHOICES: readonly Row[] = [
  ['Select', '下拉单选', 'Select', of('string', { enum: OPTIONS }), ['dictionary']],
  [
    'Select:multiple',
    '下拉多选',
    'Select several',
    of('array', { enum: OPTIONS, ...settings({ mode: 'multiple' }) }),
    ['dictionaries'],
    'Select',
  ],
  ['Radio.Group', '单选按钮', 'Radio buttons', of('string', { enum: OPTIONS }), ['dictionary']],
  ['Checkbox.Group', '复选框组', 'Check boxes', of('array', { enum: OPTIONS }), ['dictionaries']],
  ['Checkbox', '单个复选框', 'One check box', of('boolean'), ['boolean']],
  ['TreeSelect', '树形选择', 'Tree select', of('string', { enum: TREE })],
  ['Cascader', '级联选择', 'Cascader', of('array', { enum: TREE })],
  [
    'Transfer',
    '穿梭框',
    'Transfer',
    of('array', {
      enum: [
        { title: text('选项一', 'Option one'), key: 'a' },
        { title: text('选项二', 'Option two'), key: 'b' },
      ],
    }),
  ],
  [
    'SelectTable',
    '表格选择',
    'Select in a table',
    (label, name) => () => ({
      ...value('array', name, label, settings({ mode: 'multiple' })),
      enum: [
        { key: '1', name: '上海', about: 'SHA' },
        { key: '2', name: '宁波', about: 'NGB' },
      ],
      properties: {
        name: { type: 'string', title: text('名称', 'Name'), 'x-component': 'SelectTable.Column' },
        about: { type: 'string', title: text('说明', 'About'), 'x-component': 'SelectTable.Column' },
      },
    }),
  ],
]

const picker = (name: string): Make => of('string', settings({ picker: name }))
const DATES: readonly Row[] = [
  ['DatePicker', '日期', 'Date', of('string'), ['date']],
  ['DatePicker:time', '日期时间', 'Date and time', of('string', settings({ showTime: true })), ['dateTime'], 'DatePicker'],
  ['DatePicker:week', '周', 'Week', picker('week'), [], 'DatePicker'],
  ['DatePicker:month', '月', 'Month', picker('month'), [], 'DatePicker'],
  ['DatePicker:quarter', '季度', 'Quarter', picker('quarter'), [], 'DatePicker'],
  ['DatePicker:year', '年', 'Year', picker('year'), [], 'DatePicker'],
  ['DatePicker.RangePicker', '日期范围', 'Date range', of('array')],
  ['TimePicker', '时间', 'Time', of('string')],
  ['TimePicker.RangePicker', '时间范围', 'Time range', of('array')],
]

const NAME = value('string', 'Input', text('名称', 'Name'))
const AMOUNT = value('number', 'NumberPicker', text('数量', 'Quantity'))
const bare = ({ title: _, ...node }: JsonObject): JsonObject => node
const column = (title: BilingualText, properties: JsonObject, props: JsonObject = {}): JsonObject =>
  plain('ArrayTable.Column', { ...settings({ title, ...props }), properties })
const rowParts = (list: string, ...parts: readonly string[]): JsonObject =>
  Object.fromEntries(parts.map((part) => [part.charAt(0).toLowerCase() + part.slice(1), plain(`${list}.${part}`)]))
const addition = (list: string): JsonObject => plain(`${list}.Addition`, { title: text('添加一条', 'Add an entry') })
const operations = (): JsonObject =>
  column(text('操作', 'Operations'), rowParts('ArrayTable', 'MoveUp', 'MoveDown', 'Remove'), { width: 140 })

/** A list of rows with two fields that are added, moved and removed. */
const rows =
  (more: JsonObject = {}, item: JsonObject = {}): Make =>
  (label, name) =>
  () => ({
    ...value('array', name, label, more),
    items: {
      type: 'object',
      ...item,
      properties: {
        index: plain(`${name}.Index`),
        name: NAME,
        amount: AMOUNT,
        ...rowParts(name, 'MoveUp', 'MoveDown', 'Remove'),
      },
    },
    properties: { addition: addition(name) },
  })

const LISTS: readonly Row[] = [
  [
    'ArrayTable',
    '表格',
    'Table',
    (label, name) => () => ({
      ...value('array', name, label),
      items: {
        type: 'object',
        properties: {
          nameColumn: column(text('名称', 'Name'), { name: bare(NAME) }),
          amountColumn: column(text('数量', 'Quantity'), { amount: bare(AMOUNT) }),
          operations: operations(),
        },
      },
      properties: { addition: addition(name) },
    }),
  ],
  ['ArrayCards', '卡片列表', 'Cards', rows(settings({ title: text('条目', 'Entry') }))],
  [
    'ArrayItems',
    '逐条列表',
    'Entries',
    (label, name) => () => ({
      ...value('array', name, label),
      items: plain('Space', {
        properties: { handle: plain('ArrayItems.SortHandle'), text: bare(NAME), remove: plain('ArrayItems.Remove') },
      }),
      properties: { addition: addition(name) },
    }),
  ],
  [
    'ArrayCollapse',
    '折叠列表',
    'Folding entries',
    rows({}, { 'x-component': 'ArrayCollapse.CollapsePanel', ...settings({ header: text('条目', 'Entry') }) }),
  ],
  [
    'ArrayTabs',
    '页签列表',
    'Entries as tabs',
    (label, name) => () => ({
      ...value('array', name, label),
      items: { type: 'object', properties: { name: NAME, amount: AMOUNT } },
    }),
  ],
]

const titled: Make = (title, name) => (supply) => plain(name, { title, ...withField(supply) })
const labelled =
  (word: string, more: JsonObject = {}): Make =>
  (label, name) =>
  (supply) =>
    plain(name, { ...settings({ [word]: label, ...more }), ...withField(supply) })
const arranging =
  (props: JsonObject): Make =>
  (_, name) =>
  (supply) => {
    const [one, two] = [supply.field(), supply.field()]
    const held = [one, two].flatMap((entry) => (entry ? [entry] : []))
    return plain(name, { ...settings(props), properties: Object.fromEntries(held) })
  }
const holding =
  (part: string, word: string, first: BilingualText, second: BilingualText): Make =>
  (_, name) =>
  (supply) =>
    plain(name, {
      properties: {
        [supply.name('first')]: plain(`${name}.${part}`, { ...settings({ [word]: first }), ...withField(supply) }),
        [supply.name('second')]: plain(`${name}.${part}`, { ...settings({ [word]: second }), ...withField(supply) }),
      },
    })

const LAYOUTS: readonly Row[] = [
  ['Group', '分组', 'Group', titled],
  ['Card', '卡片', 'Card', labelled('title')],
  ['FormTab', '页签', 'Tabs', holding('TabPane', 'tab', text('第一页', 'First tab'), text('第二页', 'Second tab'))],
  ['FormStep', '步骤', 'Steps', holding('StepPane', 'title', text('第一步', 'First step'), text('第二步', 'Second step'))],
  [
    'FormCollapse',
    '折叠面板',
    'Folds',
    holding('CollapsePanel', 'header', text('第一部分', 'First part'), text('第二部分', 'Second part')),
  ],
  ['FormGrid', '网格', 'Grid', arranging({ minColumns: 1, maxColumns: 2 })],
  ['FormLayout', '标签布局', 'Label layout', arranging({ labelCol: 6, wrapperCol: 14 })],
  ['Space', '横向排列', 'Side by side', arranging({})],
  ['FormItem', '带标签的一行', 'Line with a label', labelled('label')],
  ['FormDialog', '弹窗', 'Dialog', titled],
  ['FormDrawer', '抽屉', 'Drawer', titled],
  ['Divider', '分隔线', 'Divider', (_, name) => () => plain(name)],
  ['Note', '说明文字', 'Note', (_, name) => () => plain(name, { 'x-content': text('在此写说明。', 'Write the note here.') })],
]

const button: Make = (label, name) => () => plain(name, { 'x-content': label })
const ACTIONS: readonly Row[] = [
  [
    'FormButtonGroup',
    '按钮组',
    'Group of buttons',
    (_, name) =>
      ({ name: free }) =>
        plain(name, {
          properties: {
            [free('submit')]: plain('Submit', { 'x-content': text('提交', 'Submit') }),
            [free('reset')]: plain('Reset', { 'x-content': text('重置', 'Reset') }),
          },
        }),
  ],
  ['Submit', '提交', 'Submit', button],
  ['Reset', '重置', 'Reset', button],
]

const NAMES_OF_PARTS: Readonly<Record<string, BilingualText>> = {
  Index: text('序号', 'Number of the row'),
  SortHandle: text('拖动手柄', 'Handle to drag'),
  MoveUp: text('上移', 'Move up'),
  MoveDown: text('下移', 'Move down'),
  Copy: text('复制', 'Copy the row'),
  Remove: text('删除', 'Remove the row'),
}
const partsOfRow = (list: string): readonly Row[] =>
  Object.entries(NAMES_OF_PARTS).map(([part, { zh, en }]) => [`${list}.${part}`, zh, en, (_, name) => () => plain(name)])
const additionOf = (list: string): Row => [`${list}.Addition`, '添加按钮', 'Button that adds', () => () => addition(list)]

/** Components that stand in no other place than inside another one, by that. */
const PARTS: Readonly<Record<string, readonly Row[]>> = {
  FormTab: [['FormTab.TabPane', '一个页签', 'A tab', labelled('tab')]],
  FormStep: [['FormStep.StepPane', '一个步骤', 'A step', labelled('title')]],
  FormCollapse: [['FormCollapse.CollapsePanel', '一个面板', 'A fold', labelled('header')]],
  FormGrid: [
    [
      'FormGrid.GridColumn',
      '跨列的格子',
      'A cell over columns',
      (_, name) => (supply) => plain(name, { ...settings({ gridSpan: 2 }), ...withField(supply) }),
    ],
  ],
  SelectTable: [
    ['SelectTable.Column', '一列', 'A column', (title, name) => () => ({ type: 'string', title, 'x-component': name })],
  ],
  ArrayTable: [
    [
      'ArrayTable.Column',
      '一列',
      'A column',
      (label) =>
        ({ name }) =>
          column(label, { [name('value')]: bare(NAME) }),
    ],
    [
      'ArrayTable.Column:number',
      '数字列',
      'A column of numbers',
      (label) =>
        ({ name }) =>
          column(label, { [name('value')]: bare(AMOUNT) }),
      [],
      'ArrayTable.Column',
    ],
    [
      'ArrayTable.Column:index',
      '序号列',
      'Column of numbers of rows',
      (label) => () => column(label, rowParts('ArrayTable', 'Index'), { width: 60 }),
      [],
      'ArrayTable.Column',
    ],
    [
      'ArrayTable.Column:sort',
      '拖动列',
      'Column to drag rows',
      (label) => () => column(label, rowParts('ArrayTable', 'SortHandle'), { width: 60 }),
      [],
      'ArrayTable.Column',
    ],
    ['ArrayTable.Column:operations', '操作列', 'Column of buttons', () => operations, [], 'ArrayTable.Column'],
  ],
  'ArrayTable.Column': partsOfRow('ArrayTable'),
  ArrayCards: partsOfRow('ArrayCards'),
  ArrayItems: partsOfRow('ArrayItems'),
  ArrayCollapse: partsOfRow('ArrayCollapse'),
}
const ADDITIONS: readonly Row[] = ['ArrayTable', 'ArrayCards', 'ArrayItems', 'ArrayCollapse'].map(additionOf)

const entry =
  (group: ComponentGroup) =>
  ([id, zh, en, make, kinds = [], name = id]: Row): FormComponent => {
    const own = name.slice(name.lastIndexOf('.') + 1)
    return {
      id,
      name,
      group,
      label: { zh, en },
      wanted: own.charAt(0).toLowerCase() + own.slice(1),
      kinds,
      make: make({ zh, en }, name),
    }
  }

/** Everything that can be added wherever fields stand. */
export const COMPONENTS: readonly FormComponent[] = [
  ...INPUTS.map(entry('input')),
  ...CHOICES.map(entry('choice')),
  ...DATES.map(entry('date')),
  ...LISTS.map(entry('list')),
  ...LAYOUTS.map(entry('layout')),
  ...ACTIONS.map(entry('action')),
]
const PARTS_OF: Readonly<Record<string, readonly FormComponent[]>> = Object.fromEntries(
  Object.entries(PARTS).map(([name, parts]) => [name, parts.map(entry('part'))]),
)
const ADDITIONS_OF: Readonly<Record<string, FormComponent>> = Object.fromEntries(
  ADDITIONS.map(entry('part')).map((part) => [part.name.slice(0, part.name.indexOf('.')), part]),
)
/** All of them, also those that stand inside others only. */
export const ALL_COMPONENTS: readonly FormComponent[] = [
  ...COMPONENTS,
  ...Object.values(PARTS_OF).flat(),
  ...Object.values(ADDITIONS_OF),
]

/** Components in which nothing but their parts can stand. */
const ONLY_PARTS: ReadonlySet<string> = new Set(['FormTab', 'FormStep', 'FormCollapse', 'SelectTable'])

const componentOf = (node: unknown): string => (isObject(node) ? String(node['x-component'] ?? '') : '')

/** What can be added to the `properties` of a node; `list`: of the list whose rows the node describes, the component. */
export const offeredIn = (node: unknown, list: string | undefined): readonly FormComponent[] => {
  const component = componentOf(node)
  if (ONLY_PARTS.has(component)) return PARTS_OF[component] ?? []
  if (isObject(node) && node.type === 'array') return [ADDITIONS_OF[component]].flatMap((part) => part ?? [])
  if (list === 'ArrayTable' && component === '') return PARTS_OF.ArrayTable ?? []
  const own =
    PARTS_OF[component] ?? (list === undefined ? undefined : PARTS_OF[list === 'ArrayTable' ? 'ArrayTable.Column' : list])
  return [...(own ?? []), ...COMPONENTS]
}

/** The entry that a node was added with, or one like it: by its component and what tells several entries of one apart. */
export const entryOf = (node: unknown): FormComponent | undefined => {
  if (!isObject(node)) return undefined
  const component = componentOf(node)
  const props = isObject(node['x-component-props']) ? node['x-component-props'] : {}
  const special =
    node['x-decorator'] === 'Editable'
      ? 'Editable'
      : typeof props.picker === 'string' && component === 'DatePicker'
        ? `DatePicker:${props.picker}`
        : props.showTime && component === 'DatePicker'
          ? 'DatePicker:time'
          : props.mode === 'multiple' && component === 'Select'
            ? 'Select:multiple'
            : component
  return ALL_COMPONENTS.find(({ id }) => id === special) ?? ALL_COMPONENTS.find(({ name }) => name === component)
}

/** The component as the control of a field of the entity, which has its type, name and choices itself. */
export const forField = (component: FormComponent, supply: Supply, $field: string): JsonObject => {
  const { type: _, title: _title, enum: _choices, ...words } = component.make(supply)
  return { $field, ...words }
}
