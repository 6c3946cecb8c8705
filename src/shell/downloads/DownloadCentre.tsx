import { DownloadOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { observer } from 'mobx-react-lite'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { HeaderCount } from '../layout/HeaderCount'
import { usePortal } from '../portal/portal'
import { continueAt, type DownloadTask } from './downloadStore'
import { useDownloads } from './useDownloads'
import { lazyPart } from '../../runtime/part/lazyPart'

const DownloadDrawer = lazyPart(() => import('./DownloadDrawer'), 'over')
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
    <HeaderCount
      label={label}
      count={downloads.active}
      icon={<DownloadOutlined />}
      open={downloads.open}
      onOpen={() => downloads.setOpen(true)}
    >
      <DownloadDrawer />
    </HeaderCount>
  )
})

/** Tells once of each task that was started here and is over. */
function useNotices(): void {
  const { downloads, navigation } = usePortal()
  const { notification } = App.useApp()
  const { t } = useTranslation()
  const { save } = useDownloads()
  const { ended } = downloads
  useEffect(() => {
    for (const task of ended) {
      downloads.told(task.id)
      const key = `download-${task.id}`
      const address = continueAt(task)
      // Its own dialog, when it stands open, has said it already.
      if (address !== null && `${location.pathname}${location.search}` === address) continue
      const bad = task.status !== 'done' && task.status !== 'checked'
      const goOn = (): void => (address === null ? void save(task) : navigation.go(address))
      notification.open({
        key,
        type: bad ? 'error' : task.status === 'checked' ? 'info' : 'success',
        message: t(`downloads.ended.${task.kind}.${bad ? 'failed' : task.status === 'checked' ? 'checked' : 'done'}`),
        description: describe(task),
        placement: 'bottomRight',
        duration: NOTICE_SECONDS,
        actions: !bad && (task.kind === 'export' || address !== null) && (
          <Button
            type="primary"
            size="small"
            onClick={() => {
              notification.destroy(key)
              goOn()
            }}
          >
            {t(task.kind === 'export' ? 'downloads.save' : task.status === 'checked' ? 'downloads.goOn' : 'downloads.result')}
          </Button>
        ),
      })
    }
  }, [downloads, ended, navigation, notification, save, t])
}

function describe({ kind, status, name, fileName, message }: DownloadTask): string {
  if (status === 'done' || status === 'checked') return kind === 'import' ? name : fileName
  return message ?? name
}
