import { App, Button, Progress } from 'antd'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { RequestError } from '../../runtime/host'
import { downloadFile } from '../http/files'
import { usePortal } from '../portal/portal'
import { ERROR_SECONDS } from '../portal/Reactions'

const TASK = '/v2/download/downloadCenter/api/task'
const INTERVAL = 1_500
const FAILURES_ALLOWED = 5

/** A task of the download centre, as far as the notice needs it. */
interface DownloadTask {
  status: string
  /** 0..1 or 0..100; absent before it starts. */
  progress?: number | null
  fileName?: string | null
  name?: string | null
  message?: string | null
}

type Phase = 'waiting' | 'running' | 'done' | 'failed'

/** What a status word of the task means. */
export function phaseOf(status: string): Phase {
  if (/^(done|finished|success|succeeded|ready)$/i.test(status)) return 'done'
  if (/^(failed|error|cancelled|canceled|expired)$/i.test(status)) return 'failed'
  return /^(running|processing)$/i.test(status) ? 'running' : 'waiting'
}

export const percentOf = (progress: number | null | undefined): number =>
  Math.max(0, Math.min(100, Math.round((progress ?? 0) <= 1 ? (progress ?? 0) * 100 : (progress ?? 0))))

/** Shows the progress of a background task and offers its file when it is there. */
export function useDownloadWatch(): (taskId: string) => void {
  const { notification, message } = App.useApp()
  const portal = usePortal()
  const { t } = useTranslation()

  return useCallback(
    (taskId) => {
      const key = `download-${taskId}`
      const show = (title: string, description: React.ReactNode, type: 'info' | 'success' | 'error' = 'info') =>
        notification.open({
          key,
          type,
          message: title,
          description,
          duration: type === 'info' ? 0 : 10,
          placement: 'bottomRight',
        })
      const save = (name: string | undefined) => {
        notification.destroy(key)
        downloadFile(
          portal.http,
          `${TASK}/${encodeURIComponent(taskId)}/file`,
          name,
          t('error.download'),
          (text) => void message.error(text, ERROR_SECONDS),
        ).catch(
          (error: unknown) =>
            void message.error(
              error instanceof RequestError && error.message ? error.message : t('error.download'),
              ERROR_SECONDS,
            ),
        )
      }
      const draw = (task: DownloadTask) => {
        const name = task.fileName ?? task.name ?? undefined
        const phase = phaseOf(task.status)
        if (phase === 'done') {
          const button = (
            <Button type="primary" size="small" onClick={() => save(name)}>
              {t('download.save')}
            </Button>
          )
          show(
            t('download.done'),
            <>
              {name && <p>{name}</p>}
              {button}
            </>,
            'success',
          )
        } else if (phase === 'failed') show(t('download.failed'), task.message ?? name, 'error')
        else
          show(
            t(phase === 'running' ? 'download.running' : 'download.queued'),
            <Progress percent={percentOf(task.progress)} size="small" />,
          )
        return phase
      }
      void (async () => {
        show(t('download.queued'), <Progress percent={0} size="small" />)
        for (let failures = 0; failures < FAILURES_ALLOWED;) {
          await new Promise((resolve) => setTimeout(resolve, INTERVAL))
          try {
            const phase = draw(
              await portal.http.request<DownloadTask>({ method: 'GET', path: `${TASK}/${encodeURIComponent(taskId)}` }),
            )
            if (phase === 'done' || phase === 'failed') return
            failures = 0
          } catch (error) {
            if (error instanceof RequestError && error.kind === 'signedOut') return notification.destroy(key)
            failures += 1
          }
        }
        show(t('download.lost'), null, 'error')
      })()
    },
    [notification, message, portal, t],
  )
}
