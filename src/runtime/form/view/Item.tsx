import { isField } from '@formily/core'
import type { Field } from '@formily/core'
import { raw } from '@formily/reactive'
import { memo, Suspense, useEffect, useMemo } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { controlOf, resolveControl, widgetOf } from '../controls/registry'
import { hasExpression } from '../../../headless/form/fieldProps'
import { componentProps, controlName, unitOf } from '../../../headless/form/node'
import type { ItemPlan } from '../../../headless/form/types'
import { lazyPart } from '../../part/lazyPart'
import { useTracked } from './track'
import { input } from './input'
import { choicesOf } from './choices'
import { BoxText, readText, waitsForTitles } from './BoxText'
import { OptionsLine } from './OptionsLine'
import { useSession } from './session'
import { useHidden } from './brief'
import { useBox } from './useBox'

const ShownWidget = lazyPart(() => import('./ShownWidget'))

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
  const hidden = useHidden(plan.path, state[4] || state[6] !== '')
  if (!state[0] || hidden) return null
  const name = resolveControl(plan.control, plan.field)
  return state[5] === 'readPretty' || name === 'readOnly' ? (
    <ReadItem plan={plan} field={field} name={name} state={state} />
  ) : (
    <TypedItem plan={plan} field={field} name={name} startLive={startLive} state={state} />
  )
}

interface ShownProps {
  plan: ItemPlan
  field: Field
  /** Name of the control, resolved. */
  name: string
  state: FieldState
}

/** How wide an item is in the grid of the form. */
const placeOf = ({ span }: ItemPlan): { style?: CSSProperties; 'data-wide'?: string } =>
  span === 0 ? { 'data-wide': '' } : span > 1 ? { style: { gridColumn: `span ${span}` } } : {}

/** A field that is only read: its name and its value as text, and nothing that waits for a widget. */
const ReadItem = ({ plan, field, name, state }: ShownProps) => {
  const session = useSession()
  const [, value, title, description, , , error, dataSource] = state
  const shown = {
    name,
    value,
    path: plan.path,
    empty: '—',
    unit: unitOf(plan.node),
    choices: choicesOf(dataSource, plan.field),
    props: propsOf(componentProps(plan.node), state.slice(8)),
    ...(plan.field ? { field: plan.field } : {}),
  }
  const after = error || description
  const noted = Boolean(after) || plan.node['x-options'] !== undefined
  if (!plan.field && controlName(plan.node).includes('.')) {
    // a widget that shows what follows from the form, and is no field of the record
    return (
      <div className="sb-form-item" data-address={plan.address} {...placeOf(plan)}>
        <Suspense fallback={null}>
          <ShownWidget name={controlName(plan.node)} path={plan.path} props={shown.props} />
        </Suspense>
      </div>
    )
  }
  return (
    <div
      className={noted ? 'sb-form-item sb-form-read sb-form-noted' : 'sb-form-item sb-form-read'}
      data-address={plan.address}
      data-error={error ? '' : undefined}
      {...placeOf(plan)}
    >
      <label className="sb-form-label">{title}</label>
      {waitsForTitles(name) ? (
        <div className="sb-form-box sb-form-bare">
          <BoxText {...shown} />
        </div>
      ) : (
        <div className="sb-form-box sb-form-bare sb-form-value">{readText(session, shown)}</div>
      )}
      {noted ? (
        <div className="sb-form-after">
          <OptionsLine field={field} node={plan.node} />
          {after ? <div className={error ? 'sb-form-error' : 'sb-form-help'}>{after}</div> : null}
        </div>
      ) : null}
    </div>
  )
}

/** A field that can be filled in, or is locked in its widget. */
const TypedItem = ({ plan, field, name, startLive, state }: ShownProps & { startLive: boolean }) => {
  const session = useSession()
  const [, value, title, description, required, pattern, error, dataSource] = state
  const control = controlOf(name)
  const props = useMemo(() => propsOf(componentProps(plan.node), state.slice(8)), [plan.node, state])
  const { ref, live, opened, focus } = useBox(name, startLive, session.near)
  const id = `${session.prefix}${plan.address}`
  const afterId = `${id}-after`
  const choices = choicesOf(dataSource, plan.field)
  const Widget = live ? widgetOf(name) : undefined

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
    <div className="sb-form-item" data-address={plan.address} data-error={error ? '' : undefined} {...placeOf(plan)}>
      <label className="sb-form-label" id={`${id}-label`} htmlFor={id} onClick={Widget ? undefined : () => focus('keyboard')}>
        {title}
        {required ? <span className="sb-form-required" aria-hidden="true" /> : null}
      </label>
      <div
        ref={ref}
        className={Widget ? 'sb-form-box' : control.bare ? 'sb-form-box sb-form-bare' : 'sb-form-box sb-form-text'}
        style={!Widget && control.height ? { minHeight: control.height } : undefined}
        {...(Widget
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
          if (!Widget && event.target === event.currentTarget) focus('keyboard')
        }}
        onMouseDown={(event) => {
          if (Widget || event.button !== 0) return
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
            opened={opened || session.opened}
            {...(plan.field ? { field: plan.field } : {})}
          />
        ) : (
          <BoxText
            name={name}
            value={value}
            path={plan.path}
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
