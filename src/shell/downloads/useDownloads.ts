import { App } from 'antd'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { RequestError } from '../../headless/host'
import { filePart } from '../http/filePart'
import { usePortal } from '../portal/portal'
import { ERROR_SECONDS } from '../portal/Reactions'
import { TASKS, type DownloadTask } from './downloadStore'

/** What can be done with a task; failures are said in a message. */
export function useDownloads(): { save: (task: DownloadTask) => Promise<void>; cancel: (task: DownloadTask) => Promise<void> } {
  const portal = usePortal()
  const { message } = App.useApp()
  const { t } = useTranslation()
  const attempt = useCallback(
    async (work: () => Promise<void>, fallback: string) => {
      try {
        await work()
      } catch (error) {
        if (error instanceof RequestError && (error.kind === 'signedOut' || error.kind === 'aborted')) return
        void message.error(error instanceof RequestError && error.message !== '' ? error.message : fallback, ERROR_SECONDS)
      }
    },
    [message],
  )
  const save = useCallback(
    (task: DownloadTask) => {
      const failed = t('error.download')
      const path = `${TASKS}/${encodeURIComponent(task.id)}/file`
      return attempt(async () => {
        const { downloadFile } = await filePart()
        await downloadFile(portal.http, path, task.fileName, failed, (text) => void message.error(text, ERROR_SECONDS))
      }, failed)
    },
    [attempt, message, portal, t],
  )
  const cancel = useCallback(
    (task: DownloadTask) => attempt(() => portal.downloads.cancel(task.id), t('downloads.cancelFailed')),
    [attempt, portal, t],
  )
  return { save, cancel }
}
