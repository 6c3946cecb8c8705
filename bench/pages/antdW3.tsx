import { Button, Form, Input, InputNumber, Select, Table } from 'antd'
import { createRoot } from 'react-dom/client'
import type { BenchPage } from '../hooks'
import { EDIT_COLUMNS, OPTIONS, makeEditRows } from '../model'
import type { CellKind } from '../model'

const CHOICES = OPTIONS.map((value) => ({ label: value, value }))

const widget = (kind: CellKind) => {
  if (kind === 'number') return <InputNumber style={{ width: '100%' }} />
  if (kind === 'select') return <Select options={CHOICES} style={{ width: '100%' }} />
  return <Input />
}

const HandWritten = () => (
  <Form initialValues={{ rows: makeEditRows() }}>
    <Form.List name="rows">
      {(fields, { add, remove }) => (
        <>
          <Table
            rowKey="key"
            size="small"
            pagination={false}
            dataSource={fields}
            columns={[
              ...EDIT_COLUMNS.map(({ key, title, kind }) => ({
                key,
                title,
                render: (_: unknown, field: { name: number }) => (
                  <Form.Item
                    name={[field.name, key]}
                    style={{ margin: 0 }}
                    rules={[{ required: true, message: `${title} is required` }]}
                  >
                    {widget(kind)}
                  </Form.Item>
                ),
              })),
              {
                key: 'remove',
                title: '',
                render: (_: unknown, field: { name: number }) => (
                  <Button type="link" size="small" onClick={() => remove(field.name)}>
                    Remove
                  </Button>
                ),
              },
            ]}
          />
          <Button onClick={() => add({})}>Add</Button>
        </>
      )}
    </Form.List>
  </Form>
)

/** W3 written by hand on antd's Form.List and Table. */
export const page: BenchPage = (root) => ({
  mount: () => createRoot(root).render(<HandWritten />),
  rows: () => root.querySelectorAll('tbody tr.ant-table-row').length,
  cell: (row) => document.getElementById(`rows_${row}_title`),
})
