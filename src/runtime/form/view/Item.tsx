import { isField } from '@formily/core'
import type { Field } from '@formily/core'
import { raw } from '@formily/reactive'
import { memo, useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import { controlOf, resolveControl, widgetOf } from '../controls/registry'
import { hasExpression } from '../engine/fieldProps'
import { componentProps, unitOf } from '../engine/node'
import type { ItemPlan } from '../engine/types'
import { useTracked } from '../engine/track'
import { input } from './input'
import { choicesOf } from './choices'
import { BoxText } from './BoxText'
import { OptionsLine } from './OptionsLine'
import { useSession } from './session'
import { useBox } from './useBox'

const NOTHING: readonly unknown[] = []

/** Component props that a linkage set, as a flat list that can be compared. */
const entriesOf = (props: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const keys = Object.keys(props)
  return keys.length === 0 ? NOTHING : keys.flatMap((key) => [key, raw(props[key])])
}
const propsOf = (fixed: Readonly<Record<string, unknown>>, entries: readonly unknown[]): Readonly<Record<string, unknown>> => {
  if (entries.length === 0) return fixed
  const merged: Record<string, unknown> = { ...fixed }
  for (let index = 0; index < entries.length; index += 2) merged[String(entries[index])] = entries[index + 1]
  return merged
}

type FieldState = readonly [
  visible: boolean,
  value: unknown,
  title: ReactNode,
  description: ReactNode,
  required: boolean,
  pattern: string,
  error: string,
  dataSource: readonly unknown[] | undefined,
  ...props: unknown[],
]

const HIDDEN: FieldState = [false, null, null, null, false, '', '', undefined]

const readState = (field: Field): FieldState => {
  if (field.display !== 'visible') return HIDDEN
  return [
    true,
    raw(field.value),
    field.title as ReactNode,
    field.description as ReactNode,
    field.required === true,
    String(field.pattern),
    field.selfErrors.join('\n'),
    raw(field.dataSource) as readonly unknown[] | undefined,
    ...entriesOf(field.componentProps),
  ]
}

/** One field: label, box, help or error. It follows its own field and nothing else. */
export const Item = memo(function Item({ plan, startLive }: { plan: ItemPlan; startLive: boolean }) {
  const field = useSession().engine.field(plan.address)
  if (!field) return null
  return isField(field) ? <DataItem plan={plan} field={field} startLive={startLive} /> : <VoidItem plan={plan} />
})

const VoidItem = ({ plan }: { plan: ItemPlan }) => {
  const field = useSession().engine.field(plan.address)
  const [visible, title, description, reckoned] = useTracked(
    field ?? plan,
    () => [field?.visible, field?.title as ReactNode, field?.description as ReactNode, field?.content as unknown] as const,
  )
  const fixed = plan.node['x-content']
  const content = hasExpression(fixed) ? reckoned : fixed
  if (!visible) return null
  return (
    <div className="sb-form-note sb-form-wide">
      {title ? <strong>{title} </strong> : null}
      {description ?? (typeof content === 'string' || typeof content === 'number' ? content : null)}
    </div>
  )
}

const DataItem = ({ plan, field, startLive }: { plan: ItemPlan; field: Field; startLive: boolean }) => {
  const state = useTracked(field, () => readState(field))
  return state[0] ? <VisibleItem plan={plan} field={field} startLive={startLive} state={state} /> : null
}

interface VisibleProps {
  plan: ItemPlan
  field: Field
  startLive: boolean
  state: FieldState
}

const VisibleItem = ({ plan, field, startLive, state }: VisibleProps) => {
  const session = useSession()
  const [, value, title, description, required, pattern, error, dataSource] = state
  const name = resolveControl(plan.control, plan.field)
  const control = controlOf(name)
  const props = useMemo(() => propsOf(componentProps(plan.node), state.slice(8)), [plan.node, state])
  const still = pattern === 'readPretty' || name === 'readOnly'
  const { ref, live, opened, focus } = useBox(name, startLive, session.near, still)
  const id = `${session.prefix}${plan.address}`
  const afterId = `${id}-after`
  const choices = choicesOf(dataSource, plan.field)
  const Widget = live && !still ? widgetOf(name) : undefined

  useEffect(() => {
    session.boxes.set(plan.address, { focus })
    return () => {
      session.boxes.delete(plan.address)
    }
  }, [session, plan.address, focus])

  // said on the element itself, so that an error does not go through the widget's props
  useEffect(() => {
    const element = document.getElementById(id)
    if (error) element?.setAttribute('aria-invalid', 'true')
    else element?.removeAttribute('aria-invalid')
  }, [error, id, live])

  return (
    <div
      className="sb-form-item"
      data-address={plan.address}
      data-error={error ? '' : undefined}
      style={plan.span > 1 ? { gridColumn: `span ${plan.span}` } : undefined}
      data-wide={plan.span === 0 ? '' : undefined}
    >
      <label
        className="sb-form-label"
        id={`${id}-label`}
        htmlFor={id}
        onClick={Widget || still ? undefined : () => focus('keyboard')}
      >
        {title}
        {required && !still ? <span className="sb-form-required" aria-hidden="true" /> : null}
      </label>
      <div
        ref={ref}
        className={Widget ? 'sb-form-box' : still || control.bare ? 'sb-form-box sb-form-bare' : 'sb-form-box sb-form-text'}
        style={!Widget && !still && control.height ? { minHeight: control.height } : undefined}
        {...(Widget || still
          ? {}
          : {
              tabIndex: 0,
              role: 'textbox',
              'aria-labelledby': `${id}-label`,
              'aria-describedby': error || description ? afterId : undefined,
              'aria-required': required,
              'aria-readonly': pattern !== 'editable' || undefined,
            })}
        onFocus={(event) => {
          if (!Widget && !still && event.target === event.currentTarget) focus('keyboard')
        }}
        onMouseDown={(event) => {
          if (Widget || still || event.button !== 0) return
          // the focus is ours to give; a list that opens now must not take this very press for one outside of it
          event.preventDefault()
          event.stopPropagation()
          focus('pointer')
        }}
      >
        {Widget ? (
          <Widget
            id={id}
            value={value}
            onChange={(next) => input(field, next)}
            disabled={pattern === 'disabled'}
            readOnly={pattern === 'readOnly'}
            placeholder={typeof props.placeholder === 'string' ? props.placeholder : plan.field?.placeholder}
            choices={choices}
            props={props}
            node={plan.node}
            path={plan.path}
            describedBy={afterId}
            opened={opened}
            {...(plan.field ? { field: plan.field } : {})}
          />
        ) : (
          <BoxText
            name={name}
            value={value}
            path={plan.path}
            {...(still ? { empty: '—' } : {})}
            unit={unitOf(plan.node)}
            choices={choices}
            props={props}
            {...(plan.field ? { field: plan.field } : {})}
          />
        )}
      </div>
      <div className="sb-form-after" id={afterId}>
        <OptionsLine field={field} node={plan.node} />
        {error ? (
          <div className="sb-form-error">{error}</div>
        ) : description ? (
          <div className="sb-form-help">{description}</div>
        ) : null}
      </div>
    </div>
  )
}
