import { useEffect, useSyncExternalStore } from 'react'
import { withUnit } from '../../../schema/formats'
import { controlOf } from '../controls/registry'
import type { TextContext } from '../controls/control'
import { textContext, useSession, type FormSession } from './session'

interface BoxTextProps extends Pick<TextContext, 'choices' | 'props' | 'field'> {
  name: string
  value: unknown
  path: string
  /** What stands for no value, where nothing can be typed. */
  empty?: string
  /** What a number counts: behind it, or where the widget has it. */
  unit?: string | undefined
}

const REFERENCES: ReadonlySet<string> = new Set(['ref', 'refs', 'staff', 'department'])
/** True for a control whose text names records: their titles may arrive later. */
export const waitsForTitles = (control: string): boolean => REFERENCES.has(control)

/** The value of a field that is only read, as one text; `empty` for none. For controls that wait for no titles. */
export const readText = (
  session: FormSession,
  { name, value, path, empty, choices, props, field, unit }: BoxTextProps & { empty: string },
): string =>
  withUnit(controlOf(name).text(value, textContext(session, path, { choices, props, ...(field ? { field } : {}) })), unit) ||
  empty

const NEVER = (): (() => void) => () => {}

/** The value of a field as text: what stands in a box before its widget does, and in a field that is only read. */
export const BoxText = ({ name, value, path, empty, choices, props, field, unit }: BoxTextProps) => {
  const session = useSession()
  const isReference = waitsForTitles(name)
  // titles of references arrive later; no other text waits for anything
  useSyncExternalStore(isReference ? session.titles.subscribe : NEVER, session.titles.version)
  const ref = field?.ref
  useEffect(() => {
    if (!isReference || !ref || value === null || value === undefined) return
    session.titles.ask(ref.entity, ref.path, (Array.isArray(value) ? value : [value]).map(String))
  }, [isReference, ref, session, value])
  if (empty !== undefined)
    return (
      <span className="sb-form-value">
        {readText(session, { name, value, path, empty, choices, props, unit, ...(field ? { field } : {}) })}
      </span>
    )
  const shown = controlOf(name).text(value, textContext(session, path, { choices, props, ...(field ? { field } : {}) }))
  return (
    <>
      <span className="sb-form-value">{shown || '\u00a0'}</span>
      {unit ? <span className="sb-form-unit">{unit}</span> : null}
    </>
  )
}
