import { useField, useFieldSchema, observer } from '@formily/react'
import type { Field } from '@formily/core'
import { useEffect, useState } from 'react'
import { loadControl, resolveControl, widgetOf } from '../controls/registry'
import { controlName, pageField, unitOf } from '../../../headless/form/node'
import { BoxText } from '../view/BoxText'
import { choicesOf } from '../view/choices'
import { input } from '../view/input'
import { useSession } from '../view/session'
import type { FormNodeModel } from '../../../schema/model'

interface ControlProps {
  value: unknown
  disabled?: boolean
  readOnly?: boolean
  placeholder?: string
}

/** A control of the portal where Formily draws the rest. */
export const Control = observer(({ value, disabled, readOnly, placeholder, ...props }: ControlProps) => {
  const session = useSession()
  const field = useField<Field>()
  // Formily's schema object keeps the words of the node under their names
  const node = useFieldSchema() as unknown as FormNodeModel
  const model = pageField(node)
  const name = resolveControl(controlName(node), model)
  const [, setLoaded] = useState(0)
  const Widget = widgetOf(name)
  useEffect(() => {
    if (!Widget) void loadControl(name).then(() => setLoaded((count) => count + 1))
  }, [Widget, name])
  const path = field.path.toString()
  const choices = choicesOf(field.dataSource as readonly unknown[] | undefined, model)
  if (field.pattern === 'readPretty' || !Widget)
    return (
      <BoxText
        name={name}
        value={value}
        path={path}
        choices={choices}
        props={props}
        empty="—"
        unit={unitOf(node)}
        {...(model ? { field: model } : {})}
      />
    )
  return (
    <Widget
      id={`${session.prefix}${field.address.toString()}`}
      value={value}
      onChange={(next) => input(field, next)}
      disabled={disabled === true}
      readOnly={readOnly === true}
      placeholder={model?.placeholder ?? placeholder}
      choices={choices}
      props={props}
      node={node}
      path={path}
      describedBy={undefined}
      {...(model ? { field: model } : {})}
    />
  )
})
