import { FORMATS } from './formats'

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
  ...[
    'Select',
    'Cascader',
    'TreeSelect',
    'DatePicker',
    'DatePicker.RangePicker',
    'TimePicker',
    'TimePicker.RangePicker',
    'Rate',
    'Slider',
    'Upload',
  ],
  ...[
    'Upload.Dragger',
    'ArrayTable',
    'ArrayTable.Column',
    'ArrayItems',
    'ArrayCards',
    'PreviewText',
    'PreviewText.Input',
    'Note',
  ],
]
/** Nodes that hold others: they arrange or group, and edit nothing. */
const GROUPS: readonly string[] = ['Group', 'Card', 'FormLayout', 'FormGrid', 'FormGrid.GridColumn', 'Space', 'FormButtonGroup']

/** Every control that a field, a form node or a filter may name. */
export const CONTROLS: ReadonlySet<string> = new Set([
  ...Object.values(FORMATS).flatMap(({ control, filterControl }) => [control, filterControl]),
  ...FURTHER_CONTROLS,
  ...GROUPS,
])

export const isGroup = (name: string): boolean => GROUPS.includes(name)
