import { Alert, Button, Table, Tag, Upload } from 'antd'
import { useState } from 'react'
import { isAborted, toFailure } from '../../../../headless/failure'
import { useHost } from '../../../../runtime/hostContext'
import { tellFailure } from '../../../../runtime/reading/tell'
import { useCatalogue } from '../panel/catalogue'
import { processTexts } from '../texts'
import { valueName } from '../words'
import { Dialog } from '../../../../runtime/dialog/Dialog'

/** What a file of fields holds: answer of POST /v2/workflow/form/field/import/view. */
interface Preview {
  /** `exists`: it replaces a field of the form. */
  rows: readonly { key: string; zh: string; en: string; type: string; required?: boolean; exists: boolean }[]
  errors: readonly { row: number; cell: string; text: string }[]
}

interface Props {
  formId: string
  onClose(): void
  /** The fields stand in the form now. */
  onDone(): void
}

const FIELD = '/v2/workflow/form/field'

/** Fields from an Excel file: template, preview with the error of each cell, then everything at once or nothing. */
export const ImportFields = ({ formId, onClose, onDone }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async <T,>(path: string, chosen: File, idempotent: boolean): Promise<T> => {
    const body = new FormData()
    body.append('formId', formId)
    body.append('file', chosen)
    return host.request<T>({ method: 'POST', path, body, ...(idempotent ? { idempotent: true } : {}) })
  }
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      if (!isAborted(error)) setFailure(toFailure(error, locale).message)
    } finally {
      setBusy(false)
    }
  }
  const look = (chosen: File): Promise<void> =>
    attempt(async () => {
      setFile(chosen)
      setPreview(null)
      setPreview(await send<Preview>(`${FIELD}/import/view`, chosen, false))
    })
  const write = (): Promise<void> =>
    attempt(async () => {
      if (!file) return
      await send(`${FIELD}/import/${encodeURIComponent(formId)}`, file, true)
      host.notify('success', texts.importDone)
      onDone()
    })
  const download = async (): Promise<void> => {
    try {
      const { url } = await host.request<{ url: string }>({ method: 'GET', path: `${FIELD}/import/templateUrl` })
      await host.downloadFile(url)
    } catch (error) {
      tellFailure(host, error, 'form designer')
    }
  }
  const wrong = (preview?.errors.length ?? 0) > 0
  return (
    <Dialog
      open
      width={720}
      title={texts.importExcel}
      okText={preview && !wrong ? texts.importCommit(preview.rows.length) : texts.importExcel}
      okButtonProps={{ disabled: !preview || wrong || preview.rows.length === 0, loading: busy && preview !== null }}
      onOk={() => void write()}
      onCancel={onClose}
    >
      <div className="sb-fields-import">
        <span>{texts.importHelp}</span>
        <div className="sb-design-row-actions">
          <Button onClick={() => void download()}>{texts.template}</Button>
          <Upload
            accept=".xlsx"
            showUploadList={false}
            beforeUpload={(chosen) => {
              void look(chosen)
              return false
            }}
          >
            <Button type="primary" loading={busy && preview === null}>
              {texts.importFile}
            </Button>
          </Upload>
        </div>
        {failure && <Alert type="error" showIcon message={failure} />}
        {preview && wrong && (
          <>
            <Alert type="error" showIcon message={texts.importErrors(preview.errors.length)} />
            <Table
              size="small"
              rowKey={({ cell, text }) => `${cell} ${text}`}
              dataSource={[...preview.errors]}
              pagination={{ pageSize: 8, hideOnSinglePage: true }}
              columns={[
                { title: texts.importRow, dataIndex: 'row', width: 72 },
                { title: texts.importCell, dataIndex: 'cell', width: 96 },
                { title: texts.importError, dataIndex: 'text' },
              ]}
            />
          </>
        )}
        {preview && !wrong && (
          <Table
            size="small"
            rowKey="key"
            dataSource={[...preview.rows]}
            pagination={{ pageSize: 8, hideOnSinglePage: true }}
            scroll={{ x: 'max-content' }}
            columns={[
              {
                title: texts.fieldKey,
                dataIndex: 'key',
                render: (key: string, { exists }) => (
                  <>
                    <code>{key}</code> {exists && <Tag color="orange">{texts.importReplaces}</Tag>}
                  </>
                ),
              },
              { title: texts.nameZh, dataIndex: 'zh' },
              { title: texts.nameEn, dataIndex: 'en' },
              {
                title: texts.fieldKind,
                dataIndex: 'type',
                render: (type: string) => valueName(catalogue, 'fieldType', type, locale),
              },
              { title: texts.required, dataIndex: 'required', render: (needed?: boolean) => (needed ? texts.yes : texts.no) },
            ]}
          />
        )}
      </div>
    </Dialog>
  )
}
