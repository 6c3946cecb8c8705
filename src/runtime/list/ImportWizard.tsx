import { Alert, Button, Drawer, Progress } from 'antd'
import { useRef, useState, type DragEvent } from 'react'
import type { ListBodyModel } from '../../schema/model'
import { sendCall } from '../call'
import { CODES, isAborted, toFailure } from '../failure'
import { RequestError } from '../host'
import { useHost } from '../hostContext'
import { useTokenStyle } from '../tokens'
import { ImportErrors, ImportSample, type ImportPreview } from './ImportPreview'
import type { ListTexts } from './texts'

interface CommitAnswer {
  created: number
  refused: readonly { row: number; message: string }[]
}

/** Where the wizard stands; what a later step needs is part of it. */
type Step =
  | { at: 'upload'; fraction: number | null }
  | { at: 'check'; preview: ImportPreview; busy: boolean }
  | { at: 'done'; answer: CommitAnswer }

interface ImportWizardProps {
  body: ListBodyModel
  texts: ListTexts
  onDone(): void
  onClose(): void
}

/** A refused file says everything that is wrong with it at once, e.g. each unknown column. */
const reasonsOf = (error: unknown, message: string): string => {
  const data = error instanceof RequestError && error.code === CODES.importRefused ? error.data : null
  const errors: unknown = data !== null && typeof data === 'object' && 'errors' in data ? data.errors : []
  const messages = Array.isArray(errors) ? errors.map((entry: { message?: unknown }) => String(entry.message ?? '')) : []
  return [...new Set([message, ...messages])].filter((text) => text !== '').join('\n')
}

/** Template, upload, an error per row and cell, then the commit of all or of the right rows. */
const ImportWizard = ({ body, texts: { importing: texts }, onDone, onClose }: ImportWizardProps) => {
  const host = useHost()
  const style = useTokenStyle()
  const input = useRef<HTMLInputElement>(null)
  const flight = useRef<AbortController | null>(null)
  const [step, setStep] = useState<Step>({ at: 'upload', fraction: null })
  const [failure, setFailure] = useState<string | null>(null)
  const [over, setOver] = useState(false)
  const { importPreview, importCommit } = body.calls

  const fail = (error: unknown): void => {
    if (!isAborted(error)) setFailure(reasonsOf(error, toFailure(error, host.locale).message))
  }
  const upload = async (file: File): Promise<void> => {
    if (!importPreview) return
    const own = new AbortController()
    flight.current = own
    setFailure(null)
    setStep({ at: 'upload', fraction: 0 })
    const form = new FormData()
    form.append('file', file)
    try {
      const preview = await host.request<ImportPreview>({
        ...importPreview,
        body: form,
        signal: own.signal,
        timeout: 300_000,
        onProgress: (fraction) => setStep((now) => (now.at === 'upload' ? { at: 'upload', fraction } : now)),
      })
      setStep({ at: 'check', preview, busy: false })
    } catch (error) {
      setStep({ at: 'upload', fraction: null })
      fail(error)
    }
  }
  const commit = async (preview: ImportPreview): Promise<void> => {
    if (!importCommit) return
    setFailure(null)
    setStep({ at: 'check', preview, busy: true })
    try {
      const params = { importId: preview.importId, skipFaulty: preview.valid < preview.total }
      const answer = await sendCall<CommitAnswer>(host, importCommit, params, { idempotent: true, timeout: 300_000 })
      setStep({ at: 'done', answer })
      onDone()
    } catch (error) {
      setStep({ at: 'check', preview, busy: false })
      fail(error)
    }
  }
  const again = (): void => {
    setFailure(null)
    setStep({ at: 'upload', fraction: null })
  }
  const close = (): void => {
    flight.current?.abort()
    onClose()
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) void upload(file)
  }
  const download = (path: string): void => void host.downloadFile(path).catch(fail)

  const footer =
    step.at === 'done' ? (
      <Button type="primary" onClick={close}>
        {texts.close}
      </Button>
    ) : step.at === 'check' ? (
      <div className="sb-bar">
        <Button type="primary" loading={step.busy} disabled={step.preview.valid === 0} onClick={() => void commit(step.preview)}>
          {step.preview.valid === step.preview.total ? texts.commit(step.preview.total) : texts.commitValid(step.preview.valid)}
        </Button>
        <Button onClick={again}>{texts.again}</Button>
        <Button onClick={close}>{texts.cancel}</Button>
      </div>
    ) : (
      <Button onClick={close}>{texts.cancel}</Button>
    )
  const place = { upload: 0, check: 1, done: 2 }[step.at]

  return (
    <Drawer
      open
      width={Math.min(880, window.innerWidth)}
      title={texts.title(body.entityLabel)}
      onClose={close}
      footer={footer}
      maskClosable={step.at !== 'check'}
    >
      <div className="sb-list" style={style}>
        <ol className="sb-steps">
          {texts.steps.map((name, index) => (
            <li key={name} aria-current={index === place ? 'step' : undefined}>
              {name}
            </li>
          ))}
        </ol>
        {failure !== null && (
          <Alert
            type="error"
            showIcon
            message={texts.refused}
            description={<span style={{ whiteSpace: 'pre-line' }}>{failure}</span>}
          />
        )}
        {step.at === 'upload' && (
          <>
            <p className="sb-list-help">{texts.templateHelp}</p>
            <div>
              <Button onClick={() => download(`${body.path}/import/template`)}>{texts.template}</Button>
            </div>
            {step.fraction === null ? (
              <div
                className={over ? 'sb-drop sb-drop-over' : 'sb-drop'}
                onDragOver={(event) => {
                  event.preventDefault()
                  setOver(true)
                }}
                onDragLeave={() => setOver(false)}
                onDrop={onDrop}
              >
                {texts.drop}{' '}
                <Button type="primary" onClick={() => input.current?.click()}>
                  {texts.choose}
                </Button>
                <input
                  ref={input}
                  hidden
                  type="file"
                  accept=".xlsx,.csv"
                  aria-label={texts.choose}
                  onChange={(event) => {
                    const file = event.target.files?.[0]
                    event.target.value = ''
                    if (file) void upload(file)
                  }}
                />
              </div>
            ) : (
              <div role="status">
                {texts.uploading(Math.round(step.fraction * 100))}
                <Progress percent={Math.round(step.fraction * 100)} showInfo={false} />
              </div>
            )}
          </>
        )}
        {step.at === 'check' && (
          <>
            <p role="status">
              {step.preview.valid === step.preview.total
                ? texts.allValid(step.preview.total)
                : texts.summary(step.preview.total, step.preview.valid)}
            </p>
            <ImportErrors
              preview={step.preview}
              texts={texts}
              onDownload={() => download(`${body.path}/import/${encodeURIComponent(step.preview.importId)}/errors`)}
            />
            <ImportSample preview={step.preview} texts={texts} />
          </>
        )}
        {step.at === 'done' && (
          <>
            <Alert type="success" showIcon message={texts.created(step.answer.created)} />
            {step.answer.refused.length > 0 && (
              <>
                <p>{texts.notCreated(step.answer.refused.length)}</p>
                <ul>
                  {step.answer.refused.map(({ row, message }) => (
                    <li key={row}>
                      {texts.row} {row}: {message}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </div>
    </Drawer>
  )
}
export default ImportWizard
