import { Descriptions, List, Table, Typography } from 'antd'
import type { ReactNode } from 'react'
import { usePhone } from '../../runtime/media'

interface RowColumn<T> {
  key: string
  title?: string
  align?: 'right'
  /** Null: nothing to show, which a phone leaves out. */
  render(row: T): ReactNode
}

interface Props<T> {
  rows: readonly T[]
  columns: readonly RowColumn<T>[]
  keyOf(row: T): string | number
  empty?: string
  /** What a row opens to; on a phone it stands under the row. */
  expanded?(row: T): ReactNode
}

const PAGE = { pageSize: 10, hideOnSinglePage: true, showSizeChanger: false } as const

/** Rows as a table; on a phone one under the other, each with the titles of its columns. */
export const RowTable = <T extends object>({ rows, columns, keyOf, empty, expanded }: Props<T>) => {
  const locale = empty === undefined ? undefined : { emptyText: <Typography.Text type="secondary">{empty}</Typography.Text> }
  if (!usePhone())
    return (
      <Table<T>
        size="small"
        rowKey={keyOf}
        dataSource={[...rows]}
        {...(locale ? { locale } : {})}
        pagination={PAGE}
        scroll={{ x: 'max-content' }}
        {...(expanded ? { expandable: { expandedRowRender: expanded } } : {})}
        columns={columns.map(({ key, title, align, render }) => ({
          key,
          title,
          ...(align ? { align } : {}),
          render: (_: unknown, row: T) => render(row),
        }))}
      />
    )
  return (
    <List<T>
      size="small"
      dataSource={[...rows]}
      rowKey={keyOf}
      {...(locale ? { locale } : {})}
      pagination={rows.length > PAGE.pageSize ? PAGE : false}
      renderItem={(row) => (
        <List.Item style={{ display: 'block', paddingInline: 0 }}>
          <Descriptions
            column={1}
            size="small"
            items={columns.flatMap(({ key, title, render }) => {
              const children = render(row)
              return children === null || children === false ? [] : [{ key, label: title, colon: title !== undefined, children }]
            })}
          />
          {expanded?.(row)}
        </List.Item>
      )}
    />
  )
}
