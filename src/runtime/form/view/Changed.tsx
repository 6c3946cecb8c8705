import { Modal } from 'antd'
import { useState } from 'react'
import type { FormModel } from '../../../schema/model'
import { toFailure } from '../../failure'
import { loadCompiled } from '../../page/loadCompiled'
import type { OpenForm } from './open'
import { useText } from './session'

interface ChangedProps {
  form: OpenForm
  changes: readonly string[]
  message: string
  onClose(): void
  onRenew(model: FormModel): void
}

/** The form was released anew while it was filled in: what has changed, and the way to the new one with what was typed. */
const Changed = ({ form, changes, message, onClose, onRenew }: ChangedProps) => {
  const t = useText()
  const { host, model } = form
  const [busy, setBusy] = useState(false)
  const show = async (): Promise<void> => {
    setBusy(true)
    try {
      const { result } = await loadCompiled(host, model.id)
      if (!result.ok || result.model.kind !== 'form') throw new TypeError('the page is no form any more')
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
      okText={t('changedShow')}
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
    </Modal>
  )
}
export default Changed
