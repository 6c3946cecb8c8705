import { Table, Typography } from 'antd'
import { useHost } from '../../runtime/hostContext'
import { ruleTexts } from './texts'
import type { ParamChange } from './types'

/** A parameter as people read it. */
export const shownValue = (value: unknown, yes: string, no: string): string => {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return value ? yes : no
  if (Array.isArray(value)) return value.map((one) => shownValue(one, yes, no)).join('; ') || '—'
  if (typeof value === 'object')
    return Object.values(value)
      .map((one) => shownValue(one, yes, no))
      .join(' · ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What differs between two versions, parameter by parameter. */
export const Changes = ({ diff }: { diff: readonly ParamChange[] }) => {
  const { locale } = useHost()
  const texts = ruleTexts[locale]
  if (diff.length === 0) return <Typography.Text type="secondary">{texts.none}</Typography.Text>
  const cell = (value: unknown) => <span style={{ overflowWrap: 'anywhere' }}>{shownValue(value, texts.yes, texts.no)}</span>
  return (
    <Table
      size="small"
      rowKey="path"
      dataSource={[...diff]}
      pagination={false}
      columns={[
        { key: 'title', title: texts.parameter, render: (_, { title }) => title[locale] },
        { key: 'before', title: texts.before, render: (_, { before }) => cell(before) },
        { key: 'after', title: texts.after, render: (_, { after }) => <strong>{cell(after)}</strong> },
      ]}
    />
  )
}
