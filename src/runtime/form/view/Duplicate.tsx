import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { toFailure } from '../../../headless/failure'
import { clean } from '../session/body'
import type { DuplicateHit } from '../session/submit'
import { Hits } from './Hits'
import type { OpenForm } from './open'
import { QUESTION_TEXTS } from './questionTexts'
import { useText, useTextsOf } from './session'

interface DuplicateProps {
  form: OpenForm
  decision: 'block' | 'warn'
  hits: readonly DuplicateHit[]
  message: string
  /** Where a blocked record can be appealed, with the note of whoever does. */
  appeal?: string
  onClose(): void
  onSave(reason: string): void
}

/** What of a note a leader can decide on. */
const LEAST_NOTE = 5

/** Records that look the same. Blocked: back to the form, or an appeal. Warned: saving needs a reason, which is kept with the record. */
const Duplicate = ({ form, decision, hits, message, appeal, onClose, onSave }: DuplicateProps) => {
  const t = useTextsOf(QUESTION_TEXTS)
  const general = useText()
  const { host, engine } = form
  const [reason, setReason] = useState('')
  const [sending, setSending] = useState(false)
  const [refused, setRefused] = useState('')
  const send = async (path: string): Promise<void> => {
    setSending(true)
    setRefused('')
    try {
      const body = { values: clean(engine.values()), note: reason.trim() }
      const { leader } = await host.request<{ leader: string }>({ method: 'POST', path, body, idempotent: true })
      host.notify('success', t('duplicateAppealed', { leader }))
      onClose()
    } catch (error) {
      setRefused(toFailure(error, host.locale).message)
    } finally {
      setSending(false)
    }
  }
  const warn = decision === 'warn'
  return (
    <Modal
      open
      title={t(decision === 'warn' ? 'duplicateTitle' : 'duplicateBlocked')}
      onCancel={onClose}
      footer={[
        <Button key="close" onClick={onClose}>
          {general('close')}
        </Button>,
        ...(warn
          ? [
              <Button key="save" type="primary" disabled={reason.trim() === ''} onClick={() => onSave(reason.trim())}>
                {t('duplicateSave')}
              </Button>,
            ]
          : []),
        ...(!warn && appeal
          ? [
              <Button
                key="appeal"
                type="primary"
                loading={sending}
                disabled={reason.trim().length < LEAST_NOTE}
                onClick={() => void send(appeal)}
              >
                {t('duplicateAppeal')}
              </Button>,
            ]
          : []),
      ]}
    >
      <p>{message || t(warn ? 'duplicateWarn' : 'duplicateBlock')}</p>
      <Hits host={host} hits={hits} onFollow={onClose} />
      {refused ? <p role="alert">{refused}</p> : null}
      {warn || appeal ? (
        <label>
          {t(warn ? 'duplicateReason' : 'duplicateAppealNote')}
          <Input.TextArea
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            maxLength={200}
            showCount
            autoSize={{ minRows: 2 }}
            style={{ marginBottom: 24 }}
          />
        </label>
      ) : null}
    </Modal>
  )
}

export default Duplicate
