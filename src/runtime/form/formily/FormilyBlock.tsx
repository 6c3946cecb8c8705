import { FieldContext, FormContext, RecursionField, SchemaComponentsContext } from '@formily/react'
import type { ISchema } from '@formily/json-schema'
import { FormLayout, PreviewText } from '@formily/antd-v5'
import type { ComponentType } from 'react'
import type { BlockPlan, FormilyPlan } from '../../../headless/form/types'
import { useSession } from '../view/session'
import { COMPONENTS } from './components'
import { PanesContext } from './Pane'

interface FormilyBlockProps {
  plan: FormilyPlan
  Blocks: ComponentType<{ blocks: readonly BlockPlan[]; live: ReadonlySet<string> }>
}

/** Components of one line: their field takes one column of the form, as one that the portal draws. */
const ONE_LINE: ReadonlySet<unknown> = new Set([
  'Input',
  'Password',
  'NumberPicker',
  'InputNumber',
  'Select',
  'TreeSelect',
  'Cascader',
  'DatePicker',
  'DatePicker.RangePicker',
  'TimePicker',
  'TimePicker.RangePicker',
  'Switch',
  'Rate',
])

/** A part of the form that Formily draws with its own components, over the fields that the engine planted. */
const FormilyBlock = ({ plan, Blocks }: FormilyBlockProps) => {
  const { engine } = useSession()
  return (
    <div
      className={ONE_LINE.has(plan.node['x-component']) ? 'sb-formily' : 'sb-form-wide sb-formily'}
      data-address={plan.address}
    >
      <FormContext.Provider value={engine.form}>
        <SchemaComponentsContext.Provider value={COMPONENTS}>
          <FieldContext.Provider value={(engine.field(plan.parent) ?? null) as never}>
            <PanesContext.Provider value={{ panes: plan.panes, Blocks }}>
              <PreviewText.Placeholder value="—">
                <FormLayout layout="vertical" shallow={false} colon={false}>
                  <RecursionField schema={plan.node as ISchema} name={plan.name} basePath={plan.parent} />
                </FormLayout>
              </PreviewText.Placeholder>
            </PanesContext.Provider>
          </FieldContext.Provider>
        </SchemaComponentsContext.Provider>
      </FormContext.Provider>
    </div>
  )
}

export default FormilyBlock
