import { Flex, Typography } from 'antd'
import { useHost } from '../../runtime/hostContext'
import { RowTable } from './RowTable'
import { listChange, shownValue } from './shownValue'
import { ruleTexts } from './texts'
import type { ParamChange } from './types'
import { useCountryNames } from './useCountryNames'

/** Some of these parameters are countries. */
export const hasCountries = (diff: readonly ParamChange[]): boolean =>
  diff.some(({ words }) => Object.values(words ?? {}).some(({ countries }) => countries))

/** What differs between two versions, parameter by parameter; of a list, the entries that came and went. `none` when nothing does. */
export const Changes = ({ diff, none }: { diff: readonly ParamChange[]; none?: string }) => {
  const { locale } = useHost()
  const texts = ruleTexts[locale]
  useCountryNames(hasCountries(diff))
  if (diff.length === 0) return <Typography.Text type="secondary">{none ?? texts.none}</Typography.Text>
  const cell = (change: ParamChange, side: 'before' | 'after') => {
    const list = listChange(change.before, change.after)
    const values = list ? (side === 'before' ? list.gone : list.added) : [change[side]]
    if (list && values.length === 0) return '—'
    return (
      <Flex vertical style={{ overflowWrap: 'anywhere' }}>
        {values.map((one, index) => (
          <span key={index}>{shownValue(one, locale, change.words)}</span>
        ))}
      </Flex>
    )
  }
  return (
    <RowTable
      rows={diff}
      keyOf={({ path }) => path}
      columns={[
        { key: 'title', title: texts.parameter, render: ({ title }) => title[locale] },
        { key: 'before', title: texts.before, render: (change) => cell(change, 'before') },
        { key: 'after', title: texts.after, render: (change) => <strong>{cell(change, 'after')}</strong> },
      ]}
    />
  )
}
