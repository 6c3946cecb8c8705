import { autorun, toJS } from '@formily/reactive'
import { createContext, use, useCallback, useEffect, useState, type ComponentType, type Ref } from 'react'
import type { Host } from '../../../headless/host'
import type { FormModel, Scope } from '../../../schema/model'
import type { Locale } from '../../../schema/problem'
import type { FormEngine } from '../../../headless/form/engine'
import type { TextContext } from '../controls/control'
import type { Near } from './near'
import type { Titles } from './titles'
import type { Outcome } from '../session/submit'
import { filled, text } from '../../../headless/form/texts'
import type { TextKey, Texts } from '../../../headless/form/texts'

/** What stands still while a form is open. Nothing in it changes per keystroke: that travels through the fields. */
export interface FormSession {
  host: Host
  locale: Locale
  engine: FormEngine
  titles: Titles
  near: Near
  /** Prefix of the ids of this form's elements: two forms may be on one screen. */
  prefix: string
  /** Boxes by address: how an error link, Enter or a test reaches a field. */
  boxes: Map<string, { focus(): void }>
  /** What shows one part at a time (tabs, steps, folds), by address: opens the part of a name. */
  folds: Map<string, (part: string) => void>
  /** Names of what still runs (uploads): submit asks to wait for them. */
  busy: Set<string>
  /** Lists and calendars open with the form. */
  opened: boolean
  /** Roots of expressions; `record` holds the record as it was loaded. */
  scope: Scope
}

/** What whoever shows a form in a drawer or dialog needs of it. */
export interface FormHandle {
  /** Something was typed and not submitted. */
  isDirty(): boolean
  /** Asks before unsaved input is thrown away; true = it may be closed. */
  mayClose(): Promise<boolean>
  /** Checks everything; null when something is wrong, which the form then shows. */
  collect(): Promise<Collected | null>
  /** Shows what the gateway answered to what was collected: at the fields that it names, above them what belongs to none. */
  tell(outcome: Outcome): void
  /** What was typed has been kept elsewhere: nothing is unsaved. */
  settle(): void
}

/** What is in a form. */
export interface Collected {
  values: Readonly<Record<string, unknown>>
  /** What of it differs from what the form held when it opened. */
  changes: Readonly<Record<string, unknown>>
}

export interface NestedFormProps {
  model: FormModel
  /** Roots of the page's expressions: query, user, today, now, locale (see pageScope). */
  scope: Scope
  /** Values that the opener gives: they win over defaults, and those without a field are submitted along. */
  values?: Readonly<Record<string, unknown>>
  onDone(saved: { answer?: unknown }): void
  onCancel?(): void
  brief?: boolean
  handle?: Ref<FormHandle>
}

export interface CreationProps {
  /** Name or route of the form page that makes such a record. */
  page: string
  title: string
  /** What was searched for: the name of the new record, most likely. */
  name: string
  onClose(): void
  onCreated(id: string): void
}

/** The form of another record over this one, for a control that can have one made. */
export const Creation = createContext<ComponentType<CreationProps> | null>(null)

const SessionContext = createContext<FormSession | null>(null)
export const SessionProvider = SessionContext.Provider

export const useSession = (): FormSession => {
  const session = use(SessionContext)
  if (!session) throw new Error('A form control was drawn outside a form. Draw it inside <FormView>.')
  return session
}

/** The texts of the form in the viewer's language. */
export const useText = (): ((key: TextKey, values?: Readonly<Record<string, string | number>>) => string) => {
  const { locale } = useSession()
  return useCallback((key, values) => text(locale, key, values), [locale])
}

/** The texts of a part of the form that loads later, in the viewer's language. */
export const useTextsOf = <Key extends string>(
  texts: Texts<Key>,
): ((key: Key, values?: Readonly<Record<string, string | number>>) => string) => {
  const { locale } = useSession()
  return useCallback((key, values) => filled(texts[key][locale], values), [locale, texts])
}

/** What text forms look at, for a field at a path. */
export const textContext = (
  session: FormSession,
  path: string,
  rest: Pick<TextContext, 'choices' | 'props' | 'field'>,
): TextContext => ({
  locale: session.host.locale,
  timeZone: session.host.timeZone,
  title: session.titles.get,
  sibling: (name) => siblingValue(session, path, name),
  ...rest,
})

/** The value of a field next to the one at a path: in its row first, then at the top of the form, in the record, in what it was opened with (`$` and the name). */
export const siblingValue = (session: FormSession, path: string, name: string): unknown => {
  // a row may name a field of the form around it
  if (name.startsWith('head.')) return siblingValue(session, '', name.slice('head.'.length))
  const { engine, scope } = session
  const parent = path.split('.').slice(0, -1)
  const near: unknown = parent.length > 0 ? engine.form.getValuesIn([...parent, name]) : undefined
  const record = scope.record as Readonly<Record<string, unknown>> | undefined
  const given = scope.values as Readonly<Record<string, unknown>> | undefined
  return near ?? (engine.form.getValuesIn([name]) as unknown) ?? record?.[name] ?? given?.[`$${name}`]
}

/** What stands beside a field of a form, for a widget that serves as its control; outside of a form nothing does. */
export interface Neighbours {
  get(name: string): unknown
  /** Sets a field of the same row, or of the form. */
  set(name: string, value: unknown): void
}

export const useNeighbours = (path: string): Neighbours => {
  const session = use(SessionContext)
  return {
    get: (name) => session && siblingValue(session, path, name),
    set: (name, value) => session?.engine.form.setValuesIn([...path.split('.').slice(0, -1), name], value),
  }
}

/**
 * Roots for what depends on the record as it stands in the form: its fields by name (those of the row first, where the path lies
 * in a row of a table, which reads the form as `head`), `record` and `values` for all of them, and the roots of the page. The gateway
 * gives the same.
 */
export const recordScope = ({ engine, scope }: FormSession, path: string): Scope => {
  const parent = path.split('.').slice(0, -1)
  const row: unknown = parent.length > 0 ? engine.form.getValuesIn(parent) : undefined
  const head = { ...(scope.record as Readonly<Record<string, unknown>> | undefined), ...engine.values() }
  const record = { ...head, ...(row !== null && typeof row === 'object' ? row : {}) }
  return { ...record, ...scope, record, values: record, ...(row === undefined ? {} : { head }) }
}

/** Values of fields of the form around a widget, a moment after the last of them changed, null before; none outside of a form. */
export function useFormValues(names: readonly string[]): Readonly<Record<string, unknown>> | null {
  const form = use(SessionContext)?.engine.form ?? null
  const [values, setValues] = useState<Readonly<Record<string, unknown>> | null>(null)
  const key = names.join(' ')
  useEffect(() => {
    if (!form) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = autorun(() => {
      const now = toJS(Object.fromEntries(key.split(' ').map((name) => [name, form.values[name] as unknown])))
      clearTimeout(timer)
      timer = setTimeout(() => setValues(now), PAUSE)
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [form, key])
  return form ? values : OUTSIDE
}

const OUTSIDE = {}

/** Milliseconds without a change: whoever types is not followed letter by letter. */
const PAUSE = 400
