import { Alert, Input, Radio } from 'antd'
import { Suspense, useRef, useState } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { toFailure } from '../../../headless/failure'
import { upload } from '../../../runtime/form/controls/upload'
import { createSubmitter, type Outcome } from '../../../runtime/form/session/submit'
import { useHost } from '../../../runtime/hostContext'
import { lazyPart } from '../../../runtime/part/lazyPart'
import type { FileValue } from '../../../schema/formats'
import { Files } from '../parts/Files'
import { Staff } from '../parts/Staff'
import type { InstanceDetail, Values } from '../parts/types'
import type { Ask } from './asks'
import type { SignatureHandle } from './Signature'
import { taskTexts } from './texts'
import { Dialog } from '../../../runtime/dialog/Dialog'

const Signature = lazyPart(() => import('./Signature'))

interface AskDialogProps {
  ask: Ask
  detail: InstanceDetail
  /** The task that the address names. */
  asked: string | null
  /** Fields that were changed, for what takes them along. */
  formData: Values
  onClose(): void
  onDone(): void
  /** What cannot be said here: at fields, or because somebody else was quicker. */
  onOutcome(outcome: Outcome): void
}

/** Comment, people, step, files and signature: what a decision needs, and no more. */
const AskDialog = ({ ask, detail, asked, formData, onClose, onDone, onOutcome }: AskDialogProps) => {
  const host = useHost()
  const { locale } = host
  const texts = taskTexts[locale]
  const [comment, setComment] = useState('')
  const [people, setPeople] = useState<readonly string[]>([])
  const [target, setTarget] = useState<string | null>(ask.targets?.length === 1 ? (ask.targets[0]?.nodeId ?? null) : null)
  const [picked, setPicked] = useState<Readonly<Record<string, readonly string[]>>>({})
  const [files, setFiles] = useState<readonly FileValue[]>([])
  const [mode, setMode] = useState<'give' | 'ask'>('give')
  const [busy, setBusy] = useState(false)
  const [running, setRunning] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  const [submitter] = useState(() => createSubmitter(host, true, texts.failed))
  const pad = useRef<SignatureHandle | null>(null)
  const lock = useRef(false)

  const lacking = (): string | null => {
    if (ask.comment === 'required' && comment.trim() === '') return texts.need[ask.says === 'reason' ? 'reason' : 'comment']
    if (ask.people && ask.people !== 'mention' && people.length === 0) return texts.need.people
    if (ask.targets && target === null) return texts.need.target
    if (ask.files === 'required' && files.length === 0) return texts.need.files
    if (ask.picks.some(({ nodeId, required }) => required !== false && (picked[nodeId] ?? []).length === 0))
      return texts.need.picks
    return null
  }

  const bodyWith = (signature: FileValue | null): Readonly<Record<string, unknown>> => {
    const { instance, myTask } = detail
    const taskId = myTask?.taskId ?? (ask.call === 'takeBack' ? asked : null)
    return {
      instanceId: instance.id,
      ...(taskId === null || ask.call === 'admin' ? {} : { taskId }),
      rowVersion: instance.rowVersion,
      action: ask.action,
      comment: comment.trim(),
      ...(ask.call === 'admin' ? { op: ask.action } : {}),
      ...(files.length > 0 ? { files } : {}),
      ...(ask.form ? { formData } : {}),
      ...(ask.people === 'mention' ? { atStaffIds: people } : ask.people ? { toStaffIds: people } : {}),
      ...(target === null ? {} : { targetNodeId: target }),
      ...(ask.picks.length > 0 ? { pickedAssignees: picked } : {}),
      ...(ask.mode && mode === 'ask' ? { opinion: true } : {}),
      ...(signature ? { signature } : {}),
    }
  }

  const send = async (): Promise<void> => {
    if (lock.current || busy) return
    lock.current = true
    setWrong(null)
    try {
      const lacks = lacking()
      if (lacks) return setWrong(lacks)
      const drawn = ask.sign ? await pad.current?.picture() : null
      if (ask.sign && !drawn) return setWrong(texts.need.sign)
      setRunning(true)
      const signed = drawn ? await upload(host, drawn, () => undefined).promise : null
      const outcome = await submitter.send({
        method: 'POST',
        path: `/v2/workflow/operate/${ask.call}`,
        body: bodyWith(signed as FileValue | null),
      })
      if (outcome.type === 'saved') return onDone()
      const picks = outcome.type === 'fields' && outcome.errors.find(({ field }) => field?.startsWith('pickedAssignees'))
      if (picks) return setWrong(picks.message)
      const { rights } = detail.form
      const elsewhere = (field?: string): boolean => !field || !['E', 'M', undefined].includes(rights[field.split('.', 1)[0]!])
      if (outcome.type === 'refused' || outcome.type === 'unknown') return setWrong(outcome.message)
      // what is wrong with no field, or with one that is not his to fill, is said where he decides
      if (outcome.type === 'fields' && outcome.errors.every(({ field }) => elsewhere(field))) return setWrong(outcome.message)
      onOutcome(outcome)
    } catch (error) {
      setWrong(toFailure(error, locale).message)
    } finally {
      lock.current = false
      setRunning(false)
    }
  }

  const title = texts.actions[ask.action] ?? ask.action
  const explain = texts.explain[ask.mode && mode === 'ask' ? 'ask' : ask.action]
  return (
    <Dialog
      open
      title={title}
      okText={title}
      cancelText={texts.cancel}
      okButtonProps={{ danger: ask.danger, disabled: busy }}
      confirmLoading={running}
      maskClosable={comment === ''}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <>
        {explain && (
          <p className="sb-process-note" style={{ marginBottom: 12 }}>
            {explain}
          </p>
        )}
        {wrong !== null && <Alert type="error" showIcon role="alert" message={wrong} style={{ marginBottom: 12 }} />}
        {ask.mode && (
          <div className="sb-process-field">
            <Radio.Group
              aria-label={texts.mode}
              value={mode}
              onChange={(event) => setMode(event.target.value as typeof mode)}
              options={[
                { value: 'give', label: texts.give },
                { value: 'ask', label: texts.ask },
              ]}
            />
          </div>
        )}
        {ask.targets && (
          <label className="sb-process-field">
            <span>{ask.call === 'admin' ? texts.jumpTo : texts.target}</span>
            <SearchSelect<string | null>
              aria-label={ask.call === 'admin' ? texts.jumpTo : texts.target}
              style={{ width: '100%' }}
              value={target}
              options={ask.targets.map(({ nodeId, name }) => ({ value: nodeId, label: name[locale] }))}
              onChange={setTarget}
            />
          </label>
        )}
        {ask.people && ask.people !== 'mention' && (
          <label className="sb-process-field">
            <span>{texts.people}</span>
            <Staff
              label={texts.people}
              multiple={ask.people === 'many' || (ask.mode === true && mode === 'ask')}
              value={people}
              onChange={setPeople}
            />
          </label>
        )}
        {ask.picks.map(({ nodeId, name, among }) => (
          <label key={nodeId} className="sb-process-field">
            <span>{texts.pick(name[locale])}</span>
            <Staff
              label={texts.pick(name[locale])}
              among={among}
              multiple
              value={picked[nodeId] ?? []}
              onChange={(ids) => setPicked({ ...picked, [nodeId]: ids })}
            />
          </label>
        ))}
        {ask.comment !== 'none' && (
          <label className="sb-process-field">
            <span>
              {texts[ask.says]}
              {ask.comment === 'required' && <span className="sb-form-required" aria-hidden="true" />}
            </span>
            <Input.TextArea
              value={comment}
              maxLength={2000}
              autoSize={{ minRows: 3, maxRows: 8 }}
              aria-required={ask.comment === 'required'}
              onChange={(event) => setComment(event.target.value)}
            />
          </label>
        )}
        {ask.people === 'mention' && (
          <label className="sb-process-field">
            <span>{texts.mention}</span>
            <Staff label={texts.mention} multiple value={people} onChange={setPeople} />
          </label>
        )}
        {ask.sign && (
          <div className="sb-process-field">
            <span>{texts.sign}</span>
            <Suspense fallback={null}>
              <Signature handle={pad} />
            </Suspense>
          </div>
        )}
        {ask.files !== 'none' && (
          <div className="sb-process-field">
            <span>{texts.files}</span>
            <Files value={files} onChange={setFiles} onBusy={setBusy} />
          </div>
        )}
      </>
    </Dialog>
  )
}
export default AskDialog
