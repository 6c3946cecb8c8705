import '../parts/process.css'
import { Alert, Button } from 'antd'
import { useEffect, useState } from 'react'
import { isAborted, toFailure, type Failure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import { FailureState } from '../../../runtime/reading/FailureState'
import { readingTexts } from '../../../runtime/reading/texts'
import { Skeleton, State } from '../../../runtime/state'
import { useTokenStyle } from '../../../runtime/tokens'
import type { WidgetProps } from '../../../runtime/widget'
import type { Host } from '../../../headless/host'
import { PortalLink } from '../parts/PortalLink'
import type { InstanceDetail, StartForm, Values } from '../parts/types'
import { Application, type Opened } from './Application'
import { prefillOf, type Refusal } from './prefill'
import { applyTexts } from './texts'

interface ApplyProps {
  code?: string
}

/** The first card of the page of processes, and what opens when an address names none (money 9.1). */
const FIRST = 'prepay'
const SPONSOR = '/general/process/sponsor'
const DETAIL = '/general/process/my-initiate/profile'

type Loaded =
  | { status: 'loading' }
  | { status: 'failed'; failure: Failure }
  | { status: 'ended'; instanceId: string }
  | { status: 'ready'; opened: Opened; refusals: readonly Refusal[]; copied: string | null }

const LOADING: Loaded = { status: 'loading' }

const startForm = (host: Host, process: string, signal: AbortSignal): Promise<StartForm> =>
  host.request({ method: 'GET', path: `/v2/workflow/process/formField/${encodeURIComponent(process)}`, signal })

const detailOf = (host: Host, instanceId: string, signal: AbortSignal): Promise<InstanceDetail> =>
  host.request({ method: 'POST', path: '/v2/workflow/operate/instanceDetail', body: { instanceId }, signal })

/** The application that an address names, as far as it may still be changed. */
const openExisting = async (host: Host, instanceId: string, signal: AbortSignal): Promise<Loaded> => {
  const detail = await detailOf(host, instanceId, signal)
  const { instance, form } = detail
  const mine = detail.actions.includes('resubmit')
  if (!mine) return { status: 'ended', instanceId }
  const draft = instance.draft || instance.status === 'draft'
  // who decides is chosen before the first submission; it stays so when the application comes back
  const { pick = [] } = draft ? await startForm(host, instance.processId, signal) : {}
  const back = [...detail.timeline]
    .filter(({ action }) => action === 'return' || action === 'reject')
    .sort((a, b) => b.at.localeCompare(a.at))[0]
  const returned = instance.status === 'returned'
  return {
    status: 'ready',
    refusals: [],
    copied: null,
    opened: {
      process: { id: instance.processId, code: instance.processCode, name: instance.processName, versionNo: instance.versionNo },
      bundle: form.bundle,
      pick,
      values: form.values,
      instanceId,
      rowVersion: instance.rowVersion,
      code: instance.code,
      returned,
      ...(returned && back ? { returnedBy: { name: back.byName ?? '', comment: back.comment ?? '' } } : {}),
      ...(detail.myTask?.backToMeFrom ? { backTo: detail.myTask.backToMeFrom } : {}),
    },
  }
}

const openNew = async (
  host: Host,
  process: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Loaded> => {
  const copyFrom = query.copyFrom
  const [form, before] = await Promise.all([
    startForm(host, process, signal),
    copyFrom
      ? Promise.all([
          detailOf(host, copyFrom, signal),
          host.request<Values | { values: Values }>({
            method: 'POST',
            path: '/v2/workflow/operate/form/data',
            body: { instanceId: copyFrom },
            signal,
          }),
        ])
      : null,
  ])
  const { values, refusals } = await prefillOf(host, form.bundle, query, signal)
  const [old, data] = before ?? []
  const copied = data ? (('values' in data && typeof data.values === 'object' ? data.values : data) as Values) : {}
  const kept = Object.fromEntries(
    Object.entries(copied).filter(([name]) => form.rights[name] === 'E' || form.rights[name] === 'M'),
  )
  return {
    status: 'ready',
    refusals,
    copied: old ? (old.instance.code ?? '') : null,
    opened: {
      process: form.process,
      bundle: form.bundle,
      pick: form.pick,
      values: { ...form.values, ...kept, ...values },
      returned: false,
    },
  }
}

/** Application form of a process: new, copied, a draft that goes on, or one that came back. */
const Apply = ({ props, values }: WidgetProps<ApplyProps>) => {
  const host = useHost()
  const texts = applyTexts[host.locale]
  const style = useTokenStyle()
  const query = (values.query ?? {}) as Readonly<Record<string, string>>
  const asked = JSON.stringify(query)
  const { code } = props
  const [loaded, setLoaded] = useState<Loaded>(LOADING)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    const said = JSON.parse(asked) as Readonly<Record<string, string>>
    const instanceId = said.instanceId ?? said.id
    const process = code ?? said.code ?? said.processId ?? FIRST
    setLoaded(LOADING)
    const opening = instanceId ? openExisting(host, instanceId, abort.signal) : openNew(host, process, said, abort.signal)
    opening.then(setLoaded, (error: unknown) => {
      if (!isAborted(error) && !abort.signal.aborted) setLoaded({ status: 'failed', failure: toFailure(error, host.locale) })
    })
    return () => abort.abort()
  }, [host, code, asked, attempt])

  if (loaded.status === 'loading')
    return <Skeleton rows={8} columns={2} rowHeight={48} label={readingTexts[host.locale].loading} />
  if (loaded.status === 'failed')
    return (
      <FailureState
        failure={loaded.failure}
        onRetry={() => setAttempt(attempt + 1)}
        leave={<Button onClick={() => host.navigate(SPONSOR, { replace: true })}>{texts.toStart}</Button>}
      />
    )
  if (loaded.status === 'ended') {
    const address = `${DETAIL}?instanceId=${encodeURIComponent(loaded.instanceId)}`
    return (
      <State role="alert" title={texts.notEditable} text={texts.notEditableText}>
        <PortalLink address={address}>{texts.toDetail}</PortalLink>
      </State>
    )
  }
  const { opened, refusals, copied } = loaded
  const name = opened.process.name[host.locale]
  return (
    <div className="sb-process sb-process-apply" style={style}>
      {refusals.map((refusal) => (
        <Alert
          key={JSON.stringify(refusal)}
          type="warning"
          showIcon
          message={refusal.type === 'name' ? texts.noField(refusal.name, name) : texts.noRecord(refusal.label)}
        />
      ))}
      {copied !== null && <Alert type="info" showIcon message={texts.copied(copied)} />}
      <Application key={`${opened.instanceId ?? 'new'} ${opened.rowVersion ?? ''}`} opened={opened} />
    </div>
  )
}
export default Apply
