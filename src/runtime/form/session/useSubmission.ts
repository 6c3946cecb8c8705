import { useCallback, useState } from 'react'
import type { FormProblem } from '../../../headless/form/engine'
import { text } from '../../../headless/form/texts'
import { focusField } from '../view/focusField'
import type { OpenForm } from '../view/open'
import type { Collected } from '../view/session'
import { bodyOf, changesOf, clean, pathOf } from './body'
import { createSubmitter } from './submit'
import type { Conflict, DuplicateHit, Outcome } from './submit'

export interface Saved {
  answer: unknown
  values: Readonly<Record<string, unknown>>
  /** The record as it was when the form opened; empty for a new one. */
  record: Readonly<Record<string, unknown>>
}

export interface SubmissionState {
  running: boolean
  /** What the last attempt found wrong in fields. */
  problems: readonly FormProblem[]
  /** What was wrong and belongs to no field. */
  general: readonly string[]
  conflict: Conflict | null
  /** The form has changed since it was opened: what of it does not take what was typed. */
  changed: { changes: readonly string[]; message: string } | null
  duplicate: { decision: 'block' | 'warn'; hits: readonly DuplicateHit[]; message: string; appeal?: string } | null
}

const IDLE: SubmissionState = { running: false, problems: [], general: [], conflict: null, changed: null, duplicate: null }

export interface Submission extends SubmissionState {
  submit(options?: { duplicateReason?: string }): Promise<void>
  /** Checks, as before a submission, and gives what would be submitted; null when something is wrong. */
  collect(): Promise<Collected | null>
  /** Puts an answer where it belongs. */
  tell(outcome: Outcome): void
  /** Ends the question about a conflict or a duplicate. */
  dismiss(): void
}

/** Checks, sends, and puts the answer where it belongs: on fields, into a question, or to `done`. */
export const useSubmission = (form: OpenForm, done: (saved: Saved) => void): Submission => {
  const { engine, host, model, locale } = form
  const [state, setState] = useState<SubmissionState>(IDLE)
  const [submitter] = useState(() => createSubmitter(host, model.submit.idempotent, text(locale, 'failedToSave')))
  const [lock] = useState(() => ({ taken: false }))

  const settle = useCallback(
    (outcome: Outcome, values: Readonly<Record<string, unknown>>): void => {
      switch (outcome.type) {
        case 'saved':
          setState(IDLE)
          done({ answer: outcome.answer, values, record: (form.scope.record ?? {}) as Saved['record'] })
          return
        case 'fields': {
          const homeless = engine.setServerErrors(outcome.errors)
          const problems = engine.problems()
          setState({
            ...IDLE,
            problems,
            general: homeless.length === 0 && problems.length > 0 ? [] : [outcome.message, ...homeless],
          })
          if (problems[0]) focusField(form, problems[0].address)
          return
        }
        case 'stale':
          setState({ ...IDLE, conflict: outcome.conflict })
          return
        case 'duplicate':
          setState({ ...IDLE, duplicate: outcome })
          return
        case 'changed':
          setState({ ...IDLE, changed: outcome })
          return
        case 'generated':
          for (const [name, value] of Object.entries(outcome.values))
            if (engine.dataField(name)) engine.form.setValuesIn(name, value)
          setState({ ...IDLE, general: outcome.message ? [outcome.message] : [] })
          return
        case 'unknown':
          setState({ ...IDLE, general: [outcome.message, ...(model.submit.idempotent ? [text(locale, 'networkSave')] : [])] })
          return
        case 'refused':
          setState({ ...IDLE, general: [outcome.message] })
          return
        case 'aborted':
          setState(IDLE)
      }
    },
    [done, engine, form, locale, model],
  )

  const checked = useCallback(async (): Promise<boolean> => {
    if (form.busy.size > 0) {
      setState({ ...IDLE, general: [text(locale, 'uploading')] })
      return false
    }
    engine.clearServerErrors()
    const problems = await engine.validate()
    if (problems.length === 0) return true
    setState({ ...IDLE, problems })
    if (problems[0]) focusField(form, problems[0].address)
    return false
  }, [engine, form, locale])

  const collect = useCallback(async (): Promise<Collected | null> => {
    if (!(await checked())) return null
    setState(IDLE)
    const values = engine.values()
    return { values: clean(values) as Collected['values'], changes: changesOf(form.baseline, values) }
  }, [checked, engine, form])
  const tell = useCallback((outcome: Outcome) => settle(outcome, engine.values()), [engine, settle])

  const submit = useCallback(
    async ({ duplicateReason }: { duplicateReason?: string } = {}): Promise<void> => {
      // state is too late for a double click: both clicks see the same render
      if (lock.taken) return
      lock.taken = true
      try {
        if (!(await checked())) return
        setState({ ...IDLE, running: true })
        const values = engine.values()
        const { id, version } = form.record
        const body = bodyOf({
          model,
          id,
          version,
          baseline: form.baseline,
          values,
          given: form.given,
          duplicateReason,
          scope: form.scope,
        })
        const { method, path } = model.submit.call
        const known = { ...(form.scope.query as Readonly<Record<string, unknown>> | undefined), ...values, ...(id ? { id } : {}) }
        const outcome = await submitter.send({
          method,
          path: pathOf(path, known),
          body,
          form: { page: model.id, revision: model.revision },
        })
        settle(outcome, clean(values) as Readonly<Record<string, unknown>>)
      } catch (error) {
        host.report(error, { where: model.source.where, at: `${model.source.at}/submit` })
        setState({ ...IDLE, general: [text(locale, 'failedToSave'), error instanceof Error ? error.message : String(error)] })
      } finally {
        lock.taken = false
      }
    },
    [checked, engine, form, host, locale, lock, model, settle, submitter],
  )

  return { ...state, submit, collect, tell, dismiss: useCallback(() => setState(IDLE), []) }
}
