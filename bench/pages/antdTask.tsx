import {
  Button,
  Card,
  Col,
  DatePicker,
  Descriptions,
  Dropdown,
  Form,
  Input,
  InputNumber,
  Row,
  Select,
  Space,
  Steps,
  Tag,
  Timeline,
} from 'antd'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { InstanceDetail } from '../../src/widgets/process-work/parts/types'
import type { BenchPage } from '../hooks'
import { FIELDS, OPTIONS } from '../model'
import type { CellKind } from '../model'
import { isTyped, taskDetail } from '../taskModel'

const CHOICES = OPTIONS.map((value) => ({ label: value, value }))

const widget = (kind: CellKind) => {
  if (kind === 'number') return <InputNumber style={{ width: '100%' }} />
  if (kind === 'select') return <Select options={CHOICES} />
  if (kind === 'date') return <DatePicker style={{ width: '100%' }} />
  return <Input />
}

const moment = (at: string): string => dayjs(at).format('YYYY-MM-DD HH:mm')

const initial = (values: InstanceDetail['form']['values']): Record<string, unknown> =>
  Object.fromEntries(FIELDS.map(({ name, kind }) => [name, kind === 'date' ? dayjs(String(values[name])) : values[name]]))

const HandWritten = ({ read }: { read: () => Promise<InstanceDetail> }) => {
  const [detail, setDetail] = useState<InstanceDetail | null>(null)
  useEffect(() => void read().then(setDetail), [read])
  if (!detail) return null
  const { instance, form, path, timeline } = detail
  return (
    <>
      <Card
        title={
          <Space>
            {instance.title.en} {instance.code} <Tag color="blue">Running</Tag>
          </Space>
        }
      >
        <Descriptions
          items={[
            { key: 'amount', label: 'Amount', children: `${instance.currency} ${instance.amount}` },
            { key: 'by', label: 'Applicant', children: instance.applicantName },
            { key: 'at', label: 'Started', children: moment(instance.startedAt ?? '') },
            { key: 'version', label: 'Version', children: instance.versionNo },
          ]}
        />
      </Card>
      <Row gutter={16}>
        <Col span={16}>
          <Card title="Application">
            <Descriptions
              column={2}
              items={FIELDS.filter((_, n) => !isTyped(n)).map(({ name, label }) => ({
                key: name,
                label,
                children: String(form.values[name]),
              }))}
            />
            <Form layout="vertical" initialValues={initial(form.values)}>
              <Row gutter={16}>
                {FIELDS.filter((_, n) => isTyped(n)).map(({ name, label, kind }) => (
                  <Col key={name} span={12}>
                    <Form.Item name={name} label={label}>
                      {widget(kind)}
                    </Form.Item>
                  </Col>
                ))}
              </Row>
            </Form>
          </Card>
        </Col>
        <Col span={8}>
          <Card title="Path">
            <Steps
              direction="vertical"
              size="small"
              current={5}
              items={path.map(({ label, assignees = [] }) => ({
                title: label.en,
                description: assignees.map(({ name, at }) => `${name} ${at ? moment(at) : ''}`).join(', '),
              }))}
            />
          </Card>
          <Card title="Log">
            <Timeline
              items={timeline.map(({ id, byName, action, at, nodeName, comment }) => ({
                key: id,
                children: (
                  <>
                    <strong>{byName}</strong> {action} {moment(at)}
                    <div>{nodeName?.en}</div>
                    <p>{comment}</p>
                  </>
                ),
              }))}
            />
          </Card>
        </Col>
      </Row>
      <Space>
        <Button type="primary">Agree</Button>
        <Button danger>Reject</Button>
        <Button>Pass on</Button>
        <Button>Comment</Button>
        <Dropdown menu={{ items: [{ key: 'copy', label: 'Copy' }] }}>
          <Button>More</Button>
        </Dropdown>
      </Space>
    </>
  )
}

/** The same task written by hand with antd: what is read as `Descriptions`, what may be changed as a `Form`. */
export const page: BenchPage = (root) => {
  const detail = taskDetail()
  const read = (): Promise<InstanceDetail> => Promise.resolve(detail)
  return {
    mount: () => createRoot(root).render(<HandWritten read={read} />),
    fields: () => root.querySelectorAll('.ant-descriptions-item, .ant-form-item-label').length,
    rows: () => root.querySelectorAll('.ant-steps-item, .ant-timeline-item').length,
  }
}
