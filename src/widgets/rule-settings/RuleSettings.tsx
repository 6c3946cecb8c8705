import { Card, Flex, Tabs, Typography } from 'antd'
import { useEffect, useState } from 'react'
import { useHost } from '../../runtime/hostContext'
import { EmbeddedList } from '../../runtime/page/EmbeddedList'
import { readingTexts } from '../../runtime/reading/texts'
import { Skeleton } from '../../runtime/state'
import type { WidgetProps } from '../../runtime/widget'
import { JobsPanel } from './JobsPanel'
import { RulePanel } from './RulePanel'
import { ruleTexts } from './texts'
import type { Rule } from './types'

interface Props {
  rules: readonly string[]
  jobs?: boolean
  job?: string
  pages?: readonly { title: { zh: string; en: string }; page: string; permission?: string }[]
}

type Titles = Readonly<Record<string, Rule['title']>>

/**
 * What the rules are called, once all of them have answered: a bar whose tabs get their names one by one moves under the pointer.
 * A rule that cannot be read is left out; its panel says why.
 */
const useTitles = (rules: readonly string[]): Titles | null => {
  const host = useHost()
  const keys = rules.join()
  const [settled, setSettled] = useState<{ keys: string; titles: Titles } | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    const read = (key: string) =>
      host.request<Rule>({ method: 'GET', path: `/v2/sys/rule/read/${key}`, signal: abort.signal }).then(
        ({ title }): [string, Rule['title']][] => [[key, title]],
        () => [],
      )
    void Promise.all(keys.split(',').filter(Boolean).map(read)).then((answers) => {
      if (!abort.signal.aborted) setSettled({ keys, titles: Object.fromEntries(answers.flat()) })
    })
    return () => abort.abort()
  }, [host, keys])
  return settled?.keys === keys ? settled.titles : null
}

/** Rules side by side as tabs, the jobs that carry them out behind them, and the lists that are set up beside them. */
const RuleSettings = ({ props, values }: WidgetProps<Props>) => {
  const host = useHost()
  const { locale, can } = host
  const titles = useTitles(props.rules)
  const lists = (props.pages ?? []).filter(({ permission }) => permission === undefined || can(permission))
  const tabs = [
    ...props.rules.map((key) => ({ key, label: titles?.[key]?.[locale] ?? '…', children: <RulePanel ruleKey={key} /> })),
    ...(props.jobs
      ? [{ key: 'jobs', label: ruleTexts[locale].jobs, children: <JobsPanel {...(props.job ? { only: props.job } : {})} /> }]
      : []),
    ...lists.map(({ title, page }) => ({ key: page, label: title[locale], children: <EmbeddedList page={page} query={{}} /> })),
  ]
  const query = (values.query ?? {}) as Readonly<Record<string, string>>
  const shown = tabs.find(({ key }) => key === query.tab) ?? tabs[0]
  const show = (tab: string): void =>
    host.navigate(`${String(values.path)}?${new URLSearchParams({ ...query, tab }).toString()}`, { replace: true })
  return (
    <Flex vertical gap={16}>
      <Typography.Title level={1} style={{ margin: 0, fontSize: 20 }}>
        {typeof values.title === 'string' ? values.title : ruleTexts[locale].settings}
      </Typography.Title>
      <Card>
        {tabs.length === 1 ? (
          shown?.children
        ) : titles === null ? (
          <Skeleton rows={6} columns={1} rowHeight={32} label={readingTexts[locale].loading} />
        ) : (
          <Tabs items={tabs} {...(shown ? { activeKey: shown.key } : {})} onChange={show} destroyOnHidden />
        )}
      </Card>
    </Flex>
  )
}
export default RuleSettings
