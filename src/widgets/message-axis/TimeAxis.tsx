import './timeAxis.css'
import { Button, Empty, Segmented, Tag, Timeline, Typography } from 'antd'
import { useState } from 'react'
import { useHost } from '../../runtime/hostContext'
import { PageTitle } from '../../runtime/part/PageTitle'
import { Loaded } from '../../runtime/reading/Loaded'
import { momentText } from '../../runtime/reading/moment'
import { tellFailure } from '../../runtime/reading/tell'
import { useCall } from '../../runtime/reading/useCall'
import type { WidgetProps } from '../../runtime/widget'
import { axisTexts } from './texts'

interface Notice {
  id: string
  version: string
  kind: string
  kindLabel: string
  title: string
  content: string
  publishedAt: string
  read: boolean
}
interface NoticePage {
  records: readonly Notice[]
  total: number
  next: string | null
}

const COLORS: Readonly<Record<string, string>> = { release: 'blue', iteration: 'cyan', fix: 'green', maintenance: 'orange' }

/** What was published, the newest first. */
const TimeAxis = ({ values }: WidgetProps<Record<string, never>>) => {
  const { locale } = useHost()
  const texts = axisTexts[locale]
  const [kind, setKind] = useState('')
  const [cursors, setCursors] = useState<readonly string[]>([''])
  const options = [{ value: '', label: texts.all }, ...Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))]
  const choose = (value: string): void => {
    setKind(value)
    setCursors([''])
  }
  return (
    <section className="sb-axis">
      <PageTitle title={values.title} />
      <Segmented aria-label={texts.which} value={kind} options={options} onChange={choose} />
      {cursors.map((cursor, index) => (
        <AxisPage
          key={`${kind} ${cursor}`}
          cursor={cursor}
          kind={kind}
          onMore={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : undefined}
        />
      ))}
    </section>
  )
}
export default TimeAxis

interface AxisPageProps {
  cursor: string
  kind: string
  onMore: ((next: string) => void) | undefined
}

/** Some notices, and those before them on demand. */
function AxisPage({ cursor, kind, onMore }: AxisPageProps) {
  const { locale } = useHost()
  const texts = axisTexts[locale]
  const body = { ...(cursor === '' ? {} : { cursor }), ...(kind === '' ? {} : { kind }) }
  const call = useCall<NoticePage>({ method: 'POST', path: '/v2/sys/staff/version/versionTimeAxisPage', body })
  return (
    <Loaded call={call}>
      {({ records, next }) => (
        <>
          {records.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={texts.empty} />}
          <Timeline
            items={records.map((notice) => ({
              key: notice.id,
              color: COLORS[notice.kind] ?? 'gray',
              children: <Entry notice={notice} onRead={call.reload} />,
            }))}
          />
          {next !== null && onMore !== undefined && <Button onClick={() => onMore(next)}>{texts.more}</Button>}
        </>
      )}
    </Loaded>
  )
}

function Entry({ notice, onRead }: { notice: Notice; onRead: () => void }) {
  const host = useHost()
  const texts = axisTexts[host.locale]
  const { id, version, kind, kindLabel, title, content, publishedAt, read } = notice
  const mark = (): void => {
    host.request({ method: 'POST', path: '/v2/sys/staff/version/markRead', body: { id } }).then(onRead, (error: unknown) => {
      tellFailure(host, error, 'message.timeAxis')
    })
  }
  return (
    <article>
      <Typography.Text type="secondary">{momentText(host, publishedAt)}</Typography.Text>
      <Typography.Title level={5} className="sb-axis-title">
        <Tag color={COLORS[kind]}>{kindLabel}</Tag>
        {`${version} ${title}`}
      </Typography.Title>
      <Typography.Paragraph className="sb-axis-text">{content}</Typography.Paragraph>
      {read ? (
        <Typography.Text type="secondary">{texts.isRead}</Typography.Text>
      ) : (
        <Button size="small" onClick={mark}>
          {texts.seen}
        </Button>
      )}
    </article>
  )
}
