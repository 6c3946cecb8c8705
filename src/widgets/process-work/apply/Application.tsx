import { Alert, Button } from 'antd'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FormHandle } from '../../../runtime/form'
import { createSubmitter } from '../../../runtime/form/session/submit'
import { tellChanged } from '../../../runtime/changes'
import type { PageBundle } from '../../../headless/host'
import { useHost } from '../../../runtime/hostContext'
import { isAborted, toFailure } from '../../../headless/failure'
import { wallClock } from '../../../schema/formats'
import { WORK_LISTS } from '../parts/lists'
import { Path } from '../parts/Path'
import { ProcessForm } from '../parts/ProcessForm'
import { Staff } from '../parts/Staff'
import { partTexts } from '../parts/texts'
import type { Pick, Text, Values } from '../parts/types'
import { applyTexts } from './texts'
import { useForecast } from './useForecast'

/** An application that is being filled in. */
export interface Opened {
  process: { id: string; code: string; name: Text; versionNo: number; description?: Text | null }
  bundle: PageBundle
  pick: readonly Pick[]
  values: Values
  /** Of a draft, and of one that came back. */
  instanceId?: string
  rowVersion?: number
  code?: string | null
  returned: boolean
  returnedBy?: { name: string; comment: string }
  /** Who sent it back and gets it first. */
  backTo?: string
}

const DETAIL = '/general/process/my-initiate/profile'
/** money 9.1: drafts are kept five seconds after the last key. */
const DRAFT_AFTER = 5000
const SHOWN_CHECKS = 8

type Kept = { status: 'idle' } | { status: 'saving' } | { status: 'saved'; at: Date } | { status: 'failed'; reason: string }

interface Started {
  instanceId: string
  code: string | null
  rowVersion?: number
}

