import { Suspense, useState } from 'react'
import { isAborted, toFailure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import { lazyPart } from '../part/lazyPart'
import { reportTexts } from '../../headless/report/texts'

const SavedReports = lazyPart(() => import('./SavedReports'), 'over')

interface ReportToolsProps {
  host: Host
  path: string
  /** The filters, as the address says them. */
  search: string
  /** Opens the report with the filters of a saved one. */
  onOpen(search: string): void
}

/** A report as a file, and the filters that somebody keeps. */
export const ReportTools = ({ host, path, search, onOpen }: ReportToolsProps) => {
  const texts = reportTexts[host.locale]
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const exportReport = async (): Promise<void> => {
    setBusy(true)
    try {
      const { taskId } = await host.request<{ taskId: string }>({
        method: 'POST',
        path: '/v2/sys/report/export',
        body: { path, search },
        idempotent: true,
      })
      host.watchDownload(taskId)
      host.notify('success', texts.exporting)
    } catch (error) {
      if (!isAborted(error)) host.notify('error', toFailure(error, host.locale).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <span className="sb-bar sb-bar-end">
      <button type="button" className="sb-tool" disabled={busy} onClick={() => void exportReport()}>
        {texts.export}
      </button>
      <button type="button" className="sb-tool" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {texts.saved}
      </button>
      <Suspense fallback={null}>
        {open && (
          <SavedReports
            host={host}
            path={path}
            search={search}
            onOpen={(saved) => {
              setOpen(false)
              onOpen(saved)
            }}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </span>
  )
}
