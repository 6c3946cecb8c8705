import { FormItem } from '@formily/antd-v5'
import type { Field } from '@formily/core'
import { observer, useField, useFieldSchema } from '@formily/react'
import { useEffect, type ComponentProps } from 'react'
import type { FormNodeModel } from '../../../schema/model'
import { usePhone } from '../../media'
import { OptionsLine } from '../view/OptionsLine'
import { useSession } from '../view/session'

const FOCUSABLE = [
  ...['input:not([type=hidden]):not(:disabled)', 'textarea:not(:disabled)', '[contenteditable=true]'],
  ...['button:not(:disabled)', '[tabindex="0"]'],
].join(', ')
const GROUPS = '[role=radiogroup], .ant-checkbox-group, .ant-transfer, .ant-table-wrapper'
/** Boxes that antd draws without a name, and what names each: the row or the list that it stands in. */
const NAMELESS = '.ant-table-wrapper input, .ant-transfer input, .ant-slider-handle, .ant-formily-array-table-pagination input'

const findItem = (id: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`)

/** Formily leaves its labels alone: a screen reader would not know which control they name. */
const nameControl = (id: string): void => {
  const item = findItem(id)
  const label = item?.querySelector<HTMLLabelElement>(':scope > .ant-formily-item-label label')
  const control = item?.querySelector<HTMLElement>(':scope > .ant-formily-item-control')
  if (!label || !control) return
  // items in this one name their own controls; together they are what this label names
  const group = control.querySelector('[data-item]') ? control : control.querySelector<HTMLElement>(GROUPS)
  const target = group ?? control.querySelector<HTMLElement>(FOCUSABLE) ?? control.querySelector('input, textarea, button')
  label.id = `${id}-label`
  target?.setAttribute('aria-labelledby', label.id)
  if (group && !group.hasAttribute('role')) group.setAttribute('role', 'group')
  label.onclick = () => control.querySelector<HTMLElement>(FOCUSABLE)?.focus()
  for (const box of control.querySelectorAll<HTMLElement>(NAMELESS)) {
    const around = box.closest<HTMLElement>('tbody tr, li, .ant-transfer-list-header')?.textContent.trim()
    if (!box.hasAttribute('aria-labelledby')) box.setAttribute('aria-label', around || label.textContent)
  }
  // antd puts the button that adds a tab among the tabs, where only tabs may stand
  for (const add of control.querySelectorAll('[role=tablist] .ant-tabs-nav-add')) add.setAttribute('role', 'tab')
}

interface LabelProps {
  labelCol?: unknown
  labelWidth?: unknown
}

/** Labels stand above their controls, unless a schema says how wide they are: then beside them, as Formily has it. */
export const useLabelPlace = ({ labelCol, labelWidth }: LabelProps): { layout?: 'horizontal' } =>
  usePhone() || (labelCol ?? labelWidth) === undefined ? {} : { layout: 'horizontal' }

/** Formily's form item: its label names its control, and the list of what is wrong can reach it. */
export const FormilyItem = observer((props: ComponentProps<typeof FormItem>) => {
  const field = useField<Field>()
  const address = field.address.toString()
  // choices that come later bring boxes that have to be named
  const choices = field.dataSource
  const node = useFieldSchema() as unknown as FormNodeModel
  const { boxes, prefix } = useSession()
  const id = `${prefix}${address}`
  useEffect(() => {
    void choices
    nameControl(id)
    boxes.set(address, { focus: () => findItem(id)?.querySelector<HTMLElement>(FOCUSABLE)?.focus() })
    return () => {
      boxes.delete(address)
    }
  })
  const { extra } = props
  const further = node['x-options'] ? { extra: [extra, <OptionsLine key="options" field={field} node={node} />] } : {}
  return <FormItem colon={false} {...useLabelPlace(props)} {...props} {...further} data-address={address} data-item={id} />
})
