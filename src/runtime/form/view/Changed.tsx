import { Alert, Modal } from 'antd'
import { useState } from 'react'
import type { FormModel } from '../../../schema/model'
import { toFailure } from '../../../headless/failure'
import { loadCompiled } from '../../page/loadCompiled'
import type { OpenForm } from './open'
import { QUESTION_TEXTS } from './questionTexts'
import { useTextsOf } from './session'

interface ChangedProps {
  form: OpenForm
  changes: readonly string[]
  message: string
  onClose(): void
  onRenew(model: FormModel): void
}

/** The form was released anew while it was filled in: what has changed, and the way to the new one with what was typed. */
const Changed = ({ form, changes, message, onClose, onRenew }: ChangedProps) => {
  const t = useTextsOf(QUESTION_TEXTS)
  const { host, model } = form
  const [busy, setBusy] = useState(false)
  /** The new form has a fault itself: what can be shown is only an earlier one, as here. */
  const [broken, setBroken] = useState(false)
  const show = async (): Promise<void> => {
    setBusy(true)
    setBroken(false)
    try {
      const { page, result } = await loadCompiled(host, model.id)
      if (!result.ok || page.from === 'earlier') {
        setBusy(false)
        return setBroken(true)
      }
      if (result.model.kind !== 'form') throw new TypeError('the page is no form any more')
      // Rolled back meanwhile: what stands here is the newest again.
      if (result.model.revision === model.revision) return onClose()
      onRenew(result.model)
    } catch (error) {
      setBusy(false)
      host.notify('error', toFailure(error, host.locale).message)
    }
  }
  return (
    <Modal
      open
      title={t('changedTitle')}
      okText={t(broken ? 'changedAgain' : 'changedShow')}
      cancelText={t('changedStay')}
      confirmLoading={busy}
      onOk={() => void show()}
      onCancel={onClose}
    >
      <p>{message}</p>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {broken ? <Alert type="warning" showIcon message={t('changedBroken')} /> : null}
    </Modal>
  )
}
export default Changed
