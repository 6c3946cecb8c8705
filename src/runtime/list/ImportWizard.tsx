import './import.css'
import { Alert, Button, Drawer, Progress } from 'antd'
import { useRef, useState, type DragEvent } from 'react'
import type { ListBodyModel } from '../../schema/model'
import { useHost } from '../hostContext'
import { useTokenStyle } from '../tokens'
import { useImportFlow } from './importFlow'
import { ImportErrors, ImportSample, ImportWarnings, RowNotes } from './ImportPreview'
import type { ListTexts } from '../../headless/list/texts'

interface ImportWizardProps {
  body: ListBodyModel
  texts: ListTexts
  /** Route of the list. */
  page?: string
  /** A task of the download centre to go on with. */
  task?: string
  onDone(): void
  onClose(): void
}

/** Template, upload, an error per row and cell, then the commit of all or of the right rows; large files in the background. */
const ImportWizard = ({ body, texts: { importing: texts }, page, task, onDone, onClose }: ImportWizardProps) => {
  const host = useHost()
  const style = useTokenStyle()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const { step, failure, fail, upload, commit, stop, again, leave } = useImportFlow({ body, page, task, onSaved: onDone })
  const close = (): void => {
    leave()
    onClose()
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) void upload(file)
  }
  const errorsOf = ({ importId }: { importId: string }): string => `${body.path}/import/${encodeURIComponent(importId)}/errors`
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
    ) : step.at === 'task' ? (
      <div className="sb-bar">
        <Button type="primary" onClick={close}>
          {texts.close}
        </Button>
        <Button onClick={() => void stop()}>{texts.stop}</Button>
      </div>
    ) : (
      <Button onClick={close}>{texts.cancel}</Button>
    )
  const position = step.at === 'task' ? (step.doing === 'check' ? 1 : 2) : { upload: 0, check: 1, done: 2 }[step.at]

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
        <ol className="sb-import-steps">
          {texts.steps.map((name, index) => (
            <li key={name} aria-current={index === position ? 'step' : undefined}>
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
                <span className="sb-for-pointer">{texts.drop} </span>
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
        {step.at === 'task' && (
          <div role="status">
            <p>{step.doing === 'check' ? texts.checking : texts.saving}</p>
            <Progress
              percent={Math.floor(step.progress * 100)}
              aria-label={step.doing === 'check' ? texts.checking : texts.saving}
            />
            <p className="sb-list-help">{texts.inBackground}</p>
          </div>
        )}
        {step.at === 'check' && (
          <>
            {step.created > 0 && <Alert type="info" showIcon message={texts.createdSoFar(step.created)} />}
            <p role="status">
              {step.preview.valid === step.preview.total
                ? texts.allValid(step.preview.total)
                : texts.summary(step.preview.total, step.preview.valid)}
            </p>
            <ImportErrors preview={step.preview} texts={texts} onDownload={() => download(errorsOf(step.preview))} />
            <ImportWarnings notes={step.preview.warnings} texts={texts} />
            <ImportSample preview={step.preview} texts={texts} />
          </>
        )}
        {step.at === 'done' && (
          <>
            <Alert type="success" showIcon message={texts.created(step.answer.created)} />
            <ImportWarnings notes={step.answer.warned} total={step.answer.warnedTotal} texts={texts} />
            {step.notSaved > 0 && (
              <div>
                <Button onClick={() => download(errorsOf(step.preview))}>{texts.notSavedFile(step.notSaved)}</Button>
              </div>
            )}
            {step.answer.refusedTotal > 0 && (
              <>
                <p>{texts.notCreated(step.answer.refusedTotal)}</p>
                <RowNotes notes={step.answer.refused} texts={texts} />
                {step.answer.refusedTotal > step.answer.refused.length && (
                  <p>{texts.moreErrors(step.answer.refusedTotal - step.answer.refused.length)}</p>
                )}
              </>
            )}
          </>
        )}
      </div>
    </Drawer>
  )
}
export default ImportWizard
