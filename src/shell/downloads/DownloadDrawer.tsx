import { Alert, Button, Drawer, Empty, Progress, Skeleton, Tag } from 'antd'
import { observer } from 'mobx-react-lite'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import './downloads.css'
import { isActive, type DownloadTask } from './downloadStore'
import { useDownloads } from './useDownloads'

const COLORS = {
  waiting: 'default',
  running: 'processing',
  done: 'success',
  failed: 'error',
  cancelled: 'default',
  expired: 'warning',
} as const
const UNITS = ['B', 'kB', 'MB', 'GB'] as const

/** A size that people can read. */
export function sizeText(bytes: number): string {
  const step = Math.min(bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0, UNITS.length - 1)
  const amount = bytes / 1000 ** step
  return `${amount >= 100 || step === 0 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[step]}`
}

/** All tasks of the person with progress, file, reason and what can be done. */
const DownloadDrawer = observer(function DownloadDrawer() {
  const { downloads } = usePortal()
  const { t } = useTranslation()
  const { tasks, failure } = downloads
  return (
    <Drawer
      open
      width={Math.min(440, window.innerWidth)}
      title={t('downloads.title')}
      onClose={() => downloads.setOpen(false)}
      extra={
        <Button loading={downloads.loading} onClick={() => void downloads.refresh()}>
          {t('downloads.refresh')}
        </Button>
      }
    >
      {failure !== null && (
        <Alert
          type="error"
          showIcon
          message={t('downloads.listFailed')}
          description={failure}
          action={<Button onClick={() => void downloads.refresh()}>{t('retry')}</Button>}
        />
      )}
      {tasks === null && failure === null && <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />}
      {tasks?.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('downloads.empty')} />}
      {tasks !== null && tasks.length > 0 && (
        <ul className="sb-downloads">
          {tasks.map((task) => (
            <li key={task.id}>
              <Task task={task} />
            </li>
          ))}
        </ul>
      )}
      {tasks !== null && downloads.total > tasks.length && <p>{t('downloads.older', { count: tasks.length })}</p>}
    </Drawer>
  )
})
export default DownloadDrawer

function Task({ task }: { task: DownloadTask }) {
  const { language } = usePortal()
  const { t } = useTranslation()
  const { save, cancel } = useDownloads()
  const moment = (at: string) =>
    new Date(at).toLocaleString(language.locale === 'zh' ? 'zh-CN' : 'en-GB', { dateStyle: 'short', timeStyle: 'short' })
  const facts = [
    moment(task.createdAt),
    ...(task.rows === null ? [] : [t('downloads.rows', { count: task.rows })]),
    ...(task.size === null ? [] : [sizeText(task.size)]),
    ...(task.status === 'done' && task.expiresAt ? [t('downloads.expires', { at: moment(task.expiresAt) })] : []),
  ]
  return (
    <article className="sb-download" aria-label={task.fileName}>
      <div className="sb-download-line">
        <span className="sb-download-name">{task.fileName}</span>
        <Tag color={COLORS[task.status]}>{t(`downloads.status.${task.status}`)}</Tag>
      </div>
      <p className="sb-download-facts">{facts.join(' · ')}</p>
      {isActive(task) && <Progress percent={Math.floor(task.progress * 100)} size="small" aria-label={task.fileName} />}
      {task.status === 'failed' && task.message && <p role="alert">{task.message}</p>}
      {task.status === 'expired' && <p className="sb-download-facts">{t('downloads.expiredHelp')}</p>}
      {task.status === 'done' && (
        <Button
          size="small"
          type="primary"
          aria-label={`${t('downloads.save')}: ${task.fileName}`}
          onClick={() => void save(task)}
        >
          {t('downloads.save')}
        </Button>
      )}
      {isActive(task) && (
        <Button size="small" aria-label={`${t('downloads.cancel')}: ${task.fileName}`} onClick={() => void cancel(task)}>
          {t('downloads.cancel')}
        </Button>
      )}
    </article>
  )
}
