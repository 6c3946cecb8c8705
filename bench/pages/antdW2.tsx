import { Table } from 'antd'
import { createRoot } from 'react-dom/client'
import type { BenchPage } from '../hooks'
import { COLUMNS, makeRows, pageSize, SORT_COLUMN } from '../model'

/** W2 written by hand on antd's Table, as its documentation shows it. */
export const page: BenchPage = (root) => {
  const rows = makeRows()
  const size = pageSize()
  const HandWritten = () => (
    <Table
      rowKey="id"
      size="small"
      dataSource={rows}
      pagination={size ? { pageSize: size, showSizeChanger: true, showTotal: (total) => `${total} in total` } : false}
      columns={COLUMNS.map(({ key, title, type }) => ({
        key,
        dataIndex: key,
        title,
        width: 120,
        ellipsis: true,
        align: type === 'number' ? ('right' as const) : ('left' as const),
        sorter:
          key === SORT_COLUMN
            ? (a, b) => a.amount - b.amount
            : (a, b) =>
                typeof a[key] === 'number' && typeof b[key] === 'number'
                  ? a[key] - b[key]
                  : String(a[key]).localeCompare(String(b[key])),
      }))}
    />
  )
  return {
    mount: () => createRoot(root).render(<HandWritten />),
    rows: () => root.querySelectorAll('tbody tr.ant-table-row').length,
    firstRow: () => root.querySelector<HTMLElement>('tbody tr.ant-table-row'),
    sorter: () => [...root.querySelectorAll<HTMLElement>('th')].find((header) => header.textContent === 'Amount') ?? null,
  }
}
