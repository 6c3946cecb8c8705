import type { TFunction } from 'i18next'
import { Alert, Button, Drawer, Empty, Progress, Skeleton, Tag } from 'antd'
import { observer } from 'mobx-react-lite'
import { useTranslation } from 'react-i18next'
import { momentText } from '../../runtime/reading/moment'
import { usePortal } from '../portal/portal'
import './downloads.css'
import { continueAt, isActive, type DownloadTask } from './downloadStore'
import { useDownloads } from './useDownloads'

const COLORS = {
  waiting: 'default',
  running: 'processing',
  checked: 'warning',
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

/** What the number of rows means: written, ready to be saved, saved. */
const rowsText = ({ kind, status, rows }: DownloadTask, t: TFunction): string =>
  t(kind === 'export' ? 'downloads.rows' : status === 'checked' ? 'downloads.validRows' : 'downloads.importedRows', {
    count: rows ?? 0,
  })

/** All tasks of the person with progress, file, reason and what can be done. */
const DownloadDrawer = observer(function DownloadDrawer() {
  const { downloads, layout } = usePortal()
  const { t } = useTranslation()
  const { tasks, failure } = downloads
  return (
    <Drawer
      open
      width={Math.min(440, layout.width)}
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
  const { downloads, navigation } = usePortal()
  const { t } = useTranslation()
  const { save, cancel } = useDownloads()
  const moment = (at: string) => momentText({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }, at)
  const facts = [
    moment(task.createdAt),
    ...(task.rows === null ? [] : [rowsText(task, t)]),
    ...(task.refusedRows ? [t('downloads.refusedRows', { count: task.refusedRows })] : []),
    ...(task.size === null ? [] : [sizeText(task.size)]),
    ...((task.status === 'done' || task.status === 'checked') && task.expiresAt
      ? [t('downloads.expires', { at: moment(task.expiresAt) })]
      : []),
  ]
  const title = task.kind === 'import' ? task.name : task.fileName
  const saveText = task.kind === 'import' ? t('downloads.saveRefused') : t('downloads.save')
  const address = task.status === 'expired' ? null : continueAt(task)
  const openText = t(isActive(task) ? 'downloads.open' : task.status === 'done' ? 'downloads.result' : 'downloads.goOn')
  return (
    <article className="sb-download" aria-label={title}>
      <div className="sb-download-line">
        <span className="sb-download-name">{title}</span>
        <Tag color={COLORS[task.status]}>{t(`downloads.status.${task.status}`)}</Tag>
      </div>
      <p className="sb-download-facts">{facts.join(' · ')}</p>
      {isActive(task) && <Progress percent={Math.floor(task.progress * 100)} size="small" aria-label={title} />}
      {address !== null && (
        <Button
          size="small"
          type={task.status === 'checked' ? 'primary' : 'default'}
          aria-label={`${openText}: ${title}`}
          onClick={() => {
            downloads.setOpen(false)
            navigation.go(address)
          }}
        >
          {openText}
        </Button>
      )}
      {task.status === 'failed' && task.message && (
        <p role="alert" className="sb-download-reason">
          {task.message}
        </p>
      )}
      {task.status === 'expired' && <p className="sb-download-facts">{t(`downloads.expiredHelp.${task.kind}`)}</p>}
      {task.status === 'done' && task.size !== null && (
        <Button size="small" type="primary" aria-label={`${saveText}: ${title}`} onClick={() => void save(task)}>
          {saveText}
        </Button>
      )}
      {isActive(task) && (
        <Button size="small" aria-label={`${t('downloads.cancel')}: ${title}`} onClick={() => void cancel(task)}>
          {t('downloads.cancel')}
        </Button>
      )}
    </article>
  )
}
