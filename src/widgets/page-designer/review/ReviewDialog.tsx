import { Alert, Form, Input, Radio } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { toFailure, type Failure } from '../../../headless/failure'
import type { PageBundle } from '../../../headless/host'
import { useHost } from '../../../runtime/hostContext'
import { instantsOf, readable } from '../../../runtime/picker/notation'
import { Picker } from '../../../runtime/picker/Picker'
import { Skeleton } from '../../../runtime/state'
import { tellFailure } from '../../../runtime/reading/tell'
import type { Problem } from '../../../schema/problem'
import type { DesignSession } from '../document/session'
import { ProblemList } from '../editor/ProblemList'
import { designerTexts } from '../texts'
import { kindOf, type Checked, type Stage, type TargetState } from '../types'
import { Companions, Differences, ImpactLines } from './Checked'
import { bundlesOf, useDrawing } from './useDrawing'
import { Dialog } from '../../../runtime/dialog/Dialog'

interface Props {
  session: DesignSession
  state: TargetState
  onClose(): void
  onReleased(): void
}

interface Terms {
  stage: Stage
  begins: 'now' | 'later'
  /** The instant of a release that begins later. */
  when?: string | null
  title: string
  reason: string
}

/** There is no draft: nothing to release. */
const NOTHING: Checked = {
  problems: [],
  differences: [],
  impact: { personalSettings: 0, savedViews: 0, links: [], variants: [] },
}

const isError = ({ severity }: Problem): boolean => severity === 'error'

