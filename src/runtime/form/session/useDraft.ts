import { LifeCycleTypes } from '@formily/core'
import { useCallback, useEffect, useState } from 'react'
import type { OpenForm } from '../view/open'
import { changesOf } from './body'
import { createDraftStore, draftKey } from './draft'
import type { Draft } from './draft'

export interface DraftState {
  /** A draft was found when the form opened, and its values are in the form. */
  restored: (Draft & { outdated: boolean }) | null
  /** When the draft was last written. */
  savedAt: Date | null
  /** The browser does not keep it: its storage is full or forbidden. */
  unkept: boolean
  /** Gives the draft up: the form holds again what it held when it opened. */
  discard(): void
  /** After a submission: nothing is unsaved any more. */
  settle(): void
  /** True when something was typed that has not been submitted. */
  isDirty(): boolean
}

/** Values that may lie in a browser's store: passwords and masked data may not. */
const keepable = (form: OpenForm, values: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const secret = new Set(
    form.engine.plan.items.filter(({ control, field }) => control === 'password' || field?.sensitive).map(({ path }) => path),
  )
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)))
}

/** Keeps what is typed: marks the page as unsaved, writes a local draft, brings one back. */
export const useDraft = (form: OpenForm): DraftState => {
  const { engine, host, model, record, baseline } = form
  const enabled = model.draft && !engine.form.readPretty
  const [store] = useState(() => createDraftStore(host, draftKey(model.id, record.id ?? form.about), record.version))
  const [kept, setKept] = useState<{ at: Date | null } | null>(null)
  const [state] = useState(() => ({ dirty: form.keptDirty }))

  // in the first render, so that the fields are drawn with the draft's values at once
  const [restored, setRestored] = useState<DraftState['restored']>(() => {
    const draft = enabled && !form.keptDirty ? store.read() : null
    if (!draft) return null
    // Nothing is sent that the form does not show: a later revision may have no place for some of it.
    const names = new Set([...engine.plan.items, ...engine.plan.tables].map(({ path }) => path.split('.')[0]))
    for (const [name, value] of Object.entries(draft.values)) if (names.has(name)) engine.form.setValuesIn(name, value)
    state.dirty = true
    return { ...draft, outdated: draft.version !== record.version }
  })

  useEffect(() => {
    if (state.dirty) host.setUnsaved(true)
    const subscription = engine.form.subscribe(({ type }) => {
      if (type !== LifeCycleTypes.ON_FORM_INPUT_CHANGE) return
      if (!state.dirty) {
        state.dirty = true
        host.setUnsaved(true)
      }
      if (!enabled) return
      store.schedule(
        () => {
          const changes = keepable(form, changesOf(baseline, engine.values()))
          return Object.keys(changes).length > 0 ? changes : null
        },
        (at) => setKept({ at }),
      )
    })
    window.addEventListener('beforeunload', store.flush)
    window.addEventListener('pagehide', store.flush)
    return () => {
      engine.form.unsubscribe(subscription)
      window.removeEventListener('beforeunload', store.flush)
      window.removeEventListener('pagehide', store.flush)
      store.flush()
    }
  }, [baseline, enabled, engine, form, host, state, store])

  const settle = useCallback(() => {
    store.drop()
    state.dirty = false
    setRestored(null)
    setKept(null)
    host.setUnsaved(false)
  }, [host, state, store])

  const discard = useCallback(() => {
    engine.form.setValues(structuredClone(baseline), 'overwrite')
    engine.form.clearErrors()
    settle()
  }, [baseline, engine, settle])

  return {
    restored,
    savedAt: kept?.at ?? null,
    unkept: kept !== null && kept.at === null,
    discard,
    settle,
    isDirty: useCallback(() => state.dirty, [state]),
  }
}
