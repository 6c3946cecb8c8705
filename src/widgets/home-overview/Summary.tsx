import { AppstoreOutlined, EditOutlined } from '@ant-design/icons'
import { Button, Card, Col, Empty, Flex, Row, Skeleton, Statistic } from 'antd'
import type { MouseEvent } from 'react'
import { useHost } from '../../runtime/hostContext'
import { homeTexts } from './texts'
import type { QuickEntry, Statistics } from './useHome'

const MY_CUSTOMERS = '/crm/client-partner/my-client'
/** The figures, and the tab that shows what each of them counts; mails have no list of their own. */
const FIGURES: readonly { key: keyof Statistics; tab?: string }[] = [
  { key: 'myCustomer', tab: 'all' },
  { key: 'todayCustomer', tab: 'gained' },
  { key: 'task', tab: 'today' },
  { key: 'todaySend' },
]

/** A count of the day, leading to what it counts (R319). */
const Count = ({
  name,
  tab,
  statistics,
}: {
  name: keyof Statistics
  tab?: string | undefined
  statistics: Statistics | null
}) => {
  const host = useHost()
  const figure = (
    <Card hoverable={tab !== undefined} size="small" style={{ height: '100%' }}>
      <Statistic title={homeTexts[host.locale][name]} value={statistics?.[name] ?? 0} loading={statistics === null} />
    </Card>
  )
  if (tab === undefined) return figure
  const address = `${MY_CUSTOMERS}?view=${tab}`
  const onClick = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    host.navigate(address)
  }
  return (
    <a href={address} onClick={onClick}>
      {figure}
    </a>
  )
}

interface SummaryProps {
  statistics: Statistics | null
  entries: readonly QuickEntry[] | null
  onEdit(): void
}

/** The counts of the day and the quick entries, in one row (R146, R319, R321). */
export const Summary = ({ statistics, entries, onEdit }: SummaryProps) => {
  const host = useHost()
  const texts = homeTexts[host.locale]
  const counts = host.canOpen(MY_CUSTOMERS)
  return (
    <Row gutter={[16, 16]}>
      {counts && (
        <Col xs={24} lg={12}>
          <Row gutter={[16, 16]}>
            {FIGURES.map(({ key, tab }) => (
              <Col key={key} xs={12}>
                <Count name={key} tab={tab} statistics={statistics} />
              </Col>
            ))}
          </Row>
        </Col>
      )}
      <Col xs={24} lg={counts ? 12 : 24}>
        <Card
          size="small"
          style={{ height: '100%' }}
          title={<h2 style={{ margin: 0, fontSize: 16 }}>{texts.quick}</h2>}
          extra={
            <Button type="text" icon={<EditOutlined />} onClick={onEdit}>
              {texts.edit}
            </Button>
          }
        >
          {entries === null ? (
            <Skeleton active title={false} paragraph={{ rows: 1 }} />
          ) : entries.length === 0 ? (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={texts.none}>
              <Button onClick={onEdit}>{texts.choose}</Button>
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
      </Col>
    </Row>
  )
}
