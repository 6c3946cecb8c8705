import { Badge, Button, Card, Flex, Typography } from 'antd'
import { Suspense, useState, type MouseEvent } from 'react'
import type { Host } from '../../../headless/host'
import { useHost } from '../../../runtime/hostContext'
import { wallClock } from '../../../schema/formats'
import { relativeTime } from '../../../runtime/cell/time'
import { todayTexts } from './texts'
import { companyToday, companyZone } from '../../../headless/scope'
import { lazyPart } from '../../../runtime/part/lazyPart'

const FormContainer = lazyPart(() => import('../../../runtime/action/FormContainer'), 'over')

export interface Task {
  id: string
  title: string
  customerId: string | null
  /** When it is due: an instant or a day. */
  at: string | null
  /** Since when it waits. */
  since?: string | null
  note: string | null
  /** Where it is done, when that is not the customer. */
  link?: string | null
  /** Somebody waits for a decision: it is opened and decided, not ticked off. */
  waiting?: boolean
}
export interface Group {
  id: string
  /** The list of exactly these; null when all of them stand here. */
  address: string | null
  total: number
  rows: readonly Task[]
}

/** Kinds whose customer can be followed up on the spot. */
const FOLLOWED = ['followUps', 'recycling', 'opportunities']
const EDIT = 'crm:customer:edit'

const idOf = (answer: unknown): string =>
  answer !== null && typeof answer === 'object' && 'id' in answer ? String(answer.id) : ''

/** A moment as lists say it, exact on hover, but by the company's days, as the heading of the page; a day stays a day. */
const When = ({ host, at }: { host: Host; at: string }) => {
  if (at.length === 10) return at
  const instant = new Date(at).getTime()
  const exact = wallClock(instant, host.timeZone).format('YYYY-MM-DD HH:mm')
  return (
    <time dateTime={at} title={`${exact} (${host.timeZone})`}>
      {relativeTime(instant, host.now().getTime(), host.locale, companyZone(host)) ?? exact}
    </time>
  )
}

/** An address of the portal that follows the usual clicks: plain ones stay in the window. */
const PortalLink = ({ address, children }: { address: string; children: string }) => {
  const host = useHost()
  const onClick = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    host.navigate(address)
  }
  return (
    <a href={address} onClick={onClick}>
      {children}
    </a>
  )
}

interface TaskGroupProps {
  group: Group
  onFollowed(task: Task, followUpId: string): void
  onDone(task: Task): void
}

/** Things of one kind; the follow-up form opens below its row. */
export const TaskGroup = ({ group, onFollowed, onDone }: TaskGroupProps) => {
  const host = useHost()
  const texts = todayTexts[host.locale]
  const [following, setFollowing] = useState<string | null>(null)
  const { address } = group
  const now = host.now().toISOString()
  const title = texts.groups[group.id] ?? group.id
  return (
    <Card
      size="small"
      title={
        <Flex gap={8} align="center">
          <h2 style={{ margin: 0, fontSize: 16 }}>{title}</h2>
          <Badge count={group.total} overflowCount={999} color="blue" />
        </Flex>
      }
      extra={address && host.canOpen(address) ? <PortalLink address={address}>{texts.all(group.total)}</PortalLink> : null}
    >
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }} aria-label={title}>
        {group.rows.map((task) => {
          const details = task.link
            ? task.link
            : task.customerId
              ? `/crm/client-partner/my-client/details?id=${encodeURIComponent(task.customerId)}&tagTitle=${encodeURIComponent(task.title)}`
              : null
          const late = task.at !== null && task.at < (task.at.length === 10 ? companyToday(host) : now)
          return (
            <li key={task.id} style={{ paddingBlock: 6 }}>
              <Flex gap={12} align="center" justify="space-between" wrap>
                <span style={{ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }}>
                  <bdi>
                    {details && host.canOpen(details) ? <PortalLink address={details}>{task.title}</PortalLink> : task.title}
                  </bdi>
                  {task.note && (
                    <Typography.Text type="secondary">
                      {' · '}
                      {group.id === 'transfers' ? texts.customers(Number(task.note)) : task.note}
                    </Typography.Text>
                  )}
                </span>
                <Flex gap={12} align="center" style={{ marginInlineStart: 'auto' }}>
                  {task.at && (
                    <Typography.Text type={late ? 'danger' : 'secondary'}>
                      <When host={host} at={task.at} />
                    </Typography.Text>
                  )}
                  {task.since && (
                    <Typography.Text type="secondary">
                      <When host={host} at={task.since} />
                    </Typography.Text>
                  )}
                  {FOLLOWED.includes(group.id) && task.customerId && host.can(EDIT) && (
                    <Button size="small" onClick={() => setFollowing(following === task.id ? null : task.id)}>
                      {texts.follow}
                    </Button>
                  )}
                  {group.id === 'todos' && task.waiting && details && host.canOpen(details) && (
                    <Button size="small" onClick={() => host.navigate(details)}>
                      {texts.decide}
                    </Button>
                  )}
                  {group.id === 'todos' && !task.waiting && (
                    <Button size="small" onClick={() => onDone(task)}>
                      {texts.done}
                    </Button>
                  )}
                </Flex>
              </Flex>
              {following === task.id && (
                <Suspense fallback={null}>
                  <div style={{ marginBlockStart: 12 }}>
                    <FormContainer
                      form="crm/quick-follow-up"
                      container="inline"
                      values={{ customerId: task.customerId }}
                      title={texts.follow}
                      onDone={(answer) => {
                        setFollowing(null)
                        onFollowed(task, idOf(answer))
                      }}
                      onCancel={() => setFollowing(null)}
                    />
                  </div>
                </Suspense>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
