import { useCallback, useRef, useState } from 'react'
import type { OpenForm } from '../view/open'
import { changesOf, clean } from './body'
import { hitsOf, type DuplicateHit } from './submit'

/** What is on record already and may be the same. */
export interface Alike {
  decision: 'block' | 'warn'
  message: string
  hits: readonly DuplicateHit[]
}

/**
 * Asks whether what is typed is on record already, whenever a field by which that is recognised was changed and left. Saving asks again:
 * a check that fails says nothing.
 */
export const useAlike = (form: OpenForm): { alike: Alike | null; onLeave(): void; dismiss(): void } => {
  const { engine, host, model } = form
  const [alike, setAlike] = useState<Alike | null>(null)
  const asked = useRef<string | null>(null)
  const { duplicates } = model

  const onLeave = useCallback((): void => {
    if (!duplicates || host.preview || engine.form.readPretty === true) return
    const { call, name, fields } = duplicates
    const all = engine.values()
    const values = clean(Object.fromEntries(fields.flatMap((field) => (field in all ? [[field, all[field]]] : [])))) as Record<
      string,
      unknown
    >
    const question = JSON.stringify(values)
    if (
      asked.current === null
        ? Object.keys(changesOf(pick(form.baseline, fields), values)).length === 0
        : asked.current === question
    )
      return
    asked.current = question
    const { id } = form.record
    if (typeof values[name] !== 'string') return setAlike(null)
    host.request<Alike | null>({ ...call, body: { values, ...(typeof id === 'string' ? { id } : {}) } }).then(
      (answer) => {
        if (asked.current === question) setAlike(answer && { ...answer, hits: hitsOf(answer) })
      },
      () => {
        if (asked.current === question) asked.current = null
      },
    )
  }, [duplicates, engine, form, host])
  return { alike, onLeave, dismiss: useCallback(() => setAlike(null), []) }
}

const pick = (values: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])))
