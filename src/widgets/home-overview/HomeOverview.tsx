import { Alert, Button, Card, Flex, Skeleton, Typography } from 'antd'
import { Suspense, useState } from 'react'
import { wallClock } from '../../schema/formats'
import { useHost } from '../../runtime/hostContext'
import { homeTexts } from './texts'
import { Summary } from './Summary'
import { useHome } from './useHome'
import { lazyPart } from '../../runtime/part/lazyPart'

const QuickEntryDialog = lazyPart(() => import('./QuickEntryDialog'), 'over')
const HomeCards = lazyPart(() => import('./cards/HomeCards'))

/** Greeting, the cards of the person's roles, counts of the day and quick entries. */
const HomeOverview = () => {
  const host = useHost()
  const texts = homeTexts[host.locale]
  const { statistics, entries, links, prompt, choices, save } = useHome()
  const [editing, setEditing] = useState(false)
  const [tools, setTools] = useState<HTMLElement | null>(null)
  const now = host.now()
  const date = new Intl.DateTimeFormat(host.locale === 'zh' ? 'zh-CN' : 'en-GB', {
    dateStyle: 'full',
    timeZone: host.companyTimeZone ?? host.timeZone,
  }).format(now)

  return (
    <Flex vertical gap={16} style={{ maxWidth: 1200, marginInline: 'auto' }}>
      <Flex justify="space-between" align="end" gap={8} wrap>
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
        <div ref={setTools} />
      </Flex>
      {prompt.passwordOld && <Alert type="warning" showIcon message={texts.passwordOld(prompt.passwordAgeDays ?? 0)} />}
      <Suspense fallback={<Skeleton active title={false} />}>
        <HomeCards tools={tools} />
      </Suspense>
      <Summary statistics={statistics} entries={entries} onEdit={() => setEditing(true)} />
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
