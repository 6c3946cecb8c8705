import { Card, Flex, Tabs, Typography } from 'antd'
import { useHost } from '../../runtime/hostContext'
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
}

const Title = ({ ruleKey }: { ruleKey: string }) => {
  const { locale } = useHost()
  const { data } = useCall<Rule>({ method: 'GET', path: `/v2/sys/rule/read/${ruleKey}` })
  return <>{data?.title[locale] ?? '…'}</>
}

/** Rules side by side as tabs, the jobs that carry them out as the last one. */
const RuleSettings = ({ props, values }: WidgetProps<Props>) => {
  const { locale } = useHost()
  const tabs = [
    ...props.rules.map((key) => ({ key, label: <Title ruleKey={key} />, children: <RulePanel ruleKey={key} /> })),
    ...(props.jobs
      ? [{ key: 'jobs', label: ruleTexts[locale].jobs, children: <JobsPanel {...(props.job ? { only: props.job } : {})} /> }]
      : []),
  ]
  return (
    <Flex vertical gap={16}>
      <Typography.Title level={1} style={{ margin: 0, fontSize: 20 }}>
        {typeof values.title === 'string' ? values.title : ruleTexts[locale].settings}
      </Typography.Title>
      <Card>{tabs.length === 1 ? tabs[0]?.children : <Tabs items={tabs} />}</Card>
    </Flex>
  )
}
export default RuleSettings
