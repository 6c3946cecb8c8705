import { Modal } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { mailTexts } from '../parts/texts'

/** All keys with what they do. */
export const KeyHelp = ({ onClose }: { onClose(): void }) => {
  const texts = mailTexts[useHost().locale]
  return (
    <Modal
      open
      title={texts.keys}
      width={420}
      okText={texts.gotIt}
      onOk={onClose}
      onCancel={onClose}
      okButtonProps={{ autoFocus: true }}
      cancelButtonProps={{ hidden: true }}
    >
      <dl className="sb-mail-keys">
        {Object.entries(texts.keyNames).map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
