import { useEffect, useSyncExternalStore } from 'react'
import { withUnit } from '../../../schema/formats'
import { controlOf } from '../controls/registry'
import type { TextContext } from '../controls/control'
import { textContext, useSession } from './session'

interface BoxTextProps extends Pick<TextContext, 'choices' | 'props' | 'field'> {
  name: string
  value: unknown
  path: string
  /** What stands for no value, where nothing can be typed. */
  empty?: string
  /** What a number counts: behind it, or where the widget has it. */
  unit?: string | undefined
}

const REFERENCES = new Set(['ref', 'refs', 'staff', 'department'])
const NEVER = (): (() => void) => () => {}

/** The value of a field as text: what stands in a box before its widget does, and in a field that is only read. */
export const BoxText = ({ name, value, path, empty, choices, props, field, unit }: BoxTextProps) => {
  const session = useSession()
  const isReference = REFERENCES.has(name)
  // titles of references arrive later; no other text waits for anything
  useSyncExternalStore(isReference ? session.titles.subscribe : NEVER, session.titles.version)
  const ref = field?.ref
  useEffect(() => {
    if (!isReference || !ref || value === null || value === undefined) return
    session.titles.ask(ref.entity, ref.path, (Array.isArray(value) ? value : [value]).map(String))
  }, [isReference, ref, session, value])
  const shown = controlOf(name).text(value, textContext(session, path, { choices, props, ...(field ? { field } : {}) }))
  if (empty !== undefined) return <span className="sb-form-value">{withUnit(shown, unit) || empty}</span>
  return (
    <>
      <span className="sb-form-value">{shown || '\u00a0'}</span>
      {unit ? <span className="sb-form-unit">{unit}</span> : null}
    </>
  )
}
