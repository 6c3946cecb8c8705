import { AppstoreOutlined, EditOutlined } from '@ant-design/icons'
import { Alert, Button, Card, Col, Empty, Flex, Row, Skeleton, Statistic, Typography } from 'antd'
import { Suspense, useState } from 'react'
import { wallClock } from '../../schema/formats'
import { useHost } from '../../runtime/hostContext'
import { homeTexts } from './texts'
import { useHome, type Statistics } from './useHome'
import { lazyPart } from '../../runtime/part/lazyPart'
import type { WidgetProps } from '../../runtime/widget'

const QuickEntryDialog = lazyPart(() => import('./QuickEntryDialog'), 'over')
const ReportCards = lazyPart(() => import('../../runtime/report/ReportCards'))

const MY_CUSTOMERS = '/crm/client-partner/my-client'
/** The figures, and the tab that shows what each of them counts; mails have no list of their own. */
const FIGURES: readonly { key: keyof Statistics; tab?: string }[] = [
  { key: 'myCustomer', tab: 'all' },
  { key: 'todayCustomer', tab: 'gained' },
  { key: 'task', tab: 'today' },
  { key: 'todaySend' },
]

/** Greeting, counts of the day and quick entries. */
const HomeOverview = ({ props: { reports = [] } }: WidgetProps<{ reports?: readonly string[] }>) => {
  const host = useHost()
  const texts = homeTexts[host.locale]
  const { statistics, entries, links, prompt, choices, save } = useHome()
  const [editing, setEditing] = useState(false)
  const now = host.now()
  const date = new Intl.DateTimeFormat(host.locale === 'zh' ? 'zh-CN' : 'en-GB', {
    dateStyle: 'full',
    timeZone: host.companyTimeZone ?? host.timeZone,
  }).format(now)
  const figures = host.canOpen(MY_CUSTOMERS) ? FIGURES : []

  return (
    <Flex vertical gap={16} style={{ maxWidth: 1200, marginInline: 'auto' }}>
      <div>
        <Typography.Title level={1} style={{ margin: 0, fontSize: 24 }}>
          {texts.greeting(now.getHours(), host.user.name)}
        </Typography.Title>
        <Typography.Text type="secondary">{texts.today(date, host.user.deptNames.join(' / '))}</Typography.Text>
        {prompt.lastSignInAt && (
          <Typography.Paragraph type="secondary" style={{ margin: 0 }}>
            {texts.lastSignIn(
              wallClock(new Date(prompt.lastSignInAt).getTime(), host.timeZone).format('YYYY-MM-DD HH:mm'),
              texts.ways[prompt.lastSignInWay as keyof typeof texts.ways] ?? '',
              prompt.lastSignInIp ?? '',
            )}
          </Typography.Paragraph>
        )}
      </div>
      {prompt.passwordOld && <Alert type="warning" showIcon message={texts.passwordOld(prompt.passwordAgeDays ?? 0)} />}
      {figures.length > 0 && (
        <Row gutter={[16, 16]}>
          {figures.map(({ key, tab }) => {
            const address = tab && `${MY_CUSTOMERS}?view=${tab}`
            const figure = (
              <Card hoverable={tab !== undefined} size="small">
                <Statistic title={texts[key]} value={statistics?.[key] ?? 0} loading={statistics === null} />
              </Card>
            )
            return (
              <Col key={key} xs={12} md={6}>
                {address ? (
                  <a
                    href={address}
                    onClick={(event) => {
                      if (event.ctrlKey || event.metaKey || event.shiftKey) return
                      event.preventDefault()
                      host.navigate(address)
                    }}
                  >
                    {figure}
                  </a>
                ) : (
                  figure
                )}
              </Col>
            )
          })}
        </Row>
      )}
      <Card
        size="small"
        title={<h2 style={{ margin: 0, fontSize: 16 }}>{texts.quick}</h2>}
        extra={
          <Button type="text" icon={<EditOutlined />} onClick={() => setEditing(true)}>
            {texts.edit}
          </Button>
        }
      >
        {entries === null ? (
          <Skeleton active title={false} paragraph={{ rows: 1 }} />
        ) : entries.length === 0 ? (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={texts.none}>
            <Button onClick={() => setEditing(true)}>{texts.choose}</Button>
          </Empty>
        ) : (
          <Flex gap={8} wrap>
            {entries.map(({ id, name, router, newWindow }) => (
              <Button
                key={id}
                icon={<AppstoreOutlined />}
                onClick={() => host.navigate(router, { newWindow: newWindow === true })}
              >
                {name}
              </Button>
            ))}
          </Flex>
        )}
      </Card>
      {reports.map((report) => (
        <Suspense key={report} fallback={<Skeleton active title={false} />}>
          <ReportCards report={report} />
        </Suspense>
      ))}
      {links.length > 0 && (
        <Card size="small" title={<h2 style={{ margin: 0, fontSize: 16 }}>{texts.promotion}</h2>}>
          <Flex vertical gap={8}>
            {links.map(({ name, link }) => (
              <Flex key={link} gap={8} align="center" wrap>
                <Typography.Text strong>{name}</Typography.Text>
                <Typography.Text type="secondary" ellipsis style={{ maxWidth: 520 }}>
                  <bdi>{link}</bdi>
                </Typography.Text>
                <Button size="small" aria-label={`${texts.copy}: ${name}`} onClick={() => void host.copy(link)}>
                  {texts.copy}
                </Button>
              </Flex>
            ))}
          </Flex>
        </Card>
      )}
      {editing && (
        <Suspense fallback={null}>
          <QuickEntryDialog chosen={entries ?? []} choices={choices} onSave={save} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </Flex>
  )
}
export default HomeOverview
