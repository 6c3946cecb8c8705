import { Alert, Button, Form, Input, Modal, Popconfirm, Select, Spin, Tag } from 'antd'
import { useEffect, useState } from 'react'
import { isAborted, toFailure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import { momentText } from '../reading/moment'
import { savedTexts, type Frequency } from './savedTexts'

interface SavedReport {
  id: string
  name: string
  search: string | null
  frequency: Frequency
  madeAt: string | null
  failure: string | null
}

interface SavedReportsProps {
  host: Host
  /** Route of the report. */
  path: string
  /** The filters that it has now, as the address says them. */
  search: string
  onOpen(search: string): void
  onClose(): void
}

const BASE = '/v2/sys/report/saved'
const FREQUENCIES: readonly Frequency[] = ['none', 'daily', 'weekly', 'monthly']

/** The reports that the person saved at this address: opened, scheduled as files, given up; and the filters of now as another one. */
const SavedReports = ({ host, path, search, onOpen, onClose }: SavedReportsProps) => {
  const texts = savedTexts[host.locale]
  const [saved, setSaved] = useState<readonly SavedReport[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [round, setRound] = useState(0)
  const [form] = Form.useForm<{ name: string; frequency: Frequency }>()
  const tell = (error: unknown): void => {
    if (!isAborted(error)) setFailure(toFailure(error, host.locale).message)
  }

  useEffect(() => {
    const abort = new AbortController()
    host
      .request<{ records: readonly SavedReport[] }>({
        method: 'GET',
        path: BASE,
        query: { path },
        signal: abort.signal,
      })
      .then(
        ({ records }) => setSaved(records),
        (error: unknown) => {
          if (!isAborted(error)) setFailure(toFailure(error, host.locale).message)
        },
      )
    return () => abort.abort()
  }, [host, path, round])

  /** One change at a time; the list is read anew after it. */
  const change = async (call: string, body: object, done?: string): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      await host.request({ method: 'POST', path: `${BASE}${call}`, body, idempotent: true })
      if (done !== undefined) host.notify('success', done)
      setRound((count) => count + 1)
    } catch (error) {
      tell(error)
    } finally {
      setBusy(false)
    }
  }
  const options = FREQUENCIES.map((value) => ({ value, label: texts.frequency[value] }))
  return (
    <Modal open title={texts.title} footer={null} onCancel={onClose}>
      {failure !== null && <Alert type="error" showIcon message={failure} className="sb-saved-failure" />}
      <Form
        form={form}
        layout="vertical"
        initialValues={{ name: '', frequency: 'none' }}
        onFinish={({ name, frequency }) =>
          void change('', { path, search, name: name.trim(), frequency, language: host.locale }, texts.done).then(() =>
            form.resetFields(),
          )
        }
      >
        <div className="sb-saved-new">
          <Form.Item name="name" label={texts.name} rules={[{ required: true, whitespace: true, max: 60, message: texts.named }]}>
            <Input maxLength={60} placeholder={texts.example} />
          </Form.Item>
          <Form.Item name="frequency" label={texts.schedule} tooltip={texts.scheduleHelp}>
            <Select options={options} style={{ width: 150 }} />
          </Form.Item>
          <Form.Item label=" " colon={false}>
            <Button type="primary" htmlType="submit" loading={busy}>
              {texts.save}
            </Button>
          </Form.Item>
        </div>
      </Form>
      {saved === null && failure === null && <Spin aria-label={texts.loading} />}
      {saved?.length === 0 && <p className="sb-list-help">{texts.none}</p>}
      {saved !== null && saved.length > 0 && (
        <ul className="sb-saved" aria-label={texts.title}>
          {saved.map((one) => (
            <li key={one.id}>
              <span className="sb-saved-name">
                <Button type="link" size="small" onClick={() => onOpen(one.search ?? '')}>
                  {one.name}
                </Button>
                {one.failure ? (
                  <Tag color="error" title={one.failure}>
                    {one.failure}
                  </Tag>
                ) : (
                  one.madeAt && <small>{texts.made(momentText(host, one.madeAt))}</small>
                )}
              </span>
              <Select<Frequency>
                size="small"
                style={{ width: 130 }}
                aria-label={texts.scheduleOf(one.name)}
                value={one.frequency}
                options={options}
                disabled={busy}
                onChange={(frequency) => void change('', { id: one.id, frequency }, texts.done)}
              />
              <Popconfirm
                title={texts.removeAsk(one.name)}
                okText={texts.remove}
                cancelText={texts.keep}
                okButtonProps={{ danger: true }}
                onConfirm={() => void change('/delete', { id: one.id })}
              >
                <Button size="small" type="text" danger disabled={busy} aria-label={`${texts.remove}: ${one.name}`}>
                  {texts.remove}
                </Button>
              </Popconfirm>
            </li>
          ))}
        </ul>
      )}
    </Modal>
  )
}
export default SavedReports
