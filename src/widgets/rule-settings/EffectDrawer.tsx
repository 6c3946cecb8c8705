import { Alert, Button, Drawer, Flex, Form, Input, Select, Typography } from 'antd'
import { useMemo, useState } from 'react'
import { toFailure } from '../../headless/failure'
import { useHost } from '../../runtime/hostContext'
import { DAYS, instantsOf, readable } from '../../runtime/picker/notation'
import { Picker } from '../../runtime/picker/Picker'
import { Changes } from './Changes'
import { ReportView } from './ReportView'
import { TargetSelect } from './TargetSelect'
import { subjectName } from './shownValue'
import { ruleTexts } from './texts'
import type { Preview, Rule } from './types'
import { onEnter } from '../../runtime/typing'

interface SaveFields {
  /** A subject of the rule, or everybody. */
  holdsFor: string
  target?: string
  reason: string
  /** An instant. */
  from?: string | null
  /** A day. */
  until?: string | null
}

/** What the proposed parameters change, for whom and from when, and what they do; why stays in the foot, below any list. */
export const EffectDrawer = ({
  rule,
  preview,
  onSaved,
  onClose,
}: {
  rule: Rule
  preview: Preview
  onSaved(): void
  onClose(): void
}) => {
  const host = useHost()
  const { locale } = host
  const texts = ruleTexts[locale]
  const instants = useMemo(() => instantsOf(host.timeZone), [host.timeZone])
  const [form] = Form.useForm<SaveFields>()
  const [state, setState] = useState<{ busy: boolean; failed: string | null }>({ busy: false, failed: null })
  const holdsFor = Form.useWatch('holdsFor', form) ?? 'everybody'
  const subject = rule.subjects.find(({ id }) => id === holdsFor)

  const save = async (fields: SaveFields): Promise<void> => {
    setState({ busy: true, failed: null })
    const { params } = preview
    const reason = fields.reason.trim()
    try {
      await host.request(
        fields.holdsFor === 'everybody'
          ? {
              method: 'POST',
              path: `/v2/sys/rule/save/${rule.key}`,
              body: {
                params,
                reason,
                basedOn: rule.newest,
                ...(fields.from ? { effectiveFrom: fields.from } : {}),
              },
              idempotent: true,
            }
          : {
              method: 'POST',
              path: `/v2/sys/rule/override/${rule.key}`,
              body: {
                params,
                reason,
                targetType: fields.holdsFor,
                targetId: fields.target,
                ...(fields.until ? { until: fields.until } : {}),
              },
              idempotent: true,
            },
      )
      host.notify('success', texts.saved)
      onSaved()
    } catch (error) {
      setState({ busy: false, failed: toFailure(error, locale).message })
    }
  }

  const toSave = preview.diff.length > 0
  const why = (
    <Flex vertical gap={12}>
      <Form.Item
        name="reason"
        label={texts.reason}
        rules={[{ required: true, min: 2, max: 200, message: texts.reasonHint }]}
        style={{ marginBottom: 0 }}
      >
        <Input maxLength={200} onKeyDown={onEnter(form.submit)} />
      </Form.Item>
      {state.failed !== null && <Alert type="error" showIcon message={state.failed} />}
      <Button type="primary" loading={state.busy} onClick={form.submit} style={{ alignSelf: 'flex-start' }}>
        {texts.save}
      </Button>
    </Flex>
  )

  return (
    <Form
      form={form}
      component={false}
      layout="vertical"
      scrollToFirstError
      initialValues={{ holdsFor: 'everybody' }}
      onFinish={(fields) => void save(fields)}
    >
      <Drawer
        open
        title={`${rule.title[locale]} · ${texts.effect}`}
        width={Math.min(760, window.innerWidth)}
        footer={toSave ? why : null}
        onClose={onClose}
      >
        <Flex vertical gap={20}>
          <section>
            <Typography.Title level={5} style={{ margin: '0 0 8px' }}>
              {texts.changes}
            </Typography.Title>
            <Changes diff={preview.diff} />
          </section>
          {toSave && (
            <section>
              <Form.Item name="holdsFor" label={texts.holdsFor}>
                <Select
                  options={[
                    { value: 'everybody', label: texts.everybody },
                    ...rule.subjects.map((one) => ({ value: one.id, label: subjectName(one, locale, 'one') })),
                  ]}
                />
              </Form.Item>
              {subject && (
                <>
                  <Form.Item name="target" label={texts.target} rules={[{ required: true }]}>
                    <TargetSelect key={subject.id} subject={subject} />
                  </Form.Item>
                  <Form.Item name="until" label={texts.until} rules={[readable('date', locale)]} style={{ marginBottom: 0 }}>
                    <Picker notation={DAYS} style={{ width: '100%' }} />
                  </Form.Item>
                </>
              )}
              {holdsFor === 'everybody' && (
                <Form.Item name="from" label={texts.from} rules={[readable('dateTime', locale)]} style={{ marginBottom: 0 }}>
                  <Picker notation={instants} showTime={{ format: 'HH:mm' }} style={{ width: '100%' }} />
                </Form.Item>
              )}
            </section>
          )}
          <section>
            <Typography.Title level={5} style={{ margin: '0 0 8px' }}>
              {texts.effect}
            </Typography.Title>
            {preview.effect ? (
              <ReportView report={preview.effect} />
            ) : (
              <Typography.Text type="secondary">{texts.noEffect}</Typography.Text>
            )}
          </section>
        </Flex>
      </Drawer>
    </Form>
  )
}
