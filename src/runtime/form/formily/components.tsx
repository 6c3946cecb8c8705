import {
  ArrayCards,
  ArrayCollapse,
  ArrayItems,
  ArrayTable,
  ArrayTabs,
  Cascader,
  Checkbox,
  DatePicker,
  Editable,
  FormButtonGroup,
  FormGrid,
  FormLayout,
  Input,
  NumberPicker,
  Password,
  PreviewText,
  Radio,
  Reset,
  Select,
  SelectTable,
  Space,
  Submit,
  Switch,
  TimePicker,
  Transfer,
  TreeSelect,
} from '@formily/antd-v5'
import { connect, mapProps, mapReadPretty } from '@formily/react'
import { Card, Divider, Rate, Slider, Typography } from 'antd'
import type { ElementType } from 'react'
import { Folds, FormDialog, FormDrawer, FormSteps, Tabs } from './containers'
import { Control } from './Control'
import { FormilyItem } from './FormilyItem'
import { Pane } from './Pane'

/** Formily writes a quarter in a notation that its own calendar does not read back. */
const QUARTER = 'YYYY-[Q]Q'
const inQuarters = (Picker: ElementType) => {
  const Quartered = (props: { picker?: string; format?: unknown }) => (
    <Picker {...(props.picker === 'quarter' && props.format === undefined ? { ...props, format: QUARTER } : props)} />
  )
  return Quartered
}

/** The components that Formily documents for antd 5, by the names that schemas give them. */
export const COMPONENTS = {
  ArrayCards,
  ArrayCollapse,
  ArrayItems,
  ArrayTable,
  ArrayTabs,
  Card,
  Cascader,
  Checkbox,
  DatePicker: Object.assign(inQuarters(DatePicker), { RangePicker: inQuarters(DatePicker.RangePicker) }),
  Divider,
  Editable,
  FormButtonGroup,
  FormCollapse: Folds,
  FormDialog,
  FormDrawer,
  FormGrid,
  FormItem: FormilyItem,
  FormLayout,
  FormStep: FormSteps,
  FormTab: Tabs,
  Input,
  InputNumber: NumberPicker,
  NumberPicker,
  Password,
  PreviewText,
  Radio,
  Rate: connect(Rate, mapProps(), mapReadPretty(PreviewText.NumberPicker)),
  Reset,
  Select,
  SelectTable,
  Slider: connect(Slider, mapReadPretty(PreviewText.NumberPicker)),
  Space,
  Submit,
  Switch,
  TextArea: Input.TextArea,
  TimePicker,
  Transfer,
  TreeSelect,
  Typography,
  PortalControl: Control,
  PortalPane: Pane,
}
