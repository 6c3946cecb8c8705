import { LifeCycleTypes } from '@formily/core'
import { Alert, Button } from 'antd'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import type { CSSProperties } from 'react'
import { useHost } from '../../hostContext'
import { useAlike } from '../session/useAlike'
import { useDraft } from '../session/useDraft'
import { useSubmission } from '../session/useSubmission'
import type { Saved } from '../session/useSubmission'
import { wallClock } from '../../../schema/formats/time'
import type { FormModel } from '../../../schema/model'
import { text } from '../../../headless/form/texts'
import { ErrorSummary } from './ErrorSummary'
import { BriefProvider, briefOf } from './brief'
import { Hits } from './Hits'
import { formKeys } from './keyboard'
import { Anchors, Blocks, firstScreen, hasAnchors } from './Layout'
import { openForm } from './open'
import type { FormSnapshot, Opening } from './open'
import { SessionProvider, type FormHandle } from './session'
import { lazyPart } from '../../part/lazyPart'

const Conflict = lazyPart(() => import('./Conflict'), 'over')
const Duplicate = lazyPart(() => import('./Duplicate'), 'over')
const Changed = lazyPart(() => import('./Changed'), 'over')

export interface BodyHandle extends FormHandle {
  /** What is in the form now, to be kept in the other language. */
  snapshot(): FormSnapshot
}

interface FormBodyProps {
  opening: Opening
  style: CSSProperties
  quiet: boolean
  /** Shows what a new record is begun with, the rest on demand. */
  brief: boolean
  onDone(saved: Saved): void
  onCancel?(): void
  onSubmit?(): void
  onValues?(read: () => Readonly<Record<string, unknown>>): void
  /** Shows a later revision of the form with what is in this one. */
  onRenew(model: FormModel): void
  onHandle(handle: BodyHandle): void
}

