import { Alert, Checkbox, DatePicker, Form, Input, Modal, Radio, Tag } from 'antd'
import type { Dayjs } from 'dayjs'
import { useEffect, useState } from 'react'
import { toFailure, type Failure } from '../../../runtime/failure'
import { useHost } from '../../../runtime/hostContext'
import { Skeleton } from '../../../runtime/state'
import { tellFailure } from '../../../runtime/reading/tell'
import type { DesignSession } from '../document/session'
import { ProblemList } from '../editor/ProblemList'
import { designerTexts } from '../texts'
import type { Checked, Radius, ReleaseDifference, Stage, TargetState } from '../types'

interface Props {
  session: DesignSession
  state: TargetState
  onClose(): void
  onReleased(): void
}

interface Terms {
  stage: Stage
  when?: Dayjs | null
  title: string
  reason: string
}

/** There is no draft: nothing to release. */
const NOTHING: Checked = {
  problems: [],
  differences: [],
  radius: { personalSettings: 0, savedViews: 0, links: [], variants: [] },
}

/** What a release of the draft would mean, and its release: risky differences are confirmed one by one. */
export const ReviewDialog = ({ session, state, onClose, onReleased }: Props) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const { target, role } = state
  const [checked, setChecked] = useState<Checked | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [form] = Form.useForm<Terms>()
  const when = Form.useWatch('when', form)
  useEffect(() => {
    let left = false
    const check = async (): Promise<void> => {
      // What is in gray is released to everybody by a draft that says the same.
      await session.flush(state.gray !== null)
      if (session.snapshot().version === 0) return setChecked(NOTHING)
      const body = { drafts: [{ target, role }] }
      const answer = await host.request<Checked>({ method: 'POST', path: '/v2/sys/schema/check', body })
      if (!left) setChecked(answer)
    }
    check().catch((error: unknown) => {
      if (!left) setFailure(toFailure(error, host.locale))
    })
    return () => {
      left = true
    }
  }, [host, session, target, role, state.gray])
  const mayRelease = host.can('setModule:pages:release')
  const errors = (checked?.problems ?? []).filter(({ severity }) => severity === 'error')
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
          drafts: [{ target, role, version }],
          stage: terms.stage,
          ...(terms.when ? { effectiveAt: terms.when.toISOString() } : {}),
          title: terms.title.trim(),
          reason: terms.reason.trim(),
          accepted: [...accepted],
        },
      })
      host.notify('success', terms.when ? texts.releasedLater : texts.releasedNow)
      onReleased()
    } catch (error) {
      tellFailure(host, error, 'page designer')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      width={720}
      title={texts.reviewTitle}
      okText={when ? texts.releaseLater : texts.release}
      cancelText={texts.close}
      confirmLoading={busy}
      okButtonProps={{ disabled: !checked || checked === NOTHING || !mayRelease || open || errors.length > 0 }}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      {failure && <Alert type="error" showIcon message={texts.failedBecause(failure.message)} />}
      {!checked && !failure && <Skeleton rows={4} columns={1} rowHeight={28} label={texts.loading} />}
      {checked && (
        <>
          {errors.length > 0 && <Alert type="error" showIcon message={texts.blocked} />}
          {checked.problems.length > 0 && <ProblemList problems={checked.problems} />}
          <h3>{texts.differences}</h3>
          <Differences
            differences={checked.differences}
            accepted={accepted}
            onAccept={(id, yes) => setAccepted(new Set(yes ? [...accepted, id] : [...accepted].filter((known) => known !== id)))}
          />
          <h3>{texts.radius}</h3>
          <RadiusLines radius={checked.radius} />
        </>
      )}
      {!mayRelease && <Alert type="info" showIcon message={texts.noRelease} />}
      <Form<Terms>
        form={form}
        layout="vertical"
        initialValues={{ stage: 'gray', title: '', reason: '' }}
        onFinish={(terms) => void release(terms)}
      >
        <Form.Item name="stage" label={texts.stage}>
          <Radio.Group
            options={[
              { value: 'gray', label: texts.gray },
              { value: 'all', label: texts.all },
            ]}
          />
        </Form.Item>
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
        <Form.Item name="when" label={texts.when}>
          <DatePicker showTime className="sb-design-wide" />
        </Form.Item>
      </Form>
    </Modal>
  )
}

interface DifferencesProps {
  differences: readonly ReleaseDifference[]
  accepted: ReadonlySet<string>
  onAccept(id: string, yes: boolean): void
}

const Differences = ({ differences, accepted, onAccept }: DifferencesProps) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  if (differences.length === 0) return <p>{texts.noDifferences}</p>
  return (
    <ul className="sb-design-differences">
      {differences.map(({ id, text, risk }) => (
        <li key={id}>
          {risk && <Tag color="orange">{texts.risk}</Tag>}
          {text[locale]}
          {risk && (
            <Checkbox
              checked={accepted.has(id)}
              aria-label={`${texts.confirmRisk}: ${text[locale]}`}
              onChange={(event) => onAccept(id, event.target.checked)}
            >
              {texts.confirmRisk}
            </Checkbox>
          )}
        </li>
      ))}
    </ul>
  )
}

const RadiusLines = ({ radius }: { radius: Radius }) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const { personalSettings, savedViews, links, variants, exports = 0, imports = 0 } = radius
  const lines = [
    ...(personalSettings > 0 ? [texts.radiusPersonal(personalSettings)] : []),
    ...(savedViews > 0 ? [texts.radiusViews(savedViews)] : []),
    ...(links.length > 0 ? [texts.radiusLinks(links.map(({ title }) => title[locale]).join(', '))] : []),
    ...(variants.length > 0 ? [texts.radiusVariants(variants.join(', '))] : []),
    ...(exports + imports > 0 ? [texts.radiusTransfer(exports, imports)] : []),
  ]
  if (lines.length === 0) return <p>{texts.radiusNone}</p>
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