/** Form, expected path and checks side by side; drafts go to the gateway by themselves. */
export const Application = ({ opened }: { opened: Opened }) => {
  const host = useHost()
  const { locale } = host
  const texts = applyTexts[locale]
  const words = partTexts[locale]
  const { process, bundle, returned } = opened
  const form = useRef<FormHandle | null>(null)
  const [existing, setExisting] = useState<{ id?: string; rowVersion?: number }>({
    id: opened.instanceId,
    rowVersion: opened.rowVersion,
  })
  const [picked, setPicked] = useState<Readonly<Record<string, readonly string[]>>>({})
  const [running, setRunning] = useState(false)
  const [kept, setKept] = useState<Kept>({ status: 'idle' })
  const [submitter] = useState(() => createSubmitter(host, true, texts.failed))
  // Both clicks of a double click see the same render.
  const lock = useRef({ submitting: false, done: false })
  const read = useRef<(() => Values) | null>(null)
  const draft = useRef<{ timer?: ReturnType<typeof setTimeout>; running?: Promise<void> }>({})

  const request = useCallback(
    (formData: Values): Readonly<Record<string, unknown>> => ({
      processId: process.id,
      formData,
      pickedAssignees: picked,
      ...(existing.id === undefined ? {} : { instanceId: existing.id }),
    }),
    [process.id, picked, existing.id],
  )
  const { forecast, failure, busy, ask } = useForecast(request)

  const keep = useCallback(async (): Promise<void> => {
    const values = read.current?.()
    if (!values || returned || lock.current.done || lock.current.submitting) return
    await draft.current.running
    setKept({ status: 'saving' })
    const saving = host
      .request<Started>({
        method: 'POST',
        path: '/v2/workflow/operate/saveDraft',
        body: { ...request(values), ...(existing.rowVersion === undefined ? {} : { rowVersion: existing.rowVersion }) },
      })
      .then(
        ({ instanceId, rowVersion }) => {
          setExisting({ id: instanceId, ...(rowVersion === undefined ? {} : { rowVersion }) })
          setKept({ status: 'saved', at: host.now() })
          form.current?.settle()
          tellChanged(WORK_LISTS.instances)
        },
        (error: unknown) => {
          if (!isAborted(error)) setKept({ status: 'failed', reason: toFailure(error, locale).message })
        },
      )
    draft.current.running = saving
    await saving
  }, [existing.rowVersion, host, locale, request, returned])
  const keepNow = useRef(keep)
  useEffect(() => {
    keepNow.current = keep
  }, [keep])

  const onValues = useCallback(
    (next: () => Values): void => {
      read.current = next
      ask(next)
      clearTimeout(draft.current.timer)
      draft.current.timer = setTimeout(() => {
        if (form.current?.isDirty()) void keepNow.current()
      }, DRAFT_AFTER)
    },
    [ask],
  )
  useEffect(() => {
    const { current } = draft
    return () => clearTimeout(current.timer)
  }, [])
  // who was chosen changes the path as a field does
  useEffect(() => {
    if (read.current) ask(read.current)
  }, [ask, picked])

  const picks = opened.pick
  const missing = picks.filter(({ nodeId, required }) => required !== false && (picked[nodeId] ?? []).length === 0)
  const [tried, setTried] = useState(false)

  const submit = useCallback(async (): Promise<void> => {
    if (lock.current.submitting || lock.current.done) return
    lock.current.submitting = true
    setTried(true)
    try {
      const collected = await form.current?.collect()
      if (!collected || missing.length > 0) return
      setRunning(true)
      clearTimeout(draft.current.timer)
      await draft.current.running
      const body = {
        ...request(collected.values),
        ...(existing.rowVersion === undefined ? {} : { rowVersion: existing.rowVersion }),
      }
      const path = `/v2/workflow/operate/${returned ? 'resubmit' : 'start'}`
      const outcome = await submitter.send({ method: 'POST', path, body })
      if (outcome.type !== 'saved') {
        form.current?.tell(
          outcome.type === 'unknown' ? { type: 'refused', message: `${outcome.message} ${texts.networkSave}` } : outcome,
        )
        return
      }
      lock.current.done = true
      const { instanceId, code } = outcome.answer as Started
      form.current?.settle()
      tellChanged(WORK_LISTS.instances)
      tellChanged(WORK_LISTS.tasks)
      host.notify('success', texts.submitted(code ?? opened.code ?? ''))
      host.closePage(`${DETAIL}?instanceId=${encodeURIComponent(instanceId ?? existing.id ?? '')}`)
    } finally {
      lock.current.submitting = false
      setRunning(false)
    }
  }, [existing, host, missing.length, opened.code, request, returned, submitter, texts])

  const leave = (): void => {
    void (form.current?.mayClose() ?? Promise.resolve(true)).then((sure) => {
      if (sure) host.closePage()
    })
  }
  const checks = useMemo(() => forecast?.errors ?? [], [forecast])
  const time = (at: Date): string => wallClock(at.getTime(), host.timeZone).format('HH:mm')

  return (
    <>
      <header className="sb-process-head">
        <div className="sb-process-name">
          <h1>{process.name[locale]}</h1>
          <span className="sb-process-note">{[opened.code, texts.version(process.versionNo)].filter(Boolean).join(' · ')}</span>
        </div>
      </header>
      {process.description?.[locale] && <p className="sb-process-note">{process.description[locale]}</p>}
      {returned && (
        <Alert
          type="warning"
          showIcon
          message={[texts.returned, opened.backTo ? texts.returnedBack(opened.backTo) : ''].join(' ').trim()}
          description={opened.returnedBy ? texts.returnedBy(opened.returnedBy.name, opened.returnedBy.comment) : undefined}
        />
      )}
      <div className="sb-process-grid">
        <div className="sb-process-main">
          <section className="sb-process-card" aria-label={process.name[locale]}>
            <ProcessForm
              bundle={bundle}
              values={opened.values}
              handle={form}
              onSubmit={() => void submit()}
              onValues={onValues}
              {...(opened.instanceId === undefined ? {} : { instanceId: opened.instanceId })}
            />
          </section>
        </div>
        <aside className="sb-process-rail">
          {picks.length > 0 && (
            <section className="sb-process-card">
              <h2>{texts.pick}</h2>
              {picks.map(({ nodeId, name, among }) => (
                <div key={nodeId} className="sb-process-field">
                  <span>{name[locale]}</span>
                  <Staff
                    label={name[locale]}
                    among={among}
                    multiple
                    value={picked[nodeId] ?? []}
                    onChange={(ids) => setPicked({ ...picked, [nodeId]: ids })}
                  />
                  {tried && missing.some((one) => one.nodeId === nodeId) && (
                    <p className="sb-form-error" role="alert">
                      {texts.pickNeeded(name[locale])}
                    </p>
                  )}
                </div>
              ))}
            </section>
          )}
          <section className="sb-process-card" aria-busy={busy && forecast === null}>
            <h2>{words.predicted}</h2>
            <p className="sb-process-note">{words.predictedHelp}</p>
            {failure && <p className="sb-process-note">{texts.forecastFailed(failure)}</p>}
            {forecast ? <Path nodes={forecast.path} /> : failure ? null : <p className="sb-process-note">{texts.checking}</p>}
          </section>
          {forecast && (
            <section className="sb-process-card">
              <h2>{texts.checks}</h2>
              {checks.length === 0 ? (
                <p className="sb-process-note">{texts.allRight}</p>
              ) : (
                <ul className="sb-process-checks">
                  {checks.slice(0, SHOWN_CHECKS).map(({ field, text }, index) => (
                    <li key={`${field ?? ''} ${index}`}>{text[locale]}</li>
                  ))}
                </ul>
              )}
            </section>
          )}
        </aside>
      </div>
      <div className="sb-process-bar">
        <Button type="primary" loading={running} onClick={() => void submit()}>
          {returned ? texts.resubmit : texts.submit}
        </Button>
        {!returned && (
          <Button disabled={kept.status === 'saving'} onClick={() => void keep()}>
            {texts.save}
          </Button>
        )}
        <Button onClick={leave}>{texts.cancel}</Button>
        <span className="sb-process-note" role="status">
          {kept.status === 'saving'
            ? texts.saving
            : kept.status === 'saved'
              ? texts.savedAt(time(kept.at))
              : kept.status === 'failed'
                ? texts.notSaved(kept.reason)
                : ''}
        </span>
      </div>
    </>
  )
}
