import { Button, Modal, Typography } from 'antd'
import type { VersionDetail } from './versionCalls'

const TEXTS = {
  zh: { read: '知道了', all: '查看全部公告' },
  en: { read: 'Got it', all: 'All notices' },
} as const

interface VersionDialogProps {
  detail: VersionDetail
  locale: 'zh' | 'en'
  width: number
  onClose(): void
  onShowAll(): void
}

/** What is new, until the person says that he has read it. */
const VersionDialog = ({ detail, locale, width, onClose, onShowAll }: VersionDialogProps) => {
  const texts = TEXTS[locale]
  return (
    <Modal
      open
      width={width}
      title={`${detail.version} ${detail.title}`}
      onCancel={onClose}
      footer={[
        <Button key="all" onClick={onShowAll}>
          {texts.all}
        </Button>,
        <Button key="read" type="primary" onClick={onClose}>
          {texts.read}
        </Button>,
      ]}
    >
      <Typography.Paragraph style={{ whiteSpace: 'pre-line' }}>{detail.content}</Typography.Paragraph>
    </Modal>
  )
}
export default VersionDialog