/** What a release of the draft would mean, and its release: risky differences are confirmed one by one. */
export const ReviewDialog = ({ session, state, onClose, onReleased }: Props) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const { target, role } = state
  const [checked, setChecked] = useState<Checked | null>(null)
  const [along, setAlong] = useState(() => state.companions.filter(({ together }) => together))
  const [bundles, setBundles] = useState<readonly PageBundle[]>([])
  const drawing = useDrawing(host, bundles)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  // a release that was refused is looked at again: what it means may have changed since
  const [refusals, setRefusals] = useState(0)
  const [form] = Form.useForm<Terms>()
  const later = Form.useWatch('begins', form) === 'later'
  const instants = useMemo(() => instantsOf(host.timeZone), [host.timeZone])
  useEffect(() => {
    let left = false
    const check = async (): Promise<void> => {
      // What is in gray is released to everybody by a draft that says the same.
      await session.flush(state.gray !== null)
      if (session.snapshot().version === 0) return setChecked(NOTHING)
      const body = { drafts: [{ target, role }, ...along.map((other) => ({ target: other.target, role: other.role }))] }
      const answer = await host.request<Checked>({ method: 'POST', path: '/v2/sys/schema/check', body })
      const pages = answer.problems.some(isError) ? [] : await bundlesOf(host, body.drafts)
      if (left) return
      setBundles(pages)
      setChecked(answer)
    }
    check().catch((error: unknown) => {
      if (!left) setFailure(toFailure(error, host.locale))
    })
    return () => {
      left = true
    }
  }, [host, session, target, role, state.gray, along, refusals])
  // Data and menus are one for all browsers: what changes them has no gray stage.
  const onlyAll = [target, ...along.map((other) => other.target)].some((one) => kindOf(one) !== 'page')
  const mayRelease = host.can('setModule:pages:release')
  const problems = [...(checked?.problems ?? []), ...drawing.faults]
  const errors = problems.filter(isError)
  const open = (checked?.differences ?? []).some(({ risk, id }) => risk && !accepted.has(id))
  const release = async (terms: Terms): Promise<void> => {
    setBusy(true)
    try {
      const { version } = session.snapshot()
      await host.request({
        method: 'POST',
        path: '/v2/sys/schema/release',
        idempotent: true,
        body: {
          drafts: [
            { target, role, version },
            ...along.map((other) => ({ target: other.target, role: other.role, version: other.version })),
          ],
          stage: onlyAll ? 'all' : terms.stage,
          ...(terms.begins === 'later' ? { effectiveAt: terms.when } : {}),
          title: terms.title.trim(),
          reason: terms.reason.trim(),
          accepted: [...accepted],
        },
      })
      host.notify('success', terms.begins === 'later' ? texts.releasedLater : texts.releasedNow)
      onReleased()
    } catch (error) {
      tellFailure(host, error, 'page designer')
      setRefusals((before) => before + 1)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      width={720}
      title={texts.reviewTitle}
      okText={later ? texts.releaseLater : texts.release}
      cancelText={texts.close}
      confirmLoading={busy}
      okButtonProps={{ disabled: !checked || checked === NOTHING || !mayRelease || open || errors.length > 0 || !drawing.done }}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      {state.companions.length > 0 && (
        <Companions
          companions={state.companions}
          roles={state.roles}
          chosen={along}
          onChoose={(next) => {
            setAlong(next)
            setChecked(null)
          }}
        />
      )}
      {failure && <Alert type="error" showIcon message={texts.failedBecause(failure.message)} />}
      {!checked && !failure && <Skeleton rows={4} columns={1} rowHeight={28} label={texts.loading} />}
      {checked && (
        <>
          {errors.length > 0 && <Alert type="error" showIcon message={texts.blocked} />}
          {problems.length > 0 && <ProblemList problems={problems} />}
          {!drawing.done && errors.length === 0 && <p role="status">{texts.drawing}</p>}
          {drawing.view}
          <h3>{texts.differences}</h3>
          <Differences
            differences={checked.differences}
            accepted={accepted}
            onAccept={(id, yes) => setAccepted(new Set(yes ? [...accepted, id] : [...accepted].filter((known) => known !== id)))}
          />
          <h3>{texts.impact}</h3>
          <ImpactLines impact={checked.impact} roles={state.roles} />
        </>
      )}
      {!mayRelease && <Alert type="info" showIcon message={texts.noRelease} />}
      <Form<Terms>
        form={form}
        layout="vertical"
        initialValues={{ stage: 'gray', begins: 'now', title: '', reason: '' }}
        onFinish={(terms) => void release(terms)}
      >
        {onlyAll ? (
          <Form.Item label={texts.stage}>{texts.onlyAll}</Form.Item>
        ) : (
          <Form.Item name="stage" label={texts.stage}>
            <Radio.Group
              options={[
                { value: 'gray', label: texts.gray },
                { value: 'all', label: texts.all },
              ]}
            />
          </Form.Item>
        )}
        <Form.Item
          name="title"
          label={texts.releaseTitle}
          rules={[{ required: true, whitespace: true, max: 120, message: texts.releaseTitle }]}
        >
          <Input maxLength={120} />
        </Form.Item>
        <Form.Item
          name="reason"
          label={texts.reason}
          rules={[{ required: true, whitespace: true, min: 2, message: texts.reasonHint }]}
        >
          <Input.TextArea maxLength={500} autoSize={{ minRows: 2, maxRows: 5 }} placeholder={texts.reasonHint} />
        </Form.Item>
        <Form.Item name="begins" label={texts.begins}>
          <Radio.Group
            options={[
              { value: 'now', label: texts.beginsNow },
              { value: 'later', label: texts.beginsLater },
            ]}
          />
        </Form.Item>
        {later && (
          <Form.Item
            name="when"
            label={texts.when}
            validateFirst
            rules={[
              { required: true, message: texts.whenMissing },
              readable('dateTime', host.locale),
              {
                validator: (_rule, at: string) =>
                  Date.parse(at) > host.now().getTime() ? Promise.resolve() : Promise.reject(new Error(texts.whenPast)),
              },
            ]}
          >
            <Picker notation={instants} showTime={{ format: 'HH:mm' }} className="sb-design-wide" />
          </Form.Item>
        )}
      </Form>
    </Dialog>
  )
}
