import { Alert, Radio } from 'antd'
import { useState } from 'react'
import type { ListBodyModel } from '../../schema/model'
import { isAborted, toFailure } from '../../headless/failure'
import { useHost } from '../hostContext'
import { companyToday } from '../../headless/scope'
import { shownTotal } from './counting'
import { DIRECT_ROWS, exportable, exportBody, exportName, MOST_CHOSEN, type ExportFormat } from './exportBody'
import type { ListController } from './controller'
import { shownColumns } from './settings'
import type { ListTexts } from '../../headless/list/texts'
import { Dialog } from '../dialog/Dialog'

interface ExportDialogProps {
  list: ListController
  body: ListBodyModel
  label: string
  texts: ListTexts
  number(value: number): string
  onClose(): void
}

/** Exports all matching rows, or those that are selected: at once up to 5,000, in the background above. */
const ExportDialog = ({ list, body, label, texts, number, onClose }: ExportDialogProps) => {
  const host = useHost()
  const [format, setFormat] = useState<ExportFormat>('xlsx')
  const [columns, setColumns] = useState<'shown' | 'all' | 'lines'>('shown')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const state = list.getState()
  const { total, settings, selection } = state
  const chosen = selection.all || selection.keys.size > MOST_CHOSEN ? [] : [...selection.keys.keys()]
  const [onlyChosen, setOnlyChosen] = useState(chosen.length > 0)
  const shown = shownColumns(body.columns, settings)
  const direct = onlyChosen || total <= DIRECT_ROWS

  const submit = async (): Promise<void> => {
    setBusy(true)
    setFailure(null)
    const request = exportBody(list.queryBody(), columns === 'all' ? body.columns : shown, format, {
      ids: onlyChosen ? chosen : undefined,
      lines: columns === 'lines' ? body.lines : undefined,
    })
    try {
      if (direct) {
        await host.exportFile(body.calls.export.path, request, exportName(label, companyToday(host), format))
        host.notify('success', texts.exporting.done)
      } else {
        const { taskId } = await host.request<{ taskId: string }>({
          method: 'POST',
          path: `${body.path}/exportTask`,
          body: request,
          idempotent: true,
        })
        host.watchDownload(taskId)
        host.notify('success', texts.exporting.started)
      }
      onClose()
    } catch (error) {
      setBusy(false)
      if (!isAborted(error)) setFailure(toFailure(error, host.locale).message)
    }
  }
  return (
    <Dialog
      open
      title={texts.exporting.title}
      okText={busy ? texts.exporting.running : texts.exporting.submit}
      cancelText={texts.exporting.cancel}
      confirmLoading={busy}
      onOk={() => void submit()}
      onCancel={onClose}
    >
      {chosen.length > 0 ? (
        <p>
          <Radio.Group
            aria-label={texts.exporting.which}
            value={onlyChosen}
            options={[
              { value: true, label: texts.exporting.chosenRows(number(chosen.length)) },
              { value: false, label: texts.exporting.allRows(shownTotal(state, number)) },
            ]}
            onChange={(event) => setOnlyChosen(event.target.value as boolean)}
          />
        </p>
      ) : (
        <p>{texts.exporting.rows(shownTotal(state, number))}</p>
      )}
      {!direct && <p>{texts.exporting.background(number(DIRECT_ROWS))}</p>}
      <p>
        <Radio.Group
          aria-label={texts.exporting.format}
          value={format}
          options={[
            { value: 'xlsx', label: 'Excel (xlsx)' },
            { value: 'csv', label: 'CSV' },
          ]}
          onChange={(event) => setFormat(event.target.value as ExportFormat)}
        />
      </p>
      <p>
        <Radio.Group
          aria-label={texts.exporting.columns}
          value={columns}
          options={[
            { value: 'shown', label: texts.exporting.shownColumns(exportable(shown).length) },
            { value: 'all', label: texts.exporting.allColumns(exportable(body.columns).length) },
            ...(body.lines ? [{ value: 'lines', label: texts.exporting.withLines(body.lines.label) }] : []),
          ]}
          onChange={(event) => setColumns(event.target.value as 'shown' | 'all' | 'lines')}
        />
      </p>
      {failure !== null && <Alert type="error" showIcon message={texts.exporting.failed(failure)} />}
    </Dialog>
  )
}
export default ExportDialog
