import { Button, Form, Input, InputNumber, Switch, Typography } from 'antd'
import { useState } from 'react'
import { showNumber } from '../../schema/formats'
import { toFailure } from '../../headless/failure'
import { useHost } from '../../runtime/hostContext'
import { ruleTexts } from './texts'
import type { Job, JobParameter } from './types'
import { Dialog } from '../../runtime/dialog/Dialog'

interface Values {
  values: Record<string, JobParameter['value']>
  reason: string
}

const Control = ({ parameter: { default: like, minimum, maximum }, ...bound }: { parameter: JobParameter }) =>
  typeof like === 'boolean' ? (
    <Switch {...bound} />
  ) : typeof like === 'number' ? (
    <InputNumber {...bound} min={minimum} max={maximum} precision={Number.isInteger(like) ? 0 : undefined} />
  ) : (
    <Input {...bound} maxLength={500} />
  )

/** What a job does its work by, and the way to set it. */
export const JobParameters = ({ job: { name, title, parameters }, onSet }: { job: Job; onSet(): void }) => {
  const host = useHost()
  const { locale } = host
  const texts = ruleTexts[locale]
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [form] = Form.useForm<Values>()
  const shown = (value: JobParameter['value']): string =>
    typeof value === 'boolean' ? (value ? texts.yes : texts.no) : typeof value === 'number' ? showNumber(value, locale) : value
  const save = async ({ values, reason }: Values): Promise<void> => {
    setBusy(true)
    try {
      await host.request({ method: 'POST', path: '/v2/sys/job/set', body: { job: name, values, reason: reason.trim() } })
      host.notify('success', texts.saved)
      setOpen(false)
      onSet()
    } catch (error) {
      host.notify('error', texts.failed(toFailure(error, locale).message))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {parameters.map(({ id, title: called, value }) => (
        <Typography.Text key={id}>
          {called[locale]}
          {texts.colon}
          {shown(value)}
        </Typography.Text>
      ))}
      <Button size="small" onClick={() => setOpen(true)}>
        {texts.setParameters}
      </Button>
      {open && (
        <Dialog
          open
          title={title[locale]}
          okText={texts.save}
          cancelText={texts.cancel}
          confirmLoading={busy}
          onOk={() => form.submit()}
          onCancel={() => setOpen(false)}
        >
          <Form<Values>
            form={form}
            layout="vertical"
            initialValues={{ values: Object.fromEntries(parameters.map(({ id, value }) => [id, value])), reason: '' }}
            onFinish={(given) => void save(given)}
          >
            {parameters.map((parameter) => (
              <Form.Item
                key={parameter.id}
                name={['values', parameter.id]}
                label={parameter.title[locale]}
                rules={[{ required: true }]}
              >
                <Control parameter={parameter} />
              </Form.Item>
            ))}
            <Form.Item name="reason" label={texts.reason} rules={[{ required: true, min: 2, message: texts.reasonHint }]}>
              <Input maxLength={200} placeholder={texts.reasonHint} />
            </Form.Item>
          </Form>
        </Dialog>
      )}
    </>
  )
}
