import { Flex, Typography } from 'antd'
import { useEffect, useState } from 'react'
import { ready } from '../../schema/formats'
import { useHost } from '../../runtime/hostContext'
import { RowTable } from './RowTable'
import { listChange, shownValue } from './shownValue'
import { ruleTexts } from './texts'
import type { ParamChange } from './types'

/** Draws anew once the names of countries are here, where some are shown. */
const useCountryNames = (diff: readonly ParamChange[]): void => {
  const host = useHost()
  const [, setHere] = useState(false)
  const needed = diff.some(({ words }) => Object.values(words ?? {}).some(({ countries }) => countries))
  useEffect(() => {
    if (!needed) return
    ready('country').then(
      () => setHere(true),
      (error: unknown) => host.report(error, { where: 'rule settings' }),
    )
  }, [host, needed])
}

/** What differs between two versions, parameter by parameter; of a list, the entries that came and went. */
export const Changes = ({ diff }: { diff: readonly ParamChange[] }) => {
  const { locale } = useHost()
  const texts = ruleTexts[locale]
  useCountryNames(diff)
  if (diff.length === 0) return <Typography.Text type="secondary">{texts.none}</Typography.Text>
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
