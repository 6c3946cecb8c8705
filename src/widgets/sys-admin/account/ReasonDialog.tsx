import { Form, Input } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { accountTexts } from './texts'
import { Dialog } from '../../../runtime/dialog/Dialog'

interface ReasonDialogProps {
  title: string
  text: string | null
  okText: string
  danger: boolean
  onReason(reason: string): void
  onClose(): void
}

const LONGEST = 200

/** Asks why before something is done to somebody's account. */
export const ReasonDialog = ({ title, text, okText, danger, onReason, onClose }: ReasonDialogProps) => {
  const texts = accountTexts[useHost().locale]
  const [form] = Form.useForm<{ reason: string }>()
  return (
    <Dialog
      open
      title={title}
      okText={okText}
      okButtonProps={{ danger }}
      cancelText={texts.cancel}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      {text && <p>{text}</p>}
      <Form form={form} name="account-reason" layout="vertical" onFinish={({ reason }) => onReason(reason.trim())}>
        <Form.Item
          name="reason"
          label={texts.reason}
          extra={texts.reasonHelp}
          rules={[{ required: true, whitespace: true, message: texts.reasonRequired }]}
        >
          <Input.TextArea autoFocus rows={3} maxLength={LONGEST} />
        </Form.Item>
      </Form>
    </Dialog>
  )
}
