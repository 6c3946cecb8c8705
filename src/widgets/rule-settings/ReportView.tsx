import { Flex, Statistic, Typography } from 'antd'
import { useHost } from '../../runtime/hostContext'
import { showNumber } from '../../schema/formats'
import { RowTable } from './RowTable'
import { ruleTexts } from './texts'
import type { Report } from './types'

/** Figures and rows of a run, or of what a rule would do. */
export const ReportView = ({ report }: { report: Report }) => {
  const { locale } = useHost()
  const texts = ruleTexts[locale]
  const textOf = (value: Report['rows'][number][string] | undefined, kind: string | undefined): string | number => {
    if (value === null || value === undefined || value === '') return '—'
    if (typeof value === 'object') return value[locale]
    if (kind === 'number') return showNumber(value, locale) || value
    return texts.values[String(value)] ?? value
  }
  return (
    <Flex vertical gap={12}>
      <Flex gap={24} wrap>
        {report.figures.map(({ id, title, value }) => (
          <Statistic key={id} title={title[locale]} value={value} valueStyle={{ fontSize: 20 }} />
        ))}
      </Flex>
      {report.rows.length > 0 ? (
        <RowTable<Report['rows'][number]>
          rows={report.rows}
          keyOf={(row) => report.rows.indexOf(row)}
          columns={report.columns.map(({ id, title, kind }) => ({
            key: id,
            title: title[locale],
            ...(kind === 'number' ? { align: 'right' as const } : {}),
            render: (row) => textOf(row[id], kind),
          }))}
        />
      ) : (
        <Typography.Text type="secondary">{texts.noRows}</Typography.Text>
      )}
      {report.more > 0 && <Typography.Text type="secondary">{texts.more(report.more)}</Typography.Text>}
    </Flex>
  )
}
