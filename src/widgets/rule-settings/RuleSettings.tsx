import { Card, Flex, Tabs, Typography } from 'antd'
import { useHost } from '../../runtime/hostContext'
import { EmbeddedList } from '../../runtime/page/EmbeddedList'
import { useCall } from '../../runtime/reading/useCall'
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

const Title = ({ ruleKey }: { ruleKey: string }) => {
  const { locale } = useHost()
  const { data } = useCall<Rule>({ method: 'GET', path: `/v2/sys/rule/read/${ruleKey}` })
  return <>{data?.title[locale] ?? '…'}</>
}

/** Rules side by side as tabs, the jobs that carry them out behind them, and the lists that are set up beside them. */
const RuleSettings = ({ props, values }: WidgetProps<Props>) => {
  const host = useHost()
  const { locale, can } = host
  const lists = (props.pages ?? []).filter(({ permission }) => permission === undefined || can(permission))
  const tabs = [
    ...props.rules.map((key) => ({ key, label: <Title ruleKey={key} />, children: <RulePanel ruleKey={key} /> })),
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
        ) : (
          <Tabs items={tabs} {...(shown ? { activeKey: shown.key } : {})} onChange={show} destroyOnHidden />
        )}
      </Card>
    </Flex>
  )
}
export default RuleSettings
