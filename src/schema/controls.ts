import { fieldKind, FORMATS } from './formats'

/** Form controls besides those of the field kinds, by our names and by Formily's (approval forms carry those). */
const FURTHER_CONTROLS = [
  ...[
    'text',
    'textarea',
    'password',
    'number',
    'switch',
    'checkbox',
    'checkboxGroup',
    'radio',
    'select',
    'selectMany',
    'cascader',
    'treeSelect',
  ],
  ...[
    'date',
    'dateTime',
    'dateRange',
    'time',
    'timeRange',
    'rate',
    'slider',
    'arrayTable',
    'readOnly',
    'note',
    'staff',
    'department',
  ],
  ...[
    'Input',
    'Input.TextArea',
    'TextArea',
    'Password',
    'NumberPicker',
    'InputNumber',
    'Switch',
    'Checkbox',
    'Checkbox.Group',
    'Radio',
    'Radio.Group',
  ],
  ...['Select', 'Cascader', 'TreeSelect', 'DatePicker', 'TimePicker', 'TimePicker.RangePicker', 'Rate', 'Slider', 'Upload'],
  ...['Upload.Dragger', 'Note'],
]
const ROW_PARTS = 'Addition Copy Index MoveDown MoveUp Remove SortHandle'
/** Further components that Formily documents for antd 5, with their parts; Formily draws them itself. */
const FORMILY_PARTS = {
  ArrayCards: ROW_PARTS,
  ArrayCollapse: `CollapsePanel ${ROW_PARTS}`,
  ArrayItems: `Item ${ROW_PARTS}`,
  ArrayTable: `Column ${ROW_PARTS}`,
  ArrayTabs: '',
  DatePicker: 'RangePicker',
  Divider: '',
  Editable: 'Popover',
  FormButtonGroup: 'FormItem Sticky',
  FormCollapse: 'CollapsePanel',
  FormDialog: '',
  FormDrawer: '',
  FormGrid: 'GridColumn',
  FormItem: 'BaseItem',
  FormLayout: '',
  FormStep: 'StepPane',
  FormTab: 'TabPane',
  PreviewText: 'Input Select TreeSelect Cascader DatePicker DateRangePicker TimePicker TimeRangePicker NumberPicker',
  Reset: '',
  SelectTable: 'Column',
  Space: '',
  Submit: '',
  Transfer: '',
}

/** Nodes that hold others: they arrange or group, and edit nothing. */
const GROUPS: readonly string[] = [
  ...['Group', 'Card', 'FormLayout', 'FormGrid', 'FormGrid.GridColumn', 'Space', 'FormButtonGroup'],
  ...['FormTab', 'FormTab.TabPane', 'FormStep', 'FormStep.StepPane', 'FormCollapse', 'FormCollapse.CollapsePanel'],
  ...['FormDialog', 'FormDrawer'],
]

/** Every control that a field, a form node or a filter may name. */
export const CONTROLS: ReadonlySet<string> = new Set([
  ...Object.values(FORMATS).flatMap(({ control, filterControl }) => [control, filterControl]),
  ...FURTHER_CONTROLS,
  ...GROUPS,
  ...Object.entries(FORMILY_PARTS).flatMap(([name, parts]) => [
    name,
    ...(parts === '' ? [] : parts.split(' ').map((part) => `${name}.${part}`)),
  ]),
])

/** Formats of a text by themselves: beside them stand those that are only checked. */
const CHECKED_ONLY: ReadonlySet<string> = new Set(['text', 'url', 'email', 'phone'])

/**
 * The control of a format (`date`: a picker of days) for a node that names no component; undefined for a format that is a rule of a text
 * (`email`), and for none.
 */
export function controlOfFormat(format: string | undefined): string | undefined {
  if (format === undefined) return undefined
  if (format === 'time') return 'time'
  const kind = fieldKind({ type: 'string', format })
  const { control } = FORMATS[kind]
  return kind === 'string' || CHECKED_ONLY.has(control) ? undefined : control
}

export const isGroup = (name: string): boolean => GROUPS.includes(name)

const WITH_CHOICES: ReadonlySet<string> = new Set([
  ...['select', 'selectMany', 'radio', 'checkboxGroup', 'Select', 'Radio.Group', 'Checkbox.Group'],
  ...[
    'TreeSelect',
    'Cascader',
    'Transfer',
    'SelectTable',
    'PreviewText.Select',
    'PreviewText.TreeSelect',
    'PreviewText.Cascader',
  ],
])

/** A control that takes one of a list of choices; of widgets, which are named module.widget, nobody knows. */
export const offersChoices = (name: string): boolean => WITH_CHOICES.has(name) || (/^[a-z].*\./.test(name) && !CONTROLS.has(name))
