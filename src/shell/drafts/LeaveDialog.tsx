import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'

const TEXTS = {
  zh: {
    title: (forms: number) => `有 ${forms} 张表单没有提交`,
    text: '可以把填写的内容保留在本设备上，您重新登录后打开表单即可继续，其他人看不到。公用设备请选择丢弃。',
    lost: (pages: number) => `另有 ${pages} 个页面的内容无法保留，退出后会丢失。`,
    keep: '保留并退出',
    discard: '丢弃并退出',
    stay: '暂不退出',
  },
  en: {
    title: (forms: number) => (forms === 1 ? 'One form is not submitted' : `${forms} forms are not submitted`),
    text: 'What you typed can stay on this device: sign in again and open the form to go on. Nobody else sees it. Discard it on a device that you share.',
    lost: (pages: number) =>
      pages === 1
        ? 'One more page cannot be kept: its input is lost.'
        : `${pages} more pages cannot be kept: their input is lost.`,
    keep: 'Keep and sign out',
    discard: 'Discard and sign out',
    stay: 'Stay',
  },
}

interface LeaveDialogProps {
  /** Drafts that this device keeps. */
  kept: number
  /** Open pages whose input goes with the session. */
  lost: number
  everywhere: boolean
  onLeave(drafts: 'keep' | 'discard'): Promise<void>
  onStay(): void
}

/** Asks whoever signs out what becomes of forms that were not submitted. */
const LeaveDialog = ({ kept, lost, everywhere, onLeave, onStay }: LeaveDialogProps) => {
  const { t } = useTranslation()
  const texts = TEXTS[usePortal().language.locale]
  const [leaving, setLeaving] = useState<'keep' | 'discard' | null>(null)
  const button = (drafts: 'keep' | 'discard') => (
    <Button
      key={drafts}
      type={drafts === 'keep' ? 'primary' : 'default'}
      danger={drafts === 'discard'}
      loading={leaving === drafts}
      disabled={leaving !== null}
      onClick={() => {
        setLeaving(drafts)
        void onLeave(drafts)
      }}
    >
      {texts[drafts]}
    </Button>
  )
  return (
    <Modal
      open
      title={texts.title(kept)}
      onCancel={onStay}
      footer={[
        <Button key="stay" disabled={leaving !== null} onClick={onStay}>
          {texts.stay}
        </Button>,
        button('discard'),
        button('keep'),
      ]}
    >
      <p>{texts.text}</p>
      {lost > 0 && <p>{texts.lost(lost)}</p>}
      {everywhere && <p>{t('layout.signOutEverywhereText')}</p>}
    </Modal>
  )
}
export default LeaveDialog
