import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import type { DuplicateHit } from '../session/submit'
import type { OpenForm } from './open'
import { useText } from './session'

interface DuplicateProps {
  form: OpenForm
  decision: 'block' | 'warn'
  hits: readonly DuplicateHit[]
  message: string
  onClose(): void
  onSave(reason: string): void
}

/** Records that look the same. Blocked: back to the form. Warned: saving needs a reason, which is kept with the record. */
const Duplicate = ({ decision, hits, message, onClose, onSave }: DuplicateProps) => {
  const t = useText()
  const [reason, setReason] = useState('')
  const warn = decision === 'warn'
  return (
    <Modal
      open
      title={t('duplicateTitle')}
      onCancel={onClose}
      footer={[
        <Button key="close" onClick={onClose}>
          {t('close')}
        </Button>,
        ...(warn
          ? [
              <Button key="save" type="primary" disabled={reason.trim() === ''} onClick={() => onSave(reason.trim())}>
                {t('duplicateSave')}
              </Button>,
            ]
          : []),
      ]}
    >
      <p>{t(warn ? 'duplicateWarn' : 'duplicateBlock')}</p>
      {hits.length === 0 ? <p>{message}</p> : null}
      <ul>
        {hits.map(({ id, title, reason: why }) => (
          <li key={id ?? title}>
            {title}
            {why ? <span className="sb-form-help"> · {why}</span> : null}
          </li>
        ))}
      </ul>
      {warn ? (
        <label>
          {t('duplicateReason')}
          <Input.TextArea
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            maxLength={200}
            showCount
            autoSize={{ minRows: 2 }}
          />
        </label>
      ) : null}
    </Modal>
  )
}

export default Duplicate