/** An open form: its fields, what is wrong, its buttons. It renders for a submission, never for a keystroke. */
export const FormBody = ({
  opening,
  style,
  quiet,
  brief,
  onDone,
  onCancel,
  onSubmit,
  onValues,
  onRenew,
  onHandle,
}: FormBodyProps) => {
  const host = useHost()
  const [form] = useState(() => openForm(host, opening))
  const [given] = useState(opening.given)
  const { engine, model, locale } = form
  const [generation, setGeneration] = useState(0)
  const [, setFailures] = useState(0)
  const draft = useDraft(form)
  const { settle, isDirty } = draft
  const done = useCallback(
    (saved: Saved) => {
      settle()
      if (!quiet) host.notify('success', model.submit.success || text(locale, 'saved'))
      onDone(saved)
    },
    [host, locale, model, onDone, quiet, settle],
  )
  const submission = useSubmission(form, done)
  const { submit } = submission
  const [begins, setBegins] = useState(() => (brief && opening.record === null ? briefOf(model, engine.plan) : null))
  const { alike, onLeave, dismiss } = useAlike(form)
  const readOnly = engine.form.readPretty === true
  // "Cancel" beside "Cancel the visit" would not say which of the two cancels it.
  const submitLabel = model.submit.label || text(locale, 'submit')
  const { columns, labels, anchors } = model.layout

  useEffect(() => {
    form.onFailure.current = () => setFailures(form.failures.size)
    if (engine.attach()) setGeneration((count) => count + 1)
    const unfollow = form.followFacts()
    return () => {
      unfollow?.()
      form.onFailure.current = null
      form.near.stop()
    }
  }, [engine, form])

  // A record that is looked at before it is changed takes no focus: its page has keys of its own.
  const looked = onSubmit !== undefined && opening.record !== null
  useEffect(() => {
    if (host.device === 'Mobile' || host.preview || readOnly || looked) return
    const editable = engine.plan.items.filter(({ address }) => {
      const field = engine.dataField(address)
      return field?.display === 'visible' && field.pattern === 'editable'
    })
    // What the opener filled in needs no typing: the first thing that is still missing does.
    const first = editable.find(({ path }) => !(path in given)) ?? editable[0]
    if (first) form.boxes.get(first.address)?.focus()
    // once, when the form opens: what is around it renders anew while somebody is in another field
  }, [engine, form, given, host, looked, readOnly])

  const mayClose = useCallback(async (): Promise<boolean> => {
    if (!isDirty()) return true
    const sure = await host.confirm({
      title: text(locale, 'unsavedTitle'),
      content: text(locale, 'unsavedContent'),
      danger: true,
      okText: text(locale, 'discard'),
    })
    if (sure) settle()
    return sure
  }, [host, isDirty, locale, settle])

  const snapshot = useCallback(
    (): FormSnapshot => ({ values: engine.values(), dirty: isDirty(), record: { ...form.record } }),
    [engine, form, isDirty],
  )
  const { collect, tell } = submission
  useEffect(
    () => onHandle({ isDirty, mayClose, snapshot, collect, tell, settle }),
    [isDirty, mayClose, onHandle, snapshot, collect, tell, settle],
  )
  useEffect(() => {
    if (!onValues) return
    onValues(engine.values)
    const subscription = engine.form.subscribe(({ type }) => {
      if (type === LifeCycleTypes.ON_FORM_VALUES_CHANGE) onValues(engine.values)
    })
    return () => engine.form.unsubscribe(subscription)
  }, [engine, generation, onValues])

  const live = useMemo(
    () => firstScreen(engine.plan, columns, (address) => engine.field(address)?.display === 'visible', window.innerHeight),
    [columns, engine],
  )
  const onKeyDown = useMemo(
    () =>
      formKeys(
        () => (onSubmit ? onSubmit() : void submit()),
        (address) => form.boxes.get(address)?.focus(),
      ),
    [form, onSubmit, submit],
  )
  const blocks = useMemo(() => <Blocks key={generation} blocks={engine.plan.blocks} live={live} />, [engine, generation, live])
  const time = (at: Date): string => {
    const day = (moment: Date): string => wallClock(moment.getTime(), host.timeZone).format('YYYY-MM-DD')
    return wallClock(at.getTime(), host.timeZone).format(day(at) === day(host.now()) ? 'HH:mm' : 'YYYY-MM-DD HH:mm')
  }
  const isEmpty = engine.plan.items.length === 0 && engine.plan.tables.length === 0

  return (
    <SessionProvider value={form}>
      <form
        className={`sb-form${labels === 'left' ? ' sb-form-left' : ''}${begins ? ' sb-form-brief' : ''}`}
        style={{ ...style, '--sb-form-columns': begins ? 1 : columns } as CSSProperties}
        noValidate
        aria-busy={submission.running}
        onSubmit={(event) => {
          event.preventDefault()
          if (onSubmit) onSubmit()
          else void submit()
        }}
        onKeyDown={readOnly ? undefined : onKeyDown}
        onBlur={onLeave}
      >
        {draft.restored ? (
          <Alert
            className="sb-form-notice"
            type="info"
            showIcon
            message={text(locale, draft.restored.outdated ? 'draftOutdated' : 'draftRestored', {
              time: time(new Date(draft.restored.at)),
            })}
            action={
              <Button size="small" onClick={draft.discard}>
                {text(locale, 'draftDiscard')}
              </Button>
            }
          />
        ) : null}
        {opening.canEdit ? null : (
          <Alert className="sb-form-notice" type="info" showIcon message={text(locale, 'readOnlyRecord')} />
        )}
        {[...form.failures].map((expression) => (
          <Alert
            key={expression}
            className="sb-form-notice"
            type="warning"
            showIcon
            message={text(locale, 'brokenExpression', { expression })}
          />
        ))}
        {alike ? (
          <Alert
            className="sb-form-notice"
            type={alike.decision === 'block' ? 'error' : 'warning'}
            showIcon
            closable
            onClose={dismiss}
            role="status"
            message={alike.message}
            description={<Hits host={host} hits={alike.hits} />}
          />
        ) : null}
        {isEmpty ? <p className="sb-form-note">{text(locale, 'emptyForm')}</p> : null}
        <div className="sb-form-body">
          <div className="sb-form-main">
            <BriefProvider value={begins}>{blocks}</BriefProvider>
          </div>
          {!begins && hasAnchors(engine.plan, anchors) ? <Anchors plan={engine.plan} /> : null}
        </div>
        <div className={onSubmit ? undefined : 'sb-form-bar'}>
          <ErrorSummary problems={submission.problems} general={submission.general} />
          {onSubmit ? null : (
            <div className="sb-form-buttons">
              {readOnly ? null : (
                <Button type="primary" danger={model.submit.danger} htmlType="submit" loading={submission.running} data-submit="">
                  {submitLabel}
                </Button>
              )}
              {onCancel ? (
                <Button onClick={() => void mayClose().then((sure) => sure && onCancel())}>
                  {text(locale, readOnly || submitLabel.startsWith(text(locale, 'cancel')) ? 'back' : 'cancel')}
                </Button>
              ) : null}
              {begins ? (
                <Button type="link" onClick={() => setBegins(null)}>
                  {text(locale, 'wholeForm')}
                </Button>
              ) : null}
              {draft.savedAt || draft.unkept ? (
                <span className="sb-form-draft" role="status">
                  {draft.savedAt ? text(locale, 'draftSaved', { time: time(draft.savedAt) }) : text(locale, 'draftUnkept')}
                </span>
              ) : null}
            </div>
          )}
        </div>
        <Suspense fallback={null}>
          {submission.conflict ? (
            <Conflict form={form} conflict={submission.conflict} onClose={submission.dismiss} onSave={() => void submit()} />
          ) : null}
          {submission.changed ? (
            <Changed form={form} {...submission.changed} onClose={submission.dismiss} onRenew={onRenew} />
          ) : null}
          {submission.duplicate ? (
            <Duplicate
              form={form}
              {...submission.duplicate}
              onClose={submission.dismiss}
              onSave={(duplicateReason) => void submit({ duplicateReason })}
            />
          ) : null}
        </Suspense>
      </form>
    </SessionProvider>
  )
}
