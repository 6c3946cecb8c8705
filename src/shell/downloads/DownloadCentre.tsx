import { DownloadOutlined } from '@ant-design/icons'
import { App, Badge, Button, Tooltip } from 'antd'
import { observer } from 'mobx-react-lite'
import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import { useDownloads } from './useDownloads'

const DownloadDrawer = lazy(() => import('./DownloadDrawer'))
const NOTICE_SECONDS = 10

/** The download centre in the header: number of unfinished tasks, drawer, and a notice when one started here is over. */
export const DownloadCentre = observer(function DownloadCentre() {
  const { downloads } = usePortal()
  const { t } = useTranslation()
  useNotices()
  useEffect(() => {
    void downloads.refresh()
    return downloads.stop
  }, [downloads])
  const label = downloads.active === 0 ? t('downloads.title') : t('downloads.running', { count: downloads.active })
  return (
    <>
      <Tooltip title={label}>
        <Button
          type="text"
          aria-label={label}
          icon={
            <Badge count={downloads.active} size="small">
              <DownloadOutlined />
            </Badge>
          }
          onClick={() => downloads.setOpen(true)}
        />
      </Tooltip>
      {downloads.open && (
        <Suspense fallback={null}>
          <DownloadDrawer />
        </Suspense>
      )}
    </>
  )
})

/** Tells once of each task that was started here and is over. */
function useNotices(): void {
  const { downloads } = usePortal()
  const { notification } = App.useApp()
  const { t } = useTranslation()
  const { save } = useDownloads()
  const { ended } = downloads
  useEffect(() => {
    for (const task of ended) {
      downloads.told(task.id)
      const key = `download-${task.id}`
      const done = task.status === 'done'
      notification.open({
        key,
        type: done ? 'success' : 'error',
        message: done ? t('downloads.done') : t('downloads.failed'),
        description: done ? task.fileName : (task.message ?? task.fileName),
        placement: 'bottomRight',
        duration: NOTICE_SECONDS,
        actions: done && (
          <Button
            type="primary"
            size="small"
            onClick={() => {
              notification.destroy(key)
              void save(task)
            }}
          >
            {t('downloads.save')}
          </Button>
        ),
      })
    }
  }, [downloads, ended, notification, save, t])
}
