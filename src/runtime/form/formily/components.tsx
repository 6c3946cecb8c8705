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
  FormItem,
  FormLayout,
  Input,
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
import { Card, Divider, InputNumber, Rate, Slider } from 'antd'
import dayjs from 'dayjs'
import type { ComponentProps, ElementType } from 'react'
import { jsonNumber, readNumber } from '../../../schema/formats/number'
import { EditPopover, Folds, FormDialog, FormDrawer, FormSteps, Tabs } from './containers'
import { Control } from './Control'
import { FormilyItem, useLabelPlace } from './FormilyItem'
import { Pane } from './Pane'
import { usePhone } from '../../media'
import { useText } from '../view/session'

/** Formily writes a quarter in a notation that its own calendar does not read back. */
const QUARTER = 'YYYY-[Q]Q'
/** Settings of a picker that antd takes as moments: documents hold them as texts. */
const MOMENTS = ['minDate', 'maxDate', 'defaultPickerValue'] as const
const picking = (Picker: ElementType) => {
  const Picking = (props: { picker?: string; format?: unknown } & Partial<Record<(typeof MOMENTS)[number], unknown>>) => {
    const moments = MOMENTS.flatMap((name) => {
      const given = props[name]
      return typeof given === 'string' ? [[name, dayjs(given).isValid() ? dayjs(given) : undefined] as const] : []
    })
    const quarter = props.picker === 'quarter' && props.format === undefined ? { format: QUARTER } : {}
    return <Picker {...props} {...quarter} {...Object.fromEntries(moments)} />
  }
  return Picking
}

/** antd gives a chosen entry everything that it knows of it; what is kept is its value and its label. */
const entryOf = (chosen: unknown): unknown => {
  if (Array.isArray(chosen)) return chosen.map(entryOf)
  if (chosen === null || typeof chosen !== 'object') return chosen
  const { label, value } = chosen as { label?: unknown; value?: unknown }
  return { label, value }
}
const labelled = (Picker: ElementType) => {
  const Labelled = (props: { labelInValue?: boolean; onChange?(value: unknown): void }) => (
    <Picker {...props} {...(props.labelInValue ? { onChange: (chosen: unknown) => props.onChange?.(entryOf(chosen)) } : {})} />
  )
  return Labelled
}

/** A column of a grid on a phone is as wide as a finger needs, unless the schema says how wide. */
const PHONE_COLUMN = 240
const Grid = (props: ComponentProps<typeof FormGrid>) => (
  <FormGrid {...(usePhone() ? { minWidth: PHONE_COLUMN, minColumns: 1 } : {})} {...props} />
)

const Layout = (props: ComponentProps<typeof FormLayout>) => <FormLayout {...useLabelPlace(props)} {...props} />

/** An empty box says that something is to be chosen, as the portal's own do. */
const asking = (Choice: ElementType) => {
  const Asking = (props: object) => <Choice placeholder={useText()('choose')} {...props} />
  return Asking
}

/** antd would round what JSON cannot hold: its text is kept instead, and the field refuses it. */
const Digits = (props: ComponentProps<typeof InputNumber>) => {
  const { stringMode, onChange } = props
  const take = (next: string | number | null): void => {
    const exact = stringMode ? undefined : readNumber(String(next ?? ''))
    onChange?.(exact ? jsonNumber(exact) : next)
  }
  return <InputNumber {...props} stringMode onChange={take} />
}
const ExactNumber = connect(Digits, mapReadPretty(PreviewText.NumberPicker))

/** The components that Formily documents for antd 5, by the names that schemas give them. */
export const COMPONENTS = {
  ArrayCards,
  ArrayCollapse,
  ArrayItems,
  ArrayTable,
  ArrayTabs,
  Card,
  Cascader: asking(Cascader),
  Checkbox,
  DatePicker: Object.assign(picking(DatePicker), { RangePicker: picking(DatePicker.RangePicker) }),
  Divider,
  Editable: Object.assign((props: ComponentProps<typeof Editable>) => <Editable {...props} />, { Popover: EditPopover }),
  FormButtonGroup,
  FormCollapse: Folds,
  FormDialog,
  FormDrawer,
  FormGrid: Object.assign(Grid, { GridColumn: FormGrid.GridColumn }),
  FormItem: Object.assign(FormilyItem, { BaseItem: FormItem.BaseItem }),
  FormLayout: Layout,
  FormStep: FormSteps,
  FormTab: Tabs,
  Input,
  InputNumber: ExactNumber,
  NumberPicker: ExactNumber,
  Password,
  PreviewText,
  Radio,
  Rate: connect(Rate, mapProps(), mapReadPretty(PreviewText.NumberPicker)),
  Reset,
  Select: asking(labelled(Select)),
  SelectTable,
  Slider: connect(Slider, mapReadPretty(PreviewText.NumberPicker)),
  Space,
  Submit,
  Switch,
  TextArea: Input.TextArea,
  TimePicker,
  Transfer,
  TreeSelect: asking(labelled(TreeSelect)),
  PortalControl: Control,
  PortalPane: Pane,
}
