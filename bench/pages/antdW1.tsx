import { Button, DatePicker, Form, Input, InputNumber, Select } from 'antd'
import { createRoot } from 'react-dom/client'
import type { BenchPage } from '../hooks'
import { FIELDS, OPTIONS, fieldName } from '../model'
import type { CellKind, FieldFact } from '../model'

const CHOICES = OPTIONS.map((value) => ({ label: value, value }))

const widget = (kind: CellKind) => {
  if (kind === 'number') return <InputNumber style={{ width: '100%' }} />
  if (kind === 'select') return <Select options={CHOICES} />
  if (kind === 'date') return <DatePicker style={{ width: '100%' }} />
  return <Input />
}

const item = ({ name, label, kind }: FieldFact) => (
  <Form.Item key={name} name={name} label={label} rules={[{ required: true, message: `${label} is required` }]}>
    {widget(kind)}
  </Form.Item>
)

/** A linked field the way antd's documentation writes it: an outer item that looks at its driver only. */
const linked = (fact: FieldFact) => (
  <Form.Item
    key={fact.name}
    noStyle
    shouldUpdate={(before: Record<string, unknown>, after: Record<string, unknown>) =>
      before[fact.driver ?? ''] !== after[fact.driver ?? '']
    }
  >
    {({ getFieldValue }) => (getFieldValue(fact.driver ?? '') ? item(fact) : null)}
  </Form.Item>
)

const HandWritten = () => (
  <Form layout="vertical" initialValues={{}}>
    {FIELDS.map((fact) => (fact.driver ? linked(fact) : item(fact)))}
    <Button id="submit" type="primary" htmlType="submit">
      Submit
    </Button>
  </Form>
)

/** W1 written by hand on antd's Form: the twin that our form is measured against. */
export const page: BenchPage = (root) => ({
  mount: () => createRoot(root).render(<HandWritten />),
  fields: () => root.querySelectorAll('.ant-form-item-label').length,
  field: (n) => document.getElementById(fieldName(n)),
  submit: () => document.getElementById('submit'),
  errors: () => root.querySelectorAll('.ant-form-item-explain-error').length,
})
